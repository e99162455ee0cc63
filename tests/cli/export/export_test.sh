#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run export: what the formats say of one study agrees, with the study where it was measured, with `scale-run ask`
# where it is predicted.
. "$(dirname "$0")/../lib.sh"
need_compiler
refuse() { # refuse PATTERN COMMAND...: exit status 2, nothing on stdout, an error that matches
  local pattern=$1
  shift
  "$@" >out 2>err
  [ $? = 2 ] || fault "exit status is not 2: $*"
  [ -s out ] && fault "something was printed: $*"
  grep -qE -- "error: .*$pattern" err && grep -q '^hint: ' err || { fault "no /$pattern/ with a hint: $*"; cat err; }
}
export_all() { # export_all ARGUMENT...: of the study and size
  rm -f p.* x.*
  "$run" export "$@" --unfold-system -o p.pb.gz && "$run" export "$@" --unfold-system --format folded -o p.folded &&
    "$run" export "$@" --unfold-system --format folded --metric executions >x.folded &&
    "$run" export "$@" --unfold-system --format speedscope -o p.speedscope && "$run" export "$@" --unfold-system --format callgrind -o p.callgrind ||
    fault "export $*"
}
agree() { # agree STUDY N
  "$run" report "$1" --format json >report.json && PYTHONPATH=$here python3 -B "$here/agree.py" "$@" ||
    fault "the exports do not agree: $*"
}

"$SCALE_BUILD/bin/scale-c++" -O1 -g -o work "$here/work.cpp" "$here/more.cpp" || { echo "scale-c++ failed"; exit 1; }
measure() { "$run" run -P n=300,600,1200,2400 --at 1e5 --max-iterations 1 --no-report -q "$@" -- ./work '{n}' >out 2>err || { cat out err; exit 1; }; }
measure
measure --event none -o counts.db
"$run" verify --at 3000 -q >out 2>err || { cat out err; exit 1; }
for study in scale.db counts.db; do
  rm -f ask.json
  export_all "$study"
  agree "$study" "$(python3 -c "import sqlite3; print(sqlite3.connect('$study').execute(
    'SELECT max(n) FROM run WHERE role <> \'target\'').fetchone()[0])")"
  export_all "$study" --at n=600
  agree "$study" 600
  for size in 777 1e5 1e6; do
    "$run" ask "$study" --at "$size" --top 1000000 --json >ask.json || fault "ask"
    export_all "$study" --at "$size"
    agree "$study" "$size"
  done
done
rm -f ask.json
export_all --at 3000 # as verify measured it
agree scale.db 3000

# Work of library functions: first and alone where it is asked for, in its unit; not in what has none.
"$run" export counts.db --format folded --metric elements -o e.folded || fault "--metric elements"
grep -qE '^process work;main;qsort at work\.cpp:[0-9:]+ 2400$' e.folded && [ "$(wc -l <e.folded)" = 1 ] || { fault "elements of qsort"; cat e.folded; }
"$run" export counts.db --metric bytes -o b.pb.gz && "$run" export counts.db --metric bytes --format callgrind -o b.callgrind || fault "--metric bytes"
grep -qE '^events: Bytes Executions Elements$' b.callgrind || { fault "bytes are not first"; head b.callgrind; }
[ "$(PYTHONPATH=$here python3 -B -c 'import exports; print(exports.pprof("b.pb.gz")["default"])')" = bytes ] || fault "pprof: bytes are not the default"
refuse 'no work of library functions in characters' "$run" export counts.db --metric characters -o never
grep -q -- 'hint: it has --metric bytes, --metric elements' err || { fault "which work there is"; cat err; }

# Names: the callback below qsort, loops as frames, local functions told apart, an operator in a path.
"$run" export --format folded --metric executions -o x.folded
grep -qE '^process work;main;qsort(;[^;]+)*;compare[^;]* [0-9]+$' x.folded || { fault "no callback"; cat x.folded; }
grep -qE ';loop work\.cpp:20:5[^;]* [0-9]+$' x.folded || fault "no loop"
[ "$(grep -oE 'help[^;]* \((work|more)\.cpp:[0-9]+\)' x.folded | sort -u | wc -l)" = 2 ] || { fault "two functions, one name"; cat x.folded; }
PYTHONPATH=$here python3 -B - <<'P' || fault "places in pprof"
import exports
files = exports.pprof("p.pb.gz")["files"]
assert any(name.startswith("loop work.cpp:20") and file.endswith("/work.cpp") and line == 20 for name, (file, line) in files.items()), files
P

# Extra-P's lines are the study's series, and `scale-run fit` reads them.
"$run" export counts.db --format extra-p -o series.jsonl || fault "extra-p"
python3 - <<'P' || fault "extra-p: other measurements"
import json, sqlite3
lines = [json.loads(line) for line in open("series.jsonl")]
assert len({(l["callpath"], l["metric"], l["params"]["n"]) for l in lines}) == len(lines)
assert {l["metric"] for l in lines} <= {"executions", "bytes", "elements"} # the last two of library functions
assert any("operator- >" in l["callpath"] for l in lines)
db = sqlite3.connect("counts.db")
for n, work, count in db.execute("SELECT n, l.kind = 'work' AS work, sum(count) FROM series s JOIN context c ON c.id = s.context "
                                 "JOIN location l ON l.id = c.location WHERE l.kind IN ('function', 'loop', 'work') GROUP BY n, work"):
    assert sum(sum(l["value"]) for l in lines if l["params"]["n"] == n and (l["metric"] != "executions") == work) == count, n
P
"$run" fit series.jsonl --at 1e5 --format jsonl >fitted || fault "fit does not read it"
python3 - <<'P' || fault "fit says otherwise"
import json
models = {json.loads(line)["callpath"]: json.loads(line) for line in open("fitted")}
inner = next(m for path, m in models.items() if path.split("->")[-1].startswith("loop work.cpp:20"))
assert inner["model"] == "n^2" and inner["predictions"][0]["value"] == 1e10, inner
P

if command -v callgrind_annotate >/dev/null; then
  "$run" export counts.db --at 1e5 --format callgrind -o p.callgrind
  callgrind_annotate --auto=no p.callgrind >annotated 2>err || { fault "callgrind_annotate"; cat err; }
  [ -s err ] && { fault "callgrind_annotate complains"; cat err; }
  grep -qE '^10,000,000,000 \([0-9. ]+%\) .*:loop work\.cpp:20' annotated || { fault "callgrind_annotate: no loop"; cat annotated; }
fi

# Mistakes, and no half-written files.
refuse 'no study' "$run" export nosuch.db -o never
refuse 'one profile in a file' "$run" export --at 5,6 --format folded
refuse 'no costs' "$run" export counts.db --metric cost --format folded
refuse 'more than the format can hold' "$run" export --at 1e12 -o never
refuse 'takes no --at' "$run" export --format extra-p --at 5
refuse 'one study' "$run" export scale.db counts.db
refuse 'which raw profiles' "$run" export --format trace
refuse 'cannot be written' "$run" export -o nosuch/never
[ -e never ] && fault "a file was left behind"
echo kept >kept
refuse 'more than the format' "$run" export --at 1e12 -o kept
[ "$(cat kept)" = kept ] && [ -z "$(ls kept.* 2>/dev/null)" ] || fault "a failure replaced a file"
"$run" export --format speedscope -o kept && [ "$(stat -c %a kept)" = "$(printf '%o' $((0666 & ~$(umask))))" ] || fault "permissions"
exit $status
