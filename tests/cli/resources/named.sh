# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests that check the line a report names: comments in $source_file say what its lines are.
. "$(dirname "$0")/../lib.sh"
lines() { grep -n "/\* $1: $2 \*/" "$source_file" | cut -d: -f1; } # WHAT RESOURCE

# judged CASE FILE: what its findings name of the source: RULE CLASS ROLE LINE of the first site of each role
judged() {
  python3 - "$1" <<'PY'
import json, sys
for f in json.load(open(sys.argv[1]))["resources"]["findings"]:
    if f["severity"] not in ("warning", "error"):
        continue
    roles = set()
    for s in f["sites"]:
        if s["role"] not in roles:
            print(f["rule"], f["resource"]["class"], s["role"], s["line"], s["share"] >= 0.5)
        roles.add(s["role"])
PY
}
# named WHAT LINE EXPECTED: a line that `findings` has
named() { grep -qxF "$2" findings || { fault "$1: no <$2>"; cat findings; }; }

# study NAME COMMAND...: measures into NAME.db, and lists what the report finds in `findings`
study() {
  local name=$1
  shift
  "$run" run -q -o "$name.db" --event none "$@" >/dev/null 2>err || { fault "$* does not run"; cat err; }
  expect 0 resources "$run" report "$name.db" --format json
  judged out >findings
}
