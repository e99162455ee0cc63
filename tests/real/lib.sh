# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the long tests: real programs from Debian's sources, built unmodified, each in its own way.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$SCALE_BUILD/bin
work=$(mktemp -d "${TMPDIR:-/tmp}/scale-real.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "FAILED: $1" >&2; exit 1; }
quietly() { # log, command...
  log=$1; shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "$*"; }
}
fetch() { "$root/.ci/debian-source" "$1" "$2" "$work/$1"; }

# study NAME TARGET: runs $here/NAME.xml, then the target size for real; leaves NAME.json and NAME.verify.
study() {
  "$bin/scale-run" run "$here/$1.xml" -o "$1.db" --quiet --no-report
  "$bin/scale-run" report "$1.db" --at "$2" --format json >"$1.json"
  "$bin/scale-run" verify "$1.db" --at "$2" --json >"$1.verify"
}
# judge NAME FUNCTION EXPONENT: the first finding is a loop of FUNCTION with that order, and its count came true within 1%.
judge() { python3 "$here/judge.py" first "$1.json" "$1.verify" "$2" "$3" || fail "$1"; }
# control NAME: a linear workload of the same program has no superlinear finding.
control() {
  "$bin/scale-run" run "$here/$1.xml" -o "$1.db" --quiet --no-report
  "$bin/scale-run" report "$1.db" --format json >"$1.json"
  python3 "$here/judge.py" control "$1.json" || fail "$1"
}
