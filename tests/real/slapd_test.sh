#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slapd of openldap 2.5, with its own libldap and liblber: its threads are in libldap, behind a condition that is waited for in a
# function of its own, and are started when they are needed. Four are a pool too small for 32 clients, of searches that
# take 30 ms, as the program behind its database "sock" answers after that long; up to 48 are not.
. "$(dirname "$0")/lib.sh"
fetch openldap 2.5
cd openldap
# Its configure script is older than C99, which clang 16 holds programs to unless told otherwise.
quietly ../configure.log ./configure CC="$bin/scale-cc" --prefix="$work/inst" --enable-sock --disable-mdb --disable-balancer \
  --without-tls --without-cyrus-sasl CFLAGS="-O2 -g -Wno-implicit-int -Wno-implicit-function-declaration -Wno-int-conversion"
for part in include libraries servers; do
  quietly "../depend-$part.log" make -C "$part" depend
  quietly "../make-$part.log" make -C "$part" -j"$(nproc)"
  quietly "../install-$part.log" make -C "$part" install
done
cd ..
for threads in 4 48; do
  printf 'pidfile %s\nthreads %s\ndatabase sock\nsuffix "cn=example"\nsocketpath %s\n' "$work/slapd.pid" $threads "$work/sock" \
    >slapd-$threads.conf
done
python3 "$here/ldap.py" answer "$work/sock" 0.03 &
answers=$!
trap 'kill $answers; [ -n "${SCALE_REAL_WORK:-}" ] || rm -rf "$work"' EXIT
SLAPD_WORK=$work SLAPD_HERE=$here
export SLAPD_WORK SLAPD_HERE SLAPD_THREADS
SLAPD_THREADS=4
server slapd slapd-few
resources first slapd-few contention ldap_int_thread_pool_wrapper 32
resources busy slapd-few ltp_cond 32 0.8 1
"$bin/scale-run" verify slapd-few.db --at n=32 --json >slapd-few.verify # what really happens
resources actual slapd-few slapd-few.verify ltp_cond 32 0.8 1
SLAPD_THREADS=48
server slapd slapd-many
resources without slapd-many contention insufficient-allocation inconsistent-state
