#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A lock that threads compute under for a tenth of the time: one processor cannot keep it busy, 64 can. Holds that sleep need none.
. "$(dirname "$0")/../lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77

cat >threads.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t computed = PTHREAD_MUTEX_INITIALIZER, slept = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;
static void compute(long steps)
{
  unsigned long x = 1;
  for (long i = 0; i < steps; i++)
    x = (x ^ x >> 29) * 6364136223846793005u;
  sink = x;
}
static void *work(void *sleeps)
{
  for (int i = 0; i < 60; i++) {
    pthread_mutex_lock(sleeps ? &slept : &computed);
    if (sleeps)
      usleep(500);
    else
      compute(100000);
    pthread_mutex_unlock(sleeps ? &slept : &computed);
    if (sleeps)
      usleep(4500);
    else
      compute(900000);
  }
  return NULL;
}
int main(int argc, char **argv)
{
  long count = atol(argv[1]);
  pthread_t threads[64];
  for (long i = 0; i < count; i++)
    pthread_create(&threads[i], NULL, work, argc > 2 ? argv : NULL);
  for (long i = 0; i < count; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
C
"$cc" -O1 -g threads.c -o threads -pthread || fault "scale-cc failed"
used() { # STUDY LOCK [OPTION]...
  local study=$1 lock=$2
  shift 2
  "$run" ask "$study" --resource "$lock" --at 64 --json "$@" |
    python3 -c "
import json, sys
print(next(p['value'] for m in json.load(sys.stdin)['resource']['numbers'] if m['metric'] == 'utilisation' for p in m['predictions']))"
}
expect 0 '' "$run" run -P n=1..4 --kind threads --at 64 -o computed.db --no-report -- ./threads '{n}'
expect 0 '' "$run" run -P n=1..4 --kind threads --at 64 -o slept.db --no-report -- ./threads '{n}' sleep
one=$(used computed.db computed --processors 1) many=$(used computed.db computed --processors 64)
python3 -c "import sys; sys.exit(not ($one < 0.2 and $many > 0.8))" || fault "computed: $one on one processor, $many on 64"
one=$(used slept.db slept --processors 1) many=$(used slept.db slept --processors 64)
python3 -c "import sys; sys.exit(not ($one > 0.7 and $many > 0.7))" || fault "slept: $one on one processor, $many on 64"
expect 2 '' "$run" ask computed.db --processors 0
grep -q 'from 1 on' err || fault "0 processors are no usage error: $(cat err)"
exit $status
