#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# tests/real/suites tells packages whose tests end alike from those whose don't, on made-up ones.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/suites-check.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; cat "$work/out" >&2; exit 1; }

# package NAME BUILD TEST: its sources are there, so that nothing is fetched
package() {
  mkdir -p "$work/keep/$1/source"
  echo 'int main(void) { return 0; }' >"$work/keep/$1/source/a.c"
  echo 1 >"$work/keep/$1/source/.version"
  printf "[%s]\nsource = 'none 1'\nlimit = 5\nread = 'automake'\nbuild = '''%s'''\ntest = '''%s'''\n" "$1" "$2" "$3" >>"$work/of.toml"
}
# run STATUS PACKAGE [OPTION...]: how the command ends about it
run() {
  status=0 wanted=$1; shift
  "$here/suites" --of "$work/of.toml" --keep "$work/keep" "$@" >"$work/out" 2>&1 || status=$?
  [ "$status" = "$wanted" ] || fail "$*: exit status $status, not $wanted"
}
has() { grep -q -- "$1" "$work/out" || fail "no line like $1"; }

compile='$CC -o a a.c'
inside='[ -z "${SCALE_PROFILE_DIR:-}" ]'
package same "$compile; echo built >>../times" './a && echo PASS: one; echo SKIP: two; ./a && ./a; echo tested >>../times'
package differs "$compile" "./a; echo PASS: one; $inside && echo PASS: two || echo FAIL: two"
package fewer "$compile" "./a; echo PASS: one; ! $inside || echo PASS: two"
package status "$compile" "./a; echo PASS: one; $inside"
package slow "$compile" "./a; echo PASS: one; $inside || sleep 100"
package flaky "$compile" "./a; $inside || touch ../seen.\$(ls .. | grep -c seen); [ -e ../seen.1 ] || $inside && echo PASS: one || echo FAIL: one"
package silent 'clang-19 -o a a.c' './a; echo PASS: one'
package broken "$compile" "./a; echo PASS: one; $inside || echo nothing >\"\$SCALE_PROFILE_DIR/a.scprof\""
package other "case \$CC in *scale-cc) false ;; esac; $compile" './a; echo PASS: one'
package nowhere false './a'
package unread "$compile" './a; echo one works'
printf "[lacks]\nsource = 'none 1'\nneeds = ['no-such-package']\nread = 'tap'\nbuild = ''\ntest = ''\n" >>"$work/of.toml"

run 0 same
has '^same  *1  *1  *0  *1  *1  *0  *1  *3  *3  .* same$'
run 0 same
[ "$(cat "$work/keep/same/times" | tr '\n' ' ')" = 'built built tested tested ' ] || fail "what was done is done again"
run 0 same --seen
has '^same  *1  *1  *0  *1  *1  *0  *1  *3  *3  .* same$'
run 1 differs
has '^differs  *1  *2  *0  *0  *1  *1  *0  *3  *3  *0  .* DIFFERENT$'
has '^differs: differs: two: passed / failed; passed / failed; passed / failed$'
run 1 fewer
has '^fewer: differs: two: passed / missing; '
run 1 status
has '^status: differs: the suite: exit status 0 / exit status 1; '
run 1 slow --rounds 1 --patience 0.5
has '^slow: differs: the suite: exit status 0 / took too long$'
run 0 flaky
has ' same, some flaky$'
has '^flaky: flaky: one: passed / failed; passed / passed$'
run 1 silent
has ' 0  *0  *0  .* PROFILES$'
run 1 broken
has ' 2  *2  *1  .* PROFILES$'
run 1 other
has '^other: fails to build: building exit status 1: see '
run 1 unread
has ' no tests read$'
run 77 nowhere
has '^nowhere: skipped: with clang-19 alone, '
run 77 lacks
has '^lacks: skipped: needs: apt-get install no-such-package$'
run 2 nothing
has 'no such package: nothing'
