#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Compares `.osi` to `.mcap` with `cp` and the compressors alone, and reading an MCAP file with other readers.

usage: mcap_ratio.py BUILD [HIGHWAY_MERGE.osi] [--repetitions N] [--converters PYTHON] [--rust] [--small]

BUILD: a build folder with osiconvert, tests/bench and mcap-python in it. All files are in /dev/shm (2 GB). The runs of
a contest take turns. Each line shows the least and the median wall seconds of each side and the least CPU seconds, then
how many times as fast ours is, by the least and by the medians. "The limit" is the least time of a program that works
from files: each thread reads a chunk, compresses it and writes it, in no order, without records, CRCs and indexes; for
reading, it is the decompressor alone. Ours and `cp` are timed as whole processes. The compressors (same chunks, level,
threads and settings), our reader and the Python packages are timed inside their process, without its start and end,
which counts for a small trace; "process between files" is the limit as a whole process. --rust: also the crate `mcap`,
which cargo builds in BUILD; whole processes that read in the order of the file and compare the CRC of each chunk, on
one processor and on two. --converters: a Python with the packages that app/bench/opponents.txt pins:

  python3 -m venv build/converters
  build/converters/bin/pip install --require-hashes -r app/bench/opponents.txt
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
CHUNK = "4M"
LEVELS = {"none": None, "lz4": 1, "zstd": 3}
READ_BY_PYTHON = """
import sys, time
sys.path.insert(0, sys.argv[1])
from mcap.reader import make_reader
wall, cpu = time.perf_counter(), time.process_time()
with open(sys.argv[2], "rb") as stream:
    for _ in make_reader(stream).iter_messages():
        pass
print(time.perf_counter() - wall, time.process_time() - cpu)
"""


def process(*command, processors=None):
    """Wall and CPU seconds of a process, and what it printed. It may use so many processors; None: all."""
    if processors:
        usable = sorted(os.sched_getaffinity(0))[:processors]
        command = ("taskset", "-c", ",".join(map(str, usable)), *command)
    start = time.perf_counter()
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as running:
        printed = running.stdout.read()
        error = running.stderr.read()
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if running.returncode:
        reason = error.strip().splitlines()[-1] if error.strip() else running.returncode
        raise RuntimeError(f"{' '.join(map(str, command))}: {reason}")
    return wall, usage.ru_utime + usage.ru_stime, printed


def inside(*command):
    """Wall and CPU seconds that a process prints of its own work."""
    return [float(word) for word in process(*command)[2].split()[:2]]


def contest(name, ours, other, repetitions, outputs=()):
    def run(one):
        for file in outputs:
            file.unlink(missing_ok=True)
        return one()[:2]

    try:
        pairs = [(run(ours), run(other)) for _ in range(repetitions)]
    except RuntimeError as error:
        return print(f"{name:56} skipped: {error}", flush=True)
    walls = [[side[0] for side in sides] for sides in zip(*pairs)]
    cpus = [min(side[1] for side in sides) for sides in zip(*pairs)]
    least, median = [min(side) for side in walls], [statistics.median(side) for side in walls]
    columns = "   ".join(f"{least[i]:7.3f} {median[i]:7.3f} {cpus[i]:7.3f}" for i in (0, 1))
    print(f"{name:56} {columns}   {least[1] / least[0]:6.2f} {median[1] / median[0]:6.2f}", flush=True)


def build_crate(build):
    """The program of mcap_rust/, which reads with the Rust crate. Built in BUILD: the sources stay as they are."""
    folder = build / "mcap-rust"
    shutil.copytree(HERE / "mcap_rust", folder, dirs_exist_ok=True)
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True)
    return folder / "target/release/read_mcap"


