#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# commands.sh study: measures in $STUDY what the commands read. commands.sh GROUP EACH: commands of a group under faults.py;
# EACH: failures on each way to one, 0 for all.
. "$(dirname "$0")/../cli/lib.sh"
need_compiler
[ -f "$FAULTS" ] || exit 77
each=${2:-1}

make_study() {
  cp "$here/../cli/ask/shop.c" .
  for fixed in "" FIXED; do
    "$cc" -O2 -g -pthread ${fixed:+-D$fixed} -o "shop$fixed" shop.c || { echo "scale-cc failed"; exit 1; }
    "$run" run -P n=50,100,200,400,800 --at 2000 --event none --max-iterations 1 --no-report -q \
      -o "shop$fixed.db" -- "$STUDY/shop$fixed" '{n}' >out 2>err || { cat out err; exit 1; }
  done
  mv shop.db scale.db
  mv shopFIXED.db fixed.db
}

# faults.py's options, the command without its first word
try() { try_kinds memory,memory-on "$@"; }
try_calls() { try_kinds ENOSPC,EIO,EINTR,ENOMEM,short "$@"; }
try_kinds() {
  local kinds=$1 options=()
  shift
  while [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  shift
  python3 -B "$here/faults.py" "$FAULTS" --kind "$kinds" --each "$each" "${options[@]}" -- "$run" "$@" || status=1
}

# Commands that run programs, executed once for each failure: options of faults.py, the command without its first word
again() {
  if [ "$each" = 0 ]; then export FAULTS_OWN=3; else export FAULTS_OWN=1; fi
  each=1 try_kinds memory --again --measured --changes again.db "$@"
}

make_measured() {
  cat >loops.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void *keep;
static void scan(long n)
{
  for (long i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  keep = malloc((size_t)n);
  for (long i = 0; i < n; i++)
    scan(i);
  free(keep);
  return 0;
}
C
  "$cc" -O1 -g -o loops loops.c || { echo "scale-cc failed"; exit 1; }
}
measure() { "$run" run -P n=10,20,40 --at 100 --event none --max-iterations 1 -q "$@" -- "$PWD/loops" '{n}'; }

message() { printf 'Content-Length: %d\r\n\r\n%s' "$(printf %s "$1" | wc -c)" "$1"; }

# An editor opens shop.c, asks for everything, and ends.
talk() {
  local uri=file://$STUDY/shop.c
  message '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file://'"$STUDY"'","capabilities":{}}}'
  message '{"jsonrpc":"2.0","method":"initialized","params":{}}'
  message "$(python3 -c 'import json,sys; print(json.dumps({"jsonrpc":"2.0","method":"textDocument/didOpen","params":
    {"textDocument":{"uri":sys.argv[1],"languageId":"c","version":1,"text":open("shop.c").read()}}}))' "$uri")"
  message '{"jsonrpc":"2.0","id":2,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"'"$uri"'"}}}'
  message '{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{"textDocument":{"uri":"'"$uri"'"},
    "position":{"line":17,"character":4}}}'
  message '{"jsonrpc":"2.0","id":4,"method":"shutdown"}'
  message '{"jsonrpc":"2.0","method":"exit"}'
}

one_series() {
  printf '{"params":{"n":%d},"metric":"m","value":%d}\n' 10 100 20 400 40 1600 80 6403 160 25700
}

two_parameters() {
  echo n,threads,time
  for n in 10 20 40 80 160; do
    for threads in 1 2 4 8 16; do
      echo "$n,$threads,$((n * n * 16 / threads + 3 * threads + n % 7))"
    done
  done
}

if [ "$1" = study ]; then
  rm -rf "$STUDY"
  mkdir "$STUDY" && cd "$STUDY" && make_study
  exit
