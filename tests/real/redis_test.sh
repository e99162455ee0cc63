#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Redis 7.0.15 with the C library's malloc under its own load generator: more keys, more clients, and more requests on the
# same keys. It ends in order on SIGTERM, leaving its data to the kernel, which is no leak; its memory follows the keys and
# the clients, and grows with nothing else.
. "$(dirname "$0")/lib.sh"
fetch redis 7.0.15
quietly make.log make -C redis/src -j"$(nproc)" CC="$bin/scale-cc" OPT=-O2 MALLOC=libc USE_SYSTEMD=no redis-server redis-benchmark
REDIS=$work/redis/src
export REDIS
for study in redis-keys redis-clients redis-requests; do
  server $study
  server $study $study-again
  resources alike $study $study-again.json
  resources without $study leak contention unbounded-growth inconsistent-state
done
# A new key is an entry of the dictionary, its name, its value, and what a request needs besides.
resources acquires redis-keys heap 4 20
