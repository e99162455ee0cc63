# SPDX-License-Identifier: GPL-3.0-or-later
"""Are the counts exact? A subject is built plain, with scale-cc and with the oracle (tests/programs/oracle: clang's
front-end counters) at one level of optimisation; all must write the same, and the last two must count the same."""
import glob
import os
import shutil
import subprocess
import tempfile

import build
import subjects

ORACLE = os.path.join(subjects.ROOT, "tests", "programs", "oracle")


class Inexact(Exception):
    """Counts or output differ; its text says where."""


def run(program, arguments, directory, **environment):
    """All builds run under one name and from one place: Lua keeps it, and collects garbage by what it keeps."""
    name = os.path.join(directory, "program", os.path.basename(program))
    os.makedirs(os.path.dirname(name), exist_ok=True)
    shutil.copy(program, name)
    done = subprocess.run(["setarch", "-R", name, *arguments], cwd=directory, env=dict(os.environ, **environment),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, subjects.clean(done.stdout), subjects.clean(done.stderr)


def totals(scale_build, directory):
    path = os.path.join(directory, "totals")
    with open(path, "wb") as stream:
        for profile in glob.glob(os.path.join(directory, "*.scprof")):
            subprocess.run([f"{scale_build}/bin/scale-run", "dump", "--totals", profile], stdout=stream, check=True)
    return path


def coverage(program, directory):
    merged, path = os.path.join(directory, "oracle.profdata"), os.path.join(directory, "coverage.json")
    raw = glob.glob(os.path.join(directory, "*.profraw"))
    subprocess.run(["llvm-profdata-19", "merge", "-o", merged, *raw], check=True)
    with open(path, "wb") as stream:
        subprocess.run(["llvm-cov-19", "export", program, f"-instr-profile={merged}"], stdout=stream,
                       stderr=subprocess.DEVNULL, check=True)
    return path


def compare(work, scale_build, subject, level):
    """Raises Inexact; returns what compare.py says otherwise."""
    directory = tempfile.mkdtemp(prefix="exact.", dir=work)
    try:
        # the oracle lists the loops it meets while compiling, so it is never taken from an earlier build
        shutil.rmtree(os.path.join(work, "builds", f"{subject.name}-oracle{level}"), ignore_errors=True)
        os.environ.update(ORACLE_DIR=directory, ORACLE_LOOPS=f"{scale_build}/tests/programs/oracle-loops")
        compilers = {"plain": "clang-19", "scale": f"{scale_build}/bin/scale-cc", "oracle": f"{ORACLE}/oracle-cc"}
        flags = [level, *subject.exact_flags]
        made = {name: build.build(work, subject, name + level, compiler, flags) for name, compiler in compilers.items()}
        arguments = subject.arguments["count"]
        wanted = run(made["plain"].path, arguments, directory)
        if wanted[0] != 0:
            raise Inexact(f"the plain program ends with {wanted[0]}")
        if run(made["scale"].path, arguments, directory, SCALE_PROFILE_DIR=directory) != wanted:
            raise Inexact("output or exit status differ from the plain build's")
        if run(made["oracle"].path, arguments, directory, LLVM_PROFILE_FILE=f"{directory}/%p.profraw") != wanted:
            raise Inexact("the oracle's output or exit status differ from the plain build's")
        done = subprocess.run(["python3", f"{ORACLE}/compare.py", coverage(made["oracle"].path, directory),
                               os.path.join(directory, "loops"), totals(scale_build, directory),
                               *subject.skips],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Inexact((done.stdout + done.stderr).strip())
        return done.stdout.strip()
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def prove(work, scale_build, names, levels):
    """Prints a line a subject and level; returns how many were not exact."""
    faults = 0
    for name in names:
        subject = subjects.load(work, name)
        for level in levels:
            try:
                print(f"{name} {level}: {compare(work, scale_build, subject, level)}", flush=True)
            except (Inexact, build.BuildError) as error:
                print(f"{name} {level}: NOT EXACT: {error}", flush=True)
                faults += 1
    return faults
