#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# jq 1.6 (autotools): updating every element of an array copies it each time, quadratic along jv_array_set, and frees the
# old copy each time, quadratic in jvp_array_free. Freeing comes first: it takes 70% of the uninstrumented program's time.
. "$(dirname "$0")/lib.sh"
fetch jq 1.6
cd jq
quietly ../jq.autoreconf autoreconf -fi
quietly ../jq.configure ./configure CC="$bin/scale-cc" --disable-maintainer-mode --without-oniguruma --disable-docs \
  --disable-shared --enable-static
quietly ../jq.make make -j"$(nproc)"
cd ..
JQ=$work/jq/jq
export JQ
[ "$(echo '[1,2]' | "$JQ" -c 'map(.+1)')" = '[2,3]' ] || fail "the instrumented jq miscalculates"
study jq-update 32000
judge jq-update jvp_array_free 2 1
judge jq-update jv_array_set 2 2
control jq-length
