#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Templates, lambdas, std::function and destructors under the names that people write, in every output: no mangled names,
# none of the C++ library's own, functions of one name told apart.
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
cxx=$SCALE_BUILD/bin/scale-c++
need_compiler
cp "$here/store.cpp" .
at() { grep -n "// $1\$" store.cpp | cut -d: -f1; }
internal='_ZN|__normal_iterator|basic_string|allocator<|stl_[a-z]+\.h|vector\.tcc|std_function\.h|\$_[0-9]|std::__|[a-z>] >'
clean() { # FILE WHAT
  grep -aqE "$internal" "$1" && { fault "$level: $2 has the library's own names"; grep -aE "$internal" "$1" | head -3 | cut -c1-300; }
}
for level in -O0 -O2; do
  "$cxx" $level -g -std=c++17 -o store store.cpp || exit 1
  rm -f scale.db
  "$run" run -P n=40..640 --event none --quiet --no-report --at n=100000 -- ./store '{n}' >log 2>&1 || { cat log; exit 1; }
  expect 0 "^[0-9]. vector::erase from store::Ring<pair<long, string>>::pop \(store.cpp:$(at erases)\): quadratic" "$run" report --top 20 --details
  grep -qE "^[0-9]. store::Table<string, long>::operator\[\] \(store.cpp:$(at walks):[0-9]+\): quadratic" out || fault "$level: no walk"
  grep -qE "^[0-9]. find from .*Registered::~Registered \(store.cpp:$(at finds)\): quadratic" out || fault "$level: no find"
  grep -qE "^[0-9]. main::lambda \(store.cpp:$(at calls):[0-9]+\): quadratic" out || fault "$level: no loop of handlers"
  grep -qE 'repeat<main::lambda> \(store.cpp:[0-9]+\) from line [0-9]+' out || fault "$level: no lambda as an argument"
  # a line of the library's says nothing of what it calls back
  grep -E 'Registered::~Registered \(store.cpp:[0-9]+\) from line' out && fault "$level: a line in a header"
  grep -qE 'vector::pop_back \(store.cpp:'"$(at pops)"'\)' out || fault "$level: no line of pop_back"
  clean out report
  for format in lines markdown sarif junit github gitlab openmetrics; do
    "$run" report --format $format >"out.$format" || fault "$level: $format"
    clean "out.$format" "$format"
  done

  expect 0 'of store::Ring<(long|pair<long, string>>?)>::pop and' "$run" ask --at 100000 --function pop
  grep -qE '^ +(vector::)?erase from (store::)?Ring<long>::pop \(store.cpp' out || { fault "$level: callees of one name"; cat out; }
  grep -qE '^ +(vector::)?erase from (store::)?Ring<pair<long, string>>::pop \(store.cpp' out || fault "$level: callees of one name"
  clean out ask

  # other tools see the user's calls; what the library does in them is part of them, and nothing is lost
  for format in folded callgrind speedscope; do
    "$run" export --at 100000 --format $format -o "out.$format" || fault "$level: export $format"
  done
  "$run" export --at 100000 --format folded --unfold-system -o whole.folded || fault "$level: export"
  sed 's/ [0-9]*$//' out.folded >names
  clean names folded
  grep -E '^c?fn=' out.callgrind >names
  clean names callgrind
  grep -qE ';store::Ring<pair<long, string>>::pop;vector::erase [0-9]+$' out.folded || { fault "$level: no erase below pop"; cat out.folded; }
  [ "$(awk '{ s += $NF } END { printf "%.0f", s }' out.folded)" = "$(awk '{ s += $NF } END { printf "%.0f", s }' whole.folded)" ] ||
    fault "$level: folding changes the total"
  [ "$(wc -l <out.folded)" -lt "$(wc -l <whole.folded)" ] && grep -q '__normal_iterator' whole.folded || fault "$level: --unfold-system"
  # the page's graph has the same frames
  "$run" report --format html >page.html || fault "$level: no page"
  rm -f erased
  PYTHONPATH=$here/../page python3 - >names <<'P' || fault "$level: the page's data"
import data
study = data.combination(data.read("page.html"))["head"]
contexts, folded = study["contexts"], set(study["contexts"]["folded"])
assert folded
for i, location in enumerate(contexts["location"]):
    if i not in folded and study["locations"][location][0] == study["kinds"].index("function"):
        print(study["strings"][study["briefs"][location]])
# a call into the library stands at the line of the call
for i in contexts["library"]:
    place = study["locations"][contexts["location"][i - contexts["parent"][i]]]
    if study["strings"][study["briefs"][contexts["location"][i]]] == "vector::erase":
        print(study["strings"][place[2]].split("/")[-1], contexts["line"][i], file=open("erased", "a"))
P
  clean names page
  grep -qsx "store.cpp $(at erases)" erased || fault "$level: the page has no line of the call of erase"
  grep -qx 'vector::erase' names || { fault "$level: no erase in the page"; head names; }
  # calls are those of the frame itself, not of what is part of it
  grep -A1 -E '^cfn=.*' out.callgrind | grep -qE '^calls=100000 ' || fault "$level: calls of erase"
done
exit $status
