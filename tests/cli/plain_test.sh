#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --plain: times become those of the program without instrumentation, in every answer.
# Timed: times with and without instrumentation are measured.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77

# "Instrumentation" that is known: the instrumented program does three times the plain one's work.
cat >work.c <<'C'
#include <stdlib.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[1]);
  for (long i = 0; i < n; i++)
    for (long k = 0; k < WORK; k++)
      sink += k;
  return 0;
}
C
compile -O1 -g -DWORK=6000000 -o instrumented work.c
clang-19 -O1 -g -DWORK=2000000 -o plain work.c || exit 77

sizes='n=8,16,32,64'
expect 2 'this program is instrumented' "$run" run -P $sizes --plain ./instrumented -- ./instrumented '{n}'
expect 2 'there is no such program' "$run" run -P $sizes --plain ./missing -- ./instrumented '{n}'
expect 0 'Times are the plain program' "$run" run -P $sizes --at 320 --plain ./plain -- ./instrumented '{n}'
cp scale.db before.db
expect 0 'Times are the plain program' "$run" run -P $sizes --at 320 --plain ./plain -- ./instrumented '{n}'
expect 0 '' "$run" run -P $sizes --at 320 -o bare.db --no-report -- ./instrumented '{n}'

# A third of the time, whatever the machine does meanwhile.
expect 0 '' "$run" report --format json
cp out report.json
json report.json "d['instrumentation']['taken_out'] and d['instrumentation']['plain_runs'] >= 2"
json report.json "d['instrumentation']['high'] == 64 and 1.5 < d['instrumentation']['slowdown']['value'] < 12"
expect 0 '' "$run" ask --at 320 --json
cp out plain.json
expect 0 '' "$run" ask bare.db --at 320 --json
cp out bare.json
python3 -c "
import json
plain, bare = (json.load(open(f))['sizes'][0]['total'] for f in ('plain.json', 'bare.json'))
assert 1.5 < bare['value'] / plain['value'] < 12, (plain, bare)" || fault "times are not the plain program's"
expect 0 'Instrumentation multiplies its processor time by' "$run" ask --at 320
# Every form says so in the same words, but metrics, which have numbers, and lines, which belong to places.
told=$("$run" report --format github | grep '^Times are the plain program')
[ -n "$told" ] || fault 'github does not say whose times'
for format in markdown junit sarif gitlab; do
  "$run" report --format $format >out 2>err
  grep -qF "${told%%(*}" out || { fault "$format does not say whose times"; cat out; }
done
"$run" report --format lines | grep -q 'Times are' && fault 'lines have a line that belongs to no place'
expect 0 '^scale_times_plain\{workload="instrumented"\} 1$' "$run" report --format openmetrics
grep -qE '^scale_instrumentation_slowdown\{workload="instrumented",bound="value"\} [1-5]' out || { fault 'metrics: no slowdown'; cat out; }
expect 0 '^scale_times_plain\{workload="instrumented"\} 0$' "$run" report bare.db --format openmetrics
grep -qE '^scale_instrumentation_share\{workload="instrumented"\} [0-9]' out || { fault 'metrics: no share'; cat out; }
grep -q slowdown out && fault 'metrics: a slowdown that was not measured'
expect 0 '' "$run" ask --at 320 --of wall

PYTHONPATH=$here/lsp python3 -B - "$run" <<'PYTHON' || fault "the language server does not say whose times"
import os, sys
from client import Client
client = Client(sys.argv[1], "lsp")
client.start(os.getcwd())
uri = client.open(os.getcwd() + "/work.c")
line = next(i for i, text in enumerate(open("work.c")) if "long k = 0" in text)
hover = client.hover(uri, line, 8)["contents"]["value"]
assert "Times are the plain program's. Instrumentation multiplies" in hover, hover
assert "Times are the plain program's." in client.wait_for("window/logMessage")["message"]
client.close()
PYTHON

# A size that is run for real is run by both, and compared with the plain one.
expect 0 'Times are the plain program' "$run" verify --at 320
expect 0 '' "$run" verify --at 320 --json
cp out verify.json
# (Not taken out, it would be predicted three times as long as it takes; a busy machine makes it take longer.)
json verify.json "0.4 < d['sizes'][0]['total']['actual'] / d['sizes'][0]['total']['predicted']['value'] < 8"
# How long it took depends on what else the machine did: no less than the processor worked.
json verify.json "d['sizes'][0]['elapsed']['actual'] > 0.8 * d['sizes'][0]['total']['actual']"
valid answers plain.json bare.json verify.json

# Times of the plain program are not compared with those of an instrumented one; a baseline remembers which they are.
"$run" baseline -o base.json || fault "baseline"
json base.json "d['plain']['runs'] >= 2 and d['plain']['high'] == 64"
expect 0 'times are not compared' "$run" diff base.json bare.db
"$run" diff base.json before.db >out 2>err || fault "diff"
grep 'not compared' out err && fault "the same times are not compared"
grep -q '^Times are the plain program' out || { fault "diff does not say whose times"; cat out; }
"$run" diff base.json bare.db >out 2>err
grep 'Times are' out && fault "diff speaks of times that it does not compare"

# A plain program that fails costs the study nothing.
expect 0 'the plain program .* could not be measured' "$run" run -P $sizes --at 320 -o fails.db --plain /bin/false -- ./instrumented '{n}'
expect 0 '' "$run" report fails.db --format json
cp out fails.json
json fails.json "not d['instrumentation']['taken_out'] and d['instrumentation']['plain_runs'] == 0"

# In a workload with a service, it is the service that is instrumented.
cat >server.c <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
static volatile long sink;
int main(int argc, char **argv)
{
  long n = atol(argv[2]);
  for (long i = 0; i < n; i++)
    for (long k = 0; k < WORK; k++)
      sink += k;
  close(open(argv[1], O_CREAT | O_WRONLY, 0600));
  pause();
  return 0;
}
C
"$cc" -O1 -g -DWORK=6000000 -o server server.c && clang-19 -O1 -g -DWORK=2000000 -o plain_server server.c
cat >service.xml <<'X'
<workload name="service">
  <parameter name="n"><range low="8" high="32"/><first>8 16 32</first></parameter>
  <service stop="TERM">
    <command><arg>./server</arg><arg>{dir}/ready</arg><arg>{n}</arg></command>
    <ready file="{dir}/ready"/>
  </service>
  <command><arg>true</arg></command>
</workload>
X
expect 0 '' "$run" run service.xml -o service.db --no-report --plain ./plain_server
expect 0 '' "$run" report service.db --format json
cp out service.json
# Short runs beside whatever else the machine does: the ratio is no more than near.
json service.json "d['instrumentation']['taken_out'] and 1.2 < d['instrumentation']['slowdown']['value'] < 12"
exit $status
