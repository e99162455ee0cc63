# SPDX-License-Identifier: GPL-3.0-or-later
"""The profiles that a suite's processes wrote: how many there are, and whether scale-run reads each."""
import collections
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor


def make_folder(path):
    """An empty one, where every user may write: some tests give up root."""
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    os.chmod(path, 0o1777)


def check(folder, scale_run, jobs):
    """(written, valid, examples of what is wrong); those that are valid are removed, as there may be many."""
    def problem(name):
        path = os.path.join(folder, name)
        dump = subprocess.run([scale_run, "dump", "--totals", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        if dump.returncode == 0:
            os.remove(path)
            return ""
        return f"{name}: {dump.stderr.decode(errors='replace').splitlines()[:1] or dump.returncode}"
    names = sorted(os.listdir(folder))
    with ThreadPoolExecutor(jobs) as pool:
        wrong = [said for said in pool.map(problem, names) if said]
    return len(names), len(names) - len(wrong), wrong[:5]
