# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of the sources, built twice: for coverage, and as a shared library in which a mutant replaces one object.

Programs are linked with libmutant.so, which is empty, before that library. A mutant is compiled by itself and takes its
place: its functions stand before the library's, so that nothing is built or linked again. Constants of a tuning.def are
in every object that names them, and those are compiled together."""
import collections
import concurrent.futures
import glob
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import time

LIBRARIES = ("base", "profiles", "regress", "transitions")
# Tests of the runner that look at what the analysis says; others are about processes, files and words.
SAYS = re.compile(r'^#include "(?:(?:transitions|regress|profiles)/|(?:transitions|study|review|expand)_?\w*scene)', re.M)
SANITIZE = "-fsanitize=address,undefined -fno-sanitize-recover=all"
MUTANT = "libmutant.so"
# A mutant's test may take this many times the processor time, and these seconds more: how busy the machine is does not
# matter. What waits for ever takes none.
SLOWER, LONGER, WAITING = 3, 5, 600


def run(command, **rest):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **rest)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout[-3000:]}")
    return done.stdout


def newer(made, inputs):
    return os.path.exists(made) and all(os.path.getmtime(made) >= os.path.getmtime(path) for path in inputs)


def limits(seconds):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))


def judging(folders, judges):
    """The modules whose tests can execute these folders, of those wanted: none below the lowest of them can."""
    order = (*LIBRARIES, "runner")
    return [name for name in order[min(order.index(folder) for folder in folders):] if not judges or name in judges]


class Workshop:
    def __init__(self, root, scratch, jobs, sanitize, modules):
        self.scratch, self.jobs, self.root = scratch, jobs, os.path.join(scratch, "source")
        self.flags = SANITIZE.split() if sanitize else []
        self.copy(root)
        self.tests = sorted(os.path.basename(path)[:-2] for module in modules
                            for path in glob.glob(f"{self.root}/tests/unit/{module}_*_test.c")
                            if module != "runner" or SAYS.search(open(path).read()))
        self.cover, self.plain = os.path.join(scratch, "cover"), os.path.join(scratch, "sanitized" if sanitize else "plain")
        self.archives = [f"libscale-{name}.a" for name in LIBRARIES]
        self.build(self.cover, "-O0 --coverage", ())
        self.build(self.plain, " ".join(["-O1 -fPIC", *self.flags]), self.archives)
        self.commands = self.read_commands()
        self.depends = self.read_depends()
        self.sanitizer = [run(["gcc", "-print-file-name=libasan.so"]).strip()] if sanitize else []
        self.link()
        self.seconds, self.killers, self.killed = {}, set(), collections.defaultdict(collections.Counter)
        self.lines = self.read_coverage()

    def copy(self, root):
        """Only what changed, so that what was built stays built."""
        wanted = set()
        listed = run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"]).splitlines()
        for path in listed:
            source, target = os.path.join(root, path), os.path.join(self.root, path)
            if not os.path.isfile(source):
                continue
            wanted.add(path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(source, "rb") as file:
                content = file.read()
            if not os.path.exists(target) or open(target, "rb").read() != content:
                shutil.copy(source, target)
        for place, _, names in os.walk(self.root):
            for name in names:
                if os.path.relpath(os.path.join(place, name), self.root) not in wanted:
                    os.unlink(os.path.join(place, name))

    def build(self, folder, flags, more):
        run(["cmake", "-G", "Ninja", "-S", self.root, "-B", folder, "-DSCALE_INSTRUMENT=OFF", "-DCMAKE_BUILD_TYPE=None",
             f"-DCMAKE_C_FLAGS={flags} -w"])
        run(["ninja", "-C", folder, f"-j{self.jobs}", *more, *(f"tests/unit/{name}" for name in self.tests)])

    def read_commands(self):
        """Source -> (command, object). Both are of the build that mutants run in."""
        entries = json.loads(subprocess.check_output(["ninja", "-t", "compdb"], cwd=self.plain, text=True))
        found = {}
        for entry in entries:
            path = os.path.relpath(os.path.join(self.plain, entry["file"]), self.root)
            if entry["output"].endswith(".c.o") and path.startswith(("regress", "profiles", "transitions", "tests/unit")):
                words = shlex.split(entry["command"])
                words = words[next(i for i, word in enumerate(words) if os.path.basename(word) not in ("ccache",)):]
                drop = {"-o": 2, "-c": 2, "-MF": 2, "-MT": 2, "-MD": 1}
                kept, i = [], 0
                while i < len(words):
                    step = drop.get(words[i], 0)
                    kept += [] if step else [words[i]]
                    i += step or 1
                found[path] = (kept, entry["output"])
        return found

    def read_depends(self):
        """Object -> the files of ours that it was made of."""
        found, current = collections.defaultdict(set), None
        for line in subprocess.check_output(["ninja", "-t", "deps"], cwd=self.plain, text=True).splitlines():
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line.strip():
                path = os.path.normpath(os.path.join(self.plain, line.strip()))
                if path.startswith(self.root + "/"):
                    found[current].add(os.path.relpath(path, self.root))
        return found

    def link(self):
        """Links libscale.so and the tests against it, behind an empty libmutant.so; and what keeps tests from waiting for disks."""
        self.library, self.preload = os.path.join(self.plain, "libscale.so"), os.path.join(self.scratch, "nosync.so")
        # A test of the highest of them is linked with all that they need, whichever tests judge.
        highest = min(glob.glob(f"{self.root}/tests/unit/{LIBRARIES[-1]}_*_test.c"))
        command = self.link_command(os.path.basename(highest)[:-2])
        inputs = [os.path.join(self.plain, name) for name in self.archives]
        self.empty = os.path.join(self.plain, "empty")
        if newer(self.library, inputs) and os.path.exists(self.preload) and os.path.isdir(self.empty):
            self.link_tests()
            return
        libraries = [word for word in command if word.endswith(".so") or word.startswith("-l")]
        run(["gcc", "-shared", *self.flags, "-o", self.library, "-Wl,--whole-archive", *self.archives, "-Wl,--no-whole-archive", *libraries],
            cwd=self.plain)
        run(["gcc", "-shared", "-fPIC", "-o", self.preload, "-xc", "-"],
            input="int fsync(int f) { return f < 0; }\nint fdatasync(int f) { return f < 0; }\n")
        os.makedirs(self.empty, exist_ok=True)
        run(["gcc", "-shared", "-o", os.path.join(self.empty, MUTANT), "-Wl,-soname," + MUTANT, "-xc", "/dev/null"])
        self.link_tests()

    def link_tests(self):
        os.makedirs(os.path.join(self.plain, "linked"), exist_ok=True)
        self.links = {}

        def link(name):
            rest, seen = [], False
            for word in self.link_command(name):
                if word in self.archives:
                    rest += [] if seen else ["-Wl,--no-as-needed", os.path.join(self.empty, MUTANT), "-Wl,--as-needed", self.library,
                                             f"-Wl,--enable-new-dtags,-rpath,{self.plain}:{self.empty}"]
                    seen = True
                else:
                    rest.append(word)
            self.links[name] = rest
            if not newer(self.program(name), [self.library, os.path.join(self.plain, "tests/unit", name)]):
                self.link_test(name, self.program(name))

        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(link, self.tests))

    def link_command(self, name):
        command = subprocess.check_output(["ninja", "-t", "commands", "-s", f"tests/unit/{name}"], cwd=self.plain, text=True)
        return [word for word in shlex.split(command.replace(" && :", "").replace(": && ", "")) if word != "ccache"]

    def link_test(self, name, target, replaced=None):
        words = list(self.links[name])
        words[words.index("-o") + 1] = target
        if replaced:
            words = [replaced if word.endswith(f"{name}.c.o") else word for word in words]
        run(words, cwd=self.plain)

    def program(self, name):
        return os.path.join(self.plain, "linked", name)

    def run_test(self, name, program, folder):
        """True if it passes with the libmutant.so in a folder."""
        seconds = (SLOWER if not self.flags else 5 * SLOWER) * self.seconds[name] + LONGER
        environment = dict(os.environ, LD_PRELOAD=" ".join([*self.sanitizer, self.preload]), LD_LIBRARY_PATH=folder,
                           ASAN_OPTIONS="detect_odr_violation=0:hard_rss_limit_mb=3000:allocator_may_return_null=1",
                           UBSAN_OPTIONS="halt_on_error=1")
        child = subprocess.Popen([program], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, start_new_session=True,
                                 preexec_fn=lambda: limits(seconds), cwd=self.plain)
        try:
            return child.wait(WAITING) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()

    def read_coverage(self):
        """Path -> line -> tests that execute it."""
        lines = collections.defaultdict(lambda: collections.defaultdict(set))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            counted = dict(zip(self.tests, pool.map(self.coverage_of, self.tests)))
        for name, kept in counted.items():
            self.seconds[name] = kept["seconds"]
            for path, numbers in kept["lines"].items():
                for number, executed in numbers.items():
                    tests = lines[path][int(number)]
                    if executed:
                        tests.add(name)
        return lines

    def coverage_of(self, name):
        kept, program = f"{self.scratch}/counted/{name}.json", f"{self.cover}/tests/unit/{name}"
        if not newer(kept, [program]):
            self.count_lines(name, program, kept)
        with open(kept) as file:
            return json.load(file)

    def count_lines(self, name, program, kept):
        prefix = os.path.join(self.scratch, "counted", name)
        shutil.rmtree(prefix, ignore_errors=True)
        os.makedirs(prefix)
        child = subprocess.Popen([program], env=dict(os.environ, GCOV_PREFIX=prefix, LD_PRELOAD=self.preload), cwd=self.plain,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        if status:  # what it did not come to would seem to be executed by no test
            raise SystemExit(f"{name} fails without a mutation, when its lines are counted: mend it first. To see it fail:\n{program}")
        counts = collections.defaultdict(dict)
        data = [path for path in glob.glob(f"{prefix}/**/*.gcda", recursive=True) if "/scale-" in path]
        for path in data:
            os.symlink(path[len(prefix):-4] + "gcno", path[:-4] + "gcno")
        text = subprocess.run(["gcov", "--json-format", "--stdout", *data], cwd=self.cover, capture_output=True, text=True).stdout
        for line in text.splitlines():
            for file in json.loads(line)["files"] if line.startswith("{") else ():
                path = os.path.relpath(os.path.join(self.cover, file["file"]), self.root)
                if path.endswith(".c"):
                    for entry in file["lines"]:
                        number = entry["line_number"]
                        counts[path][number] = counts[path].get(number, 0) or int(entry["count"] > 0)
        shutil.rmtree(prefix)
        with open(kept, "w") as file:
            json.dump({"seconds": used.ru_utime + used.ru_stime, "lines": counts}, file)

    def executing(self, path, line):
        """The tests that execute a line; of a line without code, that before it, or else any of the file."""
        known = self.lines.get(path, {})
        for number in range(line, line - 4, -1):
            if number in known:
                return known[number]
        return set().union(*known.values()) if known else set()

    def naming(self, row):
        """The sources that see a constant by its name, and the lines of sources that have it."""
        files, places = set(), []
        pattern = re.compile(rf"\b{row}\b")
        for path in {path for of_object in self.depends.values() for path in of_object}:
            if not path.endswith("tuning.def"):
                with open(os.path.join(self.root, path), errors="replace") as file:
                    for number, line in enumerate(file, 1):
                        if pattern.search(line):
                            files.add(path)
                            places.append((path, number))
        sources = [path for path, (_, made) in self.commands.items() if files & self.depends[made]]
        return sources, places

    def compile(self, source, overlay, made):
        command, _ = self.commands[source]
        changed = os.path.join(overlay, source)
        path = changed if os.path.exists(changed) else os.path.join(self.root, source)
        done = subprocess.run([command[0], f"-I{overlay}", *command[1:], "-c", path, "-o", made], cwd=self.plain,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def same_code(self, source, made):
        """Whether nothing but the notes about its origin differs."""
        def content(path):
            bare = made + ".bare"
            run(["objcopy", "-R", ".comment", "--strip-unneeded", "--strip-debug", path, bare])
            text = subprocess.check_output(["objdump", "-s", "-d", "-r", bare], text=True).split("\n", 3)[3]
            os.unlink(bare)
            return text
        return content(os.path.join(self.plain, self.commands[source][1])) == content(made)

    def judge(self, mutation, overlay):
        """'killed', 'survived', 'not compiled' or 'same code'."""
        target = os.path.join(overlay, mutation.path)
        os.makedirs(os.path.dirname(target))
        with open(os.path.join(self.root, mutation.path)) as file:
            text = file.read()
        with open(target, "w") as file:
            file.write(text[:mutation.start] + mutation.text + text[mutation.end:])
        if mutation.row:
            sources, places = self.naming(mutation.row)
            tests = set().union(*(self.executing(*place) for place in places if place[0].endswith(".c")))
            if any(path.endswith(".h") and not path.startswith("tests") for path, _ in places):
                tests = set(self.tests)
            tests |= {os.path.basename(path)[:-2] for path in sources if path.startswith("tests/unit")}
        else:
            sources, tests = [mutation.path], self.executing(mutation.path, mutation.line)
        objects, replaced, same = [], {}, True
        for i, source in enumerate(sources):
            made = os.path.join(overlay, f"{i}.o")
            if not self.compile(source, overlay, made):
                return "not compiled"
            same = same and self.same_code(source, made)
            if source.startswith("tests/unit"):
                replaced[os.path.basename(source)[:-2]] = made
            else:
                objects.append(made)
        if same:
            return "same code"
        run(["gcc", "-shared", *self.flags, "-o", os.path.join(overlay, MUTANT), "-Wl,-soname," + MUTANT, *objects])
        for name in self.likeliest_first(mutation.path, tests):
            program = self.program(name)
            if name in replaced:
                program = os.path.join(overlay, name)
                self.link_test(name, program, replaced[name])
            if not self.run_test(name, program, overlay):
                self.killers.add(name)
                self.killed[mutation.path][name] += 1
                return "killed"
        return "survived"

    def likeliest_first(self, path, tests):
        """By how many mutants of the file a test killed for each second that it takes; of those that killed none, the quickest."""
        known = [name for name in self.tests if name in tests]
        return sorted(known, key=lambda name: (-self.killed[path][name] / (self.seconds[name] + 0.1), self.seconds[name]))

    def check_killers(self):
        """A test that fails at times, or since something outside changed, would have killed mutants that it does not notice."""
        for name in sorted(self.killers):
            if not self.run_test(name, self.program(name), self.empty):
                raise SystemExit(f"{name} killed mutants, and fails without a mutation, too: the shares are worth nothing. "
                                 f"To see it fail:\n{self.program(name)}")
