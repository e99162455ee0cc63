#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --uprobes: exact calls of functions of programs that were not built with scale-cc, whoever calls them: threads, signal
# handlers, forked and executed programs, daemons, libraries that come and go; recursion; C++ by name.
. "$(dirname "$0")/../lib.sh"
. "$here/attach.sh"
need_uprobes

cat >deeds.c <<'X'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static long n;
__attribute__((noinline)) void leaf(void) { __asm__ volatile("" ::: "memory"); }
static __attribute__((noinline)) long deep(long left)
{
  long below = left > 0 ? deep(left - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  return below + 1;
}
static void leaves(long times)
{
  for (long i = 0; i < times; i++)
    leaf();
}
static void *threaded(void *unused)
{
  leaves(n);
  return NULL;
}
static void on_signal(int number) { leaf(); }
static void start(const char *program)
{
  char size[32], *argv[] = {(char *)program, "leaves", size, NULL};
  pid_t pid;
  snprintf(size, sizeof size, "%ld", n);
  if (posix_spawn(&pid, program, NULL, NULL, argv, environ) != 0)
    exit(1);
  waitpid(pid, NULL, 0);
}
static void plug(void)
{
  void *library = dlopen("./libplug.so", RTLD_NOW);
  void (*run)(void) = library ? (void (*)(void))dlsym(library, "plug_run") : NULL;
  if (!run)
    exit(1);
  for (long i = 0; i < n; i++)
    run();
  dlclose(library);
}
int main(int argc, char **argv)
{
  pthread_t threads[4];
  int ends[2];
  char end;
  n = atol(argv[argc - 1]);
  if (argc > 2) {
    leaves(n);
    return 0;
  }
  leaves(n);
  deep(n);
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], NULL, threaded, NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], NULL);
  signal(SIGUSR1, on_signal);
  for (int i = 0; i < 3; i++)
    raise(SIGUSR1);
  if (pipe(ends) != 0)
    return 1;
  if (fork() == 0) { /* a daemon: in a session of its own, and nobody's child */
    if (fork() == 0) {
      setsid();
      leaves(10 * n);
      if (write(ends[1], "", 1) != 1)
        _exit(1);
    }
    _exit(0);
  }
  wait(NULL);
  if (read(ends[0], &end, 1) != 1)
    return 1;
  start("./deeds");
  start("./other");
  plug();
  plug();
  return 0;
}
X
cat >plug.c <<'X'
void plug_run(void) { __asm__ volatile(""); }
X
"$plain_cc" -O2 -g -pthread -o deeds deeds.c -ldl || exit 1
cp deeds other
"$plain_cc" -O2 -g -shared -fPIC -o libplug.so plug.c || exit 1

measure -P n=5,10,30 --uprobes leaf,deep,./libplug.so:plug_run -o deeds.db -- ./deeds '{n}'
[ -s err ] && { fault 'it warns'; cat err; }
for n in 5 10 30; do
  echo "$n /deeds/deep $((n + 1))"
  echo "$n /deeds/leaf $((n + 4 * n + 3 + 10 * n + n))"
  echo "$n /deeds/plug_run $((2 * n))"
done | of deeds.db

# A copy is another file, and another count; by path each is found, and the process's name tells who called.
measure -P n=5,10,30 --uprobes leaf --uprobes ./other:leaf,./other:deep -o other.db -- ./deeds '{n}'
for n in 5 10 30; do
  echo "$n /deeds/leaf $((16 * n + 3))"
  echo "$n /other/leaf $n"
done | of other.db
grep -q 'deep of .*/other was not called at any size' err || { fault 'not said that nobody called deep of other'; cat err; }

# A static function of the program is not the library's function of the same name.
cat >lone.c <<'X'
#include <stdlib.h>
static __attribute__((noinline)) void plug_run(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
  for (int i = atoi(argv[1]); i > 0; i--)
    plug_run();
  return 0;
}
X
"$plain_cc" -O2 -g -o lone lone.c || exit 1
measure -P n=5,10,30 --uprobes plug_run,./libplug.so:plug_run -o lone.db -- ./lone '{n}'
for n in 5 10 30; do echo "$n /lone/plug_run $n"; done | of lone.db
grep -q 'plug_run of .*/libplug.so was not called at any size' err || { fault 'not said that nobody called plug_run of the library'; cat err; }

# Processes outside the run call the same code, and are not counted.
./deeds leaves 1000000000000 &
stranger=$!
measure -P n=5,10,30 --uprobes leaf -o alone.db -- ./deeds '{n}'
kill $stranger
wait $stranger 2>/dev/null
for n in 5 10 30; do echo "$n /deeds/leaf $((16 * n + 3))"; done | of alone.db

# C++: all overloads by the name they share, one by its parameters; templates, methods, constructors.
cat >shapes.cpp <<'X'
#include <cstdlib>
#define NOINLINE __attribute__((noinline))
namespace shape {
NOINLINE void add(int) { __asm__ volatile(""); }
NOINLINE void add(double) { __asm__ volatile(""); }
NOINLINE void add(int, int) { __asm__ volatile(""); }
struct point {
  int x;
  NOINLINE point(int at) : x(at) { __asm__ volatile(""); }
  NOINLINE int get() const { __asm__ volatile(""); return x; }
};
NOINLINE bool operator<(const point &a, const point &b) { __asm__ volatile(""); return a.x < b.x; }
}
template <class T> NOINLINE T twice(T x) { __asm__ volatile(""); return x + x; }
namespace {
NOINLINE void hidden() { __asm__ volatile(""); }
}
int main(int, char **argv)
{
  int n = atoi(argv[1]), s = 0;
  for (int i = 0; i < n; i++) {
    shape::add(1);
    shape::add(1, 2);
    shape::add(1, 2);
    for (int k = 0; k < 3; k++)
      shape::add(1.0);
    shape::point p(i), q(1);
    s += p.get() + (p < q) + twice(i) + (int)twice(1.5f);
    hidden();
  }
  return s == -1;
}
X
g++ -O2 -g -o shapes shapes.cpp || exit 1
measure -P n=5,10,30 -o shapes.db \
  --uprobes 'shape::add,shape::point::point(int),shape::point::get,shape::operator<,int twice<int>(int),(anonymous namespace)::hidden' -- ./shapes '{n}'
for n in 5 10 30; do
  printf '%s\n' "$n /shapes/shape::add(int) $n" "$n /shapes/shape::add(double) $((3 * n))" "$n /shapes/shape::add(int, int) $((2 * n))" \
    "$n /shapes/shape::point::point(int) $((2 * n))" "$n /shapes/shape::point::get() const $n" \
    "$n /shapes/int twice<int>(int) $n" "$n /shapes/(anonymous namespace)::hidden() $n" \
    "$n /shapes/shape::operator<(shape::point const&, shape::point const&) $n"
done | of shapes.db
measure -P n=5,10,30 -o add.db --uprobes 'shape::add(int, int)' -- ./shapes '{n}'
for n in 5 10 30; do echo "$n /shapes/shape::add(int, int) $((2 * n))"; done | of add.db
measure -P n=5,10,30 -o twice.db --uprobes shape::point::get,shape::point::get -- ./shapes '{n}' # named twice
for n in 5 10 30; do echo "$n /shapes/shape::point::get() const $n"; done | of twice.db
exit $status
