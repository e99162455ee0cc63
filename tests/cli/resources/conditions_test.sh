#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Waits for conditions that are no pool's are no finding: the report says that they were not judged, how many and how long.
# Timed: waits are measured.
. "$(dirname "$0")/../lib.sh"
need_compiler
compile -O2 -g -pthread -o meet "$here/meet.c"
"$run" run -q -P n=4,8,16,32 --kind threads --event none -o meet.db -- ./meet '{n}' >out 2>err
"$run" report meet.db >out 2>err
tr -s ' \n' ' ' <out | grep -qE 'Waits for conditions were not judged\. At n = 32: met, [0-9,]+ waits, [0-9.]+ [mu]?s of all threads, in come \(meet\.c:[0-9:]+\)[.;] ' ||
  { fault "waits for conditions"; cat out; }
"$run" report meet.db --kind data >out 2>err
grep -q 'Waits for conditions' out && fault "threads are not the parameter"

# All are woken, and one gets on: what grows is found where they wait, and told with where they are woken.
compile -O2 -g -pthread -o herd "$here/herd.c"
line() { grep -n "/\* $1 \*/" "$here/herd.c" | cut -d: -f1; }
"$run" run -q -P n=4,8,12,16,24,32 --kind threads --at 128 --event none --max-iterations 1 -o herd.db -- ./herd '{n}' >out 2>err
"$run" report herd.db >out 2>err
words=$(tr -s ' \n' ' ' <out)
[[ $words =~ "enter (herd.c:$(($(line waits) - 1)):"[0-9]+"): quadratic loop" &&
   $words == *"Thundering herd: leave (herd.c:$(line wakes)) wakes all threads that wait for done (herd.c:"*"Do Wake one"* ]] ||
  { fault "a herd"; cat out; }
compile -O2 -g -pthread -DTWIN -o one "$here/herd.c"
"$run" run -q -P n=4,8,12,16,24,32 --kind threads --at 128 --event none --max-iterations 1 -o one.db -- ./one '{n}' >out 2>err
"$run" report one.db >out 2>err
head -3 out | grep -q '^No superlinear growth found' || { fault "one woken at a time"; cat out; }

# Nobody waits for units of a list as long as there are enough, and how many there are nobody knows: said as well.
compile -O2 -g -pthread -o free_list "$here/free_list.c"
"$run" run -q -P n=1,2,3 --kind threads --event none -o free_list.db -- ./free_list '{n}' >out 2>err
"$run" report free_list.db >out 2>err
tr -s ' \n' ' ' <out | grep -qF 'No thread waited for a condition that others signal: given_back, taken 60 times at n = 3.' ||
  { fault "signals without waits"; cat out; }

# Threads that wait for requests in epoll_wait are not judged either: how busy they were is said, and until when they may be.
compile -O2 -g -pthread -o listen "$here/listen.c"
"$run" run -q -P clients=1,2,4 --event none -o listen.db -- ./listen '{clients}' >out 2>err
"$run" report listen.db >out 2>err
words=$(tr -s ' \n' ' ' <out)
[[ $words =~ "Threads that wait for requests from outside, or by way of a pipe, are not judged. 3 threads in epoll_wait, serve (listen.c:"[0-9]+"), did something "\
"else for "[0-9]+"% of the time at clients = 1 and for "[0-9]+"% at clients = 4 (in proportion, all of it at clients = "([0-9]+)"). "\
"Where that comes near 100%, they are too few; to see it, measure up to clients = "([0-9]+). ]] ||
  { fault "threads that listen"; cat out; }
[ "${BASH_REMATCH[1]:-0}" -ge 6 ] && [ "${BASH_REMATCH[1]:-0}" -le 14 ] || fault "busy from ${BASH_REMATCH[1]} clients on, not from about twelve"
[ "${BASH_REMATCH[2]:-0}" -ge 11 ] && [ "${BASH_REMATCH[2]:-0}" -le 28 ] || fault "to be measured up to ${BASH_REMATCH[2]}, not twice that"

# A pool of four, whose clients the parameter's name says: found from few of them, and right when 64 are run.
cp "$here/desk.c" .
compile -O2 -g -pthread -o desk desk.c
"$run" run -q -P clients=1,2,3,4 --at 64 --event none -o desk.db -- ./desk '{clients}' >out 2>err
"$run" report desk.db --format json >desk.json || fault "report desk"
json desk.json '[(f["rule"], f["servers"]) for f in d["resources"]["findings"]] == [("contention", 4)]'
# All outputs name it, its threads, and from where on they are too few, with the same words.
headline=$(python3 -c 'import json; print(json.load(open("desk.json"))["resources"]["findings"][0]["title"])')
[[ $headline =~ ^'Pool of 4 threads behind work '.*': contention from clients = ' ]] || fault "the pool is called $headline"
"$run" report desk.db --format github | sed 's/%3A/:/g; s/%2C/,/g' >annotations
grep -qF ",title=$headline::utilisation " annotations || { fault "an annotation does not say once: $headline"; cat annotations; }
for format in markdown gitlab sarif junit lines; do
  "$run" report desk.db --format $format | sed 's/\\//g' | grep -qF "$headline" || fault "$format does not say: $headline"
done
cp desk.db scale.db
PYTHONPATH=$here/../lsp python3 -B - "$run" "$headline" <<'END' || fault "the language server does not say: $headline"
import os, sys
from client import Client
c = Client(sys.argv[1], "lsp", cwd=os.getcwd())
c.start(os.getcwd())
uri = c.open(os.path.realpath("desk.c"))
lines = [d["range"]["start"]["line"] for d in c.wait_for("textDocument/publishDiagnostics")["diagnostics"] if sys.argv[2] in d["message"]]
assert len(lines) == 1, lines
hover = c.request("textDocument/hover", textDocument={"uri": uri}, position={"line": lines[0], "character": 8})["result"]["contents"]["value"]
assert hover.count(sys.argv[2]) == 1 and f"**{sys.argv[2]}**: utilisation" in hover, hover
END
"$run" report desk.db | tr -s ' \n' ' ' | grep -qF "$headline" || fault "the report does not say: $headline"
expect 0 '^ +work \(desk\.c:[0-9]+\) +mean hold time ' "$run" verify desk.db --at clients=64 --event none
grep -qE '^  sleep ' out && { fault "sleeping is no resource"; cat out; }

# Four threads behind a listener that waits for an idle one: two conditions of one name, each waited for by one side. What the
# listener waits is no idle time of the threads, at 64 clients either.
cp "$here/accepting.c" .
compile -O2 -g -pthread -o accepting accepting.c
"$run" run -q -P clients=1,2,3,4 --at 64 --event none -o accepting.db -- ./accepting '{clients}' >out 2>err
"$run" report accepting.db --format json >accepting.json || fault "report accepting"
json accepting.json '[(f["rule"], f["servers"], f["resource"]["name"]) for f in d["resources"]["findings"]] == [("contention", 4, "gate::cond")]'
"$run" verify accepting.db --at clients=64 --event none --json >accepting.verify 2>err || fault "verify accepting"
json accepting.verify '[r["actual"] > 0.8 for r in d["sizes"][-1]["resources"] if r["resource"]["name"] == "gate::cond" and r["metric"] == "utilisation"] == [True]'
exit $status
