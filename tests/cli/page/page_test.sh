#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The page that report and diff write: one file that needs no network, small, and right in a real browser (page_test.py).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
run=${SCALE_BUILD:-$root/build}/bin/scale-run
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
fault() { echo "FAULT: $1"; status=1; }
study() { python3 "$here/studies.py" "$root/profiles/study_schema.c" "$@"; }
study list list.db
study worse worse.db
study coarse coarse.db
study untargeted untargeted.db
study outgrown outgrown.db
study many many.db 10000
study hostile hostile.db 300

if ! "$run" report --format html -o list.html list.db 2>said; then
  grep -q 'built without the page' said && grep -q '^hint: .*SCALE_PAGE' said || { cat said; exit 1; }
  [ ! -e list.html ] || fault "without a page there is a file"
  if command -v npm >/dev/null && grep -q 'SCALE_PAGE:STRING=\(AUTO\|ON\)' "${SCALE_BUILD:-$root/build}/CMakeCache.txt"; then
    fault "npm is here, but scale-run was built without the page"
    exit 1
  fi
  echo "scale-run was built without the page, as npm is not here"
  exit 77
fi
"$run" report --format html list.db | cmp - list.html || fault "standard output gets another page than -o"
for kind in many hostile coarse untargeted outgrown; do "$run" report --format html -o $kind.html $kind.db; done
"$run" diff --format html -o diff.html list.db worse.db
for at in 50000,1000 10x; do "$run" report --format html --at "$at" -o "at-$at.html" list.db; done
# Accepted: a mark on the card, behind the others.
rule=$("$run" report --json list.db | python3 -c 'import json,sys; f=json.load(sys.stdin)["findings"][0]; print(f["rule"], f["function"])')
echo "$rule until 2999-12-31: lists are <short>" >known
"$run" report --format html --accept known -o accepted.html list.db

for page in list many hostile diff; do
  grep -q "Content-Security-Policy\" content=\"default-src 'none'" $page.html || fault "$page.html has no policy"
  # The only addresses are names of XML namespaces and of D3's home.
  if tr -d '\n' <$page.html | sed 's/id="data">[^<]*//' | grep -oE '(https?:)?//[a-z0-9.-]+\.[a-z]+[^ "`)]*' | grep -vE '^(http://www\.w3\.org/|https://d3js\.org)'; then
    fault "$page.html refers to the network"
  fi
done
# Versions are locked, wherever they come from.
! grep -qE '"resolved"|https?://' "$root/runner/page/web/package-lock.json" || fault "the lock file names a host"
size=$(wc -c <many.html)
[ "$size" -lt 3000000 ] || fault "10,000 contexts make a page of $size bytes"
grep -q '<title>&lt;b&gt;many&lt;/b&gt; &amp; &lt;/title&gt;' hostile.html || fault "a title is not escaped"

if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then
  python3 "$here/page_test.py" "$run" "$work" || status=1
else
  echo "there is no browser (chromium, chromium-driver): what the page shows was not looked at"
  [ $status = 0 ] && exit 77
fi
exit $status
