#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the instructions of the hot loops: times on shared machines differ from run to run, these do not.

usage: instruction_counts.py KERNELS

KERNELS: the program built from kernels.cpp, optimised. Fails where a loop executes more instructions an element than
its bound, a fifth more than it did with g++ 12. Exits with 77 where valgrind is missing.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BOUNDS = {
    "reflections of 2 fields, Protobuf to FlatBuffers": 34,
    "reflections of 2 fields, FlatBuffers to Protobuf": 48,
    "two columns of reflections, of Protobuf": 36,
    "two columns of reflections, of FlatBuffers": 61,
    "reflections of 5 fields, Protobuf to FlatBuffers": 316,
    "reflections of 5 fields, FlatBuffers to Protobuf": 424,
    "500 objects and the map, Protobuf to FlatBuffers": 2900,
    "500 objects and the map, FlatBuffers to Protobuf": 3780,
    "12 objects without the map, Protobuf to FlatBuffers": 1450,
    "12 objects without the map, FlatBuffers to Protobuf": 890,
}


def counted(kernels):
    """Name, elements and instructions of each kernel."""
    with tempfile.TemporaryDirectory() as folder:
        profile = pathlib.Path(folder) / "profile"
        command = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={profile}", kernels]
        printed = subprocess.run(command,
                                 check=True, capture_output=True, text=True).stdout
        table = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", profile],
                               check=True, capture_output=True, text=True).stdout
    instructions = {int(number): int(count.replace(",", "")) for count, number in
                    re.findall(r"^\s*([\d,]+) .*\bmeasured<(\d+)>\(", table, re.MULTILINE)}
    for line in printed.splitlines():
        number, elements, name = line.split(" ", 2)
        yield name, int(elements), instructions[int(number)]


def main(kernels):
    if shutil.which("valgrind") is None or shutil.which("callgrind_annotate") is None:
        print("skipped: valgrind is not installed")
        return 77
    failed = False
    seen = set()
    for name, elements, instructions in counted(kernels):
        seen.add(name)
        each, bound = instructions / elements, BOUNDS.get(name, 0)
        exceeded = each > bound
        failed |= exceeded
        print(f"{name:52} {each:8.1f} instructions an element, bound {bound}{'  EXCEEDED' if exceeded else ''}")
    for name in BOUNDS.keys() - seen:
        failed = True
        print(f"{name}: not measured")
    return int(failed)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
