#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Reads the serialized descriptors in *_pb2.py files and writes one FileDescriptorSet.

usage: extract_descriptors.py PACKAGE_DIRECTORY OUTPUT.desc [FILE_NAME]

The literals are read with `ast`: the modules are never imported, so no protobuf of any version is needed. Files are
ordered by dependency, then by name, so the output depends on the package alone. With FILE_NAME only modules of that
name are read.
"""
import ast
import os
import pathlib
import sys

NAME, DEPENDENCY = 1, 3  # fields of FileDescriptorProto; FileDescriptorSet.file is 1, too


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def to_varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def strings(descriptor, wanted):
    """The strings of one top-level field of a FileDescriptorProto."""
    at, found = 0, []
    while at < len(descriptor):
        tag, at = varint(descriptor, at)
        number, wire_type = tag >> 3, tag & 7
        if wire_type == 0:
            _, at = varint(descriptor, at)
        elif wire_type == 2:
            length, at = varint(descriptor, at)
            if number == wanted:
                found.append(descriptor[at:at + length].decode())
            at += length
        else:
            raise ValueError(f"wire type {wire_type} in a FileDescriptorProto")
    return found


def serialized_descriptors(path):
    for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
                and node.func.attr == "AddSerializedFile" and node.args and isinstance(node.args[0], ast.Constant)):
            yield node.args[0].value


def by_dependency(files):
    ordered, seen = [], set()

    def visit(name):
        if name not in seen and name in files:
            seen.add(name)
            for dependency in sorted(strings(files[name], DEPENDENCY)):
                visit(dependency)
            ordered.append(files[name])

    for name in sorted(files):
        visit(name)
    return ordered


def main(directory, output, pattern="*_pb2.py"):
    files = {}
    for path in pathlib.Path(directory).rglob(pattern):
        for descriptor in serialized_descriptors(path):
            files[strings(descriptor, NAME)[0]] = descriptor
    if not files:
        sys.exit(f"{directory}: no serialized descriptors found")
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(b"".join(b"\x0a" + to_varint(len(d)) + d for d in by_dependency(files)))
    part.replace(output)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
