#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What scale-run fuzz finds is kept, run as a workload, checked again, accepted, and printed in all forms of reviews.
. "$(dirname "$0")/lib.sh"
need_compiler
python3 -c 'import jsonschema' 2>/dev/null || exit 77
root=$here/../..

cat >scan.c <<'END_OF_C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[1 << 22];
static long scan(size_t size)
{
  long sum = 0;
  for (size_t i = 0; i < size; i++)
    if (text[i] == '[')
#if ORDER == 3
      for (size_t k = i; k < size; k++)
        for (size_t m = k; m < size; m++)
          sum += m ^ sum;
#elif ORDER == 2
      for (size_t k = i; k < size; k++)
        sum += k ^ sum;
#else
      sum += i ^ sum;
#endif
  return sum;
}
int main(int argc, char **argv)
{
  FILE *file = argc > 2 ? fopen(argv[2], "r") : stdin;
  size_t size = 0;
  if (argc > 2 && argv[1][0] == '-')
    strncpy(text, argv[2], sizeof text - 1), size = strlen(text);
  else
    size = fread(text, 1, sizeof text - 1, file);
#ifdef CRASH
  if (strstr(text, "]]]"))
    abort();
#endif
  printf("%ld\n", scan(size));
  return 3;
}
END_OF_C
for order in 1 2 3; do
  compile -O2 -g -DORDER=$order -o scan$order scan.c
done
compile -O2 -g -DORDER=2 -DCRASH -o crashing scan.c

# kept, with an example beside it, and the same again
for again in 1 2; do
  expect 0 'Kept in kept/slow-scan.xml' "$run" fuzz --runs 1500 -o kept -- ./scan2 x {file}
done
[ "$(ls kept)" = "$(printf 'slow-scan.input\nslow-scan.xml')" ] || fault "kept: $(ls kept)"
[ "$(cat kept/slow-scan.input)" = '[[[[[[[[[[[[[[[[' ] || fault "the example is $(cat kept/slow-scan.input)"

# as a workload: the command and its exit status are in it
expect 1 'quadratic loop' "$run" run kept/slow-scan.xml --event none -q --fail-on order

# checked: as it was, worse, gone; accepted by reason and day
expect 1 'as it was kept' "$run" fuzz --check kept -- ./scan2 x {file}
expect 0 'as it was kept' "$run" fuzz --check kept --fail-on none -- ./scan2 x {file}
expect 1 'of a higher order' "$run" fuzz --check kept -- ./scan3 x {file}
expect 1 '\[worse-order\]' "$run" fuzz --check kept --format lines -- ./scan3 x {file}
expect 0 'No longer there' "$run" fuzz --check kept -- ./scan1 x {file}
echo 'slow-input scan until 2999-12-31: lists are short' >accepted
expect 0 'Accepted until 2999-12-31: lists are short' "$run" fuzz --check kept --accept accepted -- ./scan2 x {file}
expect 1 'of a higher order' "$run" fuzz --check kept --accept accepted -- ./scan3 x {file} # not what was accepted
echo 'slow-input scan until 2020-12-31: lists are short' >accepted
expect 1 'accepted until 2020-12-31 only' "$run" fuzz --check kept --accept accepted -- ./scan2 x {file}

# other ways in: an argument, with text around the input, and standard input
expect 0 'Kept in kept-arg/slow-scan.xml' "$run" fuzz --runs 1500 -o kept-arg -- ./scan2 - 'a{arg}b$'
expect 1 'quadratic loop' "$run" run kept-arg/slow-scan.xml -o arg.db --event none -q --fail-on order
expect 0 'Kept in kept-stdin/slow-scan.xml' "$run" fuzz --runs 1500 -o kept-stdin -- ./scan2 {stdin}
expect 1 'quadratic loop' "$run" run kept-stdin/slow-scan.xml -o stdin.db --event none -q --fail-on order

# a crash is kept with the input that makes it, as small as it can be, and does not close the gate of orders
expect 1 'crashes at n = [13] .signal 6' "$run" fuzz --runs 1500 --fail-on any -o crashes -- ./crashing x {file}
[ "$(cat crashes/crash-signal6*.input)" = ']]]' ] || fault "the crash's input is $(cat crashes/crash-signal6*.input)"
(./crashing x crashes/crash-signal6*.input) >/dev/null 2>&1
[ $? = 134 ] || fault "the input that is kept does not crash"
rm crashes/slow-*
expect 1 'crashes at n = [13]' "$run" fuzz --check crashes -- ./crashing x {file}
expect 0 'No longer there' "$run" fuzz --check crashes -- ./scan2 x {file}

# a harness is kept with a file to read
cat >harness.c <<'END_OF_C'
#include <stddef.h>
#include <stdint.h>
static volatile long sum;
static void scan(const uint8_t *text, size_t size)
{
  for (size_t i = 0; i < size; i++)
    for (size_t k = i; k < size && text[i] == '['; k++)
      sum = sum + 1;
}
int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size)
{
  scan(text, size);
  while (size > 2 && text[0] == '!' && text[1] == '!')
    sum = sum + 1;
  return 0;
}
END_OF_C
compile -O1 -g --scale-fuzz-main -o harness harness.c
expect 0 'Kept in kept-harness/slow-scan.xml' "$run" fuzz --runs 1500 --timeout 200ms --jobs 2 --harness -o kept-harness -- ./harness
expect 1 'quadratic loop' "$run" run kept-harness/slow-scan.xml -o harness.db --event none -q --fail-on order
rm -f kept-harness/slow-*

