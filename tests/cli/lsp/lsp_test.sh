#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run lsp, as an editor talks to it: session.py.
set -u
run=$SCALE_BUILD/bin/scale-run
cc=$SCALE_BUILD/bin/scale-cc
[ -x "$run" ] && [ -x "$cc" ] || exit 77
here=$(cd "$(dirname "$0")" && pwd)
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir src
cp "$here/pairs.c" src
"$cc" -O1 -g -o pairs "$work/src/pairs.c" || { echo "scale-cc failed"; exit 1; }
measure() { "$run" run -P n=100,200,400,800 --max-iterations 1 --no-report -q "$@" -- ./pairs '{n}' >out 2>err || { cat out err; exit 1; }; }
measure --at 1e6
measure --at 5e4 --event none -o counts.db
PYTHONPATH=$here timeout 200 python3 -B "$here/session.py" "$run"
