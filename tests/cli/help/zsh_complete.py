#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates that zsh offers at the end of a command line, one a line.

zsh_complete.py FOLDER-OF-FUNCTIONS LINE. zsh completes only in its line editor: this types into one.
"""
import os
import pty
import select
import sys
import time

SETUP = """PS1='READY>'; unsetopt zle_bracketed_paste 2>/dev/null
fpath=({folder} $fpath); autoload -Uz compinit; compinit -u -D
# Instead of inserting anything, print what compadd was given that matches what is typed.
compadd() {{
  local -a hits
  case " $* " in *' -O '*|*' -A '*|*' -D '*) builtin compadd "$@"; return ;; esac
  builtin compadd -O hits "$@"
  (( $#hits )) && print -rl -- "${{hits[@]}}" >>{out}
  builtin compadd "$@"
}}
bindkey '^I' complete-word
: >{out}
"""


def read_until(fd, mark, seconds):
    """What the shell prints until `mark` comes, or until the time is over."""
    text, end = b"", time.time() + seconds
    while mark not in text and time.time() < end:
        if select.select([fd], [], [], 0.1)[0]:
            try:
                text += os.read(fd, 65536)
            except OSError:
                break
    return text


def main():
    folder, line = sys.argv[1], sys.argv[2]
    out = os.path.join(os.environ["HOME"], "zsh.out")
    done = os.path.join(os.environ["HOME"], "zsh.done")
    for path in (out, done):
        if os.path.exists(path):
            os.remove(path)
    setup = os.path.join(os.environ["HOME"], "zsh.setup")
    with open(setup, "w", encoding="utf-8") as file:
        file.write(SETUP.format(folder=folder, out=out))
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "dumb"
        os.execvp("zsh", ["zsh", "-f", "-i"])
    os.write(fd, f"source {setup}\n".encode())
    read_until(fd, b"READY>", 20)
    # Behind the completion the line is thrown away, and a command tells that all is over.
    os.write(fd, line.encode() + b"\t\x15: >" + done.encode() + b"\n")
    end = time.time() + 20
    while not os.path.exists(done) and time.time() < end:
        read_until(fd, b"\0", 0.1)
    os.write(fd, b"exit\n")
    os.close(fd)
    os.waitpid(pid, 0)
    with open(out, encoding="utf-8") as file:
        sys.stdout.write(file.read())


main()
