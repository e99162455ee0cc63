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
study() { python3 "$here/studies.py" "$root/profiles/study/schema.c" "$@"; }
# The source of two of its files, as long as the places in it; render.c is in no study of "many".
mkdir src
{ for i in {1..19}; do echo "// $i"; done; echo 'void render(void) {'; for i in {21..30}; do echo "  // $i"; done; echo '}'
  for i in {32..59}; do echo "// $i"; done; echo 'static void render_node(int n) {'; for i in {61..65}; do echo; done
  printf '%s\n' '  while (n--) ; // <b>&amp;\u202e' '}' '// the last'; } >src/render.c
echo 'void write_out(void);' >src/out.c
echo 'SECRET' >src/secret
{ for i in {1..4}; do echo "// $i"; done
  printf '%s\n' 'void start(void) { // the only line' '' '' '' '  for (;;) hand_over();' '}'; } >src/start.c
study list list.db
study worse worse.db
study coarse coarse.db
study untargeted untargeted.db
study outgrown outgrown.db
study many many.db 10000
study hostile hostile.db 300
study crew crew.db 0
study hasty hasty.db 0
study chatty chatty.db 0

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
"$run" report --format html --sources 0 -o bare.html list.db
"$run" report --format html --sources 150 -o short.html list.db
if "$run" report --format html --sources lots list.db >said 2>&1 || ! grep -q 'amount of memory' said; then fault "--sources lots: $(cat said)"; fi
# A program whose every count is known, with its source.
if [ -x "${SCALE_BUILD:-$root/build}/bin/scale-cc" ]; then
  cp "$here/../ask/shop.c" .
  "${SCALE_BUILD:-$root/build}/bin/scale-cc" -O2 -g -pthread -o shop shop.c
  "$run" run -P n=50,100,200,400,800 --at 2000,1000000 --event none --max-iterations 1 --no-report --quiet -o shop.db -- ./shop '{n}'
  "$run" report --format html -o shop.html shop.db
  printf '%s\n' '#include <stdlib.h>' '#include <string.h>' 'int main(int argc, char **argv) {' '  long n = atol(argv[argc - 1]);' \
    '  char *text = calloc((size_t)n + 1, 8);' '  for (long i = 0; i < n; i++)' '    strcat(text, "word");' '  return strlen(text) == 3;' '}' >cat.c
  "${SCALE_BUILD:-$root/build}/bin/scale-cc" -O2 -g -o cat cat.c
  "$run" run -P n=50,100,200,400,800 --at 2000,200001 --event none --max-iterations 1 --no-report --quiet -o cat.db -- ./cat '{n}'
  "$run" report --format html -o cat.html cat.db
  cp "$here/../cpp/app.cpp" .
  "${SCALE_BUILD:-$root/build}/bin/scale-c++" -O2 -g -o app "$PWD/app.cpp" # as cmake compiles: by its whole path
  "$run" run -P n=40,80,160,320,640 --at 2000 --event none --max-iterations 1 --no-report --quiet -o app.db -- ./app '{n}'
  "$run" report --format html -o app.html app.db
fi
for at in 50000,1000 10x; do "$run" report --format html --at "$at" -o "at-$at.html" list.db; done
# Several combinations of further parameters, of different sizes too.
"$run" report --format html --at n=1e6,threads=8,64 --at n=1e5,threads=1 -o crew.html crew.db
"$run" report --format html --at threads=1,2,3,4,5,6,7,8,9,10 crew.db >ten.html
"$run" diff --format html --at n=1e6,threads=1,8 -o crew-diff.html crew.db hasty.db
"$run" diff --format html -o chatty-diff.html crew.db chatty.db
before=$(stat -c %y-%s crew.html)
if "$run" report --format html --at n=1e6,threads=8,64,colour=1 -o crew.html crew.db >said 2>&1; then fault "a page at no place"; fi
grep -q 'does not vary colour' said && [ "$(stat -c %y-%s crew.html)" = "$before" ] || fault "a failure wrote another page: $(cat said)"
# Accepted: a mark on the card, behind the others.
rule=$("$run" report --json list.db | python3 -c 'import json,sys; f=json.load(sys.stdin)["findings"][0]; print(f["rule"], f["function"])')
echo "$rule until 2999-12-31: lists are <short>" >known
"$run" report --format html --accept known -o accepted.html list.db

for page in list many hostile diff crew; do
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
  python3 "$here/several_test.py" "$run" "$work" || status=1
  python3 "$here/picture.py" list.html picture.png && [ "$(head -c 4 picture.png | tail -c 3)" = PNG ] || fault "no picture"
else
  echo "there is no browser (chromium, chromium-driver): what the page shows was not looked at"
  [ $status = 0 ] && exit 77
fi
exit $status
