#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Every program of `cases` is built, measured and judged; matrix.py prints what was found of what is there. Times are wall
# time, and what else runs on the machine can make a wrong verdict: what is judged wrongly is measured twice more, alone, and
# two of the three decide.
#   matrix.sh [CASE...]   default: all of them
# KEEP=DIRECTORY keeps studies and reports there; LEVEL=-O0 compiles otherwise than with -O2.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
run=$SCALE_BUILD/bin/scale-run
[ -x "$run" ] && [ -e "$SCALE_BUILD/lib/scale/scale-pass.so" ] || exit 77

# One case: its line of `cases` is in the arguments.
if [ "${1-}" = --measure ]; then
  shift
  name=$1 source=$2 option=$3 kind=$5 sizes=$6 target=$7 repeats=${10}
  [ "$option" != - ] || option=
  probes=$here/${source%.*}.json
  [ ! -e "$probes" ] || option="$option --scale-probes=$probes"
  case $source in
    *.cpp) compiler=scale-c++ standard=c++20 ;;
    *) compiler=scale-cc standard=gnu17 ;;
  esac
  mkdir "$name.d" && cd "$name.d"
  # shellcheck disable=SC2086
  "$SCALE_BUILD/bin/$compiler" "${LEVEL:--O2}" -g -std=$standard -pthread $option -o "$name" "$here/$source" >../"$name.log" 2>&1 ||
    exit 0 # a case without a report is a fault
  "$run" run -P "n=$sizes" --at "$target" --kind "$kind" --print-workload -- "./$name" '{n}' |
    sed "s|^  <command>|  <repeats>$repeats</repeats>\n&|" >workload.xml
  "$run" run workload.xml --event none --max-iterations 1 --no-report --quiet -o study.db >../"$name.log" 2>&1 || exit 0
  "$run" report study.db --format json >../"$name.part" 2>>../"$name.log" && mv ../"$name.part" ../"$name.json"
  exit 0
fi

if [ -n "${KEEP-}" ]; then
  mkdir -p "$KEEP" && cd "$KEEP"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
fi
if [ $# -gt 0 ]; then
  for name; do
    grep "^$name " "$here/cases"
  done >chosen
else
  grep -v '^#' "$here/cases" | grep . >chosen
fi
# Most of them sleep most of the time: four at once.
mkdir first
(cd first && xargs -P 4 -L 1 sh "$here/matrix.sh" --measure <../chosen)
if python3 "$here/matrix.py" chosen "$here" faulty first >verdicts; then
  cat verdicts
  exit 0
fi
cat verdicts
most=$(($(grep -c . chosen) / 10 + 1))
if [ "$(grep -c . faulty)" -gt "$most" ]; then
  echo "more than $most are judged wrongly: that is no accident"
  exit 1
fi
echo "measured twice more: $(tr '\n' ' ' <faulty)"
while read -r name; do grep "^$name " chosen; done <faulty >again
for pass in second third; do
  mkdir $pass
  (cd $pass && xargs -P 1 -L 1 sh "$here/matrix.sh" --measure <../again)
done
python3 "$here/matrix.py" chosen "$here" faulty first second third
