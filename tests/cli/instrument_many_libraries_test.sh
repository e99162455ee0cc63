#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# 300 instrumented libraries in one process: the loader has little thread-local storage for those opened at run time.
. "$(dirname "$0")/instrument/common.sh"
need python3
count=300

cat >f.c <<'C'
int NAME(int x);
int NAME(int x) { int sum = 0; for (int i = 0; i < x; i++) sum += i; return sum; }
C
cat >opens.c <<'C'
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int (*functions[1000])(int);
static void *run(void *count)
{
  long sum = 0;
  for (int i = 1; i <= *(int *)count; i++)
    sum += functions[i](i);
  printf("%ld\n", sum);
  return 0;
}
int main(int argc, char **argv)
{
  int count = atoi(argv[1]);
  pthread_t thread;
  for (int i = 1; i <= count; i++) {
    char name[64];
    snprintf(name, sizeof name, "./lib%d.so", i);
    void *library = dlopen(name, RTLD_NOW | (argc > 2 ? RTLD_GLOBAL : RTLD_LOCAL));
    functions[i] = library ? (int (*)(int))dlsym(library, "f") : 0;
    if (!functions[i]) { printf("%d: %s\n", i, dlerror()); return 1; }
  }
  pthread_create(&thread, 0, run, &count);
  pthread_join(thread, 0);
  run(&count);
  return 0;
}
C
"$cc" -O2 -fPIC -DNAME=f -shared f.c -o lib1.so || fail "the library does not build"
for ((i = 2; i <= count; i++)); do cp lib1.so lib$i.so; done
"$cc" -O2 opens.c -o opens -pthread && "$clang" -O2 opens.c -o plain -pthread || fail "the programs do not build"
expected="4499950
4499950"
profiled ./opens $count
same "opened" "0 $expected" "$status $(cat out)"
same "opened: profiles" 1 "$(ls prof | wc -l)"
has "opened: counts" "^f 600 90300$" "$(python3 "$files/scprof.py" --totals prof/*)"
profiled ./plain $count global
same "opened by a plain program" "0 $expected" "$status $(cat out)"
same "opened by a plain program: profiles" 1 "$(ls prof | wc -l)"
# each has a runtime of its own then: docs/instrumenting.md says how many there can be
profiled ./plain 100
same "opened by a plain program, for themselves" "0 166650 166650" "$status $(xargs <out)"
GLIBC_TUNABLES=glibc.rtld.optional_static_tls=8192 profiled ./plain $count
same "opened by a plain program, for themselves, with more room" "0 $expected" "$status $(cat out)"

for compiler in "$cc" "$clang"; do
  "$compiler" -O2 opens.c -o linked -pthread -Wl,--no-as-needed ./lib[0-9]*.so -Wl,-rpath,"$PWD" || fail "$compiler: cannot link $count libraries"
  profiled ./linked $count
  same "linked by ${compiler##*/}" "0 $expected" "$status $(cat out)"
  same "linked by ${compiler##*/}: profiles" 1 "$(ls prof | wc -l)"
done
finish
