# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways of building and running a subject: plain, with scale-cc, and with other tools that count calls."""
import os
import shutil

from subjects import own


class Variant:
    """how: one line for the reader. cc, flags, extra (sources compiled plainly), needs (commands that must exist)."""

    def __init__(self, name, how, cc, flags=(), extra=(), run=(), environment=None, needs=(), build=None, base="plain"):
        self.name, self.how, self.cc, self.flags, self.extra = name, how, cc, list(flags), list(extra)
        self.base = base  # what it is measured by: the same compiler's build without the tool
        self.run, self.environment, self.needs, self.build = list(run), environment or {}, [cc, *needs], build or name

    def missing(self):
        return [need for need in self.needs if not shutil.which(need)]


def variants(scale_bin):
    """In the environment and in the command {} stands for the run's own temporary directory."""
    clang = "clang-19"
    listed = [
        Variant("plain", "clang-19 -O2", clang),
        Variant("scale", "scale-cc -O2, its profile written", os.path.join(scale_bin, "scale-cc"),
                environment={"SCALE_PROFILE_DIR": "{}"}),
        Variant("dormant", "the same program without SCALE_PROFILE_DIR", os.path.join(scale_bin, "scale-cc"), build="scale"),
        Variant("copies", "scale-cc -O2 --scale-plain-copies, without SCALE_PROFILE_DIR", os.path.join(scale_bin, "scale-cc"),
                ["--scale-plain-copies"]),
        Variant("pgo", "clang-19 -O2 -fprofile-generate: LLVM's counters without context", clang,
                ["-fprofile-generate"], environment={"LLVM_PROFILE_FILE": "{}/%p.profraw"}),
        Variant("hooks", "clang-19 -O2 -finstrument-functions-after-inlining, empty hooks", clang,
                ["-finstrument-functions-after-inlining"], [own("hooks.c")]),
        Variant("xray", "XRay's profiling mode, its own choice of functions", clang,
                ["-fxray-instrument", "-fxray-modes=xray-profiling"], [own("xray_profile.c")],
                environment={"XRAY_OPTIONS": "xray_logfile_base={}/xray."}),
        Variant("xray-all", "the same, every function", clang,
                ["-fxray-instrument", "-fxray-modes=xray-profiling", "-fxray-instruction-threshold=1"],
                [own("xray_profile.c")],
                environment={"XRAY_OPTIONS": "xray_logfile_base={}/xray."}),
        Variant("gcc", "gcc -O2 without any tool: what the next two are measured by", "gcc"),
        Variant("gprof", "gcc -O2 -pg", "gcc", ["-pg"], environment={"GMON_OUT_PREFIX": "{}/gmon"}, base="gcc"),
        Variant("uftrace", "uftrace record, of gprof's build", "gcc", ["-pg"], build="gprof",
                run=["uftrace", "record", "--no-pager", "-d", "{}/uftrace"], needs=["uftrace"], base="gcc"),
    ]
    return {variant.name: variant for variant in listed}
