#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Runs our MCAP writer on the cases of the MCAP conformance suite: for X.json it must write the bytes of X.mcap.

usage: mcap_write.py PROGRAM CASES

Cases with padded records are left out: they are for readers. Exit 77 when there are no cases.
"""
import json
import pathlib
import sys

from cases import run_cases

# The fields of a record in the order that the program expects.
FIELDS = {
    "Schema": ("id", "name", "encoding", "data"),
    "Channel": ("id", "schema_id", "topic", "message_encoding", "metadata"),
    "Message": ("channel_id", "sequence", "log_time", "publish_time", "data"),
    "Attachment": ("log_time", "create_time", "name", "media_type", "data"),
    "Metadata": ("name", "metadata"),
}
NUMBERS = {"id", "schema_id", "channel_id", "sequence", "log_time", "publish_time", "create_time"}


def word(name, value):
    if isinstance(value, dict):
        return " ".join([str(len(value))] +
                        ["x" + text.encode().hex() for pair in sorted(value.items()) for text in pair])
    if isinstance(value, list):
        return "x" + bytes(map(int, value)).hex()
    return value if name in NUMBERS else "x" + value.encode().hex()


def lines(case):
    yield " ".join(case["meta"]["variant"]["features"])
    header = dict(case["records"][0]["fields"])
    yield f"{word('profile', header['profile'])} {word('library', header['library'])}"
    for record in case["records"][1:]:
        if record["type"] == "DataEnd":
            return
        fields = dict(record["fields"])
        yield " ".join([record["type"]] + [word(name, fields[name]) for name in FIELDS[record["type"]]])


def main(program, folder):
    files = [file for file in sorted(pathlib.Path(folder).rglob("*.json")) if "-pad" not in file.stem]
    run_cases([(file, json.loads(file.read_text())) for file in files], folder, lambda file: [program],
              lambda output, file, case: output == file.with_suffix(".mcap").read_bytes(),
              lambda case: ("\n".join(lines(case)) + "\n").encode())


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
