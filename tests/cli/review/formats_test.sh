# SPDX-License-Identifier: GPL-3.0-or-later
# Every format, of a study and of a change, with plain names and with names that try to break out, by its validator.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
writer=$SCALE_BUILD/tests/unit/runner_review_test
[ -x "$writer" ] || exit 77
command -v xmllint >/dev/null || exit 77
python3 -c 'import jsonschema' 2>/dev/null || exit 77
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$writer" --write "$dir"
"${writer%review_test}finds_test" --write "$dir" # of a search for inputs
for file in "$dir"/*.junit; do
  xmllint --noout --relaxng "$here/junit.rng" "$file" 2>"$dir/errors" || { cat "$dir/errors"; exit 1; }
done
python3 - "$dir" "$here" "$root" <<'END'
import json, pathlib, sys
import jsonschema

directory, here, root = map(pathlib.Path, sys.argv[1:])
schemas = {"sarif": here / "sarif-2.1.0.schema.json", "gitlab": here / "gitlab.schema.json",
           "json": root / "docs/review.schema.json"}
checked = 0
for kind, path in schemas.items():
    schema = json.loads(path.read_text())
    validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
    for file in sorted(directory.glob("*." + kind)):
        document = json.loads(file.read_bytes().decode("utf-8"))
        for error in validator.iter_errors(document):
            sys.exit(f"{file.name}: {error.message} at {list(error.path)}")
        checked += 1
assert checked == 18, checked

for file in directory.glob("*.sarif"):
    run = json.loads(file.read_text())["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert all(rule["help"]["text"] and rule["help"]["markdown"] for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result["locations"] + [step["location"] for flow in result.get("codeFlows", [])
                                               for thread in flow["threadFlows"] for step in thread["locations"]]:
            physical = location["physicalLocation"]
            region = physical["region"]
            begin, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
            assert begin < end, region
            assert physical["artifactLocation"]["uriBaseId"] == "SRCROOT"
            assert "\ufffd" not in physical["artifactLocation"]["uri"]
    suppressed = [s for result in run["results"] for s in result["suppressions"]]
    assert len(suppressed) == ("evil" in file.name), file.name

# As GitHub shows a comment, where its renderer is there: whatever names are, a row has its six cells, and no tag is new.
import re, shutil, subprocess
for file in directory.glob("change-*.markdown") if shutil.which("cmark-gfm") else []:
    html = subprocess.run(["cmark-gfm", "-e", "table", "-e", "autolink", "--unsafe", file], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.S)
    assert len(rows) == (6 if "evil" in file.name else 7), len(rows)
    assert all(len(re.findall(r"<t[dh]>", row)) == 6 for row in rows)
    tags = set(re.findall(r"<([a-z]+)", html))
    assert tags <= set("p strong table thead tbody tr th td code br details summary ul li".split()), tags

# As GitHub's runner reads a line: the properties end at the first "::" behind the command.
for file in directory.glob("*.github"):
    for line in file.read_text().splitlines():
        if not line.startswith("::"):
            assert "##[" not in line, line
            continue
        command, message = line[2:].split("::", 1)
        name, properties = command.split(" ", 1)
        fields = dict(pair.split("=", 1) for pair in properties.split(","))
        assert name in ("error", "warning", "notice"), line
        wanted = {"file", "line", "endLine", "col", "endColumn", "title"}
        if fields["title"] == "No longer there":  # its line is one of the base's file
            wanted = {"file", "title"}
        if fields["title"] == "An input crashes the program":  # nobody knows where
            wanted = {"title"}
        assert set(fields) == wanted, fields
        if "evil" in file.name and "file" in fields:
            unescaped = fields["file"].replace("%3A", ":").replace("%2C", ",").replace("%25", "%")
            assert unescaped.startswith('src/e"vi%l,a:b c<d>'), unescaped

# The grammar of OpenMetrics that matters here; Debian's parser, too, where it is installed.
import re
label = r'[a-z]+="(?:[^"\\\n]|\\[\\"n])*"'
sample = re.compile(rf'[a-z_]+\{{{label}(?:,{label})*\}} (?:[-+0-9.e]+|NaN|[-+]Inf)')
for file in directory.glob("*.openmetrics"):
    lines = file.read_bytes().decode("utf-8").split("\n")
    assert lines[-2:] == ["# EOF", ""], lines[-2:]
    samples = [line for line in lines[:-2] if not line.startswith("# ")]
    assert samples and all(sample.fullmatch(line) for line in samples), [l for l in samples if not sample.fullmatch(l)]
    keys = [line.rsplit(" ", 1)[0] for line in samples]
    assert len(keys) == len(set(keys))
    families = [line.split("{")[0] for line in samples]
    runs = [f for i, f in enumerate(families) if i == 0 or families[i - 1] != f]
    assert len(runs) == len(set(runs)), runs
    try:
        from prometheus_client.openmetrics.parser import text_string_to_metric_families
        assert list(text_string_to_metric_families(file.read_text()))
    except ImportError:
        pass
for file in directory.glob("*"):
    text = file.read_bytes().decode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text), file.name
END
