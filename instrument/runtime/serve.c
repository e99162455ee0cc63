/* SPDX-License-Identifier: MIT */
/* A server of children that are forked before main, or where the program first looks at its input (struct
   scale_control). Signals, limits and descriptors are theirs as if they had been started; what they wait for, nobody
   here does, as no descriptor is used. */
#include "serve.h"
#include "bytes.h"
#include "os.h"
#include "process.h"
#include "thread.h"
#include <sys/wait.h>
#include <unistd.h>

static void serve_answer(struct scale_control *c, enum scale_answer answer)
{
  SC_STORE(c->answer, answer);
  sc_os_wake(&c->answer);
}

static void serve_await(struct scale_control *c)
{
  while (!SC_LOAD(c->ask))
    sc_os_wait(&c->ask, 0);
  SC_STORE(c->ask, 0);
}

/* Takes over what children noted. Where a library was that they loaded, nothing may be here. */
static uint32_t serve_take(struct scale_control *c, uint32_t from)
{
  uint32_t count = SC_LOAD(c->noted);
  unsigned char there;

  for (; from < count && from < SCALE_CONTROL_NOTES_MOST; from++) {
    const struct scale_noted *noted = sc_process_noted(c, from);
    uint64_t page = noted->address & ~UINT64_C(4095);
    if (page && sc_os_call(SYS_mincore, (long)page, 1, (long)&there, 0, 0, 0) == 0)
      SC_STORE(*(uint32_t *)(uintptr_t)noted->address, noted->index);
  }
  return from;
}

/* Waits for the child's end, ends what it left, and says so. Its number stays taken. */
static void serve_watch(struct scale_control *c, pid_t child)
{
  struct rusage usage;
  siginfo_t info;

  info.si_code = info.si_status = 0;
  sc_zero(&usage, sizeof(usage));
  while (child > 0 && sc_os_call(SYS_waitid, P_PID, child, (long)&info, WEXITED | WNOWAIT, (long)&usage, 0) == -4)
    ;
  if (child > 0)
    sc_os_call(SYS_kill, -child, SIGKILL, 0, 0, 0, 0);
  c->code = (uint32_t)info.si_code;
  c->status = (uint32_t)info.si_status;
  c->nanoseconds = ((uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
                    (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)) *
                   1000;
  c->peak_kib = (uint64_t)usage.ru_maxrss;
}

/* Arenas that are free in each child, whose own would be in the next one's way. */
static void serve_spare(struct sc_process *p)
{
  for (uint64_t i = sc_arena_spare(p); i > 0; i--) {
    struct sc_arena *arena = __scale_arena_new(p);
    if (!arena)
      return;
    arena->owner = SC_ARENA_LEAVING;
    __scale_arena_link(arena);
  }
}

static void serve_children(char **arguments)
{
  struct scale_control *c = __scale_process()->control;
  struct sc_arena *own = c ? __scale_thread_arena(__scale_process(), (uintptr_t)__builtin_frame_address(0)) : NULL;
  uint32_t taken = 0;
  pid_t child = 0;

  if (!own)
    return;
  serve_spare(__scale_process());
  own->entries_lossy = 1; /* each child makes further ones, which only the lists have */
  for (enum scale_answer answer = SCALE_ANSWER_READY;; answer = SCALE_ANSWER_ENDED) {
    serve_answer(c, answer);
    serve_await(c);
    if (child > 0)
      sc_os_call(SYS_wait4, child, 0, 0, 0, 0, 0);
    taken = serve_take(c, taken);
    sc_os_call(SYS_lseek, 0, 0, SEEK_SET, 0, 0, 0);
    child = fork();
    if (!child)
      break;
    SC_STORE(c->child, child > 0 ? (uint32_t)child : 0);
    serve_watch(c, child);
  }
  sc_os_call(SYS_setpgid, 0, 0, 0, 0, 0, 0);
  if (arguments && c->argument)
    arguments[c->argument] = (char *)c + SCALE_CONTROL_INPUT;
}

void __scale_serve(char **arguments)
{
  const struct scale_control *c = __scale_process()->control;

  if (c && c->defer == SCALE_DEFER_NONE)
    serve_children(arguments);
}

SC_WEAK void __scale_event_input(void)
{
  const struct sc_process *p = SC_LOAD(__scale_process_state);

  if (p && p->control && p->control->defer == SCALE_DEFER_WANTED && p->header->pid == sc_os_pid())
    serve_children(NULL);
}
