# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets every allocation or system call of a command fail, one after the other (faults.c), and judges what became of each:
the undisturbed output, all of it, with the undisturbed exit status; or an error, with its own exit status and message.

faults.py PRELOAD [--kind KIND,...] [--each COUNT] [--file FILE]... [--stdin FILE] [--show COUNT]
          [--again [--changes FILE] [--measured] [--then COMMAND]...] -- COMMAND ARGUMENT...

--each: failures for each way (the calls on the stack) to one; 0: all. --file: what the command writes besides standard
output (a folder: all in it). --again: the command starts other programs; execute it once for each failure. It finds FILE
of --changes as it was before; where its exit status is the undisturbed one, so must be what COMMAND of --then prints. With
--measured, numbers and what is said of the elapsed time, which no two runs share, may differ."""
import argparse
import glob
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time

FRAMES = 12
CHILD = struct.Struct(f"QQ{FRAMES}Q")
NOT_STARTED = 2**64 - 1
MEMORY = ("memory", "memory-on")
# What most of the elapsed time went to, on a busy machine: it is wrapped, its second sentence is not always there.
ELAPSED_NOTE = re.compile(rb"(?s) *[0-9.]+% of the elapsed time at .*?\.\n(?: *On an idle machine.*?\.\n)?")


def content(path):
    """All that a path holds; None without it."""
    if os.path.isdir(path):
        return {name: content(os.path.join(path, name)) for name in sorted(os.listdir(path))}
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def keep_temporary(files):
    """{name: second name} of the temporary files, which a child may remove, while the command is still to rename them."""
    names = [name for path in files for name in glob.glob(glob.escape(path) + ".*")]
    kept = {name: f"kept.{name}" for name in names}
    for name, second in kept.items():
        os.link(name, second)
    return kept


def restore(kept):
    for name, second in kept.items():
        if os.path.lexists(name):
            os.unlink(second)
        else:
            os.rename(second, name)


def prune(value):
    """JSON without the objects of the elapsed time."""
    if isinstance(value, list):
        return [prune(item) for item in value if not (isinstance(item, str) and "elapsed" in item)]
    if isinstance(value, dict):
        return {name: prune(item) for name, item in value.items() if "elapsed" not in name}
    return value


def without_elapsed(text):
    """Output without what it says of the elapsed time: members of JSON, or paragraphs and lines of text."""
    try:
        return json.dumps(prune(json.loads(text))).encode()
    except ValueError:
        text = ELAPSED_NOTE.sub(b"", text)
        paragraphs = [part for part in text.split(b"\n\n") if not part.lstrip().startswith(b"Elapsed time\n")]
        return re.sub(rb"(?im)^.*\belapsed\b.*\n?", b"", b"\n\n".join(paragraphs))


def without_measured(text):
    return re.sub(rb"[ ]+", b" ", re.sub(rb"[0-9][0-9.,]*( ?[mun]?s\b)?", b"#", without_elapsed(text)))


class Outcome:
    """Of one execution: exit status (negative: a signal), standard output and error, files."""

    def __init__(self, status, out, err, files, measured=False):
        self.status, self.out, self.err = status, content(out), content(err)
        self.files = [content(path) for path in files]
        if measured:
            self.out, self.err = without_measured(self.out), without_measured(self.err)

    def fault(self, kind, undisturbed):
        """What is wrong with it, or None."""
        if self.status < 0:
            return f"killed by signal {-self.status}"
        if (self.status, self.out, self.files) == (undisturbed.status, undisturbed.out, undisturbed.files):
            return None if self.err == undisturbed.err else "standard error differs"
        if self.status == undisturbed.status or self.status < 2:
            return f"exit status {self.status} with incomplete output"
        if b"scale-run: error: " not in self.err:
            return f"exit status {self.status} without an error"
        if any(self.files) and self.files != undisturbed.files:
            return "an error, and a part of a file"
        if kind in MEMORY and b"out of memory" not in self.err:
            return "an error that does not name memory"
        if b"hint: " not in self.err:
            return "an error without a hint"
        return None


def name_frames(maps, stacks):
    """{address: "function file:line"}: one addr2line for each object."""
    wanted, names = {}, {}
    for address in {frame for stack in stacks for frame in stack}:
        for low, high, offset, path in maps:
            if low <= address < high:
                wanted.setdefault(path, []).append((address, address - low + offset - 1))
    for path, places in wanted.items():
        offsets = "\n".join(hex(offset) for _, offset in places)
        found = subprocess.run(["addr2line", "-Cfe", path], input=offsets, capture_output=True, text=True).stdout.split("\n")
        for i, (address, _) in enumerate(places):
            function, place = (found[2 * i:2 * i + 2] + ["??", "??"])[:2]
            names[address] = f"{function} {os.path.basename(place)}" if function != "??" else os.path.basename(path)
    return names


def read_maps(pid):
    maps = []
    for line in open(f"/proc/{pid}/maps"):
        fields = line.split()
        if len(fields) == 6 and fields[5].startswith("/") and "x" in fields[1]:
            low, high = (int(part, 16) for part in fields[0].split("-"))
            maps.append((low, high, int(fields[2], 16), fields[5]))
    return maps


def restore_changed(options):
    """The file of --changes as it was before the command."""
    if options.changes and options.before is None:
        remove(options.changes)
    elif options.changes:
        with open(options.changes, "wb") as file:
            file.write(options.before)


def execute_once(options, scratch, expected=None, **variables):
    """Executes the command; those of --then only if it ends as expected."""
    out, err = os.path.join(scratch, "once"), os.path.join(scratch, "once.err")
    with open(out, "wb") as out_file, open(err, "wb") as err_file, open(options.stdin) as stdin:
        status = subprocess.call(options.command, stdin=stdin, stdout=out_file, stderr=err_file,
                                 env=dict(os.environ, **variables))
    outcome = Outcome(status, out, err, options.file, options.measured)
    for command in options.then if expected is None or status == expected.status else []:
        then = subprocess.run(shlex.split(command), stdin=subprocess.DEVNULL, capture_output=True)
        text = then.stdout + then.stderr
        outcome.files.append((then.returncode, without_measured(text) if options.measured else text))
    return outcome


def run_again(options, kind, undisturbed, scratch):
    """As run_all, but the command is executed once for each failure."""
    (from_shim, to_us), (from_us, to_shim) = os.pipe(), os.pipe()
    restore_changed(options)
    environment = dict(os.environ, LD_PRELOAD=options.preload, FAULTS_KIND=kind, FAULTS_EACH=str(options.each),
                       FAULTS_PIPE=f"{from_us},{to_us}", FAULTS_OUT="", FAULTS_ERR="", FAULTS_LIST="")
    with open(options.stdin) as stdin:
        process = subprocess.Popen(options.command, env=environment, stdin=stdin, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, pass_fds=(from_us, to_us))
    os.close(from_us), os.close(to_us)
    ways, faults, count, maps = [], [], 0, []
    with os.fdopen(from_shim, "rb") as listed:
        while len(record := listed.read(CHILD.size)) == CHILD.size:
            way, number, *frames = CHILD.unpack(record)
            maps = maps or read_maps(process.pid)
            ways.append((way, number, [frame for frame in frames if frame]))
            os.write(to_shim, b".")
    os.close(to_shim)
    if process.wait() == 77:
        sys.exit(77)
    for way, number, frames in ways:
        restore_changed(options)
        outcome = execute_once(options, scratch, undisturbed, LD_PRELOAD=options.preload, FAULTS_KIND=kind,
                               FAULTS_WAY=f"{way},{number}")
        fault = outcome.fault(kind, undisturbed)
        if not fault and outcome.status != undisturbed.status:
            after = execute_once(options, scratch, undisturbed)
            if (after.status, after.files) != (undisturbed.status, undisturbed.files):
                fault = f"exit status {after.status} and other results than undisturbed when repeated afterwards"
        count += outcome.status != undisturbed.status
        if fault:
            faults.append((fault, frames, outcome.err.decode(errors="replace")))
    return count, faults, maps


def run_all(options, kind, undisturbed, scratch):
    """All failures of a kind; returns how many there were, [(fault, stack, standard error)], and where objects are mapped."""
    out, err = os.path.join(scratch, "out"), os.path.join(scratch, "err")
    (from_shim, to_us), (from_us, to_shim) = os.pipe(), os.pipe()
    environment = dict(os.environ, LD_PRELOAD=options.preload, FAULTS_KIND=kind, FAULTS_EACH=str(options.each),
                       FAULTS_PIPE=f"{from_us},{to_us}", FAULTS_OUT=out, FAULTS_ERR=err)
    with open(out, "wb") as out_file, open(err, "wb") as err_file, open(options.stdin) as stdin:
        process = subprocess.Popen(options.command, env=environment, stdin=stdin, stdout=out_file, stderr=err_file,
                                   pass_fds=(from_us, to_us))
    os.close(from_us), os.close(to_us)
    count, faults, maps = 0, [], []
    with os.fdopen(from_shim, "rb") as children:
        while len(record := children.read(CHILD.size)) == CHILD.size:
            _, status, *frames = CHILD.unpack(record)
            if status == NOT_STARTED:
                there = [os.path.lexists(path) for path in options.file]
                temporary = keep_temporary(options.file)
                os.write(to_shim, b".")
                continue
            outcome = Outcome(os.waitstatus_to_exitcode(status), out + ".child", err + ".child", options.file)
            count += 1
            fault = outcome.fault(kind, undisturbed)
            if fault:
                maps = maps or read_maps(process.pid)
                faults.append((fault, [frame for frame in frames if frame], outcome.err.decode(errors="replace")))
            restore(temporary)
            for path, before in zip(options.file, there):
                if not before:
                    remove(path)
            os.write(to_shim, b".")
    os.close(to_shim)
    if process.wait() == 77:
        sys.exit(77)
    after = Outcome(process.returncode, out, err, options.file)
    if after.__dict__ != undisturbed.__dict__:
        sys.exit(f"{kind}: the command itself was disturbed: exit status {after.status}\n{after.err.decode()}")
    for path in options.file:
        remove(path)
    return count, faults, maps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("preload")
    parser.add_argument("--kind", default="memory,memory-on")
    parser.add_argument("--each", type=int, default=1)
    parser.add_argument("--file", action="append", default=[])
    parser.add_argument("--stdin", default="/dev/null")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--changes", default="")
    parser.add_argument("--measured", action="store_true")
    parser.add_argument("--then", action="append", default=[])
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.before = content(options.changes)
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {processors[os.getpid() % len(processors)]})  # so that the command has one thread
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        undisturbed = execute_once(options, scratch)
        for path in options.file:
            remove(path)
        if not (undisturbed.out or any(undisturbed.files)):
            sys.exit(f"no output: {' '.join(options.command)}\n{undisturbed.err.decode()}")
        for kind in options.kind.split(","):
            began = time.monotonic()
            count, faults, maps = (run_again if options.again else run_all)(options, kind, undisturbed, scratch)
            print(f"{kind}: {count} failures, {len(faults)} faults, {time.monotonic() - began:.1f} s: "
                  f"{' '.join(options.command[1:])}", flush=True)
            failed |= bool(faults) or not count
            names = name_frames(maps, [frames for _, frames, _ in faults[:options.show]])
            for fault, frames, message in faults[:options.show]:
                stack = "\n  ".join(names.get(frame, "?") for frame in frames)
                print(f"FAULT: {kind}: {fault}\n  {stack}\n{message}", flush=True)
    sys.exit(1 if failed else 0)


main()
