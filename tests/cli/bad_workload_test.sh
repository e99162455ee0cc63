#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Workloads and command lines that cannot work: one clear error with file, line and hint, exit status 2, and no study.
. "$(dirname "$0")/lib.sh"
root=${here%/tests/cli}
fault() { echo "FAULT: $*"; cat err; status=1; }

# refused WANT ERROR HINT COMMAND...: exit status, and patterns that error and hint must match
refused() {
  local want=$1 error=$2
  shift 2
  rm -f scale.db
  told "$want" "^scale-run: error: .*$error" "$@"
  shift
  grep -q 'command line:[0-9]' err && fault "the line of a file that nobody wrote: $*"
  [ "$(grep -c '^scale-run: error:' err)" = 1 ] || fault "more than one error: $*"
  [ -e scale.db ] && fault "a study was made: $*"
}
workload() { # workload BODY: with a parameter, the body in line 3
  printf '<workload name="w">\n<parameter name="n"><range low="100" high="800"/></parameter>\n%s\n</workload>\n' "$1" >w.xml
}
command='<command><arg>true</arg><arg>{n}</arg></command>'

refused 2 'the workload none.xml cannot be read' . "$run" run none.xml
refused 2 'the workload / cannot be read: it is a folder' . "$run" run /
: >w.xml
refused 2 'w.xml:1: not well-formed XML' . "$run" run w.xml
workload '<command><arg>x</command>'
refused 2 'w.xml:3: not well-formed XML: .*arg' . "$run" run w.xml
head -c 100000 /dev/urandom >w.xml
refused 2 'w.xml' . "$run" run w.xml
printf '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<workload name="&b;"/>' >w.xml
refused 2 'w.xml:1: .*document type' DOCTYPE "$run" run w.xml
echo '<study/>' >w.xml
refused 2 'w.xml:1: not a workload' '<workload name=' "$run" run w.xml
workload ''
refused 2 'w.xml:1: <workload> holds no <command>' . "$run" run w.xml
workload "$command<colour/>"
refused 2 'w.xml:3: unknown element <colour> in <workload>' '<repeats>' "$run" run w.xml
workload '<command shell="1"><arg>x</arg></command>'
refused 2 'w.xml:3: unknown attribute shell of <command>' 'timeout' "$run" run w.xml
workload '<command><arg>x</arg><arg>{m}</arg></command>'
refused 2 'w.xml:3: unknown placeholder \{m\}' '\{n\}' "$run" run w.xml
workload '<command timeout="soon"><arg>x</arg></command>'
refused 2 'w.xml:3: "soon" is not a time' '200ms' "$run" run w.xml
workload "$command<generate file='f'><line repeat='n^'>x</line></generate>"
refused 2 'w.xml:3: repeat="n\^"' 'log2' "$run" run w.xml
workload '<command><arg>{env:SCALE_TEST_UNSET}</arg></command>'
refused 2 'environment variable SCALE_TEST_UNSET' 'SCALE_TEST_UNSET=' "$run" run w.xml

refused 2 'NAME=LOW..HIGH' 'scale-run run -P' "$run" run -P 100..800 -- true '{n}'
refused 2 'unknown placeholder \{m\}' '\{n\}' "$run" run -P n=100..800 -- true '{n}' '{m}'
refused 2 'range 800..100 of n is empty' 'low' "$run" run -P n=800..100 -- true '{n}'
refused 2 '"x" is not a size' '1e6' "$run" run -P n=100..x -- true '{n}'
refused 2 'does not use the size' '\{n\}' "$run" run -P n=100..800 -- true 7
refused 2 '.' '.' "$run" run -P n=100..800
refused 2 '.' '.' "$run" run

# Every example is a valid workload, and so is every complete one of the documentation.
sed -n '/^```xml$/,/^```$/{/^```/!p}' "$root/docs/workload.md" | awk '/^<workload name="[^.]*">$/ { on = 1 } on { print } /^<\/workload>$/ { exit }' >doc.xml
[ -s doc.xml ] || fault "no example in docs/workload.md"
for file in doc.xml "$root"/examples/*/*.xml; do
  env -u CMARK -u FILE_MANAGER "$run" run "$file" >out 2>err # valid, but its program is not named
  grep -q '^scale-run: error: the workload needs the environment variable' err || fault "$file"
done
# Every element and attribute of the schema is documented.
for name in $(grep -oE '<(element|attribute) name="[a-z]+"' "$root/runner/workload/workload.rng" | sed 's/.*="//; s/"//' | sort -u); do
  grep -qE "(<$name[ />]|\b$name=|\`$name\`)" "$root/docs/workload.md" || { echo "FAULT: docs/workload.md lacks $name"; status=1; }
done
exit $status
