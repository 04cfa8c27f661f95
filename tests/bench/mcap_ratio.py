#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""`.osi` to `.mcap` next to `cp` and to the compressors alone, and reading an MCAP file next to the Python package `mcap`.

usage: mcap_ratio.py OSICONVERT COMPRESS_CHUNKS PACKAGES [HIGHWAY_MERGE]

Everything lies in /dev/shm (needs 2 GB). Medians of interleaved runs; ours are whole processes, the compressors and the package are timed
inside theirs, without reading or writing a file. PACKAGES: the unpacked Python wheels (cmake/mcap-python.txt). Other converters from PyPI
are run beside ours when this Python has them: betterosi, asam-osi-utilities.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REPETITIONS = 7
LIDAR_FRAMES = "18"  # 300 MB
HIGHWAY_BYTES = 50_000_000
CHUNK = "4M"
READ_BY_PYTHON = """
import sys, time
sys.path.insert(0, sys.argv[1])
from mcap.reader import make_reader
start = time.perf_counter()
with open(sys.argv[2], "rb") as stream:
    for _ in make_reader(stream).iter_messages():
        pass
print(time.perf_counter() - start)
"""


def run(*command):
    start = time.perf_counter()
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return time.perf_counter() - start, done.stdout


class Contest:
    """Two ways that take turns; both give their seconds."""

    def __init__(self, name, wanted, ours, other):
        self.name, self.wanted, self.ours, self.other = name, wanted, ours, other

    def __str__(self):
        pairs = [(self.ours(), self.other()) for _ in range(REPETITIONS)]
        ours, other = (statistics.median(times) for times in zip(*pairs))
        return f"{self.name:36} {ours:8.3f} s   {other:8.3f} s   {other / ours:6.2f}   {self.wanted}"


def contests(osiconvert, compress_chunks, packages, name, trace, scratch):
    out, copy, plain = scratch / "out.mcap", scratch / "copy", scratch / f"{name}.mcap"

    def convert(compression, level, threads):
        words = ["--level", level] if level else []
        return run(osiconvert, trace, "-o", out, "--compression", compression, *words, "--chunk-size", CHUNK, "--threads", threads,
                   "--overwrite", "--quiet")[0]

    run(osiconvert, trace, "-o", plain, "--compression", "none", "--chunk-size", CHUNK, "--quiet")
    yield Contest(f"{name}: none, cp", ">= 0.67", lambda: convert("none", None, 1), lambda: run("cp", trace, copy)[0])
    for compression, level in (("lz4", 1), ("zstd", 3)):
        for threads in sorted({1, max(1, os.cpu_count() - 1)}):
            yield Contest(f"{name}: {compression} {level}, {threads} thread(s), alone", ">= 0.9",
                          lambda c=compression, l=level, t=threads: convert(c, l, t),
                          lambda c=compression, l=level, t=threads: float(run(compress_chunks, plain, c, l, t)[1]))
        packed = scratch / f"{name}.{compression}.mcap"
        run(osiconvert, trace, "-o", packed, "--compression", compression, "--chunk-size", CHUNK, "--quiet")
        yield Contest(f"{name}: read {compression}, Python mcap", ">= 5", lambda p=packed: run(osiconvert, p, "-o", "/dev/null", "--quiet")[0],
                      lambda p=packed: float(run(sys.executable, "-c", READ_BY_PYTHON, packages, p)[1]))
    if betterosi := shutil.which("betterosi-to-mcap", path=os.path.dirname(sys.executable)):
        yield Contest(f"{name}: zstd 3, betterosi-to-mcap", "", lambda: convert("zstd", 3, 1), lambda: run(betterosi, trace, copy)[0])


def main(osiconvert, compress_chunks, packages, highway=None):
    print(f"{'':36} {'ours':>10}   {'the other':>10}   {'ratio':>6}   wanted; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        scratch = pathlib.Path(folder)
        traces = {"lidar": scratch / "lidar.osi"}
        run(osiconvert, "generate", traces["lidar"], "--frames", LIDAR_FRAMES, "--reflections", "829440", "--reflection-fields", "2", "--quiet")
        if highway:
            traces["highway"] = scratch / "highway.osi"
            times = HIGHWAY_BYTES // os.path.getsize(highway) + 1
            run(osiconvert, "concat", *[highway] * times, "-o", traces["highway"], "--retime", "--quiet")
        for name, trace in traces.items():
            for contest in contests(osiconvert, compress_chunks, packages, name, trace, scratch):
                print(contest, flush=True)


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
