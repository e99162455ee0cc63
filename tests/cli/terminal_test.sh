#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A program that asks its user on the terminal is stopped there, in the background: the error names what it waits for.
. "$(dirname "$0")/lib.sh"
need_compiler
command -v python3 >/dev/null || exit 77
cat >asks.c <<'C'
#include <fcntl.h>
#include <unistd.h>
int main(void)
{
  char answer;
  int terminal = open("/dev/tty", O_RDWR);
  return read(terminal, &answer, 1) != 1;
}
C
"$cc" -O1 -o asks asks.c || exit 1
cat >in_terminal.py <<'P'
import os, pty, sys
child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said = b""
try:
    while more := os.read(terminal, 4096):
        said += more
except OSError:  # the terminal's end
    pass
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(status, " ".join(said.decode().split()))
P
NO_COLOR=1 timeout 100 python3 in_terminal.py "$run" run -q --event none --timeout 3s -P n=1,2,3 -- ./asks '{n}' >out
grep -q '^3 .*error: .*waits for the terminal, and was stopped after 3 s: .*hint: it reads /dev/tty' out || { fault "what it waits for"; cat out; }
exit $status
