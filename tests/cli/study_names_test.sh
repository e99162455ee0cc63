#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The commands that a report suggests name the study as a shell takes it, and nothing that acts on a terminal is printed.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >prog.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  for (long i = 0, n = atol(argv[1]); i < n; i++)
    for (long k = 0; k < i; k++)
      sink += k;
  return 0;
}
C
"$cc" -O1 -g prog.c -o prog || exit 1
"$run" run --event none -q --no-report -P n=100..800 --at 1600 -- ./prog '{n}' || exit 1
PATH=$(dirname "$run"):$PATH
for name in 'a b.db' "it's.db" '$(exit 9).db' $'right\xe2\x80\xaeleft.db' $'c1\xc2\x9b31m\x1b[31m9.db'; do
  cp scale.db "$name"
  for command in report 'ask --at 3200'; do
    expect 0 '^Next: scale-run ' "$run" $command "$name"
    LC_ALL=C grep -q $'\xe2\x80\xae\|\xc2\x9b\|\x1b' out && fault "$command prints the name as it is"
    next=$(sed -n 's/^Next: //p' out)
    bash -c "$next" >next 2>&1 || { fault "$next"; cat next; }
  done
  expect 0 'runs and all that they rest on' "$run" study check "$name"
  LC_ALL=C grep -q $'\xe2\x80\xae\|\xc2\x9b\|\x1b' out && fault 'study check prints the name as it is'
done
exit $status
