# SPDX-License-Identifier: GPL-3.0-or-later
"""A package: fetched, built twice, its suite run in both. What was done is kept in its folder, with what it was done with."""
import collections
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import tomllib

import profiles
import results
import steps

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))
BUILDS = ("plain", "scale")

Setting = collections.namedtuple("Setting", "work build jobs rounds patience")


class Package:
    """What suites.toml says of one; README.md has the meaning of each key."""

    def __init__(self, name, keys):
        self.name = name
        self.source, self.version = keys.pop("source").split()
        self.also = keys.pop("also", {})
        self.needs = keys.pop("needs", [])
        self.build, self.test = keys.pop("build"), keys.pop("test")
        self.patterns = results.patterns(keys.pop("read"))
        self.limit, self.root = keys.pop("limit", 600), keys.pop("root", True)
        if keys:
            raise SystemExit(f"suites.toml: {name}: unknown: {' '.join(keys)}")


class Outcome:
    """What came out for one package: results.Round of each build and round, or why there are none."""

    def __init__(self, package):
        self.package, self.rounds = package, []
        self.skipped = self.failed = ""

    def differing(self):
        return results.differing(self.rounds)


def load(path):
    with open(path, "rb") as file:
        return {name: Package(name, dict(keys)) for name, keys in tomllib.load(file).items()}


def environment(setting, build):
    kept = {key: value for key, value in os.environ.items()
            if not key.startswith(("SCALE_", "MAKE", "CTEST", "CMAKE")) and key not in ("CFLAGS", "CXXFLAGS", "MFLAGS")}
    tools = ("clang-19", "clang++-19") if build == "plain" else \
        tuple(os.path.join(setting.build, "bin", tool) for tool in ("scale-cc", "scale-c++"))
    return {**kept, "CC": tools[0], "CXX": tools[1], "JOBS": str(setting.jobs), "LC_ALL": "C", "TZ": "UTC"}


def marks(setting, package, build):
    """What decides the build, and the results."""
    compiler = environment(setting, build)["CC"]
    option = "--scale-version" if build == "scale" else "--version"
    made_by = subprocess.run([compiler, option], capture_output=True, check=True, text=True).stdout
    if build == "scale":
        with open(os.path.join(setting.build, "lib", "scale", "libscale-rt.a"), "rb") as runtime:
            made_by += hashlib.sha256(runtime.read()).hexdigest()
    built = [package.source, package.version, str(package.also), package.build, made_by]
    return [hashlib.sha256("\n".join(said).encode()).hexdigest() for said in (built, [*built, package.test, str(package.patterns), *([] if package.root else ["not root"])])]


def missing(package):
    def there(name):
        asked = ["dpkg-query", "-W", "-f=${db:Status-Status}", name]
        return subprocess.run(asked, capture_output=True, check=False, text=True).stdout == "installed"
    if not shutil.which("dpkg-query"):
        return []
    return [name for name in package.needs if not there(name)]


def fetch(folder, package):
    """The sources, each below its own name; an error message if there are none."""
    for name, wanted in {"source": f"{package.source} {package.version}", **package.also}.items():
        got = subprocess.run([os.path.join(ROOT, ".ci", "debian-source"), *wanted.split(), os.path.join(folder, name)],
                             capture_output=True, check=False, text=True)
        if got.returncode:
            return ([line for line in got.stderr.splitlines() if "debian-source: error" in line] or ["not fetched"])[-1]
    return ""


def build_once(setting, package, build, mark):
    """Copies the sources and builds them in place, unless that was done with the same; an error message, or nothing."""
    folder = os.path.join(setting.work, package.name)
    target, done = os.path.join(folder, build), os.path.join(folder, build + ".built")
    if os.path.exists(done) and open(done, encoding="ascii").read() == mark:
        return ""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(os.path.join(folder, "source"), target, symlinks=True)
    for name in package.also:
        shutil.copytree(os.path.join(folder, name), os.path.join(target, name), symlinks=True)
    step = steps.run(package.build, target, environment(setting, build), os.path.join(folder, build + ".build.log"),
                     1800 * setting.patience)
    if step.status:
        return f"building {step.words()}: see {folder}/{build}.build.log"
    with open(done, "w", encoding="ascii") as file:
        file.write(mark)
    return ""


def test_once(setting, package, build, number):
    """One run of the suite, as a results.Round; with its profiles if it is the instrumented one's."""
    folder = os.path.join(setting.work, package.name)
    log = os.path.join(folder, f"{build}.test.{number}.log")
    variables, written = environment(setting, build), os.path.join(folder, "profiles")
    if build == "scale":
        profiles.make_folder(written)
        variables["SCALE_PROFILE_DIR"] = written
    target, limit = os.path.join(folder, build), package.limit * setting.patience * (2 if build == "scale" else 1)
    step = steps.run(package.test, target, variables, log, limit, () if package.root else steps.without_root(target))
    with open(log, encoding="utf-8", errors="replace") as file:
        tests = results.read(file, package.patterns)
    counted = profiles.check(written, os.path.join(setting.build, "bin", "scale-run"), setting.jobs) if build == "scale" else None
    return results.Round(tests, step.words(), round(step.seconds, 1), counted)


def kept(setting, package, build, number, mark):
    """What an earlier call found, if it is with the same."""
    path = os.path.join(setting.work, package.name, f"{build}.{number}.json")
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return results.Round(*found["round"]) if found["mark"] == mark else None


def tested(setting, package, build, number, mark):
    found = kept(setting, package, build, number, mark)
    if not found:
        found = test_once(setting, package, build, number)
        with open(os.path.join(setting.work, package.name, f"{build}.{number}.json"), "w", encoding="utf-8") as file:
            json.dump({"mark": mark, "round": found}, file)
    return found


def compare(setting, package):
    """Does what is left to do; two calls with one folder do a package one after the other."""
    outcome = Outcome(package)
    lacking = missing(package)
    if lacking:
        outcome.skipped = f"needs: apt-get install {' '.join(lacking)}"
        return outcome
    folder = os.path.join(setting.work, package.name)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome.skipped = fetch(folder, package)
        if not outcome.skipped:
            build_and_test(setting, package, outcome)
    return outcome


def build_and_test(setting, package, outcome):
    mark = {build: marks(setting, package, build) for build in BUILDS}
    failed = build_once(setting, package, "plain", mark["plain"][0])
    if failed:  # says nothing about us
        outcome.skipped = f"with clang-19 alone, {failed}"
        return
    outcome.failed = build_once(setting, package, "scale", mark["scale"][0])
    while not outcome.failed and len(outcome.rounds) < setting.rounds and (not outcome.rounds or outcome.differing()):
        number = len(outcome.rounds) + 1
        outcome.rounds.append([tested(setting, package, build, number, mark[build][1]) for build in BUILDS])


def seen(setting, package):
    """What was found with the same, without doing anything."""
    outcome = Outcome(package)
    mark = {build: marks(setting, package, build)[1] for build in BUILDS}
    while len(outcome.rounds) < setting.rounds:
        number = len(outcome.rounds) + 1
        found = [kept(setting, package, build, number, mark[build]) for build in BUILDS]
        if not all(found):
            break
        outcome.rounds.append(found)
    outcome.skipped = "" if outcome.rounds else "not run yet"
    return outcome
