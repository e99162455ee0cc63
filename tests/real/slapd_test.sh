#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# slapd of openldap 2.5, with its own libldap and liblber: its threads are in libldap, behind a condition that is waited for in a
# function of its own, and are started when they are needed. Four are a pool too small for 32 clients, of searches that
# take 30 ms, as the program behind its database "sock" answers after that long; up to 48 are not.
. "$(dirname "$0")/lib.sh"
fetch openldap 2.5
cd openldap
# Its configure script has C of before C99 (implicit int, undeclared functions), which clang 16 rejects by default.
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
pool_too_small slapd slapd-few ldap_int_thread_pool_wrapper ltp_cond
SLAPD_THREADS=48
pool_large_enough slapd slapd-many
