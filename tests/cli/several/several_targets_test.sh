#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Who runs a study for values of further parameters is answered there, without saying so again.
. "$(dirname "$0")/../lib.sh"
need_compiler
columns=100
cp "$here/work.c" .
compile -O1 -g -pthread -o work work.c
measure() { "$run" run -q --event none -P n=100..1600 -P t=1,2,4,8 --at "$1" -o "$2" -- ./work '{n}' '{t}'; }
expect 0 'At t = 64 \(measured: 1, 2, 4, 8\)' measure n=16000,t=64 s.db

# 64 * 16,000 iterations of threads, 16,000 of main, 63 * 16,000 calls
for question in "" "--at 16000" "16000"; do
  expect 0 '^At n = 16,000, t = 64: 3\.0[0-9]+ million executions' "$run" ask s.db $question
done
expect 0 '^At n = 1,000,000, t = 64: 191 million executions' "$run" ask s.db 1e6
expect 0 '64\.0 million +exactly' "$run" ask s.db 1e6 --function work
expect 0 'At t = 64 \(measured' "$run" report s.db
"$run" report s.db --json >named.json || fault "report --json"
json named.json 'd["further"] == {"t": 64} and d["targets"] == [16000]'
"$run" report s.db --at n=16000,t=64 --json | cmp - named.json || fault "another report where it is named"
"$run" report s.db --format html -o page.html && "$run" report s.db --at n=16000,t=64 --format html -o named.html || fault "page"
cmp page.html named.html || fault "another page where it is named"
rm named.json
# Everything else that is asked: tables, pictures, places, one function, resources, profiles, changes, real runs.
expect 0 '^ +10,000 +64 +1\.91 million +exactly' "$run" ask s.db --sweep n=1e3..1e4
"$run" ask s.db --sweep n=1e3..1e4 --json >sweep.json || fault "ask --sweep --json"
json sweep.json '[(p["at"], p["executions"]["value"]) for p in d["points"]][0] == ({"n": 1000, "t": 64}, 191266)'
expect 0 '^Iterations and calls over n at t = 64' "$run" ask s.db --plot
"$run" ask s.db --plot --json >plot.json || fault "ask --plot --json"
json plot.json 'd["further"] == {"t": 64} and d["plot"]["targets"][0]["predicted"] == {"value": 3056266, "low": 3056266, "high": 3056266}'
"$run" ask s.db --svg plot.svg >out 2>err || { fault "ask --svg"; cat err; }
grep -q '>Iterations and calls over n at t = 64<' plot.svg && grep -q 'Predicted at n = 16,000: 3\.06 million, 95% interval exactly' plot.svg || { fault "picture"; cat plot.svg; }
expect 0 '^At n = 16,000, t = 64: 3\.06 million iterations' "$run" ask s.db --all
grep -q '^Negligible growth' out || { fault "ask --all without what it lists"; cat out; }
expect 0 '^ +acquires +64 +16,000 +64 +exactly' "$run" ask s.db --resource threads
expect 0 '^process work;work;loop work\.c:[0-9]+:[0-9]+ 1024000$' "$run" export s.db --format folded
expect 0 '^cmd: .*at n = 16,000, t = 64, predicted' "$run" export s.db --format callgrind
expect 0 '^No change: 13 contexts compared; at t = 64\.' "$run" diff s.db s.db
[ ! -s err ] || { fault "a warning of values that the base has"; cat err; }
expect 2 'scale-run verify s\.db --at n=16000,t=64' "$run" verify s.db
expect 0 '^  executions, total +191,266 +exactly +191,266 +exact' "$run" verify s.db --at 1000
rm sweep.json plot.json plot.svg
# A baseline has base values alone, which is said, and so is a study without the parameter.
"$run" baseline s.db -o base.json || fault "baseline"
"$run" run -q --event none -P n=100..1600 -o one.db -- ./work '{n}' 1 >out 2>err || { fault "study of one parameter"; cat err; }
for base in base.json one.db; do
  expect 0 '^No change: [0-9]+ contexts compared\.' "$run" diff "$base" s.db
  grep -q "warning: compared at t = 1, not at the targets of s.db: $base has no other values" err || { fault "where $base is compared"; cat err; }
done
expect 0 '^No change: ' "$run" diff base.json s.db --at t=1
[ ! -s err ] || { fault "a warning of values that were named"; cat err; }
# What is named is what is answered, and what looks for a value of the parameter takes none.
expect 0 '^At n = 16,000, t = 1: ' "$run" ask s.db --at t=1
expect 0 'At t = 1 \(also measured: 2, 4, 8\)' "$run" report s.db --at n=16000,t=1
expect 0 ' at t = [0-9]' "$run" ask s.db --limit iterations=1e6 --over t --at n=16000

