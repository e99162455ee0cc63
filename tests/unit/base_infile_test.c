/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are named as an argument: which are read, what is said of the others, and how much is read. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/infile.h"

static char folder[] = "/tmp/scale-infile-XXXXXX";

static int enter(void **state) { return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1; }

static int leave(void **state)
{
  return unlink("pipe") + unlink("socket") + unlink("file") + unlink("empty") + chdir("/") + rmdir(folder);
}

static void write_file(const char *path, size_t bytes)
{
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  for (size_t i = 0; i < bytes; i++)
    fputc('a' + (int)(i % 26), file);
  assert_int_equal(fclose(file), 0);
}

static void refused(const char *path, int number, const char *why, const char *hint)
{
  int fd;
  assert_int_equal(sc_infile_open(path, SC_E_INPUT, "the list", &fd), SC_E_INPUT);
  assert_int_equal(errno, number);
  assert_int_equal(fd, -1);
  unit_has(sc_err_message(), "the list cannot be read: ");
  unit_has(sc_err_message(), why);
  assert_string_equal(sc_err_hint_text(), hint);
}

/* A pipe nobody writes to would make us wait for ever. */
TEST(only_files_are_opened)
{
  struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0), of_folder = open(".", O_RDONLY);
  char path[40];
  static const char any[] = "name a file, or use a shell's <(...)";
  write_file("file", 5);
  assert_int_equal(mkfifo("pipe", 0600), 0);
  assert_int_equal(bind(listener, (struct sockaddr *)&name, sizeof name), 0);
  refused("missing", ENOENT, "No such file", "");
  refused("file/in", ENOTDIR, "Not a directory", "");
  refused(".", EINVAL, "it is a folder", "name the files in it");
  refused("pipe", EINVAL, "it is a named pipe", any);
  refused("socket", EINVAL, "it is a socket", any);
  refused("/dev/zero", EINVAL, "it is a device", any); /* 1, 5 where /dev/null is 1, 3 */
  refused("/dev/tty", EINVAL, "it is a device", any);
  snprintf(path, sizeof path, "/dev/fd/%d", of_folder);
  refused(path, EINVAL, "it is a folder", "name the files in it");
  close(listener);
  close(of_folder);
}

TEST(what_is_open_is_of_this_process_alone)
{
  static const char *const paths[] = {"file", "/dev/null"};
  for (size_t i = 0; i < COUNT(paths); i++) {
    int fd;
    assert_int_equal(sc_infile_open(paths[i], SC_E_INPUT, "it", &fd), 0);
    assert_true(fd >= 0 && (fcntl(fd, F_GETFD) & FD_CLOEXEC));
    assert_int_equal(fcntl(fd, F_GETFL) & (O_ACCMODE | O_NONBLOCK), O_RDONLY);
    close(fd);
  }
}

/* A shell's <(...) is a pipe that this process has already; it is waited for. */
TEST(pipes_of_our_own_are_read_to_their_end)
{
  static const char *const names[] = {"/dev/fd/%d", "/proc/self/fd/%d", "/dev/stdin"};
  for (size_t i = 0; i < COUNT(names); i++) {
    int ends[2], input = dup(0);
    char path[40];
    sc_buf text = {0};
    assert_int_equal(pipe(ends), 0);
    if (i == 2)
      assert_int_equal(dup2(ends[0], 0), 0);
    if (fork() == 0) {
      usleep(50000);
      _exit(write(ends[1], "late", 4) == 4 ? 0 : 1);
    }
    close(ends[1]);
    snprintf(path, sizeof path, names[i], ends[0]);
    assert_int_equal(sc_infile_read(path, SC_E_INPUT, "it", 0, &text), 0);
    assert_string_equal(text.text, "late");
    sc_buf_free(&text);
    close(ends[0]);
    dup2(input, 0);
    close(input);
  }
}

/* Blocks of 64 KiB are read until there are more bytes than the limit. */
TEST(reading_stops_behind_the_limit)
{
  static const size_t block = 65536, whole = 3 * 65536 + 10;
  const struct {
    size_t limit, length;
  } cases[] = {{0, whole},
               {1, block},
               {block - 1, block},
               {block, 2 * block},
               {2 * block - 1, 2 * block},
               {whole - 11, 3 * block},
               {whole - 1, whole},
               {whole, whole}};
  write_file("file", whole);
  write_file("empty", 0);
  for (size_t i = 0; i < COUNT(cases); i++) {
    sc_buf text = {0};
    sc_buf_puts(&text, "before"); /* is not counted */
    assert_int_equal(sc_infile_read("file", SC_E_INPUT, "it", cases[i].limit, &text), 0);
    assert_int_equal(text.length, 6 + cases[i].length);
    assert_memory_equal(text.text, "beforeabc", 9);
    assert_int_equal(text.text[text.length - 1], 'a' + (int)((cases[i].length - 1) % 26));
    sc_buf_free(&text);
  }
  sc_buf text = {0};
  assert_int_equal(sc_infile_read("empty", SC_E_INPUT, "it", 1, &text), 0);
  assert_int_equal(text.length, 0);
  assert_int_equal(sc_infile_read("missing", SC_E_TOOLITTLE, "it", 1, &text), SC_E_TOOLITTLE);
  assert_int_equal(sc_infile_read("/proc/self/mem", SC_E_INPUT, "memory", 0, &text),
                   SC_E_IO); /* nothing is mapped at 0 */
  unit_has(sc_err_message(), "memory cannot be read: ");
  sc_buf_free(&text);
}

int main(void) { return unit_run(enter, leave); }
