/* SPDX-License-Identifier: MIT */
#include "process.h"
#include "bytes.h"
#include "chunks.h"
#include "file.h"
#include "os.h"
#include "records.h"
#include "ticks.h"
#include "valgrind.h"
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_stack_end __attribute__((weak)); /* of glibc's loader */

#define SC_BUDGET_DEFAULT (UINT64_C(1) << 30)

/* A page that the kernel wipes in a child of fork: tells children made behind libc's back. */
static SC_SHARED uint32_t *process_owned;
static struct sc_process process_without_memory;

static int process_folder(struct sc_process *p, const char *folder)
{
  size_t bytes = sc_length(folder);
  size_t before = 0;

  if (*folder != '/') {
    long cwd = sc_os_getcwd(p->path, SC_PATH_MAX);
    if (cwd <= 1 || p->path[0] != '/')
      return -2;
    before = (size_t)cwd - 1;
    if (before > 1)
      p->path[before++] = '/';
  }
  if (before + bytes >= SC_PATH_MAX - 200)
    return -36; /* ENAMETOOLONG: the kernel takes no more than SC_PATH_MAX with the file's name */
  sc_copy(p->path + before, folder, bytes);
  p->folder_bytes = (uint32_t)(before + bytes);
  return 0;
}

/* The value of NAME=VALUE if `text` is that. */
static const char *process_value(const char *text, const char *name)
{
  size_t bytes = sc_length(name);

  for (size_t i = 0; i < bytes; i++)
    if (text[i] != name[i])
      return NULL;
  return text[bytes] == '=' ? text + bytes + 1 : NULL;
}

/*
 * Functions of an executable's .preinit_array run before libc knows its environment. It is then read where the kernel
 * put it: above the stack are argc, the arguments, the environment and the auxiliary vector.
 */
static const char *process_early_setting(const char *name)
{
  const uintptr_t *argc = __libc_stack_end;
  const char *const *text = (const char *const *)(argc + 1 + *argc + 1);
  const char *value = NULL;

  for (; *text; text++)
    if (!value)
      value = process_value(*text, name);
  for (const Elf64_auxv_t *at = (const Elf64_auxv_t *)(text + 1); at->a_type != AT_NULL; at++)
    if (at->a_type == AT_SECURE && at->a_un.a_val)
      return NULL;
  return value;
}

static const char *process_setting(const char *name)
{
  return environ || !&__libc_stack_end || !__libc_stack_end ? secure_getenv(name) : process_early_setting(name);
}

/* Takes what is left there for one process: those that it starts do not find it. 0 or a negative errno. */
static int process_control(struct sc_process *p)
{
  struct stat status;
  int fd, err;

  sc_copy(p->path + p->folder_bytes, "/control", sizeof("/control"));
  fd = sc_os_open(p->path, O_RDWR | O_NOFOLLOW, 0);
  if (fd < 0)
    return fd;
  err = sc_os_fstat(fd, &status);
  if (err == 0 && !(p->control = sc_os_map(NULL, (size_t)status.st_size, fd, 0)))
    err = -12; /* ENOMEM */
  sc_os_close(fd);
  sc_os_unlink(p->path);
  return err;
}

static int process_begin(struct sc_process *p, const char *folder, int fuzz)
{
  int err = process_folder(p, folder);

  if (err == 0 && fuzz)
    err = process_control(p);
  return err == 0 ? __scale_file_create(p, 0) : err;
}

static struct sc_process *process_make(void)
{
  struct sc_process *p = sc_os_map(NULL, sc_round_up(sizeof(*p), 4096), -1, 0);
  const char *fuzz = process_setting("SCALE_FUZZ");
  const char *folder = fuzz ? fuzz : process_setting("SCALE_PROFILE_DIR");
  const char *most = process_setting("SCALE_PROFILE_MAX");
  const char *trace = process_setting("SCALE_TRACE");
  uint64_t entries = trace ? __scale_bytes_size(trace, 0) : 0;

  if (!p)
    p = &process_without_memory;
  p->header = &p->private_header;
  p->budget = most ? __scale_bytes_size(most, SC_BUDGET_DEFAULT) : SC_BUDGET_DEFAULT;
  p->dormant = 1;
  if (!folder || !*folder || p == &process_without_memory)
    return p;
  p->wants_file = !fuzz;
  p->trace = entries < SCALE_TRACE_MOST ? (uint32_t)entries : SCALE_TRACE_MOST;
  __scale_ticks_choose();
  __scale_ticks_begin(p->header);
  if (process_begin(p, folder, fuzz != NULL) == 0) {
    p->has_file = 1;
    p->dormant = 0;
    __scale_records_info(p);
  }
  return p;
}

static void process_discard(struct sc_process *p)
{
  if (p->has_file)
    sc_os_unlink(p->path);
  for (struct scale_chunk *c = p->records, *next; c; c = next) {
    next = (struct scale_chunk *)(uintptr_t)c->next;
    sc_os_unmap(c, c->bytes);
  }
  if (p->has_file)
    sc_os_unmap(p->header, SCALE_HEADER_BYTES);
  if (p != &process_without_memory)
    sc_os_unmap(p, sc_round_up(sizeof(*p), 4096));
}

/* Whoever comes first makes the state; a thread or handler that loses the race throws its own away. */
struct sc_process *__scale_process(void)
{
  struct sc_process *p = SC_LOAD(__scale_process_state);
  struct sc_process *before = NULL;

  if (__builtin_expect(p != NULL, 1))
    return p;
  __scale_valgrind_begin();
  p = process_make();
  if (SC_SWAP(__scale_process_state, &before, p)) {
    __scale_process_own();
    if (p->records)
      __scale_chunks_add(p->records, NULL);
    SC_STORE(__scale_event_on, !p->dormant && !p->control);
    return p;
  }
  if (before != p)
    process_discard(p);
  return before;
}

int __scale_process_forked(void)
{
  uint32_t *owned = SC_LOAD(process_owned);
  return owned && !*(volatile uint32_t *)owned;
}

void __scale_process_own(void)
{
  if (!SC_LOAD(process_owned)) {
    uint32_t *page = sc_os_map(NULL, 4096, -1, 0);
    if (!page)
      return;
    *page = 1;
    if (sc_os_advise(page, 4096, MADV_WIPEONFORK) < 0) {
      sc_os_unmap(page, 4096);
      return;
    }
    SC_STORE(process_owned, page);
  }
  *(volatile uint32_t *)process_owned = 1;
}
