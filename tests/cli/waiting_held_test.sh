#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a thread sleeps while it holds a lock is noted for the call that acquired the lock; what it sleeps without is not.
. "$(dirname "$0")/lib.sh"
need_compiler

cat >held.c <<'C'
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int main(void)
{
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&outer);
    usleep(1000);
    pthread_mutex_lock(&inner);
    usleep(1000);
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
    usleep(1000);
  }
  return 0;
}
C
"$cc" -O1 -g held.c -o held -pthread || fault "scale-cc failed"
mkdir profile
SCALE_PROFILE_DIR=profile ./held || fault "the program failed"
expect 0 '' "$run" dump profile/*.scprof
grep -c 'while it held' out >count
grep -q '^3$' count || fault "not three pairs of a sleep and a lock: $(grep 'while it held' out)"
for pair in 8:pthread_mutex_lock:7 10:pthread_mutex_lock:7 10:pthread_mutex_lock:9; do
  grep -q "usleep:${pair%%:*}:.* waited 3 (.*) for sleep, while it held what was acquired by .* ${pair#*:}:" out ||
    fault "no sleep in line ${pair%%:*} while the lock of line ${pair##*:} is held"
done
exit $status
