#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The man pages: one for the program and one for each verb, right to man and to mandoc, complete.
. "$(dirname "$0")/../lib.sh"

"$run" --help=man >scale-run.1 || fault "--help=man"
verbs=$(sed -n 's/^\.BR scale\\-run\\-\([a-z]*\) (1)$/\1/p' scale-run.1)
for verb in run report ask blame verify diff baseline study export lsp fit doctor dump; do
  case " $(echo $verbs) " in *" $verb "*) ;; *) fault "scale-run(1) does not name scale-run-$verb(1)" ;; esac
done
for verb in $verbs; do
  "$run" "$verb" --help=man >"scale-run-$verb.1" || fault "$verb --help=man"
done
if [ -x "$SCALE_BUILD/bin/scale-cc" ]; then
  "$SCALE_BUILD/bin/scale-cc" --scale-help=man >scale-cc.1 || fault "scale-cc --scale-help=man"
fi

# Whether a page, printed, has a line that begins like this (behind blanks).
has() { grep -qE "^ *$2" "$1.txt" || fault "$1(1) has no line /$2/"; }
for page in *.1; do
  name=${page%.1}
  if command -v man >/dev/null; then
    warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
    [ -z "$warnings" ] || fault "man $page: $warnings"
  fi
  if command -v mandoc >/dev/null; then
    warnings=$(mandoc -T lint -W warning "$page" 2>&1)
    [ -z "$warnings" ] || fault "$warnings"
    mandoc -T utf8 -O width=90 "$page" | sed $'s/.\b//g' >"$name.txt"
    has "$name" "$name - "
    has "$name" 'EXIT STATUS|ENVIRONMENT'
  fi
done
if command -v mandoc >/dev/null; then
  has scale-run-report 'superlinear-loop'
  has scale-run-report 'sarif +for code scanning'
  has scale-run-diff 'worse-order'
  has scale-run-diff 'scale-run diff main\.db scale\.db'
  has scale-run-blame 'scale-run blame order_lock --format dot \| dot -Tsvg >blame\.svg'
  has scale-run-run '-P, --parameter NAME=SIZES'
  grep -q superlinear-loop scale-run-diff.txt && fault "scale-run-diff(1) has rules of one study"
  # All that --help prints of options is on the page, too.
  for verb in $verbs; do
    for option in $("$run" "$verb" --help | sed -n 's/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p'); do
      grep -qE -- "(^| )$option( |\$)" "scale-run-$verb.txt" || fault "scale-run-$verb(1) lacks $option"
    done
  done
fi
exit $status
