# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds subjects, each variant in a directory of its own, and keeps what is still as it would be built again."""
import hashlib
import os
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor


class BuildError(Exception):
    """A command failed; its text says which and what it wrote last."""


def call(command, log):
    with open(log, "w", encoding="utf-8") as stream:
        status = subprocess.run(command, stdout=stream, stderr=stream, check=False).returncode
    if status:
        with open(log, encoding="utf-8", errors="replace") as stream:
            last = [line.strip() for line in stream if "error" in line] or ["no message"]
        raise BuildError(f"{shlex.join(command[:2])} ... {command[-1]}: {last[0][:160]}")


def identity(compiler):
    """What decides what COMPILER makes, beside its arguments."""
    option = "--scale-version" if os.path.basename(compiler).startswith("scale-") else "--version"
    return subprocess.run([compiler, option], capture_output=True, check=True).stdout


def stamp(compiler, commands):
    digest = hashlib.sha256(identity(compiler))
    for command, inputs in commands:
        digest.update(shlex.join(command).encode())
        for file in inputs:
            with open(file, "rb") as stream:
                digest.update(stream.read())
    return digest.hexdigest()


class Build:
    """A program that exists: path, and objects (those of the subject's own sources)."""

    def __init__(self, path, objects):
        self.path, self.objects = path, objects


def build(work, subject, name, compiler, flags, extra=(), jobs=2):
    """Builds SUBJECT with COMPILER and FLAGS as variant NAME; EXTRA sources are compiled without FLAGS."""
    directory = os.path.join(work, "builds", f"{subject.name}-{name}")
    os.makedirs(directory, exist_ok=True)
    program = os.path.join(directory, subject.name)
    commands, objects = [], []
    for source in subject.sources + list(extra):
        target = os.path.join(directory, os.path.basename(source)[:-2] + ".o")
        own_flags = ["-O2"] if source in extra else flags + subject.flags
        commands.append(([compiler, "-w", *own_flags, "-c", source, "-o", target], [source]))
        objects.append(target)
    link = [compiler, *flags, *objects, *subject.libraries, "-o", program]
    result = Build(program, objects[:len(subject.sources)])
    mark, mark_file = stamp(compiler, commands + [(link, [])]), os.path.join(directory, ".stamp")
    if os.path.exists(mark_file) and os.path.exists(program):
        with open(mark_file, encoding="ascii") as stream:
            if stream.read() == mark:
                return result
    if os.path.exists(mark_file):
        os.remove(mark_file)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda step: call(step[0], step[0][-1] + ".log"), commands))
    call(link, program + ".log")
    with open(mark_file, "w", encoding="ascii") as stream:
        stream.write(mark)
    return result
