#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# scale-run lsp in Neovim: what the editor shows of a study.
. "$(dirname "$0")/lib.sh"
mkdir src
cp "$root/tests/cli/lsp/pairs.c" src
quietly build "$bin/scale-cc" -O1 -g -o pairs "$(pwd -P)/src/pairs.c"
quietly run "$bin/scale-run" run -P n=100,200,400,800 --at 1e6 --max-iterations 1 --no-report -q -- ./pairs '{n}'
HOME=$work XDG_STATE_HOME=$work timeout 120 nvim --headless -n -u NONE -i NONE -c "luafile $here/neovim.lua" >nvim.log 2>&1 ||
  { cat nvim.log >&2; fail "nvim"; }
line=$(grep -n 'long k = 0' src/pairs.c | cut -d: -f1)
shows() { grep -qE -- "$1" shown.txt || { cat shown.txt nvim.log >&2; fail "Neovim does not show: $1"; }; }
shows "^diagnostic $line:5 scale-run .*quadratic"
shows "^lens $line iterations ∝ n\^2 · 1 T at n=1e6"
shows '^lens [0-9]+ calls constant · 1'
shows '^hover .*n\^2'
shows '^hover .*1\.00 trillion'
shows '^hover .*● measured'
shows '^stopped true$'
