#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program built as always is forked for each input, and its counts are exact, whatever it does.
. "$(dirname "$0")/instrument/common.sh"
runs=$SCALE_BUILD/tests/cli/fuzz-target-runs
[ -x "$runs" ] || { echo "skipped: built without the analysis"; exit 77; }
"$cc" -O2 -o parser "$files/../fuzz_target/parser.c" || fail "does not build"
mkdir scratch

# run EXPECTED INPUTS OPTION... -- COMMAND...
run() {
  local expected=$1 inputs=$2
  shift 2
  same "$*" "$expected" "$(printf '%s\n' "$inputs" | "$runs" --scratch scratch --seconds 5 --show nest,leaf "$@" 2>&1)"
}
linear="ended 0 0 nest:0=1 nest:15=3"
quadratic="ended 0 7 nest:0=1 nest:15=10 nest:17=100"
run "$linear
$quadratic
$linear" "3 x
10 (
3 x" -- ./parser -f {file}
run "$linear
$quadratic" "3 x
10 (" -- ./parser {stdin}
run "$linear
$quadratic" "3 x
10 (" -- ./parser {arg}
run "ended 0 7 nest:0=1 nest:15=6 nest:17=6" "3 x" -- ./parser "x({arg}y"

# what ends it ends nothing else, and what it leaves is ended
run "crashed 6 0
$linear
timed-out 9 0
out-of-memory 6 0
ended 0 0 nest:0=1 nest:15=2
$linear" "1 C
3 x
1 L
1 M
2 F
3 x" --memory 40000000 -- ./parser -f {file}
echo D >descriptors
./parser -f descriptors
open=$?
# the input's file may go; nothing is left open in the program
run "ended 0 0 nest:0=1 nest:15=2
$linear
ended 0 $open" "2 R
3 x
1 D" -- ./parser -f {file}
# calls through a pointer, again and again: the same contexts
run "ended 0 0 nest:0=1 nest:15=4 leaf:0=4
ended 0 0 nest:0=1 nest:15=9 leaf:0=9" "4 P
9 P" --again 300 -- ./parser -f {file}
same "left in the scratch folder" "input" "$(ls scratch)"

# what cannot be run is said
has "no place" "names no place for the input" "$("$runs" -- ./parser -f x 2>&1 </dev/null)"
has "two places" "several places" "$("$runs" -- ./parser {file} {file} 2>&1 </dev/null)"
has "no counters" "no counters" "$("$runs" -- /bin/true {file} 2>&1 </dev/null)"

# threads of each child count in arenas that are there already, however many there are at once
cat >threads.c <<'C'
#include <pthread.h>
#include <stdio.h>
static char text[4096];
static size_t size;
static volatile int sink;
static void *nest(void *unused)
{
  for (size_t i = 0; i < size; i++)
    for (size_t k = 0; k < size && text[i] == '('; k++)
      sink++;
  return unused;
}
int main(int argc, char **argv)
{
  pthread_t threads[THREADS];
  FILE *file = fopen(argv[1], "r");
  size = fread(text, 1, sizeof text, file);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, nest, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
C
for threads in 2 30; do
  "$cc" -O1 -pthread -DTHREADS=$threads -o threads threads.c || fail "threads do not build"
  run "ended 0 0 nest:0=$threads nest:8=$((threads * 16)) nest:9=$((threads * 256))
ended 0 0 nest:0=$threads nest:8=$((threads * 3))" "16 (
3 x" -- ./threads {file}
  same "$threads threads, again and again" "40 ended 0 0 nest:0=$threads nest:8=$((threads * 8)) nest:9=$((threads * 64))" \
    "$(for i in {1..40}; do echo "8 ("; done | "$runs" --show nest -- ./threads {file} 2>&1 | sort | uniq -c | sed 's/^ *//')"
done

# a harness takes one input after another; what ends it, or exits, ends one run of it
cat >harness.c <<'C'
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static volatile int sink;
static int runs, prepared;
static char *volatile kept;
static void nest(const uint8_t *data, size_t size)
{
  for (size_t i = 0; i < size; i++)
    for (size_t k = 0; k < size && data[i] == '('; k++)
      sink++;
}
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  prepared = *argc > 1 ? (*argv)[1][1] : 1;
  return 0;
}
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size && *data == 'C')
    abort();
  if (size && *data == 'E')
    exit(5);
  while (size && *data == 'L')
    sink++;
  while (size && *data == 'M')
    memset(kept = malloc(1 << 20), 1, 1 << 20);
  if (size && *data == 'S' && runs > 2) /* depends on what was before */
    abort();
  if (prepared)
    nest(data, size);
  runs++;
  return 0;
}
C
"$cc" -O1 --scale-fuzz-main -o harness harness.c || fail "the harness does not build"
printf '((((' >four
run "ended 0 0 nest:0=1 nest:11=10 nest:12=100
crashed 6 0
ended 0 0 nest:0=1 nest:11=3
ended 0 5
timed-out 9 0
ended 0 0 nest:0=1
ended 0 0 nest:0=1 nest:11=3
ended 0 0 nest:0=1 nest:11=3
ended 0 0 nest:0=1 nest:11=1
out-of-memory 11 0
ended 0 0 nest:0=1 nest:11=3" "10 (
1 C
3 x
1 E
1 L
0 x
3 x
3 x
1 S
1 M
3 x" --harness --seconds 2 --memory 60000000 -- ./harness
run "ended 0 0 nest:0=1 nest:11=20 nest:12=400" "20 (" --harness --again 3000 -- ./harness
./harness four || fail "a file"
./harness <four || fail "standard input"
./harness nothing 2>/dev/null && fail "a file that is not there"
has "no harness" "the program is no harness" "$(echo "1 x" | "$runs" --harness -- ./parser 2>&1)"
has "a harness with a place" "gets its input in memory" "$("$runs" --harness -- ./harness {file} 2>&1 </dev/null)"
echo 'int main(void) { return 7; }' >own.c
SCALE_FUZZ_MAIN=1 "$cc" -o own own.c && ./own
same "a main of its own goes first" 7 $?
exit $((failures != 0))