class Bench:
    def __init__(self, arguments, scratch):
        self.build, self.scratch, self.repetitions = pathlib.Path(arguments.build), scratch, arguments.repetitions
        self.osiconvert = self.build / "bin/osiconvert"
        self.bench = self.build / "tests/bench"
        self.packages = self.build / "mcap-python"
        self.converters = arguments.converters
        self.crate = build_crate(self.build) if arguments.rust else None
        self.out, self.copy = scratch / "out.mcap", scratch / "copy.mcap"

    def contest(self, name, ours, other):
        contest(name, ours, other, self.repetitions, (self.out, self.copy))

    def convert(self, trace, compression, threads, out=None):
        level = [] if LEVELS[compression] is None else ["--level", LEVELS[compression]]
        return process(self.osiconvert, trace, "-o", out or self.out, "--compression", compression, *level,
                       "--chunk-size", CHUNK, "--threads", threads, "--quiet")

    def write(self, name, trace, plain):
        self.contest(f"{name}: write none | cp", lambda: self.convert(trace, "none", 1),
                     lambda: process("cp", trace, self.copy))
        for compression in ("lz4", "zstd"):
            for threads in (1, 2):
                alone = lambda: inside(self.bench / "ositrace-bench-compress-chunks", plain, compression,
                                       LEVELS[compression], threads)
                self.contest(f"{name}: write {compression}, threads {threads} | {compression} alone",
                             lambda: self.convert(trace, compression, threads), alone)
                between_files = (self.bench / "ositrace-bench-compress-chunks", plain, compression, LEVELS[compression],
                                 threads, self.copy)
                for limit, timed in ((f"{compression} between files", inside), ("process between files", process)):
                    self.contest(f"{name}: write {compression}, threads {threads} | {limit}",
                                 lambda: self.convert(trace, compression, threads), lambda: timed(*between_files))

    def read(self, name, compression):
        file = self.scratch / f"{name}.{compression}.mcap"
        python = lambda: inside(sys.executable, "-c", READ_BY_PYTHON, self.packages, file)
        for way in ("stream", "index"):
            for threads in (1, 2):
                self.contest(f"{name}: read {compression}, {way}, threads {threads} | Python mcap",
                             lambda: inside(self.bench / "ositrace-bench-read", way, threads, file), python)
        for threads in (1, 2) if self.crate else ():
            self.contest(f"{name}: read {compression}, stream, processors {threads} | Rust mcap",
                         lambda: process(self.bench / "ositrace-bench-read", "stream", threads, file,
                                         processors=threads),
                         lambda: process(self.crate, file, processors=threads))
        for threads in (1, 2) if compression != "none" else ():
            alone = lambda: inside(self.bench / "ositrace-bench-unpack-chunks", file, compression, threads)
            self.contest(f"{name}: read {compression}, stream, threads {threads} | {compression} alone",
                         lambda: inside(self.bench / "ositrace-bench-read", "stream", threads, file), alone)
        if compression == "none":
            self.contest(f"{name}: read none | dd to /dev/null",
                         lambda: inside(self.bench / "ositrace-bench-read", "stream", 2, file),
                         lambda: process("dd", f"if={file}", "of=/dev/null", "bs=1M", "status=none"))

    def compare(self, name, trace, message_type):
        for package in ("asam-osi-utilities", "betterosi"):
            command = [self.converters or "no-python-given", HERE / "convert_by_python.py", package, trace, self.copy,
                       message_type, "zstd"]
            if not self.converters:
                print(f"{name}: write zstd | {package}: skipped: no --converters", flush=True)
                continue
            contest(f"{name}: write zstd, threads 1 | {package}", lambda: self.convert(trace, "zstd", 1),
                    lambda: inside(*command), 2, (self.out, self.copy))

    def run(self, name, trace, message_type):
        for compression in LEVELS:
            self.convert(trace, compression, 2, self.scratch / f"{name}.{compression}.mcap")
        self.write(name, trace, self.scratch / f"{name}.none.mcap")
        for compression in LEVELS:
            self.read(name, compression)
        self.compare(name, trace, message_type)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("highway", nargs="?")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--converters")
    parser.add_argument("--rust", action="store_true")
    parser.add_argument("--small", action="store_true")
    arguments = parser.parse_args()
    lidar_frames, highway_bytes = (3, 5_000_000) if arguments.small else (18, 50_000_000)  # 17 MB each
    print(f"{arguments.repetitions} repetitions, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, seconds")
    print(f"{'':56} {'ours: least, median, CPU':>23}   {'other':>23}   {'times as fast':>13}")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        scratch = pathlib.Path(folder)
        bench = Bench(arguments, scratch)
        lidar = scratch / "lidar_sv.osi"
        process(bench.osiconvert, "generate", lidar, "--frames", lidar_frames, "--reflections", 829440,
                "--reflection-fields", 2, "--quiet")
        bench.run("lidar", lidar, "sensor_view")
        if arguments.highway:
            highway = scratch / "highway_gt.osi"
            times = highway_bytes // os.path.getsize(arguments.highway) + 1
            process(bench.osiconvert, "concat", *[arguments.highway] * times, "-o", highway, "--retime", "--quiet")
            bench.run("highway", highway, "ground_truth")


if __name__ == "__main__":
    main()