fi
cp "$STUDY"/*.db "$STUDY"/shop.c . || exit 1
case $1 in
report)
  try -- report
  try -- report --json
  try -- report --resources --all
  try -- report --resources --details
  try --file page -- report --format html -o page
  ;;
ask)
  try -- ask --at n=1e4 --json
  try -- ask --limit iterations=1e9 --limit memory=4GiB --json
  try -- ask --resource ledger --at 1e4
  try -- ask --function scan --at 1e6
  try -- ask --functions --at 1e6
  try -- ask --suppose scan=n --at 1e5
  ;;
ask-pictures)
  try -- ask --sweep 1e3..1e5 --plot
  try --file picture -- ask --sweep 1e3..1e5 --svg picture
  ;;
diff)
  try -- diff fixed.db scale.db
  try -- diff fixed.db scale.db --json
  try -- diff fixed.db scale.db --format markdown
  ;;
diff-reviews)
  try_kinds memory -- diff fixed.db scale.db --format sarif
  try_kinds memory -- diff fixed.db scale.db --format junit
  try_kinds memory -- diff fixed.db scale.db --format github
  try_kinds memory -- diff fixed.db scale.db --format gitlab
  try_kinds memory -- diff fixed.db scale.db --format openmetrics
  ;;
diff-page)
  try --file page -- diff fixed.db scale.db --format html -o page
  ;;
combinations)
  python3 "$here/../cli/page/studies.py" "$here/../../profiles/study/schema.c" crew crew.db 0 && "$run" report crew.db >out || exit 1
  at=(crew.db --at n=1e6,threads=8,64)
  try_kinds memory --file page -- report "${at[@]}" --format html -o page
  try_kinds memory --file profile -- export "${at[@]}" --format speedscope -o profile
  try_kinds memory --file profile.n=1000000,threads=64 -- export "${at[@]}" --format folded -o profile
  try_kinds memory -- blame output_lock "${at[@]}" --format dot
  ;;
baseline)
  try --file baseline -- baseline -o baseline
  "$run" baseline -o base.json fixed.db || status=1
  try -- diff base.json
  ;;
export)
  try --file profile -- export --format pprof -o profile
  for format in folded speedscope callgrind extra-p; do
    try_kinds memory -- export --format $format
  done
  ;;
blame)
  try -- blame ledger
  try -- blame ledger --json
  try_kinds memory -- blame ledger --format dot
  ;;
fit)
  one_series >one
  two_parameters >two
  try -- fit one --at 1e4
  try --stdin one -- fit - --at 1e4 --json
  try -- fit two --parameters n,threads --at n=1e6,threads=8,16
  try -- fit one --format jsonl --at 1e4
  ;;
discover)
  facts=$here/../cli/discover/server.facts
  try -- discover "$facts"
  try -- discover "$facts" --all --json
  try -- discover "$facts" --llm-dry-run
  "$cc" -O2 -g -pthread --scale-facts -c shop.c -o shop.o || status=1
  try -- discover shop.o --study scale.db --all --json
  try_kinds memory,ENOSPC,EIO,EINTR,ENOMEM,short --file probes -- discover "$facts" -o probes
  ;;
lsp)
  talk >session
  try --stdin session -- lsp
  ;;
run)
  make_measured
  again --then "'$run' report --json again.db" --then "'$run' study check again.db" -- \
    run -P n=10,20,40 --at 100 --event none --max-iterations 1 -o again.db -- "$PWD/loops" '{n}'
  ;;
verify)
  make_measured
  measure -o again.db --no-report || exit 1
  again --then "'$run' study check again.db" -- verify --at 100 again.db
  [ "$each" = 1 ] || again --then "'$run' study check again.db" -- verify --at 100 --json again.db
  ;;
calls)
  "$run" baseline -o base.json fixed.db || status=1
  one_series >one
  try_calls -- report
  try_calls --file out -- report --json -o out
  try_calls --file page -- report --format html -o page
  try_calls --file picture -- ask --sweep 1e3..1e5 --svg picture
  try_calls --file out -- diff fixed.db scale.db --format sarif -o out
  try_calls -- diff base.json --format junit
  try_calls --file profile -- export --format pprof -o profile
  try_calls --file baseline -- baseline -o baseline
  try_calls -- blame ledger
  try_calls --stdin one -- fit - --at 1e4 --json
  ;;
*) exit 77 ;;
esac
exit $status
