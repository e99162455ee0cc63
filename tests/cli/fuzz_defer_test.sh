#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that prepares for long is forked where it first looks at its input, unless that would change its counts.
. "$(dirname "$0")/instrument/common.sh"
runs=$SCALE_BUILD/tests/cli/fuzz-target-runs
[ -x "$runs" ] || { echo "skipped: built without the analysis"; exit 77; }
echo "one line, and no more" >settings
cat >early.c <<'END'
static volatile int sink;
__attribute__((constructor)) static void begin(void)
{
  for (int i = 0; i < 300; i++)
    sink++;
}
int early(void) { return sink; }
END
"$cc" -O1 -shared -fPIC -o libearly.so early.c || fail "early.c does not build"
program=$files/../fuzz_target/prepares.c

# tries NAME EXPECTED PLACE: what is counted for each of three inputs where the program looks by NAME; `prepare`, if that is done for each
tries() {
  local compile=("$cc") options=()
  case $1 in LIBRARY) options=(-Wl,-rpath,. libearly.so) ;; FSTREAM | CIN) compile=("$cxx") options=(-x c++) ;; esac
  "${compile[@]}" -O1 -pthread "-DBY_$1" -o "$1" "${options[@]}" "$program" || { fail "$1 does not build"; return; }
  same "$1" "$2" "$(printf '16 (\n3 x\n9 (\n' | "$runs" --seconds 5 --show 'prepare(),nest()' -- "./$1" "$3" 2>&1 |
    sed 's/()//g; s/ nest:0=1//; s/:[0-9]*=/=/g')"
}
later="ended 0 0 nest=16 nest=256
ended 0 0 nest=3
ended 0 0 nest=9 nest=81"
before="ended 0 0 prepare=1 prepare=20000 nest=16 nest=256
ended 0 0 prepare=1 prepare=20000 nest=3
ended 0 0 prepare=1 prepare=20000 nest=9 nest=81"
for way in OPEN LIBRARY FOPEN FSTREAM; do tries $way "$later" {file}; done
for way in MAP SCANF GETCHAR CIN; do tries $way "$later" {stdin}; done
tries STAT "${later//0 0/0 0 prepare=20000}" {file} # the calls of a block are counted at once
for way in CALL STALE_SIZE REST THREADS; do tries $way "$before" {file}; done
finish
