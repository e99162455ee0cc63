#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A baseline that is no such thing gives one clear error.
. "$(dirname "$0")/../lib.sh"
set -e
seed=$here/../../fuzz/corpus/runner_baseline/small.json

# wrong 'PYTHON STATEMENTS ABOUT d' PATTERN
wrong() {
  python3 -c "
import json, sys
d = json.load(open('$seed'))
$1
json.dump(d, open('bad.json', 'w'))"
  got=0
  "$run" report bad.json >out 2>err || got=$?
  [ "$got" = 2 ] || fault "exit status $got instead of 2: $1"
  grep -qE -- "$2" err || { fault "no /$2/: $1"; cat err; }
  grep -q '^hint: ' err || fault "no hint: $1"
  [ "$(grep -c '^scale-run: error:' err)" = 1 ] || fault "not one error: $1"
}

# Nothing is said to run where nothing can be.
got=0
"$run" verify "$seed" --at 100 >out 2>err || got=$?
[ "$got" = 2 ] && grep -q 'is a baseline' err && grep -q '^hint: name the study: scale-run verify' err &&
  ! grep -q running out err || { fault "verify of a baseline"; cat out err; }
"$run" report "$seed" >out 2>err || fault "the baseline that the others are made of is not read"
wrong "d = []" 'no study|no valid baseline|not a study'
wrong "d['document'] = 'report'" '"document" is not "baseline"'
wrong "del d['schema_version']" '"schema_version" is not a number'
wrong "d['schema_version'] = 2" 'later version'
wrong "d['parameter'] = 'm'" '"parameter" is not that of its workload'
wrong "d['workload'] = 'x'" '"workload" is not a list'
wrong "d['workload'] = ['<workload>']" "the baseline's workload"
wrong "d['runs'][1]['n'] = -2" 'number 2 of "runs": "n" is not a number'
wrong "d['runs'].reverse()" 'the sizes do not ascend'
wrong "d['runs'][0]['event'] = 'e' * 100" 'too long'
wrong "d['series']['a'] = [1, 2]" 'number 1 of "series": it has neither'
wrong "d['series']['a'] = [1, 'x', 2]" 'number 1 of "series": a value is not a number'
wrong "d['series']['x' * 40] = [1, 1, 1]" 'no series has such a name'
wrong "d['contexts'][1]['count'] = 'zz'" 'number 2 of "contexts": "count" names a series that is not there'
wrong "d['contexts'][1]['depth'] = 7" 'number 2 of "contexts": "depth"'
wrong "d['contexts'][1]['depth'] = 1.5" 'no whole number'
wrong "d['contexts'][1]['kind'] = 'root'" '"kind" is not a kind of location'
wrong "d['contexts'].append(d['contexts'][3])" 'the context is there twice'
wrong "d['contexts'][0]['cost'] = [1, 2, 3, 4]" '"cost" is not a list of numbers'
wrong "d['contexts'][2]['uses'][0]['resource'] = 'lock'" '"resource" names one that is not there'
wrong "d['contexts'][2]['uses'][0]['event'] = 'steal'" '"event" is not an event'
wrong "d['resources'][0]['class'] = 'soap'" '"class" is not a class of resources'
wrong "d['resources'].append(d['resources'][0])" 'the resource is there twice'

# What runs took is kept where it says something: beside sampled costs.
python3 -c "
import json
d = json.load(open('$seed'))
for i, run in enumerate(d['runs']):
    run.update(user_seconds=0.1 + i, system_seconds=0.2, max_rss_kib=3000 + i)
json.dump(d, open('slower.json', 'w'))"
"$run" baseline "$seed" -o first.json
"$run" baseline slower.json -o second.json
grep -q '"n"' first.json && cmp first.json second.json || fault "counts measured again give another baseline"
sed 's/"user_seconds"/"event": "task-clock", "samples": 50, "user_seconds"/' slower.json >times.json
"$run" baseline times.json -o third.json
grep -q '"user_seconds":1.1,' third.json || fault "a baseline with costs lacks what its runs took"
printf '{"schema_version": 1,' >bad.json
got=0
"$run" report bad.json >out 2>err || got=$?
[ "$got" = 2 ] && grep -q 'it is no JSON' err || { fault "half a document"; cat err; }
exit $status
