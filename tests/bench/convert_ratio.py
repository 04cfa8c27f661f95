#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""How many times as fast as others the conversions are in `osiplay bench convert`; marks a ratio that is too low.

usage: convert_ratio.py OSICONVERT OSIPLAY [TRACE...]

A TRACE is converted at least as fast as by generated code.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TO_FLAT, TO_PROTOBUF = "Protobuf to FlatBuffers, frames in memory", "FlatBuffers to Protobuf, frames in memory"
REFLECTIONS = ["--reflections", "829440", "--frames", "1"]
SAMPLES = {
    "reflections, 2 fields": (REFLECTIONS,
                              [(TO_FLAT, "naive", 8), (TO_FLAT, "libprotobuf, parse alone", 4),
                               (TO_PROTOBUF, "naive", 6)]),
    "reflections, 5 fields": ([*REFLECTIONS, "--reflection-fields", "5"], []),
    "500 objects": (["--type", "gt", "--objects", "500", "--frames", "2"],
                    [(TO_FLAT, "naive", 7), (TO_PROTOBUF, "naive, verified", 2)]),
}
OF_TRACES = [(TO_FLAT, "naive", 1), (TO_PROTOBUF, "naive", 1)]


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def compete(osiplay, name, trace, least_ratios):
    rows = {(row["name"], row["variant"]): int(row["median_ns"])
            for row in json.loads(run(osiplay, "bench", "convert", trace, "--json"))["rows"]}
    there, back = (rows[direction, "ositrace"] / 1e6 for direction in (TO_FLAT, TO_PROTOBUF))
    print(f"{name}: {there:.2f} ms to FlatBuffers, {back:.2f} ms back")
    for direction, other, least in least_ratios:
        reached = rows[direction, other] / rows[direction, "ositrace"]
        low = "" if reached >= least else f"  TOO LOW: {least}x was reached before"
        print(f"  {direction}: {reached:.1f}x as fast as {other}{low}", flush=True)


def main(osiconvert, osiplay, *traces):
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "sample.osi"
        for name, (options, least_ratios) in SAMPLES.items():
            run(osiconvert, "generate", trace, "--overwrite", "--quiet", *options)
            compete(osiplay, name, trace, least_ratios)
    for trace in traces:
        compete(osiplay, pathlib.Path(trace).name, trace, OF_TRACES)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
