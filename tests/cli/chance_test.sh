#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where chance makes the counts, no wider range is offered, which would tell no more.
. "$(dirname "$0")/lib.sh"
need_compiler
columns=100
cat >chance.c <<'C'
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  uint64_t drawn = 0;
  if (getentropy(&drawn, sizeof drawn) != 0)
    return 1;
  /* from n / 16 to 16 n */
  long times = n << (drawn % 9) >> 4;
  for (long i = 0; i < times; i++)
    sink += i;
  return argc != 2;
}
C
compile -O1 -g -o chance chance.c
cat >w.xml <<'X'
<workload name="chance">
  <parameter name="n"><range low="1000" high="16000"/><validation low="1000" high="16000"/><targets>160000</targets></parameter>
  <repeats>4</repeats>
  <command><arg>./chance</arg><arg>{n}</arg></command>
</workload>
X
"$run" run -q --no-report --event none w.xml >out 2>err || { fault run; cat err; }
"$run" report --json >report.json || true
json report.json 'd["verdict"]["outcome"] == "undecided" and d["untold"]["chance"]'
"$run" report >out 2>err
grep -q 'To decide: runs of one size that repeat' out || { fault "no advice"; cat out; }
grep -qE -- '-P n=|[Ww]ider range \(-P|narrow' out && { fault "a wider range is offered"; cat out; }
"$run" ask --at 160000 >out 2>err
grep -q 'narrow' out && { fault "a larger size is asked for"; cat out; }
exit $status
