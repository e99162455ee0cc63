/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fork_limited BYTES: forks below hundreds of contexts, with files no longer than that from then on. The child calls
 * again what is above it. */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))

static volatile int sink;

NOINLINE static void leaf(int n)
{
  for (int i = 0; i < n; i++)
    sink++;
}

#define NARROW(k) \
  NOINLINE static void narrow##k(int n) { leaf(n + k); }
#define WIDE(k)                                                                      \
  NOINLINE static void wide##k(int n)                                                \
  {                                                                                  \
    narrow0(n), narrow1(n), narrow2(n), narrow3(n), narrow4(n), narrow5(n), leaf(k); \
  }
#define EACH(what) what(0) what(1) what(2) what(3) what(4) what(5)
#define CALL(k)    wide##k(k);
EACH(NARROW)
EACH(WIDE)

#define LEVEL(name, next)             \
  NOINLINE static int name(int bytes) \
  {                                   \
    EACH(CALL)                        \
    int status = next(bytes);         \
    leaf(2);                          \
    return status;                    \
  }

NOINLINE static int forks(int bytes)
{
  struct rlimit limit = {bytes, bytes};
  int status = 0;
  if (setrlimit(RLIMIT_FSIZE, &limit))
    return 1;
  pid_t pid = fork();
  if (!pid)
    return 0;
  return waitpid(pid, &status, 0) != pid || status;
}

LEVEL(a, forks)
LEVEL(b, a)
LEVEL(c, b)
LEVEL(d, c)
LEVEL(e, d)
LEVEL(f, e)

int main(int argc, char **argv) { return f(argc > 1 ? atoi(argv[1]) : 0); }
