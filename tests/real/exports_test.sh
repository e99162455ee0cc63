#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Exports, read by the tools they are made for: pprof, built from Debian's source package, and speedscope's schema.
. "$(dirname "$0")/lib.sh"
GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$work/go
export GO111MODULE GOPATH GOCACHE
quietly pprof.build go build -o pprof github.com/google/pprof

quietly build "$bin/scale-c++" -O1 -g -o work "$root/tests/cli/export/work.cpp" "$root/tests/cli/export/more.cpp"
quietly run "$bin/scale-run" run -P n=300,600,1200 --at 1e5 --max-iterations 1 --no-report -q -- ./work '{n}'
"$bin/scale-run" export --at 1e5 -o p.pb.gz
"$bin/scale-run" export --at 1e5 --format folded --metric executions -o x.folded
PPROF_NO_BROWSER=1 ./pprof -top -sample_index=executions -nodecount=1000 -nodefraction=0 p.pb.gz >top
grep -Eq '^10000000000 +[0-9.]+% .* loop work\.cpp:20:5' top || { cat top; fail "pprof -top"; }
total=$(awk '{ sum += $NF } END { printf "%.0f", sum }' x.folded)
grep -q "of $total total" top || { cat top; fail "pprof adds up to something else than $total"; }
./pprof -raw p.pb.gz >raw
grep -Eq '^Comment: .* at n = 100,000, predicted from sizes 300 to 1,200$' raw || { head raw; fail "pprof -raw: no comment"; }
grep -Eq '^executions/count cpu/nanoseconds\[dflt\]' raw || { head raw; fail "pprof -raw: no types"; }
# A line of a sample: its values, a colon, locations.
[ "$(awk '/^Locations/ { exit } /^ +[0-9]+ .*: / { sum += $1 } END { printf "%.0f", sum }' raw)" = "$total" ] || fail "pprof -raw"
./pprof -traces -sample_index=executions p.pb.gz >traces
grep -q ' main$' traces || fail "pprof -traces"

if npm pack --silent --cache "$work/npm" speedscope@1.25.0 >npm.log 2>&1; then
  tar xf speedscope-1.25.0.tgz
  "$bin/scale-run" export --at 1e5 --format speedscope -o p.json
  python3 -c 'import json, jsonschema
jsonschema.validate(json.load(open("p.json")), json.load(open("package/dist/release/file-format-schema.json")))' ||
    fail "speedscope's schema"
else
  echo "no npm: speedscope's schema is not checked" >&2
fi
