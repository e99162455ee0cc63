# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the shell commands of a package: in a session of their own, which ends at the time limit with all it has started."""
import collections
import os
import signal
import subprocess
import time


class Step(collections.namedtuple("Step", "status seconds late")):
    """status: as of subprocess; late: whether it was ended at its time limit."""

    def words(self):
        if self.late:
            return "took too long"
        return f"ended by signal {-self.status}" if self.status < 0 else f"exit status {self.status}"


def without_root(folder):
    """What runs a command as a user without rights, who gets FOLDER; nothing where this isn't root."""
    if os.getuid() != 0:
        return []
    subprocess.run(["chown", "-R", "nobody:nogroup", folder], check=True)
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def run(script, folder, variables, log, limit, before=()):
    """Runs SCRIPT in FOLDER behind the command BEFORE, what it prints goes to LOG. After LIMIT seconds it is ended."""
    temporary = log + ".tmp"  # many suites write files of fixed names there
    os.makedirs(temporary, exist_ok=True)
    os.chmod(temporary, 0o1777)
    started = time.monotonic()
    with open(log, "wb") as out:
        shell = subprocess.Popen([*before, "sh", "-euc", script], cwd=folder, env={**variables, "TMPDIR": temporary},
                                 stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True)
        late = False
        try:
            shell.wait(limit)
        except subprocess.TimeoutExpired:
            late = True
        finally:
            try:
                os.killpg(shell.pid, signal.SIGKILL)  # what a suite leaves running would disturb the next
            except ProcessLookupError:
                pass
            shell.wait()
    subprocess.run(["rm", "-rf", temporary], check=False)
    return Step(shell.returncode, time.monotonic() - started, late)
