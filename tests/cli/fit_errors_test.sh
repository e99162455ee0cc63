#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What scale-run fit says to input that is wrong: file, line and series, a hint, status 2, and not one result; with
# --keep-going the others' results. And that it leaves nothing behind.
. "$(dirname "$0")/lib.sh"
# refuse INPUT PATTERN [HINT [OPTION...]]: the input in printf's notation.
refuse() {
  local input=$1 pattern=$2 hint=${3-.}
  shift $(($# < 3 ? $# : 3))
  printf "$input" >in
  "$run" fit in --at 100 --format jsonl "$@" >out 2>err </dev/null
  [ $? = 2 ] || fault "exit status is not 2: $input"
  [ -s out ] && fault "something was printed: $input"
  grep -qE -- "^scale-run: error: $pattern" err || { fault "no /$pattern/: $input"; cat err; }
  [ "$(grep -c '^scale-run: ' err)" = 1 ] || fault "not one message: $input"
  grep -qE -- "^hint: .*$hint" err || { fault "no hint /$hint/: $input"; cat err; }
}
good='{"params": {"n": 10}, "callpath": "a->b", "metric": "m", "value": [1, 2]}\n'
line() { printf '{"params": {%s}, "callpath": "a->b", "metric": "m", "value": %s}' "$1" "$2"; }

# JSON Lines: values, sizes, parameters, structure.
refuse "$good$(line '"n": 20' '[1, NaN]')" 'in:2: series a->b, m: value 2 is nan: not a number'
refuse "$good$(line '"n": 20' '[1, -3]')" 'in:2: series a->b, m: value 2 is -3: measurements must not be negative'
refuse "$good$(line '"n": 20' '-Infinity')" 'in:2: series a->b, m: the value is -inf: measurements must not be negative'
refuse "$good$(line '"n": 20' '1e999')" 'in:2: series a->b, m: the value is inf: too large'
refuse "$good$(line '"n": 20' '1e-200')" 'in:2: series a->b, m: the value is 1e-200: too small'
refuse "$good$(line '"n": 20' '[]')" 'in:2: series a->b, m: there is no value' 'repeated'
refuse "$good$(line '"n": 20' '["1"]')" 'in:2: series a->b, m: column 68: a number is expected here' 'RFC 8259'
refuse "$good$(line '"n": 20' 'null')" 'in:2: series a->b, m: column 67: a number is expected'
refuse "$good$(line '"n": 0' '1')" 'in:2: series a->b, m: parameter n is 0: sizes must be above 0'
refuse "$good$(line '"n": -5' '1')" 'in:2: series a->b, m: parameter n is -5: sizes must be above 0'
refuse "$good$(line '"n": 1e19' '1')" 'in:2: series a->b, m: parameter n is 1e\+19: too large' '1e18'
refuse "$good$(line '"n": NaN' '1')" 'in:2: series a->b, m: parameter n is nan'
refuse "$good$(line '"n": "x"' '1')" 'in:2: column 18: a number is expected here'
refuse "$good$(line '"t": 20' '1')" 'in:2: series a->b, m: parameter t is new here' 'these parameters: n'
refuse "$good$(line '"n": 20, "t": 1' '1')" 'in:2: series a->b, m: parameter t is new here'
refuse "$good$(line '' '1')" 'in:2: series a->b, m: parameter n is missing here' 'these parameters: n'
refuse "$(line '"n": 1, "n": 2' '1')" 'in:1: series a->b, m: two parameters have the same name'
refuse "$good{\"params\": {\"n\": 20}}" 'in:2: there is no "value"'
refuse "$good{\"value\": 1}" 'in:2: there is no "params"'
refuse "$good{\"value\": 1, \"value\": 1}" 'in:2: column 22: this member is there twice'
refuse "$good{\"params\": {\"n\": 20}, \"value\": 1" 'in:2: column 33: the text ends too early'
refuse "$good[1]" 'in:2: column 1: an object is expected here'
refuse "$good$good\0\n" 'in:3: column 1 is a NUL byte' 'UTF-8'
refuse "$good{\"callpath\": \"\xff\"}" 'in:2: column 15: this is not valid UTF-8'
refuse "$good{\"callpath\": \"\\\\u0000\"}" 'in:2: column 21: a NUL character'
refuse "$good{\"x\": $(printf '[%.0s' $(seq 100))" 'in:2: column 71: objects and lists are nested too deeply'
refuse "$good{\"params\": {\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}}" 'in:2: column .*too many parameters'
refuse '{"params": {"n": 1}, "callpath": "\\u001b[31mred\\n", "value": -1}' \
  'in:1: series  \[31mred , <default>: the value is -1'

# The other formats.
refuse '1,2\n2,4\n4,8\n' 'in:1: the first row has numbers in it: the heading is missing' 'columns. names in front'
refuse 'sort,10,2\nsort,20,4\n' 'in:1: the first row has numbers in it: the heading is missing'
benchmark() { printf '{"benchmarks": [{"name": "sort/10", "real_time": 1, "time_unit": "%s"}]}' "$1"; }
refuse "$(benchmark fortnight)" 'in:1: series sort, real_time: time_unit "fortnight" is not known' 'ns, us, ms or s'
refuse "$(benchmark min)" 'in:1: series sort, real_time: time_unit "min" is not known'
refuse 'n,y\n1,x\n' 'in:2: series <root>, y: column y: "x" is not a number'
refuse 'n,y\n,1\n' 'in:2: series <root>, y: column n is empty'
refuse 'n,y\n1,2,3\n' 'in:2: 3 fields for 2 columns'
refuse 'n,y\n1,"2\n' 'in:2: a quote is not closed'
refuse 'n,y\n1,"2"x\n' 'in:2: text stands behind a closing quote'
refuse 'n,metric,value,cpu\n1,a,2,x\n' 'in:2: series <root>, a: column cpu: "x" is not a number'
refuse 'n,value,value\n1,2,3\n' 'in:1: two columns mean the same'
refuse 'a,b,c\n1,2,3\n' 'in:1: which columns are parameters is undecided \(the columns are: a, b, c\)' '--parameters'
refuse 'a,b,c\n1,2,3\n' 'in:1: --parameters names a column that is not there' . --parameters x
refuse 'words\nwithout sense\n' 'in:1: this is neither CSV with a heading nor any other of the formats'
refuse '' 'in: it is empty' 'docs/fit-format.md'
refuse '[{"a": 1}]' 'in: a list in JSON is not one of the formats'
refuse '{\n"parameters": ["n"], "measurements": {}}' "in: this is Extra-P's JSON"
refuse 'PARAMETER n\nPOINTS 1 2\nREGION r\nMETRIC m\nDATA 1\nDATA nan\n' 'in:6: series r, m: the value is nan'
refuse 'PARAMETER n\nPOINTS 1 2\nREGION r\nDATA 1\nREGION s\n' 'in:5: 1 DATA lines before this one, for 2 points'
refuse 'PARAMETER n\nPOINTS 1 2\nREGION r\nDATA 1\n' 'in:4: 1 DATA lines before this one, for 2 points'
refuse 'PARAMETER n\nPOINTS 1\nREGION r\nDATA 1\nDATA 2\n' 'in:5: series r, .*more DATA lines than points|in:5: more DATA lines'
refuse 'PARAMETER n t\nPOINTS (1 2) (3)\n' 'in:2: a bracket holds too few or too many numbers'
refuse 'PARAMETER n\nPOINTS x\n' 'in:2: POINTS has something that is not a number'
refuse 'PARAMETER n\nPOINT 1\n' 'in:2: the line begins with none of PARAMETER'
refuse '{"benchmarks": [\n{"name": "B/0", "real_time": 1}]}' 'in:2: series B, real_time: parameter n is 0'
refuse '{"benchmarks": [\n{"name": "B/8", "items": NaN}]}' 'in:2: series B, items: the value is nan'
refuse '{"benchmarks": [\n{"real_time": 1}]}' 'in: line 2, column 17: a benchmark without a name'
refuse '{"context": {}}' 'in: column 16: there are no "benchmarks" in it'
refuse '{"benchmarks": [1]}' 'in: column 17: an object is expected here'
refuse '{"benchmarks": [{"name": "B/8_mean", "run_type": "aggregate", "real_time": 1}]}' 'there are no measurements' aggregates
refuse 'n,time\n' 'there are no measurements'
head -c 20000000 /dev/zero | tr '\0' ' ' >blanks
"$run" fit blanks >out 2>err && fault "20 MB of blanks are a result"
{ printf "$good"; head -c 20000000 /dev/zero | tr '\0' 7; } >long
"$run" fit long >out 2>err
grep -q 'long:2: the line is longer than 16 MiB' err || { fault "an overlong line"; cat err; }
"$run" fit . >out 2>err && fault "a folder is no input"
grep -q '^hint: name the files in it$' err || fault "no hint for a folder"
"$run" fit nosuch >out 2>err && fault "a missing file"
grep -q 'nosuch cannot be read: No such file' err || fault "a missing file: $(cat err)"

# --keep-going: the good series as they are without the bad ones, the bad ones told, and the status still 2.
{
  for n in 10 20 40 80 160; do
    for f in x y z; do echo '{"params": {"n": '$n'}, "callpath": "'$f'", "metric": "m", "value": '$((n * n))'}'; done
  done
} >good
{ head -n 4 good; echo '{"params": {"n": 5}, "callpath": "y", "metric": "m", "value": -1}'; echo '{"params"'; tail -n +5 good; } >mixed
"$run" fit mixed --at 1000 --format jsonl >out 2>err && fault "a mistake without --keep-going"
[ -s out ] && fault "results beside a mistake"
"$run" fit mixed --at 1000 --format jsonl --keep-going >out 2>err
[ $? = 2 ] || fault "--keep-going hides the exit status"
"$run" fit good --at 1000 --format jsonl | grep -v '"y"' | cmp -s - out || fault "--keep-going prints other results"
grep -q '^scale-run: left out: mixed:5: series y, m: the value is -1' err || { fault "--keep-going tells no series"; cat err; }
grep -q '^scale-run: left out: mixed:6: column 10: a colon is missing here' err || fault "--keep-going tells no line"
grep -q '^scale-run: error: 1 of 3 series left out, 2 lines or points refused$' err || fault "no sum of what is left out"
for i in $(seq 100); do echo '{"params"'; done | cat good - | "$run" fit -k >out 2>err
[ "$(grep -c 'left out:' err)" = 20 ] || fault "a file full of mistakes drowns the terminal"

# Counts up to 2^63, nine decades, many points.
for n in 1 1000 1000000 1000000000; do echo '{"params": {"n": '$n'}, "callpath": "big", "metric": "m", "value": '$n'}'; done |
  sed 's/value": 1000000000}/value": 9223372036854775807}/' | "$run" fit --format extra-p | tail -n 1 |
  grep -q '"value": \[9223372036854775808\]' || fault "2^63"
seq 1 5000 | sed 's/.*/{"params": {"n": &}, "callpath": "many", "value": [&, &]}/' | "$run" fit --at 1e9 --format jsonl |
  grep -q '"value": 1000000000, "low": 1000000000, "high": 1000000000' || fault "5,000 points"

# Output that cannot be written, readers that go away, temporary files.
"$run" fit good --format jsonl >/dev/full 2>err
[ $? = 2 ] && grep -q 'the output cannot be written' err || fault "a full disk must be an error: $(cat err)"
awk 'BEGIN { for (i = 0; i < 60000; i++) for (n = 10; n < 100; n += 10)
  printf "{\"params\": {\"n\": %d}, \"callpath\": \"f%d\", \"metric\": \"m\", \"value\": [1, 2, 3, 4, 5, 6, 7, 8, 9, %d]}\n", n, i, n }' >many
mkdir tmp
TMPDIR=$work/tmp "$run" fit many --format extra-p 2>err | cmp -s - many || fault "540,000 points come back changed: $(cat err)"
[ -z "$(ls -A tmp)" ] || fault "a temporary file is left behind"
TMPDIR=$work/tmp "$run" fit many --format jsonl | head -n 1 >/dev/null
[ -z "$(ls -A tmp)" ] || fault "a temporary file is left behind by a broken pipe"
TMPDIR=$work/nosuch "$run" fit many >out 2>err && fault "no place for the temporary file"
grep -q 'no temporary file can be made' err && grep -q '^hint: set TMPDIR' err || { fault "no hint for TMPDIR"; cat err; }
(ulimit -f 1000; TMPDIR=$work/tmp "$run" fit many >/dev/null 2>err) && fault "a limit of file sizes"
grep -q 'the temporary file of measurements cannot be written' err || { fault "a limit of file sizes"; cat err; }
exit $status
