# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests of what a report names as not counted: where the sources are, and who is named.
source=$here/instrument

# measured: measures ./prog, and leaves what is named in `named`
measured() {
  rm -f scale.db
  "$run" run -P n=4,8,12,16 --event none --max-iterations 1 -- ./prog '{n}' >first 2>progress || { fault "$1: run"; cat progress; }
  "$run" report --format json >report.json 2>err || { fault "$1: report"; cat err; }
  python3 - report.json >named <<'PY'
import json, os, sys
for kind in ("not_understood", "not_counted"):
    for item in json.load(open(sys.argv[1]))[kind]:
        print(kind, os.path.basename(item["file"]), item["line"], item["function"], item["what"])
PY
  LC_ALL=C sort -o named named
}
# line FILE TEXT: where it stands
line() { grep -nF -- "$2" "$source/$1" | head -1 | cut -d: -f1; }
