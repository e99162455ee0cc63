# SPDX-License-Identifier: GPL-3.0-or-later
"""What instrumentation costs servers under their own load generators: requests a second, and the server's processor time
for a request (user and system; a server that has all it can do answers as much less often as that is longer)."""
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import time

import build
import subjects

WAIT = 30  # seconds for a server to answer


class Server:
    """command(directory) and load(directory, port): argument lists; rates(output): requests a second, one or several;
    requests: how many the load sends; make(source, directory, compiler): builds in DIRECTORY."""

    def __init__(self, name, package, version, make, command, load, rates, requests):
        self.name, self.package, self.version, self.make = name, package, version, make
        self.command, self.load, self.rates, self.requests = command, load, rates, requests


def make_memcached(source, directory, compiler):
    os.makedirs(directory, exist_ok=True)
    shell(directory, [f"{source}/configure", f"CC={compiler}", "CFLAGS=-O2 -w"])
    shell(directory, ["make", "-j2", "memcached"])


def make_redis(source, directory, compiler):
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(source, directory)
    shell(directory, ["make", "-C", "src", "-j2", f"CC={compiler}", "OPT=-O2 -w", "MALLOC=libc", "USE_SYSTEMD=no",
                      "redis-server", "redis-benchmark"])


def shell(directory, command):
    with open(os.path.join(directory, "log"), "a", encoding="utf-8") as log:
        if subprocess.run(command, cwd=directory, stdout=log, stderr=log, check=False).returncode:
            raise build.BuildError(f"{command[0]} failed; see {directory}/log")


def numbers(pattern):
    return lambda output: [float(number) for number in re.findall(pattern, output)]


ALL = {
    "memcached": Server(
        "memcached", "memcached", "1.6.18", make_memcached,
        lambda directory, port: [f"{directory}/memcached", "-u", "root", "-l", "127.0.0.1", "-p", str(port), "-U", "0",
                                 "-t", "4"],
        lambda directory, port: ["memcaslap", f"--servers=127.0.0.1:{port}", "--threads=1", "--concurrency=16",
                                 "--execute_number=200000", "--win_size=1k"],
        numbers(r"TPS: (\d+)"), 200000),
    "redis": Server(
        "redis", "redis", "7.0.15", make_redis,
        lambda directory, port: [f"{directory}/src/redis-server", "--port", str(port), "--bind", "127.0.0.1",
                                 "--save", "", "--appendonly", "no"],
        lambda directory, port: [f"{directory}/src/redis-benchmark", "-p", str(port), "-q", "-c", "20", "-n", "40000",
                                 "-r", "10000", "-t", "set,get,lpush,lpop,hset,sadd"],
        numbers(r"([\d.]+) requests per second"), 6 * 40000),
}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(port, process):
    end = time.monotonic() + WAIT
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("the server does not answer")


def processor_seconds(pid):
    """Of all threads that live (user and system), to the nanosecond."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as stream:
            total += int(stream.read().split()[0])
    return total / 1e9


def on_core(core, command):
    return ["taskset", "-c", str(core), *command] if core is not None else command


def measure(runner, server, directory, loader, profile):
    """One run: requests a second, seconds of the server's processor time for a request."""
    port, scratch = free_port(), runner.directory()
    cores = sorted(os.sched_getaffinity(0))
    mine, other = (cores[-1], cores[0]) if len(cores) > 1 else (None, None)
    environment = {name: value for name, value in os.environ.items() if name != "SCALE_PROFILE_DIR"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": scratch}
    process = subprocess.Popen(on_core(mine, server.command(directory, port)), **quiet,
                               env=dict(environment, SCALE_PROFILE_DIR=scratch) if profile else environment)
    try:
        wait_for(port, process)
        before = processor_seconds(process.pid)
        done = subprocess.run(on_core(other, server.load(loader, port)), env=environment, capture_output=True, text=True,
                              check=True)
        used = processor_seconds(process.pid) - before
        process.send_signal(signal.SIGTERM)
        if process.wait(WAIT):
            raise RuntimeError(f"{server.name} ended with {process.returncode}")
        return statistics.harmonic_mean(server.rates(done.stdout)), used / server.requests
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        shutil.rmtree(scratch, ignore_errors=True)


def build_all(work, names, table, say):
    """server -> variant -> directory"""
    built = {}
    for name in names:
        server, built[name] = ALL[name], {}
        source = subjects.fetch(work, server.package, server.version)
        for variant in ("plain", "scale"):
            directory = os.path.join(work, "builds", f"{name}-{variant}")
            compiler, mark = table[variant].cc, os.path.join(directory, ".stamp")
            stamp = build.stamp(compiler, [([compiler, server.version], [])])
            built[name][variant] = directory
            if os.path.exists(mark) and open(mark, encoding="ascii").read() == stamp:
                continue
            say(f"building {name} as {variant}")
            server.make(source, directory, compiler)
            with open(mark, "w", encoding="ascii") as stream:
                stream.write(stamp)
    return built


def rounds(runner, built, count, say):
    """server -> variant -> medians: (requests a second, processor seconds for one)"""
    found = {name: {variant: [] for variant in variants} for name, variants in built.items()}
    for number in range(count):
        say(f"servers: round {number + 1} of {count}")
        for name, variants in built.items():
            for variant in list(variants)[::1 if number % 2 else -1]:
                found[name][variant].append(measure(runner, ALL[name], variants[variant], built[name]["plain"],
                                                    variant == "scale"))
    return {name: {variant: tuple(statistics.median(column) for column in zip(*values))
                   for variant, values in variants.items()} for name, variants in found.items()}
