#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Poor surroundings: few descriptors, none open, no environment, another locale, no /proc, a narrow terminal, a reader that is
# gone. Each gives the whole output or one error.
. "$(dirname "$0")/lib.sh"
need_compiler
cp "$here/ask/shop.c" .
compile -O2 -g -pthread -o shop shop.c
"$run" run -P n=50,100,200,400,800 --at 2000.5 --event none --max-iterations 1 --no-report -q -- ./shop '{n}' 2>err ||
  { cat err; exit 1; }
"$run" report --json >whole || fault "no report"
printf 'n,time\n1,1.5\n2,3.1\n4,6.2\n8,12.4\n16,25\n' >points
"$run" fit points --json >fitted || fault "no fit"
same() { # what it is, command
  local what=$1
  shift
  "$@" >out 2>err || fault "$what: exit status $?"
  cmp -s out whole && [ ! -s err ] || { fault "$what: other output"; head -c 300 out; cat err; }
}
one_error() { # what it is, exit status
  [ "$2" = 2 ] && [ "$(grep -c 'error: ' err)" = 1 ] && [ "$(wc -l <err)" -le 2 ] ||
    { fault "$1: exit status $2"; cat err; }
}

same "no environment" env -i "$run" report --json
same "no folder for temporary files" env TMPDIR=$work/points "$run" report --json
same "decimal commas" env LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 "$run" report --json
LC_ALL=de_DE.UTF-8 "$run" fit points --json | cmp -s - fitted || fault "decimal commas: another fit"
(ulimit -n 8 && "$run" report --json) | cmp -s - whole || fault "few descriptors: other output"
"$run" report --json <&- | cmp -s - whole || fault "no standard input: other output"
"$run" report --json 2>&- | cmp -s - whole || fault "no standard error: other output"
"$run" report --json -o file <&- >&- 2>&- || fault "no descriptors: exit status $?"
cmp -s file whole || fault "no descriptors: other output"
for command in "report" "report --json" "report --format html" "ask --at 1e4" "export --format folded" "fit points" "--help"; do
  "$run" $command >&- 2>err
  one_error "no standard output: $command" $?
  "$run" $command >/dev/full 2>err
  one_error "full: $command" $?
  { sleep 0.2; exec "$run" $command; } 2>err | true
  [ ! -s err ] || { fault "a reader that is gone: $command"; cat err; }
done
# Left out without the right to hide /proc, and under AddressSanitizer, which itself needs /proc.
if ! grep -qa __asan_init "$run" && unshare -rm sh -c 'mount -t tmpfs none /proc' 2>err; then
  unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$run" report --json >out 2>err || fault "no /proc: exit status $?"
  cmp -s out whole || fault "no /proc: other output"
  unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$run" report --json -o file2 || fault "no /proc: no file"
  cmp -s file2 whole || fault "no /proc: another file"
fi
cat >columns.py <<'PY'
"""columns.py COMMAND...: runs it in terminals of 1 to 20 columns; all must get the same text."""
import fcntl, os, pty, struct, sys, termios

texts = set()
for columns in (1, 2, 3, 7, 20):
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.environ["TERM"] = "xterm"
        os.execv(sys.argv[1], sys.argv[1:])
    text = b""
    try:
        while more := os.read(terminal, 65536):
            text += more
    except OSError:
        pass
    texts.add((os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text))
sys.exit(0 if len(texts) == 1 and min(texts)[0] == 0 and min(texts)[1] else f"{len(texts)} outcomes: {texts}")
PY
for command in "report" "ask --sweep 1e3..1e5 --plot" "fit points" "report --help"; do
  timeout 60 python3 columns.py "$run" $command || fault "a narrow terminal: $command"
done
exit $status
