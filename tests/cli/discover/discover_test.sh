#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run discover: a server's pool, references and queue from its facts, with the twins that look like them and are
# none; from files, objects, archives and folders; as text, JSON and a probe set; and what it says to anything else.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || exit 77
facts=$here/server.facts
schema=$here/../../../instrument/events/probe-set.schema.json

# ---- what it says -------------------------------------------------------------------------------------------------
"$run" discover "$facts" >text 2>err || { fault "discover"; cat err; }
diff "$here/server.txt" text || fault "the text"
"$run" discover "$facts" --json >found.json || fault "--json"
json found.json 'd["schema_version"] == 1 and d["document"] == "discover" and d["units"] == 2 and d["functions"] == 12'
json found.json '[r["mechanism"] for r in d["resources"]] == ["free list", "references", "queue"]'
json found.json '[(e["linkage_name"], e["event"], e["unit"]) for e in d["resources"][0]["events"]] ==
  [("pool_get", "acquire", {"return": True}), ("pool_put", "release", {"argument": 1})]'
json found.json 'all(0 <= e["confidence"] <= 1 and e["reason"] for r in d["resources"] for e in r["events"])'
json found.json '{(r["linkage_name"], r["line"]) for r in d["rejected"]} >= {("object_scan", 50), ("queue_find", 30)}'
expect 0 "^12 functions of 2 source files: 3 resources, the first 1:$" "$run" discover --limit 1 "$facts"
grep -q 'queue_push' out && fault "--limit 1 prints the third"
columns=100 expect 0 'one side only|rejected:' "$run" discover --all "$facts"

# ---- the probe set: scale-cc takes it, the schema too, and it is the same each time -----------------------------------
"$run" discover "$facts" -o probes.json >out 2>err || { fault "-o"; cat err; }
grep -q '^Next: review probes.json, then build with it: scale-cc --scale-probes=$PWD/probes.json$' out || fault "what is next"
json probes.json '[[(e["function"], e["event"]) for e in r["events"]] for r in d["resources"]] ==
  [[("pool_get", "acquire"), ("pool_put", "release")],
   [("object_new", "acquire"), ("object_ref", "acquire"), ("object_unref", "release")],
   [("queue_push", "acquire"), ("queue_pop", "release")]]'
json probes.json '[r.get("counted", False) for r in d["resources"]] == [False, True, False]'
json probes.json '{(r["function"], r["event"]) for r in d["rejected"]} >= {("object_scan", "acquire"), ("queue_find", "acquire")}'
json probes.json 'd["resources"][0]["events"][0]["success"] == "nonzero"'
if [ -x "$cc" ]; then
  expect 0 '^  pool_put +release +unit argument 1' "$cc" --scale-check-probes probes.json
fi
python3 - "$schema" probes.json <<'P' || fault "the schema"
import json, sys
try:
    from jsonschema import Draft202012Validator as Validator
except ImportError:
    sys.exit(0)
sys.exit(bool(list(Validator(json.load(open(sys.argv[1]))).iter_errors(json.load(open(sys.argv[2]))))))
P
"$run" discover "$facts" -o again.json >/dev/null && cmp probes.json again.json || fault "not the same again"

# ---- where facts are ----------------------------------------------------------------------------------------------
command -v objcopy >/dev/null && command -v gcc >/dev/null || exit $status
mkdir -p tree/deep
echo 'int main(void) { return 0; }' >main.c
echo 'int x;' >x.c
gcc -c main.c -o main.o && gcc -c x.c -o x.o || exit 77
head -n 1 "$facts" >server.part
tail -n 1 "$facts" >jobs.part
objcopy --add-section .scale_facts=server.part main.o tree/main.o
objcopy --add-section .scale_facts=jobs.part x.o tree/deep/jobs.o
{ cat server.part; printf '\0\0\0\0'; cat jobs.part; } >both.part
gcc main.o x.o -o program && objcopy --add-section .scale_facts=both.part program || exit 77
ar rc tree/deep/jobs.a tree/deep/jobs.o
same() { # WHAT PATH...: the same resources
  "$run" discover "${@:2}" >out 2>err || { fault "$1"; cat err; }
  diff text out >/dev/null || { fault "$1: not the same"; cat out; }
}
same "objects" tree/main.o tree/deep/jobs.o
same "an archive" tree/main.o tree/deep/jobs.a
same "a folder" tree
same "a program" program
same "all of them, each unit once" program tree "$facts"
same "a pipe" <(cat "$facts")
"$run" discover program --facts kept.facts >/dev/null || fault "--facts"
cmp kept.facts "$facts" || fault "the facts that were kept"

# ---- mistakes: status 2, one message, one hint, nothing printed ---------------------------------------------------------
refuse() { # PATTERN HINT COMMAND...
  local pattern=$1 hint=$2
  shift 2
  "$@" >out 2>err </dev/null
  [ $? = 2 ] || fault "exit status is not 2: $*"
  [ -s out ] && fault "something was printed: $*"
  [ "$(grep -c '^scale-run: error: ' err)" = 1 ] || fault "not one message: $*"
  tr -s ' \n' ' ' <err | grep -qE -- "error: .*$pattern.*hint: .*$hint" || { fault "no /$pattern/, /$hint/: $*"; cat err; }
}
refuse "say which program to look at" "scale-run discover PATH" "$run" discover
refuse "main.o has no facts" "build it with scale-cc --scale-facts.*SCALE_FACTS=1 make CC=scale-cc" "$run" discover main.o
mkdir empty
refuse "empty has no facts" "no program, library, object or archive was found there" "$run" discover empty
refuse "main.c is not a program, library, object, archive or facts file" "what scale-cc --scale-facts built" "$run" discover main.c
refuse "nothing cannot be read: No such file" "name the program" "$run" discover nothing
printf '{"scale_facts":1,"functions":[{"name":"f","line":1.5}]}\n' >bad.facts
refuse "bad.facts:1: invalid facts: functions 0: 'line' is not a whole number" "build again with scale-cc" "$run" discover bad.facts
objcopy --add-section .scale_facts=bad.facts main.o bad.o
refuse "bad.o:1: invalid facts" "build again" "$run" discover "$facts" bad.o
printf '{"scale_facts":9}\n' >new.facts
refuse "new.facts:1: facts of version 9" "build again with the scale-cc that belongs" "$run" discover new.facts
head -c 300 program >cut && refuse "cut (has no facts|is not a program)" "build|name" "$run" discover cut
printf '{"scale_facts":1,"functions":[{"name":"f"}]}\n' >none.facts
"$run" discover none.facts -o none.json >out 2>err
[ $? = 4 ] && grep -q 'no resources were found' err && [ ! -e none.json ] || fault "a probe set of nothing"
exit $status
