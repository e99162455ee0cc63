#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A quadratic loop beside a cubic one is negligible: --all and JSON list it, and no gate breaks for it.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >both.c <<'C'
#include <stdlib.h>
volatile long sink;
static __attribute__((noinline)) void small(int n)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sink += i ^ j;
}
static __attribute__((noinline)) void large(int n)
{
  for (long i = 0; i < (long)n * n * n; i++)
    sink += i;
}
int main(int argc, char **argv)
{
  int n = atoi(argv[1]);
  small(n);
  large(n);
  return 0;
}
C
"$cc" -O1 -g -o both both.c || exit 1
"$run" run -P n=10..80 --at 10000 --event none --quiet --no-report -- ./both '{n}' >log 2>&1 || { fault run; cat log; }
expect 0 'with the workload too, at a negligible cost \(--all lists (it|them)\)' "$run" report
grep -q 'both.c:6:5' out && fault 'what is negligible is listed without --all'
expect 0 '^small \(both.c:6:5\): quadratic loop, n\^2 iterations' "$run" report --all
grep -q '^Negligible growth' out || fault 'no heading'
grep -q 'at a negligible cost' out && fault '--all says that it leaves something out'
"$run" report --json >report.json
json report.json '[(x["line"], x["superlinear"], x["to"]["exponent"]) for x in d["negligible"]][0] == (6, True, 2)'
json report.json 'len(d["negligible"]) == d["suppressed"]'
json report.json 'all(x["line"] != 6 for x in d["findings"])'
"$run" report --json --all | cmp - report.json || fault '--all changes the document of findings in few contexts'
valid report report.json

# The same in ask, the page and the editor.
"$run" ask >plain.txt && grep -q 'Negligible growth' plain.txt && fault 'ask lists them without --all'
expect 0 '^small \(both.c:6:5\): quadratic loop, n\^2 iterations' "$run" ask --all
[ "$("$run" report --all | sed -n '/^Negligible/,/^$/p')" = "$(sed -n '/^Negligible/,/^$/p' out)" ] || fault 'ask has other words'
"$run" ask --all --json >ask.json
json ask.json '[x["line"] for x in d["negligible"]][0] == 6 and len(d["negligible"]) == d["suppressed"]'
valid answers ask.json
if "$run" report --format html -o page.html 2>said; then
  PYTHONPATH=$here/page python3 - <<'PYTHON' || fault 'the page'
import data
study = data.combination(data.read("page.html"))["head"]
assert len(study["negligible"]) == study["suppressed"]
assert study["negligible"][0]["headline"].startswith("small (both.c:6:5): quadratic loop, n^2 iterations"), study["negligible"]
PYTHON
else
  grep -q 'built without the page' said || { fault 'the page'; cat said; }
fi
for all in '' --all; do
  python3 - "$run" $all <<'PYTHON' || fault "the editor $all"
import json, os, subprocess, sys
text, uri = open("both.c").read(), "file://" + os.path.abspath("both.c")
def pack(method, params, number=None):
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
messages = [pack("initialize", {"capabilities": {}, "rootUri": "file://" + os.getcwd(), "processId": None}, 1), pack("initialized", {}),
            pack("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "c", "version": 1, "text": text}}),
            pack("shutdown", None, 2), pack("exit", None)]
out = subprocess.run([sys.argv[1], "lsp", *sys.argv[2:]], input=b"".join(messages), capture_output=True, timeout=60).stdout.decode()
hint = "Negligible growth: small (both.c:6:5): quadratic loop, n^2 iterations; at n = 10,000: 100 million iterations" in out
assert hint == (len(sys.argv) > 2), out
PYTHON
done
exit $status
