#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that cannot be measured, or not well: one clear error or warning with a hint, the documented exit status, and
# what was measured before stays usable.
. "$(dirname "$0")/lib.sh"
need_compiler
fault() { echo "FAULT: $*"; cat out err; status=1; }
fresh() { rm -f scale.db; "$run" run -P n=100..800 --at 100000 --event none -q -- "$@"; }

cat >prog.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile long sink;
static void scan(long n)
{
  for (long i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  const char *mode = argv[1];
  long n = atol(argv[2]);
  if (!strcmp(mode, "fork")) {
    pid_t child = fork();
    for (long i = 0; i < n; i++)
      scan(n);
    if (child == 0)
      _exit(0);
    wait(NULL);
    return 0;
  }
  for (long i = 0; i < n; i++)
    scan(n);
  if (!strcmp(mode, "status") || (!strcmp(mode, "large") && n > 500))
    return fprintf(stderr, "cannot open the database\n"), 7;
  if (!strcmp(mode, "crash") || (!strcmp(mode, "hole") && n > 200 && n < 600))
    abort();
  if (!strcmp(mode, "tenth")) { /* fails when it is run for the tenth time */
    FILE *runs = fopen("runs", "a+");
    fputc('x', runs);
    fseek(runs, 0, SEEK_END);
    return ftell(runs) == 10 ? 7 : 0;
  }
  if (!strcmp(mode, "named")) { /* n of no order, and no file for other sizes */
    for (long i = n * n % 9973 * n % 9967; i > 0; i--)
      sink ^= i;
    return n % 100 != 0;
  }
  if (!strcmp(mode, "short")) {
    for (long i = 0; i < n; i++)
      sink ^= i;
    return n > 800 ? 7 : 0;
  }
  if (!strcmp(mode, "sleep"))
    sleep(60);
  if (!strcmp(mode, "unsteady"))
    scan((1 + getpid() % 50) * 1000);
  if (!strcmp(mode, "stray") && fork() == 0)
    sleep(60);
  if (!strcmp(mode, "print"))
    puts("done");
  return 0;
}
C
compile -O2 -o prog prog.c
gcc -O2 -o plain prog.c 2>/dev/null || clang-19 -O2 -o plain prog.c || exit 77
printf '#!/bin/sh\n./plain run "$1"\n' >script && chmod +x script

told 3 'cannot start ./missing' 'path' fresh ./missing '{n}'
told 3 './plain ran but wrote no profile' 'not instrumented.*scale-cc' fresh ./plain run '{n}'
told 3 './script ran but wrote no profile' 'script' fresh ./script '{n}'
told 3 'at n = 100: .*status 7, expected 0.*cannot open the database' 'status=' fresh ./prog status '{n}'
told 3 'at n = 100: .*signal 6' . fresh ./prog crash '{n}'

# Fails at larger sizes only: the smaller ones can be reported, and are not run again.
told 3 'status 7' . fresh ./prog large '{n}'
"$run" report scale.db >out 2>err || fault "what was measured before a failure is lost"
grep -q 'scan (prog.c:11:3): quadratic loop' out || fault "no finding from what was measured"
"$run" run -P n=100..800 --at 100000 --event none -- ./prog large '{n}' >out 2>err
grep -qE 'n = (100|168)\b.*one of the first' err && fault "finished runs were repeated"

# At a size that nobody named it costs that size: the study ends well, and the report says what is missing.
rm -f scale.db
told 0 'n = [0-9,]+ is left out: .*status 7' 'chosen' \
  "$run" run -P n=100..400+ --at 100000 --event none -- ./prog large '{n}'
"$run" report scale.db >out 2>err || fault "a study whose chosen size failed"
tr -s ' \n' ' ' <out | grep -qE 'n = [0-9,]+ was not measured, as its run failed: .*status 7' || fault "the report is silent about a failed size"
grep -q 'scan (prog.c:11:3): quadratic loop' out || fault "no finding from the sizes that ran"
"$run" report scale.db --json >out 2>err
python3 -c 'import json; d = json.load(open("out")); assert d["failed_sizes"][0]["n"] > 400 and "status 7" in d["failed_sizes"][0]["what"] and not d["failed_sizes"][0]["what"].startswith("at ")' ||
  fault "no failed size in JSON"

# So does one between the ends of the range, which nobody named either: the others are used.
rm -f scale.db
told 0 'n = 283 is left out: .*signal 6' 'within the range' \
  "$run" run -P n=100..800 --at 100000 --event none -- ./prog hole '{n}'
"$run" report scale.db >out 2>err || fault "a study one of whose first sizes failed"
tr -s ' \n' ' ' <out | grep -q 'n = 283 was not measured' || fault "the report is silent about a first size that failed"
grep -q 'scan (prog.c:11:3): quadratic loop' out || fault "no finding without a first size"

# And a repeat that nobody asked for costs nothing but itself.
rm -f scale.db runs
told 0 'n = [0-9,]+ failed when it was repeated for steadier times: .*status 7' 'other runs are used' \
  "$run" run -P n=100..800 --at 100000 -- ./prog tenth '{n}'

# What needs larger sizes names the one that keeps them from being run, and no command that ends there.
rm -f scale.db
told 0 . 'chosen' "$run" run -P n=100..800+ --at 100000 -- ./prog short '{n}'
"$run" report scale.db >out 2>err || fault "a study whose larger sizes fail"
if ! tr -s ' \n' ' ' <out | grep -qE 'To (check it|decide): larger sizes have to run, and n = [0-9,]+ failed'; then
  high=$(sed -n 's/^To .*run -P n=100\.\.\([0-9]*\) .*/\1/p' out)
  failed=$(tr -d , <out | sed -n 's/.*n = \([0-9]*\) was not measured.*/\1/p' | sort -n | head -1)
  [ -n "$high" ] && [ "$high" -lt "$failed" ] || fault "no word of what is in the way"
fi

# A program that knows only the sizes named, as where each has a file of its own: one other size between them is tried.
rm -f scale.db
told 0 'n = 141 is left out: .*status 1' 'no other one between them' \
  timeout 60 "$run" run -P n=100,200,400,800,1600,3200 --at 100000 --event none -- ./prog named '{n}'
[ "$(grep -c 'is left out' err)" = 1 ] || fault "more than one size beside those named"

# Time-outs and output that is missing are known from the workload file.
workload() {
  cat >w.xml <<X
<workload name="w"><parameter name="n"><range low="100" high="800"/><validation count="2"/></parameter>
<command timeout="$2" $3><arg>./prog</arg><arg>$1</arg><arg>{n}</arg></command></workload>
X
}
from_file() { rm -f scale.db; "$run" run w.xml --event none -q; }
workload sleep 0.5s ''
told 3 'took longer than 0.5 s' 'timeout=' from_file
workload run 20s 'output="required"'
told 3 'printed nothing' 'output="required"' from_file
workload print 20s 'output="required"'
from_file >out 2>err || fault "a program that prints must pass"

# Behaviour that changes: a warning, not an error.
rm -f scale.db
told 0 'changes its behaviour from run to run: at n = 100.*prog.c:11' 'hash seeds' \
  "$run" run -P n=100..800 --at 100000 --event none -- ./prog unsteady '{n}'
rm -f scale.db
told 0 'left running were killed' 'service' "$run" run -P n=100..200 --event none -- ./prog stray '{n}'
pgrep -f "$work/prog stray" && fault "a process was left behind"

# Programs that fork: both processes count.
rm -f scale.db
"$run" run -P n=100..800 --at 1000 --event none -- ./prog fork '{n}' >out 2>err || fault "a program that forks"
grep -q 'changes its behaviour' err && fault "a program that forks is steady"
"$run" verify --at 1000 >out 2>err || fault "verify"
grep -qE '2,000,000 +exactly +2,000,000 +exact' out || fault "counts of two processes"

# A target below the measured sizes.
rm -f scale.db
told 0 'n = 50 is below the measured' '--at' "$run" run -P n=100..800 --at 50 --event none -- ./prog run '{n}'

# Damaged profiles: what is whole counts, and what is lost is said. One of another version is an error.
cat >damage <<'X'
#!/bin/sh
./prog run "$1"
./prog run "$1"
set -- "$SCALE_PROFILE_DIR"/*.scprof
case $MODE in
  cut) head -c 5000 "$1" >"$1.new" && mv "$1.new" "$1" ;;
  foreign) echo "not a profile" >"$SCALE_PROFILE_DIR/x.scprof" ;;
  bytes) printf '\377\377\377\377' | dd of="$1" bs=1 seek=20 conv=notrunc 2>/dev/null ;;
  version) printf '\143' | dd of="$1" bs=1 seek=8 conv=notrunc 2>/dev/null ;;
esac
X
chmod +x damage
for mode in cut foreign bytes; do
  MODE=$mode told 0 'warning: (damaged profile|not a raw profile)' 'count' fresh ./damage '{n}'
  "$run" report >out 2>err
  grep -qE 'left no profile|are lost' out || fault "$mode: the report does not say what is lost"
done
MODE=version told 2 'raw profile of version 99' '' fresh ./damage '{n}'
grep -q '^scale-run: error: at n = 100: ' err || fault "version: no error at n = 100"

# The only process's profile is not a profile at all
cat >none <<'X'
#!/bin/sh
./prog run "$1"
for file in "$SCALE_PROFILE_DIR"/*.scprof; do : >"$file"; done
X
chmod +x none
told 3 'none ran but wrote no profile' '' fresh ./none '{n}'
exit $status
