#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Whatever state scale-run is started in, it works, and the program gets that state as from a shell.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >crash.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    sink += i;
  if (argc > 2)
    abort();
  return 0;
}
C
"$cc" -O1 -o crash crash.c || exit 1
study() { # options of env --, arguments of the program
  rm -f scale.db*
  timeout 100 env "$1" "$run" run --event none -P n=100,200,400,800 -- ./crash '{n}' ${2:-} >out 2>err
}

# Where the parent ignores SIGCHLD the kernel forgets how children end: a crash must still be one.
for signal in CHLD PIPE,TERM,INT,HUP,CHLD; do
  study --ignore-signal=$signal abort
  got=$?
  [ $got = 3 ] || { fault "status $got of a crash with $signal ignored"; cat err; }
  grep -q 'killed by signal 6' err || { fault "the crash is not told with $signal ignored"; cat err; }
  study --ignore-signal=$signal || { fault "status $? with $signal ignored"; cat err; }
done
study --block-signal || { fault "status $? with all signals blocked"; cat err; }

# The same signals and limits as without scale-run.
cat >state <<'S'
{ grep -E "^Sig(Blk|Ign)" /proc/self/status; ulimit -Sn; ulimit -Hn; } >"$1"
[ $# = 1 ] || exec ./crash "$2"
S
for how in --ignore-signal=PIPE --block-signal=USR1,TERM --ignore-signal=XFSZ --default-signal; do
  rm -f scale.db* plain under
  (
    ulimit -Sn 64
    env $how sh ./state plain
    env $how "$run" run --event none -P n=100,200,400 -- sh ./state under '{n}' >out 2>err
  ) || { fault "status $? with $how"; cat err; }
  cmp plain under || { fault "the program's state differs with $how"; diff plain under; }
done

# Closed descriptors: the study must not be opened in their place, and a report that is not written is no clean one.
for closed in '0<&-' '2>&-' '0<&- 2>&-'; do
  rm -f scale.db*
  eval "$run run -q --event none -P n=100,200,400 -- ./crash '{n}' >out $closed" || fault "status $? with $closed"
  "$run" report >out 2>err || { fault "the study is not whole with $closed"; cat err; }
done
rm -f scale.db*
"$run" run -q --event none -P n=100,200,400 -- ./crash '{n}' 2>err >&-
[ $? = 2 ] || fault "status of a report to a closed descriptor"
grep -q 'output cannot be written' err || { fault "no word about it"; cat err; }
"$run" report >out 2>err || { fault "the study is not whole"; cat err; }
exit $status
