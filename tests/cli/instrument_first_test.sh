#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A function may begin with any call that the pass counts or replaces: it builds, and does what it does without.
. "$(dirname "$0")/instrument/common.sh"
export SCALE_PASS_VERIFY=1
for language in c c++; do
  "$clang" -x $language -w -O1 "$files/first.c" -o plain -pthread -lstdc++ || fail "$language: the plain build"
  ./plain >expected
  for level in -O0 -O1 -O2 -O3 -Os "-O2 -D_FORTIFY_SOURCE=2"; do
    for debug in "" -g; do
      "$cc" -x $language -w $level $debug "$files/first.c" -o prog -pthread -lstdc++ >log 2>&1 ||
        { fail "$language $level $debug: does not build"; grep -m 3 -E 'error|Running pass' log >&2; continue; }
      profiled ./prog
      same "$language $level $debug: exit status" 0 "$status"
      cmp -s out expected || { fail "$language $level $debug: other output"; diff expected out >&2; }
    done
  done
done
finish
