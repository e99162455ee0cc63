# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of this folder: builds crowd.c in a new directory and measures it into scale.db.
. "$(dirname "$0")/../lib.sh"
need_compiler
cp "$here/crowd.c" .
compile -O2 -g -pthread -o crowd crowd.c
"$run" run -P n=400,800,1600,3200,6400 --at 51200 --event none --max-iterations 1 -- ./crowd '{n}' >first 2>progress ||
  { cat first progress; exit 1; }
