#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Writes a trace whose times begin at 0 s. Each message is changed as an object of osi3.

usage: shift_times.py IN OUT        needs osi-python; the extension of OUT decides the container
"""

import sys

import ositrace

source, out = sys.argv[1:]
with ositrace.open(source) as trace, ositrace.create(out, overwrite=True) as writer:
    start = trace[0].time_ns
    for frame in trace:
        message = frame.message.to_protobuf()
        message.timestamp.seconds, message.timestamp.nanos = divmod(frame.time_ns - start, 1_000_000_000)
        writer.write(message)
    print(f"{len(trace)} frames, {start / 1e9} s earlier")
