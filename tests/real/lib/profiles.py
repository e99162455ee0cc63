# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles that a suite's processes wrote: how many there are, and whether scale-run reads each."""
import collections
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor

MOST = 400
Found = collections.namedtuple("Found", "written read wrong examples")


def make_folder(path):
    """An empty one, where every user may write: some tests give up root."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    os.chmod(path, 0o1777)


def check(folder, scale_run, jobs):
    """A Found of the profiles. Of thousands of processes, which are much alike, MOST are looked at, spread over all. Those
    that are wrong stay, the others would fill the disk."""
    def problem(name):
        dump = subprocess.run([scale_run, "dump", "--totals", os.path.join(folder, name)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
        said = dump.stderr.decode(errors="replace").splitlines() or [f"exit status {dump.returncode}"]
        return f"{name}: {said[0]}" if dump.returncode else ""
    names = sorted(os.listdir(folder))
    chosen = [names[i * len(names) // min(MOST, len(names))] for i in range(min(MOST, len(names)))]
    with ThreadPoolExecutor(jobs) as pool:
        wrong = [said for said in pool.map(problem, chosen) if said]
    for name in set(names) - {said.split(": ")[0] for said in wrong}:
        os.remove(os.path.join(folder, name))
    return Found(len(names), len(chosen), len(wrong), wrong[:5])
