#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions, files, resources, a program, a workload and roots whose names hold line feeds, escapes, controls of C1, characters
# that turn the direction of text or that nobody sees, quotes, tags, invalid UTF-8 and 4 KB: nothing of it is printed by any verb,
# and every other format stays what it is.
. "$(dirname "$0")/lib.sh"
need_compiler
cat >make.py <<'P'
"""Writes the program and the workload."""
import os
import sys

EVIL = "e\u202ev\u2066i\x9b31ml\x85'\"</script><script>alert(1)</script>&amp;\u2028" \
       "a\u200bb\u200c\u200d\u200e\u2060\u00ad\ufeff\u180e\u115f\u3164\u034f\ufe0f\U000e0041"
NAMES = {
    "scan": (EVIL + "\x1b]0;pwned\x07\n\r\t\\").encode() + b"\xff\xfe\xc3(",
    "deep": b"_ZN" + b"3abc" * 1024 + b"Ev\x1b[31m",
    "grow": ("-->]]>::error::|`$(reboot)`" + EVIL).encode(),
}


def quoted(raw):
    return '"' + "".join(f"\\{byte:03o}" for byte in raw) + '"'


source = "#include <pthread.h>\n#include <stdlib.h>\n#include <scale/annotate.h>\nstatic volatile long sink;\n"
source += f"pthread_mutex_t gate __asm__({quoted(NAMES['grow'] + b'.lock')}) = PTHREAD_MUTEX_INITIALIZER;\n"
for name, raw in NAMES.items():
    source += f"void {name}(long n) __asm__({quoted(raw)});\n"
FILE = "evil\u202e\x9b31m<b>\u200b\u00ad" + "x" * 200 + ".c"
source += f'# 1 "{FILE}"\n'
for name in NAMES:
    source += f"""__attribute__((noinline)) void {name}(long n)
{{
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      sink += k;
  pthread_mutex_lock(&gate);
  SCALE_ACQUIRE({quoted(NAMES['scan'])}, &sink, n);
  pthread_mutex_unlock(&gate);
}}
"""
source += "int main(int argc, char **argv)\n{\n  long n = atol(argv[1]);\n"
source += "".join(f"  {name}(n);\n" for name in NAMES) + "  return 0;\n}\n"
open("evil.c", "w").write(source)
open("file", "w").write(os.path.abspath(FILE))

def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


roots = f'<roots><function name="{escape(NAMES["grow"].decode())}"/></roots>'
inner = escape(EVIL)
open("workload.xml", "w").write(f"""<workload name="evil"><title>{inner}</title>
<parameter name="n" unit="{inner}"><range low="10" high="80"/><targets>1000</targets></parameter>
<command><arg>{os.getcwd()}/{sys.argv[1]}</arg><arg>{{n}}</arg></command>{roots if sys.argv[2] else ""}</workload>
""")
P
program=$'pro\xe2\x80\xae\xe2\x80\x8b\xef\xbb\xbf\xc2\x9b<b>"g'
xml_program='prog'
python3 make.py "$xml_program" '' || exit 1
"$cc" -O1 -g -pthread -o prog evil.c 2>err || { cat err; exit 1; }
cp prog "$program"

cat >check.py <<'P'
"""check.py SCRIPTS: of all outputs in `list`: nothing raw in it that acts on a terminal or changes the direction of text;
each is what it claims to be.

SCRIPTS: how many <script> a page without such names has."""
import base64
import html.parser
import json
import re
import sys
import zlib
import xml.etree.ElementTree

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u115f\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe0f\ufeff"
                  "\U000e0000-\U000e0fff]")


class Page(html.parser.HTMLParser):
    tags, title, within = [], "", ""

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.within = tag

    def handle_data(self, data):
        if self.within == "title":
            self.title += data

    def handle_endtag(self, tag):
        self.within = ""


