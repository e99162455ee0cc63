#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The completions, in the shells themselves: verbs, options, words, files.
. "$(dirname "$0")/../lib.sh"

mkdir -p files/folder functions
touch files/my.db "files/two words.db" files/notes.txt files/w.xml files/models.json files/c.diff files/p.scprof
for shell in bash zsh fish; do
  "$run" "--help=$shell" >"completion.$shell" || fault "--help=$shell"
done
cp completion.zsh functions/_scale-run
cp "$run" files/scale-run # a command of that name, for shells that ask

# Candidates, sorted, on one line. $1: the command line up to the cursor.
in_bash() {
  bash --norc -c '. "$1/completion.bash"; cd "$1/files"
    line=$2; line=${line//\\ /@@}; read -ra COMP_WORDS <<<"${line//=/ = }"; COMP_WORDS=("${COMP_WORDS[@]//@@/\\ }"); [[ $line == *" " || $line == *= ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _scale_run; printf "%s\n" "${COMPREPLY[@]}"' - "$work" "$1"
}
in_fish() {
  (cd files && HOME=$work XDG_CONFIG_HOME=$work fish --no-config -c "source $work/completion.fish; complete -C '$1'" |
    cut -f1 | sed 's/^--[a-z-]*=//')
}
in_zsh() {
  (cd files && HOME=$work python3 "$here/zsh_complete.py" "$work/functions" "$1")
}
tidy() { sed 's,/$,,; s/\\ / /g' | sort -u | tr '\n' '|' | sed 's/|$//'; }

# completes LINE WANTED [NOT_IN]: the candidates are these; in the shells named last, the line isn't tried.
completes() {
  local shell got
  for shell in bash zsh fish; do
    case " ${3-} " in *" $shell "*) continue ;; esac
    command -v "$shell" >/dev/null || continue
    got=$("in_$shell" "$1" 2>&1 | tidy)
    [ "$got" = "$2" ] || fault "$shell: \"$1\" becomes \"${got:0:300}\" instead of \"$2\""
  done
}

completes 'scale-run ba' 'baseline'
completes 'scale-run do' 'doctor'
completes 'scale-run help ba' 'baseline'
completes 'scale-run report --fo' '--format'
completes 'scale-run dump --tr' '--trace'
completes 'scale-run report --format j' 'json|junit'
completes 'scale-run report --format=j' 'json|junit'
completes 'scale-run fit --format e' 'extra-p'
completes 'scale-run blame --format d' 'dot'
completes 'scale-run report --format sarif --fail-on r' 'resource'
completes 'scale-run report m' 'my.db'
completes 'scale-run report ' 'folder|my.db|two words.db'
completes 'scale-run diff m' 'models.json|my.db'
completes 'scale-run diff models.json t' 'two words.db'
completes 'scale-run report two\ w' 'two words.db'
completes 'scale-run run w' 'w.xml'
completes 'scale-run dump p' 'p.scprof'
completes 'scale-run fit n' 'notes.txt'
completes 'scale-run report --changed c' 'c.diff'
completes 'scale-run run -P n=1..2 -- ./prog n' 'notes.txt'
completes 'scale-run run -P n=1..2 -- mktem' 'mktemp'
completes 'scale-run frobnicate x' ''
exit $status
