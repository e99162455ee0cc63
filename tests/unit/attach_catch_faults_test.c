/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel that refuses: every call of bpf() from the k-th on fails, for every k. */
#include "unit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instrument/attach/catch.h"
#include "instrument/attach/functions.h"

static long calls, fails_from; /* fails_from 0: none */
static int fails_with;

/* Stands before libc's, for libbpf too. */
long syscall(long number, ...)
{
  long a[6];
  va_list list;
  va_start(list, number);
  for (size_t i = 0; i < COUNT(a); i++)
    a[i] = va_arg(list, long);
  va_end(list);
  if (number == SYS_bpf && ++calls >= fails_from && fails_from) {
    errno = fails_with;
    return -1;
  }
  static long (*real)(long, ...);
  if (!real)
    *(void **)&real = dlsym(RTLD_NEXT, "syscall");
  return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static size_t open_descriptors(void)
{
  size_t count = 0;
  DIR *folder = opendir("/proc/self/fd");
  assert_non_null(folder);
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}

typedef struct target {
  sc_object *object;
  sc_functions found;
  sc_catch_place place;
} target;

static target find_exit(void)
{
  target t = {0};
  Dl_info libc;
  assert_int_not_equal(dladdr((void *)exit, &libc), 0);
  assert_int_equal(sc_object_open(libc.dli_fname, &t.object), 0);
  assert_int_equal(sc_functions_find(t.object, "exit", &t.found), 0);
  t.place = (sc_catch_place){t.found.list[0].file, "exit", t.found.list[0].entries[0].offset, 0};
  return t;
}

static void drop(target *t)
{
  sc_functions_free(&t->found);
  sc_object_close(t->object);
}

/* The catch that works; the test is skipped where the kernel has none. */
static sc_catch *open_working(const target *t, bool single)
{
  sc_catch *caught;
  fails_from = 0;
  int err = sc_catch_open(&t->place, 1, 1, NULL, single ? SC_CATCH_SINGLE : 0, &caught);
  if (err == SC_E_UNSUPPORTED) {
    printf("skipped: %s\n", sc_err_message());
    skip();
  }
  assert_int_equal(err, 0);
  return caught;
}

/* How many of the calls of opening, when refused, refuse all of it; each with one clear error. */
static size_t refusals(const target *t, bool single, int error)
{
  size_t refused = 0, descriptors;
  sc_catch_close(open_working(t, single));
  descriptors = open_descriptors();
  for (long from = 1;; from++) {
    sc_catch *caught = NULL;
    calls = 0, fails_from = from, fails_with = error;
    int err = sc_catch_open(&t->place, 1, 1, NULL, single ? SC_CATCH_SINGLE : 0, &caught);
    bool reached = calls >= from;
    fails_from = 0;
    assert_true((err == 0) == (caught != NULL));
    if (err < 0) {
      refused++;
      assert_string_not_equal(sc_err_message(), "");
      if (err == SC_E_UNSUPPORTED || err == SC_E_INPUT)
        assert_string_not_equal(sc_err_hint_text(), "");
      else
        assert_int_equal(err, SC_E_NOMEM);
    }
    sc_catch_close(caught);
    assert_int_equal(open_descriptors(), descriptors);
    if (!reached)
      break;
  }
  return refused;
}

TEST(a_kernel_that_refuses_gets_one_clear_error)
{
  static const int errors[] = {EPERM, EACCES, ENOMEM, EINVAL, EMFILE, E2BIG};
  target t = find_exit();
  for (size_t i = 0; i < COUNT(errors); i++)
    for (int single = 0; single < 2; single++)
      assert_true(refusals(&t, single, errors[i]) >= 5); /* maps, programs, links */
  drop(&t);
}

TEST(missing_rights_are_named)
{
  target t = find_exit();
  sc_catch *caught = open_working(&t, false);
  sc_catch_close(caught);
  calls = 0, fails_from = 1, fails_with = EPERM;
  assert_int_equal(sc_catch_open(&t.place, 1, 1, NULL, 0, &caught), SC_E_UNSUPPORTED);
  fails_from = 0;
  unit_has(sc_err_message(), "CAP_BPF");
  unit_has(sc_err_hint_text(), geteuid() == 0 ? "--cap-add BPF" : "setcap");
  assert_null(caught);
  drop(&t);
}

static int count_none(void *user, const char *image, uint32_t function, uint64_t number) { return 0; }

/* A run whose calls are counted. */
static void run_true(sc_catch *caught)
{
  int gate[2], status;
  char go;
  assert_int_equal(pipe(gate), 0);
  pid_t pid = fork();
  if (pid == 0) {
    if (read(gate[0], &go, 1) == 1)
      execl("/bin/true", "true", (char *)NULL);
    _exit(126);
  }
  assert_int_equal(sc_catch_begin(caught, pid, NULL, NULL), 0);
  assert_int_equal(write(gate[1], "", 1), 1);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  close(gate[0]);
  close(gate[1]);
}

/* Counts that cannot be reset, or read, are no counts of 0. */
TEST(counts_that_cannot_be_reset_or_read_are_errors)
{
  target t = find_exit();
  sc_catch *caught = open_working(&t, false);
  sc_catch_totals totals;
  for (long from = 1;; from++) {
    calls = 0, fails_from = from, fails_with = EINVAL;
    int err = sc_catch_begin(caught, getpid(), NULL, NULL);
    bool reached = calls >= from;
    fails_from = 0;
    if (!reached) {
      assert_int_equal(err, 0);
      break;
    }
    assert_int_equal(err, SC_E_UNSUPPORTED);
    unit_has(sc_err_message(), "the kernel's counts");
  }
  run_true(caught);
  for (long from = 1;; from++) {
    calls = 0, fails_from = from, fails_with = EINVAL;
    int err = sc_catch_take(caught, &totals, count_none, NULL);
    bool reached = calls >= from;
    fails_from = 0;
    assert_int_equal(err, reached ? SC_E_UNSUPPORTED : 0);
    if (!reached) {
      assert_true(from > 4); /* the state, an image, its number and its counts, no further image */
      break;
    }
    unit_has(sc_err_message(), "cannot read the kernel's counts");
  }
  assert_int_equal(sc_catch_take(caught, &totals, count_none, NULL), 0);
  sc_catch_close(caught);
  drop(&t);
}
