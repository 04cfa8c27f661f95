#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""How long does `osiconvert proto2flat` take for a 1 GB lidar trace in the page cache, written to tmpfs, next to `cp`?

usage: cp_ratio.py OSICONVERT [FRAMES]

Prints medians of interleaved runs, their ratio and the peak resident memory. Needs 4 GB in /tmp and /dev/shm together.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

REPETITIONS = 7


def run(command):
    """Seconds and peak resident bytes of a command that must succeed."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def main(osiconvert, frames="60"):
    with tempfile.TemporaryDirectory() as disk, tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        trace = pathlib.Path(disk) / "lidar.osi"
        run([osiconvert, "generate", trace, "--frames", frames, "--reflections", "829440", "--reflection-fields", "2"])
        copy, flat = pathlib.Path(memory) / "copy", pathlib.Path(memory) / "lidar.osifb"
        copying, converting, peak = [], [], 0
        for _ in range(REPETITIONS):
            copying.append(run(["cp", trace, copy])[0])
            copy.unlink()
            seconds, resident = run([osiconvert, "proto2flat", trace, flat, "--quiet"])
            size = flat.stat().st_size
            flat.unlink()
            converting.append(seconds)
            peak = max(peak, resident)
        print(f"{trace.stat().st_size / 1e9:.2f} GB to {size / 1e9:.2f} GB, medians of {REPETITIONS} interleaved runs")
    ratio = statistics.median(converting) / statistics.median(copying)
    print(f"cp                     {statistics.median(copying):.3f} s")
    print(f"osiconvert proto2flat  {statistics.median(converting):.3f} s = {ratio:.2f} x cp")
    print(f"peak resident memory   {peak / 1e6:.0f} MB")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
