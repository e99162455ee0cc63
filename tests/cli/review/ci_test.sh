# SPDX-License-Identifier: GPL-3.0-or-later
# The script of examples/ci on its project: a baseline on main, a change that is slower, the same one accepted; and the
# files of the two hosts say what the script needs.
set -eu
root=$(cd "$(dirname "$0")/../../.." && pwd)
[ -x "$SCALE_BUILD/bin/scale-cc" ] && [ -e "$SCALE_BUILD/lib/scale/scale-pass.so" ] || exit 77
command -v git >/dev/null && command -v cmake >/dev/null && command -v patch >/dev/null || exit 77
python3 -c 'import yaml, jsonschema' 2>/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
PATH=$SCALE_BUILD/bin:$PATH
unset GITHUB_ACTIONS SCALE_FAIL_ON SCALE_CHANGED_SINCE
SCALE_EVENT=none # this machine may be busy: only one step below samples time, and does not depend on it
export PATH SCALE_EVENT
fail() { echo "FAULT: $*" >&2; exit 1; }

cp -r "$root/examples/ci/project" "$dir/orders"
cp "$root/examples/ci/review.sh" "$dir/orders"
cd "$dir/orders"
commit() { git -c user.name=x -c user.email=x@example.org commit -q -m "$1"; }
printf 'build-scale\nreview\nmodels.json\n' >.gitignore
git init -q -b main .
git add .
commit base

review() { # STATUS [BASELINE]
  expected=$1 status=0
  shift
  sh ./review.sh "$@" >"$dir/log" 2>&1 || status=$?
  [ "$status" = "$expected" ] || { cat "$dir/log"; fail "status $status, not $expected: $*"; }
}

review 0
cp review/models.json models.json
grep -q 'no baseline' "$dir/log" || fail "a missing baseline is not told"
[ -s review/comment.md ] && [ -s review/results.sarif ] || fail "a report without a baseline is missing"

# the same again: nothing changed
review 0 models.json
grep -q '^\*\*No change' review/comment.md || { cat review/comment.md; fail "the same source gives a change"; }

patch -s -p1 <slower.patch
git add .
commit slower
SCALE_CHANGED_SINCE=HEAD~1
export SCALE_CHANGED_SINCE
SCALE_EVENT=task-clock review 1 models.json
[ -s review/base.db ] || { cat "$dir/log"; fail "the commit before was not measured here"; }
[ "$(git worktree list | wc -l)" = 1 ] || fail "its sources are left behind"
review 1 models.json
head -n 1 review/comment.md | grep -q 'budget is broken.*count.*_distinct' || { cat review/comment.md; fail "verdict"; }
grep -Eq '^distinct.c:(8|9|1[0-4]):[0-9]+: error: .*\[(worse-order|new-cost)\]' "$dir/log" || { cat "$dir/log"; fail "lines"; }
python3 - "$root" <<'END'
import json, sys, xml.etree.ElementTree as tree
changed = range(8, 14)
sarif = json.load(open("review/results.sarif"))
bad = [r for r in sarif["runs"][0]["results"] if r["level"] == "error"]
assert bad, "no error in SARIF"
for result in bad:
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "distinct.c", place
    assert place["region"]["startLine"] in changed, place
    assert result["properties"]["onChangedLine"]
assert any(f["location"]["path"] == "distinct.c" for f in json.load(open("review/code-quality.json")))
suites = {s.get("name"): s for s in tree.parse("review/junit.xml").getroot()}
budget = suites["budgets"].find("testcase")
assert budget.get("name").startswith("order of count_distinct()") and budget.find("failure") is not None
assert int(suites["changes"].get("failures")) >= 1
END

# on GitHub the same are annotations
GITHUB_ACTIONS=true review 1 models.json
grep -Eq '^::error file=distinct.c,line=[0-9]+,' "$dir/log" || { cat "$dir/log"; fail "annotations"; }

# accepted, with a reason and a day, the gate opens
cat >.scale-accept <<'END'
# kept in order on purpose
END
sed -n 's/^[^ ]*: error: .*\[\([a-z-]*\)\]$/\1/p' "$dir/log" >/dev/null
python3 - <<'END' >>.scale-accept
import json
for result in json.load(open("review/results.sarif"))["runs"][0]["results"]:
    if result["level"] in ("error", "warning"):
        fingerprint = result["partialFingerprints"]["primaryLocationLineHash"].split(":")[0]
        print(f"{result['ruleId']} {fingerprint} until 2999-12-31: lists are short")
END
review 0 models.json
grep -q 'accepted' review/comment.md || { cat review/comment.md; fail "accepted ones are not told"; }
python3 - "$root" <<'END'
import json, sys, yaml
results = json.load(open("review/results.sarif"))["runs"][0]["results"]
accepted = [r for r in results if r["suppressions"]]
assert accepted and all(s["justification"].endswith("lists are short") for r in accepted for s in r["suppressions"])
github = yaml.safe_load(open(sys.argv[1] + "/examples/ci/github.yml"))
steps = github["jobs"]["review"]["steps"]
assert any("sh review.sh" in step.get("run", "") for step in steps)
assert not any("github.head_ref" in step.get("run", "") or "pull_request.title" in step.get("run", "") for step in steps)
gitlab = yaml.safe_load(open(sys.argv[1] + "/examples/ci/gitlab-ci.yml"))["complexity"]
assert gitlab["artifacts"]["reports"] == {"codequality": "review/code-quality.json", "junit": "review/junit.xml"}
END
