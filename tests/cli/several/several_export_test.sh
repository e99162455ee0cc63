#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# export and blame at several combinations of further parameters, of a study whose every count is known: hand_over is called
# n (threads - 1) times, and a lock acquired n threads times.
. "$(dirname "$0")/../lib.sh"
python3 "$here/../page/studies.py" "$here/../../../profiles/study/schema.c" crew scale.db 0 || exit 1
at=(--at n=1e6,threads=8,64)

# Formats with one profile in a file: a file each, the same as of that combination alone, and its name.
for format in pprof folded callgrind; do
  mkdir -p "$format.d"
  "$run" export "${at[@]}" --format $format -o $format.d/a.x.gz >names || fault "$format of two combinations"
  for threads in 8 64; do
    name="$format.d/a.n=1000000,threads=$threads.x.gz"
    [ $format = callgrind ] && name="$format.d/a.x.gz.n=1000000,threads=$threads"
    grep -qxF "$name" names || { fault "no $name"; cat names; }
    "$run" export --at "n=1e6,threads=$threads" --format $format -o alone >out || fault "$format of one combination"
    [ -s out ] && fault "$format of one combination prints a name"
    cmp alone "$name" || fault "$format at threads = $threads is not what it is alone"
  done
  [ "$(find $format.d -type f | wc -l)" = 2 ] || { fault "other files than two"; ls $format.d; }
done
"$run" export "${at[@]}" --at n=2e6,threads=8 --format folded --metric executions -o f >names || fault "sizes and combinations"
for place in 1000000,threads=8:7000000 2000000,threads=8:14000000 1000000,threads=64:63000000; do
  grep -q ";hand_over ${place#*:}\$" "f.n=${place%:*}" || { fault "hand_over at n=$place"; cat f.n=*; }
done
"$run" export --at 1e6,2e6 --format folded -o g >names && [ "$(tr '\n' ' ' <names)" = "g.n=1000000 g.n=2000000 " ] || { fault "two sizes"; cat names; }

# Without a name for the files: nothing is printed, and the command that prints one of them.
for format in pprof folded callgrind; do
  expect 2 "--format $format has one profile in a file" "$run" export scale.db "${at[@]}" --format $format
  [ -s out ] && fault "something was printed"
  grep -q "^hint: .*scale-run export --format $format scale\\.db --at n=1000000,threads=8\$" err || { fault "no hint"; cat err; }
done
expect 2 'does not vary colour' "$run" export --at n=1e6,threads=8,64,colour=1 -o never
expect 2 'no work of library functions' "$run" export "${at[@]}" --metric bytes -o never
expect 2 'takes no --at' "$run" export "${at[@]}" --format extra-p -o never
[ -z "$(find . -name 'never*')" ] || fault "a failure leaves a file"

# Speedscope: all in one file, whose frames are there once.
"$run" export "${at[@]}" --at n=1600 --format speedscope -o all.json || fault "speedscope"
for place in n=1e6,threads=8 n=1e6,threads=64 n=1600; do
  "$run" export --at $place --format speedscope -o "$place.json" || fault "speedscope at $place"
done
python3 - <<'PY' || fault "speedscope of three places"
import json
def stacks(document, profile):
    frames = document["shared"]["frames"]
    return {tuple(json.dumps(frames[i]) for i in stack): weight for stack, weight in zip(profile["samples"], profile["weights"])}
all = json.load(open("all.json"))
frames = [json.dumps(frame) for frame in all["shared"]["frames"]]
assert len(set(frames)) == len(frames) == 7, frames
assert all["name"] == "scale.db" and all["activeProfileIndex"] == 1
profiles = iter(all["profiles"])
for place in ("n=1e6,threads=8", "n=1e6,threads=64", "n=1600"):
    alone = json.load(open(place + ".json"))
    for expected in alone["profiles"]:
        profile = next(profiles)
        assert profile["name"] == expected["name"] and stacks(all, profile) == stacks(alone, expected), place
assert not list(profiles)
name = "scale.db at n = 1,000,000, threads = 64, predicted from sizes 100 to 1,600: executions"
profile = next(p for p in all["profiles"] if p["name"] == name)
assert [w for stack, w in stacks(all, profile).items() if "hand_over" in stack[-1]] == [63e6]
PY

# Who waits for whom, at each.
expect 0 'Predicted at n = 1,000,000, threads = 8: ' "$run" blame output_lock "${at[@]}"
[ "$(grep -c '^output_lock (out.c:12), mutex$' out)" = 2 ] && grep -q 'Predicted at n = 1,000,000, threads = 64: ' out ||
  { fault "blame at two combinations"; cat out; }
"$run" blame output_lock "${at[@]}" --json >blame.json || fault "blame --json"
json blame.json '[(b["document"], b["further"]["threads"], b["predictions"][0]["n"]) for b in d["combinations"]] == [("blame", 8, 1e6), ("blame", 64, 1e6)]'
"$run" blame output_lock --at n=1e6,threads=64 --json >alone.json
json alone.json 'd == json.load(open("blame.json"))["combinations"][1]'
valid answers blame.json
"$run" blame output_lock "${at[@]}" --format dot >blame.dot || fault "blame as a graph"
[ "$(grep -c '^ *p[12]_c0 -> p[12]_c0 ' blame.dot)" = 2 ] && grep -q 'label="threads = 64\\noutput_lock' blame.dot || { fault "clusters"; cat blame.dot; }
if command -v dot >/dev/null; then
  dot -Tplain blame.dot >plain && [ "$(grep -c '^node p[12]_c0 ' plain)" = 2 ] || fault "Graphviz does not read it"
fi
expect 2 'colour' "$run" blame output_lock --at n=1e6,threads=8,64,colour=1
exit $status
