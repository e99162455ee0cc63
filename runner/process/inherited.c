/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner/process/inherited.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGNALS = 64 };
/* Sampling takes two descriptors a processor; more than this nobody needs, and some systems have no limit. */
static const rlim_t MOST_FILES = 65536;

static sc_inherited state;
static bool taken;

static sc_inherited take_inherited(void)
{
  sc_inherited now = {0};
  sigset_t blocked;
  unsigned long action[8];
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  for (int number = 1; number <= SIGNALS; number++) {
    uint64_t bit = (uint64_t)1 << (number - 1);
    if (sigismember(&blocked, number) == 1)
      now.blocked |= bit;
    /* The kernel's own call tells of the C library's two signals, too; the first word is the handler. */
    if (syscall(SYS_rt_sigaction, number, NULL, action, SIGNALS / 8) == 0 && action[0] == (unsigned long)SIG_IGN)
      now.ignored |= bit;
  }
  if (getrlimit(RLIMIT_NOFILE, &now.files) < 0)
    now.files = (struct rlimit){RLIM_INFINITY, RLIM_INFINITY};
  return now;
}

/* Or the first file that is opened, a study perhaps, would be what is printed to. What is opened here is refused by
 * reads of standard input and by writes of the others: output that goes nowhere must not look written. */
static void open_standard(void)
{
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
      _exit(2); /* without /dev/null; there is nowhere to say so */
}

void sc_inherited_replace(void)
{
  sigset_t none;
  state = take_inherited();
  taken = true;
  open_standard();
  signal(SIGCHLD, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes (ulimit -f) is an error to be told, not to die of */
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  struct rlimit more = state.files;
  rlim_t most = more.rlim_max < MOST_FILES ? more.rlim_max : MOST_FILES;
  if (more.rlim_cur < most) {
    more.rlim_cur = most;
    (void)setrlimit(RLIMIT_NOFILE, &more);
  }
}

sc_inherited sc_inherited_get(void) { return taken ? state : take_inherited(); }
