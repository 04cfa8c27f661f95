#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The Python package ptars (Protobuf to Arrow) as a variant of `osiplay bench columns`, which starts this.

usage: ptars_columns.py TRACE.osi SCHEMA.desc MESSAGE ELEMENTS COLUMN...

ELEMENTS is the path to the repeated elements, such as `lidar_sensor_view.reflection`. Every line on standard input is
a command: `run` creates the arrays of all frames and prints their size in bytes; `give` creates them and prints every
array: its length in 8 bytes, then its doubles.
"""
import struct
import sys

import ptars
import pyarrow.compute
from google.protobuf import descriptor_pb2, descriptor_pool


def read_frames(file):
    data = open(file, "rb").read()
    frames, at = [], 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        frames.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return frames


def handler_of(schema, message):
    pool = descriptor_pool.DescriptorPool()
    descriptor_of_descriptors = descriptor_pb2.FileDescriptorProto()
    descriptor_pb2.DESCRIPTOR.CopyToProto(descriptor_of_descriptors)  # OSI imports it
    pool.Add(descriptor_of_descriptors)
    for file in descriptor_pb2.FileDescriptorSet.FromString(open(schema, "rb").read()).file:
        pool.Add(file)
    descriptor = pool.FindMessageTypeByName(message)
    return ptars.HandlerPool([descriptor.file]).get_for_message(descriptor)


def column_of(array, path):
    for name in path.split("."):
        array = array.field(name)
    return pyarrow.compute.fill_null(array, 0.0).to_numpy(zero_copy_only=False)


def columns_of(handler, frame, elements, columns):
    """Yields the arrays of every sensor of a frame."""
    first, *names = elements.split(".")
    array = handler.list_to_record_batch([frame]).column(first)
    for name in names[:-1]:  # down to the sensors
        array = array.field(name) if hasattr(array, "field") else array.flatten().field(name)
    for sensor in array.flatten().field(names[-1]):
        if sensor.values is not None:
            yield from (column_of(sensor.values, path) for path in columns)


def main():
    trace, schema, message, elements, *columns = sys.argv[1:]
    frames, handler = read_frames(trace), handler_of(schema, message)
    out = sys.stdout.buffer
    out.write(b"ready\n")
    out.flush()
    for line in sys.stdin:
        size = 0
        for frame in frames:
            for column in columns_of(handler, frame, elements, columns):
                size += column.nbytes
                if line == "give\n":
                    out.write(struct.pack("<Q", len(column)) + column.tobytes())
        out.write(b"%d\n" % size if line == "run\n" else struct.pack("<Q", 2**64 - 1))
        out.flush()


main()
