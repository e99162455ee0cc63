#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program with a quadratic loop, from the compiler to the verified prediction.
. "$(dirname "$0")/lib.sh"
need_compiler

cat >quadratic.c <<'C'
#include <stdlib.h>
static volatile long sink;
static void scan(long n)
{
  for (long i = 0; i < n; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    scan(i);
  return 0;
}
C
compile -O2 -o quadratic quadratic.c

expect 0 '^1\. scan \(quadratic\.c:5:3\): quadratic loop, 0\.5 n\^2 - 0\.5 n iterations$' \
  "$run" run -P n=100..1600 --at 16000 -- ./quadratic '{n}'
grep -q '^Next: scale-run report$' out || fault "run must end with the next command"
grep -q '^scale-run: run 1 of about ' err || fault "no progress"
grep -q $'\033' out err && fault "escape sequences off a terminal"
[ -s scale.db ] || fault "no study"

python3 - <<'PY' || fault "models and findings are not in the study"
import json, sqlite3, sys
db = sqlite3.connect("scale.db")
models = [json.loads(m[-1]) for m in db.execute("SELECT * FROM model")]
findings = [json.loads(f[-1]) for f in db.execute("SELECT * FROM finding")]
sys.exit(not (any(m["formula"] == "0.5 n^2 - 0.5 n" for m in models) and findings[0]["function"] == "scan"))
PY

expect 0 'loop quadratic\.c:5:3 +n\^2  <-- here' "$run" report --details
grep -qE '16,000 +128 million +exactly' out || { fault "prediction at 16,000"; cat out; }
awk 'length > 100 { print; exit 1 }' out || fault "report is wider than 100 columns"
expect 1 . "$run" report --fail-on superlinear
expect 1 . "$run" report --fail-on any
expect 0 . "$run" report --fail-on none
expect 0 'superlinear-loop' "$run" report --format json
json out 'd["schema_version"] == 1'
cp out report1
"$run" report --json >out 2>err; cmp -s out report1 || fault "--json and --format json differ"

expect 0 '^At n = 1,000,000: ' "$run" ask --at n=1e6
expect 0 'Warning: below the sizes measured' "$run" ask --at 10
expect 2 'the parameter is n, not m' "$run" ask --at m=10
expect 0 'schema_version' "$run" ask --at 10x --json
json out 'd["sizes"][0]["n"] == 10 * d["measured"]["high"]'
expect 0 'Next:' "$run" ask --limit 1h

expect 0 '127,992,000 +exactly +127,992,000 +exact' "$run" verify --at 16000
expect 0 . "$run" verify --at 16000 --json --quiet
json out 'd["sizes"][0]["findings"][0]["relative_error"] == 0'
[ -s err ] && { fault "--quiet must be quiet"; cat err; }
expect 0 "n = 16,000: 128 million iterations .exactly., actual 128 million .exact.," "$run" report
cp scale.db 'a b.db'
expect 2 "^hint: scale-run verify 'a b.db' --at n=" "$run" verify 'a b.db'

# The same command goes on where the study is: nothing is left to run.
expect 0 . "$run" run -P n=100..1600 --at 16000 -- ./quadratic '{n}'
grep -q 'n = 100, ' err && { fault "runs were repeated"; cat err; }

# Another program in the same study is refused.
sed -i 's/sink += i/sink -= i/' quadratic.c && "$cc" -O2 -o quadratic quadratic.c
expect 2 '^hint: .*--restart' "$run" verify --at 17000
expect 0 'scan' "$run" run --restart -P n=100..1600 --at 16000 -- ./quadratic '{n}'
[ -s scale.db.old ] || fault "the old study is not kept"

expect 0 'scan' "$run" run -o paper.db --models delta-infer -P n=100..1600 --at 16000 -- ./quadratic '{n}'
expect 0 'scan' "$run" run -o none.db --event none --verify 8000 -q -P n=100..1600 --at 16000 -- ./quadratic '{n}'
grep -q '^Predicted and actual at n = 8,000$' out || { fault "--verify"; cat out; }
grep -qE '^  Counts of all [3-9] contexts with a model: 0% off on average, [3-9] in their intervals\.$' out || { fault "errors of all"; cat out; }
"$run" run -o dull.db --models delta-infer --event none -P n=100..1600 --at 16000 -- ./quadratic '{n}' >out 2>err
grep -qE 'done: .*: after [0-9]+ iterations? [1-9] models with an average error of .* on validation runs, at first [1-9] with' err ||
  { fault "no errors as in the paper's table"; cat err; }
"$run" verify dull.db --at 8000 --json >verify.json || fault "verify of the paper's engine"
json verify.json 'd["sizes"][0]["counts"]["contexts"] >= 1 and 0 <= d["sizes"][0]["counts"]["mean_error"] < 0.05'
expect 2 "this study's costs are in iterations, not time" "$run" ask none.db --limit time=1s
expect 0 'is reached at n = ' "$run" ask none.db --limit iterations=1e9

# Profiles of one run.
SCALE_PROFILE_DIR=$work ./quadratic 10
expect 0 "^loop	scan	.*	5:3	0	45$" "$run" dump --totals "$(ls quadratic.*.scprof)"
expect 0 'iterations=45' "$run" dump "$(ls quadratic.*.scprof)"
head -c 5000 "$(ls quadratic.*.scprof)" >cut.scprof
expect 0 'damaged profile: the file ends after 5000 of ' "$run" dump cut.scprof
head -c 100 cut.scprof >head.scprof
expect 2 '^scale-run: error: ' "$run" dump head.scprof
expect 2 '^scale-run: error: ' "$run" dump /etc/passwd
expect 2 '^scale-run: error: ' "$run" report /etc/passwd
# A root that is misspelt is named after the first run.
cat >roots.xml <<'XML'
<workload name="roots">
  <parameter name="n"><range low="10" high="80"/></parameter>
  <command><arg>./quadratic</arg><arg>{n}</arg></command>
  <roots><function name="main"/><function name="mian"/></roots>
</workload>
XML
"$run" run roots.xml -o roots.db --event none --no-report >out 2>err
grep -q '^scale-run: warning: no function named mian ran' err || { fault "a misspelt root"; cat err; }
grep -q 'no function named main' err && fault "the good root is not missing"
exit $status