# what lasts is accepted by the same function when it is searched for and when it is checked
sed -n 's/.*what="lasts".* function="\([^"]*\)".*/lasting-input \1 until 2999-12-31: known/p' kept-harness/lasting-*.xml | sort -u >accepted
expect 0 'Accepted until' "$run" fuzz --timeout 200ms --check kept-harness --accept accepted --harness -- ./harness

# a folder that cannot be written to is said before a search, a file in it that cannot be does not hide what was found
told 2 'the folder scan.c cannot be written to' 'name a folder' "$run" fuzz --for 1h -o scan.c -- ./scan2 x {file}
mkdir -p full/slow-scan.input
told 2 'slow-scan.input cannot be written' 'name a file' "$run" fuzz --runs 1500 -o full -- ./scan2 x {file}
grep -q 'grows as n^2' out || fault "what was found is not printed"

# all forms
expect 1 '"slow-input"' "$run" fuzz --runs 1500 --json --fail-on order -- ./scan2 x {file}
python3 - "$root" out <<'END_OF_PYTHON' || fault "the JSON is not what its schema says"
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1] + "/docs/review.schema.json"))
document = json.load(open(sys.argv[2]))
jsonschema.validate(document, schema)
inputs = document["notices"][0]["inputs"]
assert inputs["family"] == '"[" * n' and abs(inputs["order"] - 2) < 0.1, inputs
assert inputs["bytes_1s"]["value"] < inputs["bytes_1min"]["value"], inputs
END_OF_PYTHON
for format in lines markdown sarif junit github gitlab openmetrics; do
  expect 0 'slow-input|grows faster' "$run" fuzz --check kept --fail-on none --format $format -- ./scan2 x {file}
done

# the script for a CI
PATH=$SCALE_BUILD/bin:$PATH
expect 0 'keeps nothing yet' env SCALE_FAMILIES=none sh "$root/examples/ci/families.sh" -- ./scan2 x {file}
expect 1 '\[slow-input\]' env SCALE_FAMILIES=kept sh "$root/examples/ci/families.sh" -- ./scan2 x {file}
grep -q 'grows faster than the bytes' review/families.md && [ -s review/families.sarif ] || fault "the script's files"
expect 0 '\[gone\]' env SCALE_FAMILIES=kept sh "$root/examples/ci/families.sh" -- ./scan1 x {file}
expect 1 '\[slow-input\]' env SCALE_FAMILIES=more SCALE_SEARCH=4s sh "$root/examples/ci/families.sh" -- ./scan2 x {file}

# a search that was cut off goes on as if it had not been: the same finds of the same number of runs
finds() { grep -E 'Family|Model|Confirmed|grows as|finds? in' | sed 's/ runs.*//' | sort; }
expect 0 'grows as n' "$run" fuzz --runs 3000 --jobs 2 -o whole -- ./scan2 x {file}
finds <out >whole.finds
for tries in 1 2 3 4; do
  timeout -s INT 0.4 "$run" fuzz --runs 3000 --jobs 2 --resume -o pieces -- ./scan2 x {file} >out 2>err
done
expect 0 'grows as n' "$run" fuzz --runs 3000 --jobs 2 --resume -o pieces -- ./scan2 x {file}
finds <out >pieces.finds
diff whole.finds pieces.finds || fault "a search that was interrupted found something else"
[ "$(cat pieces/.search/.gitignore)" = '*' ] && [ -s pieces/.search/2.json ] || fault "where the searches stand is not kept"
expect 0 'as it was kept' "$run" fuzz --check pieces --fail-on none -- ./scan2 x {file}
told 2 'is of another search' 'begins anew' "$run" fuzz --runs 3000 --seed 2 --resume -o pieces -- ./scan2 x {file}
told 2 'is of another search' 'begins anew' "$run" fuzz --runs 3000 --resume -o pieces -- ./scan3 x {file}
told 2 'resume continues what' '-o FOLDER' "$run" fuzz --runs 3000 --resume -- ./scan2 x {file}

told 2 'format html shows a study' 'write markdown' "$run" fuzz --check kept --format html -- ./scan2 x {file}
told 2 'the folder .* keeps no families' 'scale-run fuzz -o' "$run" fuzz --check . -- ./scan2 x {file}
for beside in '-o more' '--jobs 2' '--seed 3' '--for 1s' '--runs 9' '--seeds .' '--dict scan.c'; do
  told 2 "check searches for nothing, so ${beside% *} has no use" 'leave one' "$run" fuzz --check kept $beside -- ./scan2 x {file}
done

# one that cannot be run keeps nobody away from the others, and is no good news
mkdir unrun
sed 's/family="[^"]*"/family="\&quot;x\&quot; * 5000 . \&quot;[\&quot; * n"/' kept/slow-scan.xml >unrun/a.xml
cp kept/slow-scan.xml unrun/b.xml
expect 1 'as it was kept' "$run" fuzz --check unrun -- ./scan2 x {file}
grep -q 'Could not be run' out && grep -q '1 find, 1 not run' out || fault "not all is said of a family that cannot be run"
told 2 '1 of 2 families that are kept could not be run: unrun/a.xml' '--timeout' "$run" fuzz --check unrun -- ./scan1 x {file}
expect 1 '\[unrun-input\]' "$run" fuzz --check unrun --format lines -- ./scan2 x {file}
expect 2 '"unrun-input"' "$run" fuzz --check unrun --fail-on none --format sarif -- ./scan2 x {file}
told 2 'cannot be made' 'name a folder' "$run" fuzz --for 1s -o /proc/none/such -- ./scan2 x {file}
exit $status
