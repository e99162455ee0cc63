#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# memcached 1.6.18 under libmemcached's own load generators: more keys, more clients. It frees everything it has for a
# client when the client goes, keeps what it stores in slabs, and its locks are held for some hundred nanoseconds: nothing
# leaks, and what is found is the same in two studies.
. "$(dirname "$0")/lib.sh"
fetch memcached 1.6.18
mkdir build
cd build
quietly ../configure.log ../memcached/configure CC="$bin/scale-cc" CFLAGS=-O2
quietly ../make.log make -j"$(nproc)" memcached
cd ..
MEMCACHED=$work/build/memcached
export MEMCACHED
for study in memcached-keys memcached-clients; do
  server $study
  server $study $study-again
  resources alike $study $study-again.json
  resources without $study leak contention inconsistent-state
done
# Four clients store n keys each: every set takes the lock of the numbers once and that of its thread's counters five times.
resources acquires memcached-keys cas_id_lock 4 4
resources acquires memcached-keys LIBEVENT_THREAD::stats.mutex 20 20.1
