#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Peak memory and time of every verb on a large trace: frames of 1 MB, sparse on the disk.

usage: verb_memory.py OSICONVERT [--gigabytes 10] [--folder DIR] [--limit-mb 300]

Prints a line per command. `cold` is the first call, when the file is not in the page cache. The exit code is 1 if a
verb needed more than the limit.
"""
import argparse
import os
import pathlib
import struct
import sys
import tempfile
import time

FRAME_BYTES = 1 << 20


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def write_sparse(path, frames):
    """Sensor views at 10 Hz; the image of a camera is a megabyte of zeros, which the disk does not hold."""
    version = field(1, b"\x08\x03\x10\x08\x18\x00")
    truth = field(5, field(1, b"\x08\x01")) + field(10, field(1, b"\x08\x32"))
    with open(path, "wb") as out:
        at = 0
        for i in range(frames):
            stamp = field(2, b"\x08" + varint(i // 10) + b"\x10" + varint(i % 10 * 100_000_000))
            image = varint(2 << 3 | 2) + varint(FRAME_BYTES)
            front = version + stamp + field(7, version + stamp + truth)
            front += varint(1003 << 3 | 2) + varint(len(image) + FRAME_BYTES) + image
            out.seek(at)
            out.write(struct.pack("<I", len(front) + FRAME_BYTES) + front)
            at += 4 + len(front) + FRAME_BYTES
        out.truncate(at)


def drop_from_cache(path):
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run(command, folder):
    """Exit code, seconds, and peak memory in MB."""
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        os.execv(command[0], command)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_maxrss / 1024


def commands(frames):
    part = f"{frames // 20}:{frames // 20 + 50}"
    return [
        ("info, cold", ["info", "big.osi"]),
        ("info, kept index", ["info", "big.osi"]),
        ("info --full", ["info", "--full", "big.osi"]),
        ("stats", ["stats", "big.osi"]),
        ("check", ["check", "big.osi"]),
        ("rename", ["rename", "big.osi"]),
        ("cat --fields", ["cat", "big.osi", "--format", "csv", "--fields", "timestamp.seconds"]),
        ("cut --time", ["cut", "big.osi", "-o", os.devnull, "--time", part]),
        ("cut --every", ["cut", "big.osi", "-o", os.devnull, "--every", "2"]),
        ("convert to .mcap", ["convert", "big.osi", "-o", "big.mcap"]),
        ("info of the .mcap", ["info", "big.mcap"]),
        ("convert from .mcap", ["convert", "big.mcap", "-o", os.devnull]),
        ("check of the .mcap", ["check", "big.mcap"]),
        ("recover of the .mcap", ["recover", "big.mcap", "-o", "saved.mcap"]),
        ("convert to .osi.zst", ["convert", "big.osi", "-o", "big.osi.zst"]),
        ("split of .osi.zst", ["split", "big.osi.zst", "--out-dir", "parts", "--every-frames", str(frames // 4)]),
        ("concat", ["concat", "big.osi", "big.osi.zst", "-o", os.devnull]),
        ("proto2flat", ["proto2flat", "big.osi", os.devnull]),
        ("static compact", ["static", "compact", "big.osi", "-o", os.devnull]),
        ("static expand", ["static", "expand", "big.osi", "-o", os.devnull]),
        ("wrap", ["wrap", "sv2gt", "big.osi", "-o", os.devnull]),
        ("recover", ["recover", "big.osi", "-o", "saved.osi.zst"]),
        ("diff", ["diff", "big.osi", "big.osi.zst"]),
        ("schema", ["schema", "big.osi", "--list"]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("osiconvert")
    parser.add_argument("--gigabytes", type=float, default=10)
    parser.add_argument("--folder")
    parser.add_argument("--limit-mb", type=float, default=300)
    options = parser.parse_args()
    program = str(pathlib.Path(options.osiconvert).resolve())
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        frames = max(40, int(options.gigabytes * 1e9 / FRAME_BYTES))
        big = pathlib.Path(folder) / "big.osi"
        write_sparse(big, frames)
        drop_from_cache(big)
        print(f"{frames} frames, {big.stat().st_size / 1e9:.1f} GB")
        worst = 0.0
        for name, words in commands(frames):
            code, seconds, peak = run([program, *words], folder)
            worst = max(worst, peak)
            print(f"{name:22} {seconds:8.2f} s {peak:7.0f} MB{'' if code in (0, 3) else f'   exit {code}'}", flush=True)
        print(f"peak {worst:.0f} MB, limit {options.limit_mb:.0f} MB")
        sys.exit(worst > options.limit_mb)


if __name__ == "__main__":
    main()
