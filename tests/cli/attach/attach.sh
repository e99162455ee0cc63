# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by tests of uprobes, behind lib.sh. They are skipped, and say why, where this scale-run, the machine or the user
# cannot attach; `counts STUDY` prints "n path calls" of all runs, `of STUDY` checks such lines; `find_held` and `die_by` look
# for what a scale-run that was killed leaves in the kernel.
command -v python3 >/dev/null || exit 77
plain_cc=$(command -v gcc || command -v cc) || { echo 'skipped: no plain compiler'; exit 77; }
need_uprobes() {
  printf 'void __attribute__((noinline)) step(void) { __asm__ volatile(""); }\nint main(int c, char **v) { step(); return 0; }\n' >need.c
  "$plain_cc" -O1 -o need need.c || exit 77
  "$run" run -q -P n=1,2,3 --uprobes step -o need.db --no-report -- ./need '{n}' >need.out 2>&1 ||
    { echo "skipped: no uprobes here: $(head -n 1 need.out)"; exit 77; }
}
counts() {
  python3 - "$1" <<'PYTHON'
import sqlite3, sys
study = sqlite3.connect(sys.argv[1])
rows = study.execute("SELECT DISTINCT s.n, p.path, s.count FROM series s JOIN path p USING (context) JOIN context c ON c.id = s.context"
                     " JOIN location l ON l.id = c.location WHERE l.kind = 'function' ORDER BY s.n, p.path")
for n, path, count in rows:
    print(f"{n:g} {path} {count:g}")
PYTHON
}
of() { # STUDY, the lines expected on standard input
  counts "$1" >counted || fault "$1 cannot be read"
  sort >expected
  sort counted | diff expected - || fault "other counts in $1"
}
measure() { # arguments of run, which prints nothing but warnings
  "$run" run -q --no-report "$@" >out 2>err || { fault "run $*"; cat err; }
}
await_attached() { # process, an attach with its messages in `told`: returns once it is attached, or has ended
  for ((i = 0; i < 600; i++)); do
    grep -q 'attached to process' told && break
    kill -0 "$1" 2>/dev/null || break
    sleep 0.05
  done
  grep -q 'attached to process' told || fault "not attached: $(cat told)"
}
held() { sed -n "s/^$1_id:[[:space:]]*//p" /proc/"$2"/fdinfo/* 2>/dev/null | sort -un; } # kind, process: numbers of its objects
there() { for id in $2; do bpftool "$1" show id "$id" >/dev/null 2>&1 && echo "$1 $id"; done; } # kind, numbers: what still exists
find_held() { # process: whether it holds programs and links, which $programs, $maps and $links have then
  programs=$(held prog "$1") maps=$(held map "$1") links=$(held link "$1")
  [ -n "$programs" ] && [ -n "$links" ]
}
die_by() { # signal, process: ends it, and what it holds in the kernel is gone soon
  find_held "$2" && [ -n "$(there link "$links")" ] || fault 'nothing is attached'
  kill -"$1" "$2"
  wait "$2" 2>/dev/null
  for ((i = 0; i < 100; i++)); do
    left=$(there prog "$programs"; there map "$maps"; there link "$links")
    [ -z "$left" ] && break
    sleep 0.1
  done
  [ -z "$left" ] || fault "after SIG$1 the kernel still has: $left"
}
