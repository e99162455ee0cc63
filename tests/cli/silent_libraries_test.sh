#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A library that takes locks and is not instrumented hides them: where a program has threads the report names it, and what
# to do. An instrumented one, one without locks, and a program without threads are passed over.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >guard.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void guard_enter(void) { pthread_mutex_lock(&lock); }
void guard_leave(void) { pthread_mutex_unlock(&lock); }
C
echo 'int lockless(int n) { return n + 1; }' >lockless.c
cat >main.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
void guard_enter(void);
void guard_leave(void);
int lockless(int);
static long all;
static void *work(void *data)
{
  for (int i = 0; i < 20; i++) {
    guard_enter();
    all = lockless((int)all);
    usleep(200);
    guard_leave();
  }
  return data;
}
int main(int count, char **arguments)
{
  long n = atol(arguments[1]);
  pthread_t threads[64];
  if (count > 2)
    return work(NULL) != NULL;
  for (long i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (long i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
C
mkdir plain seen
"${CC:-cc}" -shared -fPIC -O2 guard.c -o plain/libguard.so -pthread && "${CC:-cc}" -shared -fPIC lockless.c -o liblockless.so || exit 77
"$cc" -shared -fPIC -O2 guard.c -o seen/libguard.so -pthread
"$cc" -O2 -pthread main.c -o main -Lplain -lguard -L. -llockless
for kind in plain seen; do
  LD_LIBRARY_PATH=$PWD/$kind:$PWD "$run" run -q -P n=1,2,3,4 --kind threads --at 16 --event none -o $kind.db -- ./main '{n}' >out 2>err || { cat out err; exit 1; }
  "$run" report $kind.db --json >$kind.json
done
json plain.json '[(x["module"].split("/")[-1], x["calls"], x["program"].split("/")[-1]) for x in d["silent_libraries"]] == [("libguard.so", "pthread_mutex_lock", "main")]'
json seen.json 'd["silent_libraries"] == []'
"$run" report plain.db >out 2>err
tr -s ' \n' ' ' <out | grep -qE 'libguard\.so \(pthread_mutex_lock\) takes locks and is not instrumented: .* Build it with scale-cc' ||
  { fault "the report does not say why no lock was seen"; cat out; }
tr -s ' \n' ' ' <out | grep -qF 'No resource turns pathological at the sizes measured and predicted, of those that are seen: libguard.so is not instrumented' ||
  { fault "the resources look as if all were seen"; cat out; }
LD_LIBRARY_PATH=$PWD/plain:$PWD "$run" run -q -P n=1,2,3,4 --at 16 --event none -o one.db -- ./main '{n}' alone >out 2>err
"$run" report one.db --json >one.json
json one.json 'd["silent_libraries"] == []'
exit $status
