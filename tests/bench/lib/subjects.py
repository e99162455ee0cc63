# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that are measured: their sources, and what they are run with.

A subject has sources (compiled one by one and linked), flags, libraries, and arguments for each purpose:
  time   0.3 to 0.8 seconds of processor time as plain program
  count  some 100 million instructions
  exact  as count; with flags of its own (exact_flags), where two builds of one source wouldn't run alike otherwise
"""
import fcntl
import glob
import os
import random
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", "..", ".."))
OWN = os.path.join(HERE, "..", "subjects")


class Subject:
    def __init__(self, name, sources, arguments, flags=(), libraries=(), exact_flags=(), skips=(), cores="one"):
        self.name, self.sources, self.arguments = name, sources, arguments
        self.flags, self.libraries, self.exact_flags = list(flags), list(libraries), list(exact_flags)
        self.skips = list(skips)  # what compare.py leaves out, with the reason beside it
        self.cores = cores  # "all": it has threads


def own(name):
    return os.path.realpath(os.path.join(OWN, name))


def load(work, name):
    """The subject NAME; what WORK doesn't hold of its sources is fetched. Several processes may use WORK."""
    with open(os.path.join(work, "sources", name + ".lock"), "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return ALL[name](work)


def fetch(work, package, version):
    directory = os.path.join(work, "sources", package)
    subprocess.run([os.path.join(ROOT, ".ci", "debian-source"), package, version, directory], check=True)
    return directory


def c_files(*folders):
    return sorted(file for folder in folders for file in glob.glob(os.path.join(folder, "*.c")))


def generated(work, name, size, write):
    """A file of about SIZE bytes, the same every time: WRITE(random generator) gives it piece by piece."""
    path = os.path.join(work, "sources", name)
    if not os.path.exists(path):
        source = random.Random(name)
        with open(path + ".new", "w", encoding="ascii") as stream:
            while stream.tell() < size:
                stream.write(write(source))
        os.rename(path + ".new", path)
    return path


def log_line(source):
    count = source.randrange(3, 12)
    words = " ".join(f"item{min(source.getrandbits(10), source.getrandbits(10))}" for _ in range(count))
    return f"{source.randrange(10**9)} {source.choice(('info', 'warning', 'error'))} {words} {source.random():.6f}\n"


def xml_document(work, name, elements):
    """Nested sections with attributes, text, entities, comments and a namespace."""
    path = os.path.join(work, "sources", name)
    if os.path.exists(path):
        return path
    source = random.Random(name)
    with open(path + ".new", "w", encoding="ascii") as stream:
        stream.write('<?xml version="1.0"?>\n<doc xmlns:x="urn:example:x">\n')
        for i in range(elements):
            depth = source.randrange(1, 8)
            stream.write("".join(f'<section id="s{i}-{d}" x:level="{d}">' for d in range(depth)))
            words = " ".join(f"word{source.randrange(300)}" for _ in range(source.randrange(4, 30)))
            stream.write(f"{words} &lt;&amp;&#{source.randrange(65, 90)};<!-- {i} --><empty/>\n")
            stream.write("</section>" * depth)
        stream.write("</doc>\n")
    os.rename(path + ".new", path)
    return path


def fib(_work):
    return Subject("fib", [own("fib.c")], {"time": ["40"], "count": ["32"]})


def loops(_work):
    return Subject("loops", [own("loops.c")], {"time": ["1800"], "count": ["30"]})


def queue(_work):
    return Subject("queue", [own("queue.c")], {"time": ["16", "200000"], "count": ["16", "4000"]}, ["-pthread"],
                   ["-pthread"], cores="all")


def memory(_work):
    return Subject("memory", [own("memory.c")], {"time": ["4", "100"], "count": ["1", "20"]}, ["-pthread"], ["-pthread"],
                   cores="all")


def lua(work):
    source = fetch(work, "lua5.4", "5.4.4")
    script = own("workload.lua")
    return Subject("lua", [f for f in c_files(f"{source}/src") if os.path.basename(f) != "luac.c"],
                   {"time": [script, "110"], "count": [script, "2"]},
                   ["-DLUA_USE_POSIX", "-Dluai_makeseed(L)=0x5ca1e", f"-I{source}/src"], ["-lm"],
                   # Lua keeps a cache of strings by the address of their C original: what it finds depends on where
                   # the linker puts them. A single row leaves nothing to the address.
                   ["-DSTRCACHE_N=1", "-DSTRCACHE_M=2"],
                   # The interpreter's for (;;) never goes back: every instruction ends in a goto through a table.
                   # What does go round is that goto, a loop without a statement: the oracle has no counter for it.
                   ["lvm.c:1165:3"])


def zstd(work):
    source = fetch(work, "libzstd", "1.5.4+dfsg2")
    big = generated(work, "zstd.big", 10_000_000, log_line)
    small = generated(work, "zstd.small", 150_000, log_line)
    return Subject("zstd", c_files(*(f"{source}/lib/{part}" for part in ("common", "compress", "decompress")))
                   + [own("zstd_driver.c")],
                   {"time": [big, "1", "3", "7"], "count": [small, "1", "3", "7"]},
                   ["-DZSTD_DISABLE_ASM=1", f"-I{source}/lib"])


def expat(work):
    source = fetch(work, "expat", "2.5.0")
    config = os.path.join(work, "sources", "expat-config")
    os.makedirs(config, exist_ok=True)
    with open(os.path.join(config, "expat_config.h"), "w", encoding="ascii") as stream:
        stream.write("#define XML_NS 1\n#define XML_DTD 1\n#define XML_CONTEXT_BYTES 1024\n#define BYTEORDER 1234\n"
                     "#define HAVE_GETRANDOM 1\n#define HAVE_UNISTD_H 1\n")
    document = xml_document(work, "expat.xml", 4000)
    lib = f"{source}/expat/lib"
    return Subject("expat", [f"{lib}/xmlparse.c", f"{lib}/xmlrole.c", f"{lib}/xmltok.c", own("expat_driver.c")],
                   {"time": [document, "36"], "count": [document, "1"]}, [f"-I{config}", f"-I{lib}"])


def sqlite(work):
    source = fetch(work, "sqlite3", "3.40.1")
    made = os.path.join(work, "sources", "sqlite-amalgamation")
    if not os.path.exists(os.path.join(made, "sqlite3.c")):
        os.makedirs(made, exist_ok=True)
        with open(os.path.join(made, "log"), "w", encoding="utf-8") as log:
            for command in ([f"{source}/configure", "--disable-readline"], ["make", "sqlite3.c"]):
                subprocess.run(command, cwd=made, check=True, stdout=log, stderr=log)
    run = ["--singlethread", "--memdb", "--size"]
    return Subject("sqlite", [f"{made}/sqlite3.c", f"{source}/test/speedtest1.c"],
                   {"time": run + ["25"], "count": run + ["1"]},
                   ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION", f"-I{made}"], ["-lm"])


ALL = {"fib": fib, "loops": loops, "queue": queue, "memory": memory, "lua": lua, "zstd": zstd, "expat": expat, "sqlite": sqlite}


def clean(output):
    """Standard output without what a program says about its own time."""
    return re.sub(rb"\s*\d+\.\d{3}s", b"", output)
