#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run lsp, as an editor talks to it: session.py.
. "$(dirname "$0")/../lib.sh"
need_compiler
cd "$(pwd -P)" || exit 1
mkdir src
cp "$here/pairs.c" src
compile -O1 -g -o pairs "$PWD/src/pairs.c"
measure() { "$run" run -P n=100,200,400,800 --max-iterations 1 --no-report -q "$@" -- ./pairs '{n}' >out 2>err || { cat out err; exit 1; }; }
measure --at 1e6
measure --at 5e4 --event none -o counts.db
PYTHONPATH=$here timeout 200 python3 -B "$here/session.py" "$run"
