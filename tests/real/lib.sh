# SPDX-License-Identifier: GPL-3.0-or-later
# Shared by the long tests: real programs from Debian's sources, built unmodified, each in its own way.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$SCALE_BUILD/bin
work=${SCALE_REAL_WORK:-$(mktemp -d "${TMPDIR:-/tmp}/scale-real.XXXXXX")}
[ -n "${SCALE_REAL_WORK:-}" ] || trap 'rm -rf "$work"' EXIT
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
# judge NAME PLACE EXPONENT [WHERE]: see judge.py.
judge() {
  name=$1; shift
  python3 "$here/judge.py" first "$name.json" "$name.verify" "$@" || fail "$name"
}
# control NAME: a linear workload of the same program has no superlinear finding.
control() {
  "$bin/scale-run" run "$here/$1.xml" -o "$1.db" --quiet --no-report
  "$bin/scale-run" report "$1.db" --format json >"$1.json"
  python3 "$here/judge.py" control "$1.json" || fail "$1"
}

# server NAME [NAME2]: runs $here/NAME.xml, a study of a server; leaves NAME2.json (default: NAME.json).
server() {
  "$bin/scale-run" run "$here/$1.xml" -o "${2:-$1}.db" --budget 2min --event none --quiet --no-report
  "$bin/scale-run" report "${2:-$1}.db" --format json >"${2:-$1}.json"
}
# resources WHAT NAME ...: see resources.py.
resources() {
  echo "$2: $1"
  what=$1 name=$2; shift 2
  python3 "$here/resources.py" "$what" "$name.json" "$@" || fail "$name: $what $*"
}
# pool_too_small NAME NAME2 PLACE CONDITION: studied so, the server's pool of threads at PLACE is too small for 32 clients, which is
# the first finding; and its threads are busy then, as predicted and as run for real.
pool_too_small() {
  server "$1" "$2"
  resources first "$2" contention "$3" 32
  resources busy "$2" "$4" 32 0.8 1
  "$bin/scale-run" verify "$2.db" --at n=32 --json >"$2.verify"
  resources actual "$2" "$2.verify" "$4" 32 0.8 1
}
# pool_large_enough NAME NAME2: studied so, no pool of the server is too small.
pool_large_enough() {
  server "$1" "$2"
  resources without "$2" contention insufficient-allocation inconsistent-state
}
