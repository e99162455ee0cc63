#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --budget ends a study whose first sizes alone would take many times as long, and says what was left out.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >nap.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char **argv)
{
  FILE *log = fopen(argv[2], "a");
  fprintf(log, "%s\n", argv[1]);
  fclose(log);
  for (long i = 0, n = atol(argv[1]); i < n; i++)
    usleep(1000);
  return 0;
}
C
"$cc" -O1 -o nap nap.c || exit 1
touch log

# 0.1 to 51 s a run, repeated: about three minutes; the time allowed here is for a machine that is busy with other things.
limit=40
seconds=$SECONDS
expect 0 'skipped: would take about .* of --budget left' \
  "$run" run --event none --budget 6s --at 1000000 -P n=100..51200 -- ./nap '{n}' log
[ $((SECONDS - seconds)) -lt $limit ] || fault "took $((SECONDS - seconds)) s"
[ "$(sort -un log | wc -l)" -ge 3 ] || fault "fewer than three sizes were run"

# The same command has no time left; with more it goes on.
before=$(wc -l <log)
expect 0 'time of 6 s is used up|done measuring' "$run" run --event none --budget 6s --at 1000000 -P n=100..51200 -- ./nap '{n}' log
[ $(($(wc -l <log) - before)) -le 2 ] || fault "runs although the time was used up"

# The time that the end of a run takes is known, that of other sizes is not: on a busy machine all is used up before.
cat >stray.c <<'C'
#include <stdlib.h>
int main(void)
{
  return system("sleep 60 &");
}
C
"$cc" -O1 -o stray stray.c || exit 1
expect 4 'skipped: .* of --budget is too little|is used up' \
  "$run" run -o one.db --event none --budget 3s -P n=10,20,30 -- ./stray '{n}'
grep -q 'about -' err && fault 'a time below 0'

# The first run is under way when the time is over.
seconds=$SECONDS
expect 4 'time of 1(\.0)? s is used up; left out: n = 60,000' \
  "$run" run -o long.db --event none --budget 1s -P n=60000,70000,80000 -- ./nap '{n}' log
[ $((SECONDS - seconds)) -lt $limit ] || fault "the first run took $((SECONDS - seconds)) s"
exit $status
