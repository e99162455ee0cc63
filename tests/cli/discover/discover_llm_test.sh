#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run discover --llm, against a service of this test's that answers well, answers nonsense, lies, is slow, sends
# elsewhere or too much: what is sent is what the dry run prints, and only what the code bears out is believed.
. "$(dirname "$0")/../lib.sh"
command -v python3 >/dev/null || exit 77
facts=$here/server.facts
unset SCALE_LLM_KEY http_proxy HTTP_PROXY https_proxy HTTPS_PROXY ALL_PROXY all_proxy
export no_proxy=127.0.0.1
unbuilt() { "$run" discover "$facts" --llm http://127.0.0.1:1/v1 2>&1 | grep -q 'was built without language models'; }

# ---- what would be sent, and what is there already: both without libcurl -------------------------------------------------
"$run" discover "$facts" --llm-dry-run >dry 2>err || { fault "--llm-dry-run"; cat err; }
[ "$(wc -l <dry)" = 6 ] || fault "the dry run prints other requests"
grep -q '^{.*}$' dry && ! grep -vq '^{.*}$' dry || fault "a line of the dry run is no request"
[ -e scale-llm.json ] && fault "the dry run wrote answers"
told 2 "the answers nothing.json cannot be read" "give --llm URL" "$run" discover "$facts" --llm-answers nothing.json
"$run" discover "$facts" --llm-answers "$facts/below" 2>err && fault "answers below a file"
grep -q "the answers $facts/below cannot be read: Not a directory" err && ! grep -q 'give --llm URL' err || { fault "a hint that does not help"; cat err; }
told 2 "nothing is asked without --llm" "--llm http" "$run" discover "$facts" --llm-budget requests=5
told 2 "does not take 'euros=5'" "requests=50,tokens=200000" "$run" discover "$facts" --llm http://x --llm-budget euros=5
for damage in '{' '{"schema_version":1}' '{"schema_version":9,"document":"llm-answers"}' \
  '{"schema_version":1,"document":"llm-answers","types":[{"type":"pool","resource":"shared","reason":"","question":"zz"}],"functions":[]}' \
  '{"schema_version":1,"document":"llm-answers","types":[{"type":"pool","resource":"acquire","reason":"","question":"0123456789abcdef"}],"functions":[]}' \
  '{"schema_version":1,"document":"llm-answers","types":[],"functions":[7]}'; do
  echo "$damage" >damaged.json
  told 2 "damaged.json: invalid answers of a language model" "mend it, or move it aside" "$run" discover "$facts" --llm-answers damaged.json
done
if unbuilt; then
  told 2 "built without language models" "libcurl4-openssl-dev" "$run" discover "$facts" --llm http://127.0.0.1:1/v1
  exit $status
fi

# ---- a service --------------------------------------------------------------------------------------------------------------
cat >says.json <<'J'
{"types": {"pool": "shared", "conn": "exclusive", "object": "shared"},
 "functions": {"pool_get": "acquire", "pool_put": "release", "object_ref": "acquire", "object_unref": "wait", "object_info": "acquire",
               "object_copy_string": "acquire"}}
J
python3 "$here/llm_server.py" log says.json >port 2>/dev/null &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for _ in $(seq 100); do [ -s port ] && break; sleep 0.1; done
[ -s port ] || { fault "the service does not start"; exit 1; }
url=http://127.0.0.1:$(cat port)
ask() { # MODE ARGUMENT...: discover asks the service, anew
  local mode=$1
  shift
  rm -f answers.json
  : >log
  "$run" discover "$facts" --llm "$url/$mode/v1" --llm-answers answers.json "$@" >out 2>err
}
sent_is_shown() { # what was sent is among what the dry run printed
  grep -vxF -f dry log && fault "$1: sent, and not shown before"
  [ -s log ] || fault "$1: nothing was sent"
}

ask good --json || { fault "a good service"; cat err; }
cp out found.json
sent_is_shown "a good service"
[ "$(wc -l <log)" = 4 ] || fault "functions below types that were not taken were asked about"
json found.json '[d["llm"][key] for key in ("requests", "tokens", "unanswered", "fault")] == [4, 4000, 0, None]'
json found.json '"a language model: \"by what it does\"" in next(e["reason"] for r in d["resources"] for e in r["events"] if e["linkage_name"] == "pool_get")'
json found.json '"a language model says wait" in next(e["against"] for r in d["resources"] for e in r["events"] if e["linkage_name"] == "object_unref" and e["event"] == "release")'
json found.json '[r["reason"] for r in d["rejected"] if r["linkage_name"] == "object_info"] == ["a language model says so (\"by what it does\"), and nothing in the code does"]'
json answers.json 'd["document"] == "llm-answers" and len(d["types"]) == 5 and len(d["functions"]) == 10'
json answers.json '{t["type"]: t["resource"] for t in d["types"]} == {"object": "shared", "queue": "none", "item": "none", "conn": "exclusive", "pool": "shared"}'
"$run" discover "$facts" --llm-answers answers.json >text || fault "answers without a service"
tr -s ' \n' ' ' <text | grep -q 'doubtful: no resource, says a language model: "by its fields"' || fault "what it takes for none"
grep -q '^A language model: of 15 questions 15 are answered\.$' text || fault "what was answered"
"$run" discover "$facts" --llm-answers answers.json -o probes.json >/dev/null && json probes.json '"A language model: of 15 questions" in d["description"]'

# what is answered is not asked again; what a person changed holds; what changed in the code is asked again
: >log
"$run" discover "$facts" --llm "$url/good/v1" --llm-answers answers.json >out || fault "again"
[ -s log ] && fault "what was answered is asked again"
diff text out >/dev/null || fault "another text with the same answers"
sed -i 's/"resource":\t"none"/"resource":\t"shared"/' answers.json
"$run" discover "$facts" --llm-dry-run --llm-answers answers.json >rest
[ "$(wc -l <rest)" = 2 ] || fault "functions of types that a person takes for resources: $(wc -l <rest)"
sed 's/"refcount","type":"int"/"refcount","type":"long"/' "$facts" >changed.facts
"$run" discover changed.facts --llm-answers answers.json >out && grep -q '1 answer of the file is of code that changed' out || fault "an answer of other code"

# ---- the key: sent, and nowhere else ---------------------------------------------------------------------------------------
export SCALE_LLM_KEY=sk-very-secret
: >log.keys
ask good --llm-model small || fault "with a key"
grep -qx 'Bearer sk-very-secret' log.keys || fault "the key was not sent"
grep -q '"model":"small"' log || fault "the model was not named"
ask refuses
grep -rl sk-very-secret . | grep -v '^./log.keys$' && fault "the key is in a file"
for host in 192.0.2.1 127.0.0.1.invalid 127.invalid localhost.invalid; do
  told 2 "would travel unencrypted" "use https" "$run" discover "$facts" --llm "http://$host/v1" --llm-answers a.json
done
(unset no_proxy; export http_proxy=http://127.0.0.1:1 && ask good) || fault "a service of this machine is asked through a proxy"
unset SCALE_LLM_KEY
told 2 "without a user and password" "SCALE_LLM_KEY" "$run" discover "$facts" --llm http://me:pw@127.0.0.1/v1
told 2 "takes a URL of http or https" "http://localhost" "$run" discover "$facts" --llm ftp://127.0.0.1/v1
told 2 "takes a URL of http or https" "http://localhost" "$run" discover "$facts" --llm "not a url"

# ---- budgets ----------------------------------------------------------------------------------------------------------------
ask good --llm-budget requests=1 --json
json out 'd["llm"]["requests"] == 1 and d["llm"]["unanswered"] == 10'
ask good --llm-budget requests=2 --json && [ "$(wc -l <log)" = 2 ] || fault "two requests"
ask good --llm-budget tokens=100 --json && [ ! -s log ] && json out 'd["llm"]["requests"] == 0 and d["llm"]["unanswered"] == 5' || fault "100 tokens"
ask greedy --json && json out 'd["llm"]["requests"] == 1' || fault "a service that counts a billion tokens"

# ---- it answers nonsense: what there is without it -----------------------------------------------------------------------
"$run" discover "$facts" >plain
useless() { # MODE FAULT
  ask "$1" || fault "$1: status $?"
  sent_is_shown "$1"
  tr -s ' \n' ' ' <out | grep -q "Without a usable answer: [0-9]* requests*; of the last one: $2" || { fault "$1: no /$2/"; cat out; }
  [ -e answers.json ] && fault "$1: answers were kept"
  grep -v '^ *Without\|^A language\|^ *last one' out | tail -n +2 | diff - <(tail -n +2 plain) >/dev/null || { fault "$1: other resources"; }
}
useless prose "it is not the JSON that was asked for"
useless page "it is no JSON"
useless behind "it is not the JSON that was asked for"
useless truncated "it is not the JSON that was asked for"
useless cut "it was cut off at the limit of tokens"
useless deep "it is no JSON"
ask fenced --json && json out 'd["llm"]["unanswered"] == 0' || fault "JSON between marks"
ask liar --json || fault "a liar"
json out 'd["llm"]["not_asked_for"] == 8 and d["llm"]["of_another_form"] == 16 and d["llm"]["answers"] == 15'
json answers.json '{t["type"]: t["resource"] for t in d["types"]}["pool"] == "shared" and not any("no_such" in str(t) for t in d["types"] + d["functions"])'
ask loud || fault "reasons to be shown"
LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f]' out answers.json && fault "control characters are printed"
json answers.json 'all(len(t["reason"].encode()) <= 200 and "\u202e" not in t["reason"] for t in d["types"] + d["functions"])'
ask later --json && json out 'd["llm"]["unusable_requests"] == 3 and d["llm"]["answers"] == 5 and "429" in d["llm"]["fault"]' || fault "it refuses later"
json answers.json 'len(d["types"]) == 5'

# What was answered is kept at once: nothing that happens to the command later loses it.
rm -f answers.json
"$run" discover "$facts" --llm "$url/stalls/v1" --llm-answers answers.json >out 2>err &
killed=$!
for _ in $(seq 100); do [ -s answers.json ] && break; sleep 0.1; done
kill -KILL $killed
wait $killed 2>/dev/null
json answers.json 'len(d["types"]) == 5' || fault "answers are lost with the command"

# ---- nobody answers: an error, once -----------------------------------------------------------------
failing() { # MODE PATTERN ARGUMENT...
  local mode=$1 pattern=$2
  shift 2
  ask "$mode" "$@"
  [ $? = 2 ] && grep -q "the language model cannot be asked: $pattern" err && grep -q 'hint: see whether the service is there' err ||
    { fault "$mode"; cat err; }
  [ "$(wc -l <log)" -le 1 ] || fault "$mode: asked again"
  [ -s out ] && fault "$mode: something was printed"
}
failing slow "it did not answer in time" --llm-timeout 300ms
failing slow "it did not answer in time" --llm-timeout 0.1ms
failing huge "its answer has more than 1048576 bytes"
failing half "" # whatever libcurl says of a connection that ends early
failing elsewhere "it says that it is elsewhere (status 307)"
failing refuses "it refuses with status 429"
"$run" discover "$facts" --llm http://127.0.0.1:1/v1 >out 2>err
[ $? = 2 ] && grep -qi 'cannot be asked: couldn.t connect' err || { fault "nobody listens"; cat err; }
exit $status
