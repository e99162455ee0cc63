#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Where chance makes the counts, no wider range is offered, which would tell no more.
. "$(dirname "$0")/lib.sh"
need_compiler
columns=100
cat >chance.c <<'C'
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  uint64_t drawn = 0;
  /* The next of a fixed sequence (splitmix64), so that all executions of this test see the same. */
  int draws = open("draws", O_RDWR | O_CREAT, 0600);
  if (draws < 0 || read(draws, &drawn, sizeof drawn) < 0)
    return 1;
  drawn += UINT64_C(0x9e3779b97f4a7c15);
  if (pwrite(draws, &drawn, sizeof drawn, 0) < 0)
    return 1;
  drawn = (drawn ^ drawn >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  drawn = (drawn ^ drawn >> 27) * UINT64_C(0x94d049bb133111eb);
  /* from n / 16 to 16 n */
  long times = n << ((drawn ^ drawn >> 31) % 9) >> 4;
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
