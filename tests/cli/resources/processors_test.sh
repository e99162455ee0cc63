#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A lock that threads compute under for a tenth of the time: on one processor they wait ten times as long for it as on 64, which
# keep it busy. Holds that sleep need none.
# Timed: waits are measured.
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
predicted() { # STUDY LOCK METRIC [OPTION]...
  local study=$1 lock=$2 metric=$3
  shift 3
  "$run" ask "$study" --resource "$lock" --at 64 --json "$@" |
    python3 -c "
import json, sys
print(next(p['value'] for m in json.load(sys.stdin)['resource']['numbers'] if m['metric'] == '$metric' for p in m['predictions']))"
}
expect 0 '' "$run" run -P n=1..4 --kind threads --at 64 -o computed.db --no-report -- ./threads '{n}'
expect 0 '' "$run" run -P n=1..4 --kind threads --at 64 -o slept.db --no-report -- ./threads '{n}' sleep
one=$(predicted computed.db computed 'mean wait time' --processors 1)
many=$(predicted computed.db computed 'mean wait time' --processors 64)
busy=$(predicted computed.db computed utilisation --processors 64)
python3 -c "import sys; sys.exit(not ($one > 3 * $many and $busy > 0.8))" ||
  fault "computed: waits of $one s on one processor, $many s on 64; busy: $busy"
one=$(predicted slept.db slept 'mean wait time' --processors 1) many=$(predicted slept.db slept 'mean wait time' --processors 64)
python3 -c "import sys; sys.exit(not ($many / 2 < $one < 2 * $many))" || fault "slept: $one s on one processor, $many s on 64"
expect 2 '' "$run" ask computed.db --processors 0
grep -q 'from 1 on' err || fault "0 processors are no usage error: $(cat err)"
exit $status