def strings(value):
    """The texts in JSON that are shown to somebody: all but addresses."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings(inner)


def page_data(text):
    return json.loads(zlib.decompress(base64.b64decode(re.search(r'id="data">([^<]*)</script>', text)[1])))


def fault(name):
    kind, file = name
    raw = open(file, "rb").read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"not UTF-8: {error}"
    found = ACTS.search(text.replace("\u26a0\ufe0f", "!"))  # the warning sign of Markdown is the program's own
    if found:
        return f"U+{ord(found[0]):04X} in {text[max(0, found.start() - 60):found.end() + 20]!r}"
    if not text:
        return "empty"
    try:
        if kind == "json":
            json.loads(text)
        elif kind == "shown":
            for shown in strings(json.loads(text)):
                if ACTS.search(shown.replace("\n", "")):
                    return f"{shown!r}"
        elif kind == "xml":
            xml.etree.ElementTree.fromstring(text)
        elif kind == "html":
            page = Page()
            page.tags, page.title = [], ""
            page.feed(text)
            for shown in strings(page_data(text)):
                if re.search("[^\x00-\x7f]", shown) and ACTS.search(re.sub("[\x00-\x7f]", "", shown)):
                    return f"{shown!r}"
            return None if page.tags.count("script") == page.scripts and "<" in page.title else f"{page.title!r}"
    except (ValueError, xml.etree.ElementTree.ParseError) as error:
        return str(error)
    return None


Page.scripts, problems = int(sys.argv[1]), 0
for line in open("list"):
    kind, file, command = line.rstrip("\n").split("\t", 2)
    problem = fault((kind, file))
    if problem:
        problems += 1
        print(f"FAULT: {command}: {problem[:600]}")
sys.exit(problems > 0)
P
look() { # kind, file: is judged at the end, with all others
  cp "$2" "looked.$((++looked))"
  printf '%s\t%s\t%s\n' "$1" "looked.$looked" "$what" >>list
}
looked=0
print() { # kind, command: its output and its errors
  local kind=$1
  shift
  what="${*@Q}"
  timeout 120 "$@" >printed 2>errors
  local got=$?
  [ $got -le 1 ] || [ $got = 4 ] || { fault "exit status $got: $*"; head -c 800 errors; }
  look "$kind" printed
  [ ! -s errors ] || look text errors
}

print text "$run" run --event none --max-iterations 1 -o evil.db workload.xml
[ -f evil.db ] || exit 1
expect 2 'control character' "$run" run --event none -P n=10..80 -o no.db -- $'./pro\x1b[31mg' '{n}'
print text "$run" run --event none --max-iterations 1 -P n=10..80 -o plain.db -- "./$program" '{n}'
"$run" report --format html plain.db >plain.html 2>/dev/null
"$run" baseline -o base.json plain.db || fault "no baseline"
what='baseline -o'
look json base.json
scripts=$(grep -o '<script' plain.html | wc -l)
for format in text lines markdown github openmetrics; do
  print text "$run" report --all --format $format evil.db
  print text "$run" diff --format $format base.json evil.db
done
for format in json sarif gitlab; do
  print json "$run" report --all --format $format evil.db
  print json "$run" diff --format $format base.json evil.db
done
print xml "$run" report --format junit evil.db
print html "$run" report --format html evil.db
print text "$run" report --resources evil.db
print text "$run" report --all plain.db
print text "$run" report --details plain.db
print text "$run" ask --at 5000 evil.db
print text "$run" ask --sweep 1e3..1e5 --plot --svg picture evil.db
look xml picture
print json "$run" ask --at 5000 --json evil.db
print text "$run" ask --limit iterations=1e9 evil.db
print text "$run" blame gate evil.db
print text "$run" blame gate --format dot evil.db
print html "$run" diff --format html evil.db evil.db
print json "$run" blame gate --json evil.db
print text "$run" verify --at 100 plain.db
print text "$run" study check evil.db
print json "$run" baseline plain.db
for format in folded callgrind extra-p; do print text "$run" export --format $format evil.db; done
print json "$run" export --format speedscope evil.db
"$run" export --format pprof -o pprof.gz evil.db && gzip -t pprof.gz || fault "pprof"

# An editor gets what the study knows of the file.
cat >talk.py <<'P'
import json, os, sys, urllib.parse
sys.path.insert(0, sys.argv[1])
import client
uri = "file://" + urllib.parse.quote(open("file").read())
editor = client.Client(sys.argv[2], "lsp", "evil.db", cwd=os.getcwd())
answers = [editor.request("initialize", rootUri="file://" + os.getcwd(), capabilities={})]
editor.notify("initialized")
editor.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": "c", "version": 1,
                                                    "text": open("evil.c").read().split(".c\"\n", 1)[1]})
answers.append(editor.request("textDocument/codeLens", textDocument={"uri": uri}))
for line in (0, 3, 4):
    answers.append(editor.request("textDocument/hover", textDocument={"uri": uri}, position={"line": line, "character": 8}))
answers.append(editor.request("shutdown"))
json.dump([answers, editor.notifications], open("editor.json", "w"))
P
python3 talk.py "$here/lsp" "$run" >out 2>&1 || { fault "the language server"; cat out; }
what='lsp'
look shown editor.json
[ "$(grep -o 'u202e' editor.json | wc -l)" -gt 5 ] || fault "the editor gets no names"

# Series of other tools
python3 -c '
import json, make
for n in (10, 20, 40, 80, 160):
    print(json.dumps({"params": {"n": n}, "callpath": make.EVIL, "metric": make.EVIL[3:], "unit": "\u200bs", "value": 3 * n}))' "$xml_program" '' >fit.jsonl
print text "$run" fit fit.jsonl --at 1000
sed 's/160/-1/' fit.jsonl >bad.jsonl
timeout 60 "$run" fit bad.jsonl --at 1000 >printed 2>errors && fault "a negative size"
look text errors

mkdir raw
SCALE_PROFILE_DIR=$PWD/raw "./$program" 30 && mv raw/*.scprof raw.scprof
print text "$run" dump raw.scprof
print text "$run" dump --totals raw.scprof

# Roots with such names, in the header of the text
python3 make.py "$xml_program" roots
print text "$run" run --event none --max-iterations 1 -o roots.db workload.xml
print text "$run" report roots.db
python3 check.py "$scripts" || status=1
exit $status
