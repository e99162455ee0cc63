#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Of several calls of one function in one loop, the one that leaks or holds is named, and its healthy neighbour is not.
# Timed: waits for locks are measured.
. "$(dirname "$0")/named.sh"
need_compiler
source_file=places.c
cp "$here/$source_file" .
# leaks WHAT PROGRAM CLASS...: of a program that leaks these; of the twin none
leaks() {
  local what=$1 program=$2 class name
  shift 2
  if [ "$program" = twin ]; then
    [ ! -s findings ] || { fault "$what: the twin has findings"; cat findings; }
    return
  fi
  for class; do
    name=${class/memory/heap}
    named "$what $class" "leak $name keeps $(lines culprit "$class") True"
    grep " $name .* $(lines well "$class") " findings && fault "$what: the healthy $class is blamed"
  done
  [ "$(wc -l <findings)" = $# ] || { fault "$what: one pathology is one finding"; cat findings; }
}

for level in -O0 -O2; do
  compile $level -g -pthread -o places places.c
  compile $level -g -pthread -DTWIN -o twin places.c
  for program in places twin; do
    study $program -P n=10,20,40,80 --kind work --at 10000 -- ./$program serve '{n}'
    leaks "$level" $program memory descriptor
    study $program.spawn -P n=10,20,40,80 --kind work --at 10000 -- ./$program spawn '{n}'
    leaks "$level" $program thread
  done
done

# Everything that shows places shows these.
body=$(lines culprit memory) head=$(lines well memory)
expect 0 "^[0-9]\. heap of serve \(places\.c:$body\): leak" "$run" report places.db
expect 0 "Keeps 100% .*: serve \(places\.c:$body\)" "$run" report places.db
grep -q "places\.c:$head" out && { fault "the healthy neighbour is in the report"; cat out; }
for format in sarif markdown junit gitlab; do
  "$run" report places.db --format $format >out.$format 2>err || { fault "--format $format"; cat err; }
  grep -qE "places\.c:$body|\"(startLine|begin)\": *$body|line=\"$body\"" out.$format ||
    { fault "$format does not name line $body"; head -c 2000 out.$format; }
  grep -qE "places\.c:$head|\"(startLine|begin)\": *$head\b|line=\"$head\"" out.$format && fault "$format names line $head"
done

# Every name that the report or its JSON document has is one that ask, blame and budgets' quantities take.
"$run" report places.db >report.text 2>err && "$run" report places.db --format json >report.json 2>err || { fault 'report of places.db'; cat err; }
python3 - report.text report.json >names <<'EOF' || fault 'the report names nothing'
import json, re, sys
report = open(sys.argv[1]).read()
names = re.findall(r"^\d+\. (.+? of .+? \(places\.c:\d+\)): (?:descriptor, )?leak", report, re.M)
resources = json.load(open(sys.argv[2]))["resources"]
names += [each["name"] for each in resources["list"]]
for found in resources["findings"]:
    where = found["sites"][0]
    names.append(f'{found["resource"]["name"]} of {where["function"]} (places.c:{where["line"]}), in main > {where["function"]}')
print(*dict.fromkeys(names), sep="\n")
sys.exit(len(set(names)) < 6)
EOF
while read -r name; do
  expect 0 '^  acquires ' "$run" ask places.db --resource "$name" --at 10000
  expect 0 '^At n = 10,000: ' "$run" ask places.db --of "acquires($name)" --at 10000
  expect 0 . "$run" blame "$name" places.db
done <names
# What is predicted is the finding's.
expect 0 "^At n = 10,000: .* of heap of serve \(places\.c:$body\)" "$run" ask places.db --resource "heap of serve (places.c:$body)" --at 10000
expect 2 "^hint: name one of them: .*heap of serve \(places\.c:$body\), in main > serve" "$run" ask places.db --resource 'heap of serve'
"$run" ask places.db --resource "heap of serve (places.c:$body)" --at 10000 --json >asked.json 2>err || fault 'ask --json'
python3 - asked.json report.json <<'EOF' || fault 'ask and the finding differ'
import json, sys
asked, report = (json.load(open(name)) for name in sys.argv[1:])
found = next(f for f in report["resources"]["findings"] if f["resource"]["name"] == "heap")
same = {n["metric"]: n["predictions"] for n in asked["resource"]["numbers"]}
sys.exit(not found["numbers"] or any(same[n["metric"]] != n["predictions"] for n in found["numbers"]))
EOF

# A diff says where what changed stands, although lines moved.
{ echo '/* a line more */'; cat places.c; } >moved.c
"$cc" -O2 -g -pthread -o twin moved.c && "$run" run -q -o moved.db --event none -P n=10,20,40,80 --kind work --at 10000000 -- \
  ./twin serve '{n}' >/dev/null 2>err || { fault "moved.c does not run"; cat err; }
"$cc" -O2 -g -pthread -DTWIN -o twin places.c && "$run" run -q -o base.db --event none -P n=10,20,40,80 --kind work \
  --at 10000000 -- ./twin serve '{n}' >/dev/null 2>err || { fault "the twin does not run"; cat err; }
"$run" baseline base.db -o base.json
for base in base.db base.json; do
  expect 0 "outstanding at the end" "$run" diff $base moved.db --format json
  json out 'sorted(f["location"]["line"] for f in d["notices"]) == sorted(['$((body + 1))', '$(($(lines culprit descriptor) + 1))'])'
  expect 0 'No change' "$run" diff $base base.db
done

# The long hold of a lock is kept apart from the short one in the same loop.
for program in places twin; do
  study $program.lock -P n=300,600,1200,2400 --at 100000 -- ./$program share '{n}'
  if [ $program = twin ]; then
    [ ! -s findings ] || { fault "the twin's lock has findings"; cat findings; }
  else
    named lock "contention mutex holds $(lines culprit lock) True"
    expect 0 "Holds +(9[0-9]|100)% .*: client \(places\.c:$(lines culprit lock)\)" "$run" report places.lock.db
  fi
done
exit $status
