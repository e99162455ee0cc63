#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One of sixteen locks is hot: every output says so, and what it says of use is that one's. Sixteen alike have no hot one.
# Timed: hold times are measured.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/stripes.c" .
compile -O2 -g -pthread -o stripes stripes.c
for kind in hot even; do
  "$run" run -q -P threads=1,2,3,4 --at 64 --event none -o $kind.db -- ./stripes $kind '{threads}' >out 2>err || { cat out err; exit 1; }
done
"$run" report hot.db --json >hot.json
json hot.json 'd["resources"]["findings"][0]["rule"] == "contention" and d["resources"]["findings"][0]["hot"] == [r for r in d["resources"]["list"] if r["name"] == "stripes[]"][0]["hot"]'
json hot.json '(lambda h: (h["instances"], h["hot"]) == (16, 1) and 0.6 < h["share"] < 0.9 and h["share"] == h["busiest"])(d["resources"]["findings"][0]["hot"])'
# 64 threads ask one lock for 48 holds each of 64 that take eleven times as long in all: it is always taken.
json hot.json '[p["value"] for m in d["resources"]["findings"][0]["numbers"] if m["metric"] == "utilisation" for p in m["predictions"]][0] > 0.7'
for format in markdown gitlab github sarif junit lines; do
  "$run" report hot.db --format $format | sed 's/\\//g' | grep -qE 'contention in 1 of 16 instances' || fault "$format does not say which"
done
"$run" report hot.db --details >out 2>err
grep -qE '^  stripes\[\] \(stripes\.c:[0-9]+\), 1 of 16 hot +mutex' out || { fault "the table of resources"; cat out; }
tr -s ' \n' ' ' <out | grep -qE 'Evidence 1 of 16 instances has [0-9]+% of the hold time of all\. Of the busiest: share of the time' ||
  { fault "the evidence"; cat out; }
expect 0 'Hot +1 of 16 instances has [0-9]+% of the hold time of all' "$run" ask hot.db --resource 'stripes[]'
if "$run" report hot.db --format html >page.html 2>err; then
  sed -n 's/.*id="data">\([^<]*\)<.*/\1/p' page.html | python3 -c 'import base64, sys, zlib; print(zlib.decompress(base64.b64decode(sys.stdin.read())).decode())' |
    grep -q '"hot":"1 of 16 instances has' || fault "the page"
fi
"$run" report even.db --json >even.json
json even.json 'all(r["hot"] is None for r in d["resources"]["list"])'
# A baseline file keeps it.
"$run" baseline -o base.json hot.db >out 2>&1 && grep -q '"hot"' base.json || { fault "the baseline"; cat out; }
exit $status
