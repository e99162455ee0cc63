#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A program replaces a function of a library by its own, which throws where the library's comes back: what follows the
# call in the library is counted only when it is reached. A setenv of the program's own may leave a shorter environment.
. "$(dirname "$0")/instrument/common.sh"
cat >library.c <<'C'
int hook(int x) { return x + 1; }
static inline __attribute__((always_inline)) void after(int *sum) { *sum += 2; }
int run(int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += hook(i);
    after(&sum);
  }
  return sum;
}
C
cat >program.cpp <<'C'
#include <cstdio>
extern "C" int run(int);
extern "C" int hook(int x)
{
  if (x == 5)
    throw 1;
  return x;
}
int main()
{
  try {
    printf("%d\n", run(10));
  } catch (int) {
    puts("caught");
  }
}
C
for level in "-O0" "-O2 -fsemantic-interposition"; do
  # shellcheck disable=SC2086
  "$cc" $level -fPIC -fexceptions -shared library.c -o libhook.so &&
    "$cxx" -O2 program.cpp -L. -lhook -Wl,-rpath,"$PWD" -o program || fail "$level does not build"
  profiled ./program
  same "$level: output" "0 caught" "$status $(cat out)"
  counted=$("$SCALE_BUILD/bin/scale-run" dump --totals prof/*.scprof | awk '$1 == "function" { print $2, $4 }')
  same "$level: calls" "after 5 hook 6 main 1 run 1" "$(echo "$counted" | sort | xargs)"
done

cat >own.c <<'C'
#include <stdio.h>
#include <sys/mman.h>
extern char **environ;
/* The environment is this one variable, whose end is that of the memory. */
int setenv(const char *name, const char *value, int replace)
{
  static char text[64];
  char *page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || mprotect(page + 4096, 4096, PROT_NONE) != 0)
    return -1;
  snprintf(text, sizeof text, "%s=%s", name, value);
  environ = (char **)(page + 4096) - 2;
  environ[0] = text;
  environ[1] = NULL;
  return 0;
}
C
cat >program.c <<'C'
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  errno = 0;
  int failed = setenv("A", "b", 1);
  printf("%d %s %d\n", failed, getenv("A"), errno);
  return 0;
}
C
"$cc" -O1 program.c own.c -o program || fail "a setenv of the program's own does not build"
profiled ./program
same "a setenv of the program's own" "0 0 b 0" "$status $(cat out)"
finish
