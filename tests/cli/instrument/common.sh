# SPDX-License-Identifier: GPL-3.0-or-later
# For the instrument_* tests: where things are, and checks that say what they expected.
set -u
here=$(cd "$(dirname "$0")" && pwd)
files=$here/instrument
source=$(cd "$here/../.." && pwd)
: "${SCALE_BUILD:?the build folder}"
runtime=$SCALE_BUILD/lib/scale/libscale-rt.a
cc=$SCALE_BUILD/bin/scale-cc
cxx=$SCALE_BUILD/bin/scale-c++
clang=$("$cc" --scale-where | sed -n 's/^compiler=//p')
unset SCALE_PROFILE_DIR SCALE_PROFILE_MAX SCALE_INCLUDE SCALE_EXCLUDE SCALE_FILTER SCALE_PROBES SCALE_EVENTS SCALE_WRAPPER SCALE_CLANG
failures=0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}
# same WHAT EXPECTED ACTUAL
same() {
  [ "$2" = "$3" ] || fail "$1: expected <$2>, got <$3>"
}
# has WHAT PATTERN TEXT
has() {
  printf '%s\n' "$3" | grep -Eq -- "$2" || fail "$1: no <$2> in <$3>"
}
need() {
  command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; exit 77; }
}
# A mimicking program, by hand what the pass does: mimic NAME [flags]; makes ./NAME.
mimic() {
  name=$1
  shift
  "$clang" -O1 -gdwarf-4 -D_GNU_SOURCE -Wall -Werror -I"$source" -I"$files" "$files/$name.c" -o "$name" \
    -Wl,-u,__scale_runtime '-Wl,--export-dynamic-symbol=__scale_*' -Wl,--build-id "$@" "$runtime" ||
    fail "cannot build $name"
}
# profiled COMMAND...: runs it with an empty folder ./prof; its exit status is in $status, its output in ./out.
profiled() {
  rm -rf prof
  SCALE_PROFILE_DIR=prof "$@" >out 2>err
  status=$?
}
contexts() { python3 "$files/scprof.py" prof/*.scprof; }
totals() { python3 "$files/scprof.py" --totals prof/*.scprof | awk '{ print $1, $2 }'; }
finish() { exit $((failures > 0)); }