# Several of them, and a multiple of the largest one measured; a study without is at the base as it always was.
measure n=16000,t=16,4x several.db >out 2>err || { fault "run of several"; cat err; }
"$run" ask several.db --json >ask.json || fault "ask of several"
json ask.json '[p["at"]["t"] for p in d["points"]] == [16, 32]'
rm ask.json
expect 0 'over n at t = 16' "$run" ask several.db --plot
grep -q 'over n at t = 32' out || { fault "one plot of two"; cat out; }
expect 0 '' "$run" ask several.db --svg one.svg # one picture
grep -q 'over n at t = 32' one.svg || fault "a picture of the smaller one"
expect 0 'at n = 16,000, t = 32' "$run" export several.db --format callgrind
"$run" export several.db --format folded -o p.folded >out 2>err && [ -s p.n=16000,t=16.folded ] && [ -s p.n=16000,t=32.folded ] ||
  { fault "a file for each"; ls; cat out err; }
expect 0 'compared; at t = 16' "$run" diff several.db several.db
grep -q 'compared; at t = 32' out || { fault "one comparison of two"; cat out; }
measure n=16000 base.db >out 2>err || { fault "run at the base"; cat err; }
expect 0 'At t = 1 \(also measured: 2, 4, 8\)' "$run" ask base.db

# A workload file says it, too.
cat >w.xml <<'X'
<workload name="work">
  <parameter name="n"><range low="100" high="1600"/><validation low="100" high="1600"/><targets>16000</targets></parameter>
  <parameter name="t"><sizes>1 2 4 8</sizes><targets>64</targets></parameter>
  <command><arg>./work</arg><arg>{n}</arg><arg>{t}</arg></command>
</workload>
X
expect 0 'At t = 64 \(measured' "$run" run -q --event none -o w.db w.xml
expect 0 '^At n = 16,000, t = 64: 3\.0[0-9]+ million executions' "$run" ask w.db

# An editor's: what it is shown is of the same place.
python3 - "$run" <<'PY' || fault "lsp"
import json, subprocess, sys
server = subprocess.Popen([sys.argv[1], "lsp", "s.db"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def send(message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
    server.stdin.flush()
def receive(wanted):
    while True:
        length = 0
        while (line := server.stdout.readline().strip()):
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(server.stdout.read(length))
        if message.get("id") == wanted:
            return message
import os
uri = "file://" + os.path.realpath("work.c")
send({"id": 1, "method": "initialize", "params": {"capabilities": {}, "rootUri": "file://" + os.getcwd()}})
receive(1)
send({"method": "initialized", "params": {}})
send({"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri, "languageId": "c", "version": 1, "text": open("work.c").read()}}})
line = next(i for i, text in enumerate(open("work.c")) if "void merge" in text)
send({"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": uri}, "position": {"line": line, "character": 45}}})
shown = json.dumps(receive(2))
assert "t = 64" in shown or "1.01 million" in shown or "1,008,000" in shown, shown
send({"id": 3, "method": "shutdown"})
send({"method": "exit"})
server.wait(60)
PY

# Judged there or at the base, a study is read as often.
cat >sql.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
int sqlite3_prepare_v2(void *db, const char *sql, int length, void **statement, const char **tail)
{
  static int (*next)(void *, const char *, int, void **, const char **);
  next = next ? next : (int (*)(void *, const char *, int, void **, const char **))dlsym(RTLD_NEXT, "sqlite3_prepare_v2");
  FILE *log = strstr(sql, "FROM counts") ? fopen("reads", "a") : NULL;
  if (log)
    fputs("x\n", log), fclose(log);
  return next(db, sql, length, statement, tail);
}
C
"${CC:-cc}" -shared -fPIC -o sql.so sql.c -ldl || { fault "sql.so"; exit $status; }
reads() {
  cp s.db again.db
  rm -f reads
  LD_PRELOAD=$PWD/sql.so measure "$1" again.db >out 2>err || return 1
  wc -l <reads
}
if base=$(reads n=16000) && [ "$base" -gt 0 ]; then
  [ "$(reads n=16000,t=64)" = "$base" ] || fault "reads of a study judged elsewhere: $(reads n=16000,t=64), at the base $base"
fi
exit $status
