#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Converts a trace to MCAP with a package from PyPI, in chunks of 4 MiB at its default level.

Prints wall and CPU seconds without the start of Python.

usage: convert_by_python.py betterosi|asam-osi-utilities IN.osi OUT.mcap ground_truth|sensor_view none|lz4|zstd
"""
import pathlib
import sys
import time

CHUNK_BYTES = 4 << 20


def betterosi(source, target, message_type, compression):
    """As its betterosi-to-mcap does it, which has no option for chunks."""
    import betterosi
    from mcap.writer import CompressionType

    name = {"ground_truth": "GroundTruth", "sensor_view": "SensorView"}[message_type]
    def convert():
        with betterosi.Writer(target, topic="trace", chunk_size=CHUNK_BYTES,
                              compression=CompressionType[compression.upper()]) as writer:
            for message in betterosi.read(source, osi_message_type=name, **{f"return_{message_type}": True}):
                writer.add(message)
    return convert


def asam_osi_utilities(source, target, message_type, compression):
    import osi_utilities

    reader, writer = osi_utilities.SingleTraceReader(), osi_utilities.MultiTraceWriter()
    reader.set_message_type(osi_utilities.MessageType[message_type.upper()])
    def convert():
        assert reader.open(source) and writer.open(target, compression=compression, chunk_size=CHUNK_BYTES)
        for result in reader:
            assert writer.write_message(result.message)
        writer.close()
    return convert


def main(package, source, target, message_type, compression):
    make = {"betterosi": betterosi, "asam-osi-utilities": asam_osi_utilities}[package]
    convert = make(pathlib.Path(source), pathlib.Path(target), message_type, compression)
    wall, cpu = time.perf_counter(), time.process_time()
    convert()
    print(time.perf_counter() - wall, time.process_time() - cpu)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
