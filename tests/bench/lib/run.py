# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs programs: for their processor time (through run.c, on one core), or for their instructions (callgrind)."""
import os
import re
import shutil
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


class RunError(Exception):
    """A run ended otherwise than it should."""


class Used:
    """What a run used: seconds of processor time and elapsed, peak memory in KiB; bytes and files it left; output."""

    def __init__(self, seconds, elapsed, memory, left, output):
        self.seconds, self.elapsed, self.memory, self.left, self.output = seconds, elapsed, memory, left, output


def helper(work):
    path = os.path.join(work, "run")
    subprocess.run(["cc", "-O2", "-o", path, os.path.join(HERE, "run.c")], check=True)
    return path


def prepare(variant, program, arguments, directory):
    """The command and environment of a run; without a VARIANT, of the program alone."""
    place = lambda text: text.replace("{}", directory)
    environment = dict(os.environ, LC_ALL="C")
    environment.pop("SCALE_PROFILE_DIR", None)
    command = [program, *arguments]
    if variant:
        environment.update({name: place(value) for name, value in variant.environment.items()})
        command = [place(word) for word in variant.run] + command
    return command, environment


class Runner:
    def __init__(self, work, core):
        self.work, self.core = tempfile.mkdtemp(prefix="runs.", dir=work), core
        self.helper = helper(self.work)

    def close(self):
        shutil.rmtree(self.work, ignore_errors=True)

    def directory(self):
        return tempfile.mkdtemp(prefix="run.", dir=self.work)

    def time(self, variant, program, arguments, limit=600, look=None, cores="one"):
        """One run on one core, or on "all"; at most LIMIT seconds of processor time a process. LOOK(directory) sees what it left behind."""
        directory = self.directory()
        try:
            command, environment = prepare(variant, program, arguments, directory)
            result = os.path.join(self.work, "result")
            done = subprocess.run([self.helper, str(self.core if cores == "one" else -1), str(int(limit) + 1), result, *command], cwd=directory,
                                  env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
            with open(result, encoding="ascii") as stream:
                user, system, elapsed, memory, kind, status = stream.read().split()
            used = Used((int(user) + int(system)) / 1e6, int(elapsed) / 1e6, int(memory), look(directory) if look else None, done.stdout)
            if used.seconds < limit and (kind, status) != ("exit", "0"):
                raise RunError(f"{os.path.basename(program)}: {kind} {status}")
            return used
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def instructions(self, variant, program, arguments):
        """Instructions executed in user mode, from start to end of the process."""
        directory = self.directory()
        try:
            command, environment = prepare(variant, program, arguments, directory)
            callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            done = subprocess.run(callgrind + command, cwd=directory, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, check=False)
            found = re.search(rb"Collected : (\d+)", done.stderr)
            if done.returncode or not found:
                raise RunError(f"callgrind of {os.path.basename(program)}: {done.returncode}: {done.stderr[-300:]}")
            return int(found.group(1))
        finally:
            shutil.rmtree(directory, ignore_errors=True)
