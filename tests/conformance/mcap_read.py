#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Runs our MCAP readers on the cases of the MCAP conformance suite: for X.mcap they must print the contents of X.json.

usage: mcap_read.py PROGRAM streamed|indexed CASES

The indexed reader takes the cases with an index of chunks and messages. Exit 77 when there are no cases.
"""
import json
import pathlib
import sys

from cases import run_cases

INDEXED = {"ch", "chx", "mx", "rch", "rsh"}


def streamed(case):
    return {"records": case["records"]}


def indexed(case):
    """The records of the summary, and the messages in the order of their log times."""
    records = case["records"]
    end = [record["type"] for record in records].index("DataEnd")
    summary = {kind: [record for record in records[end:] if record["type"] == kind]
               for kind in ("Schema", "Channel", "Statistics")}
    messages = [record for record in records if record["type"] == "Message"]
    messages.sort(key=lambda record: int(dict(record["fields"])["log_time"]))
    return {"schemas": summary["Schema"], "channels": summary["Channel"], "messages": messages,
            "statistics": summary["Statistics"]}


def cases_of(mode, folder):
    for file in sorted(pathlib.Path(folder).rglob("*.json")):
        case = json.loads(file.read_text())
        if mode == "streamed":
            yield file, streamed(case)
        elif (INDEXED <= set(case["meta"]["variant"]["features"])
              and any(record["type"] == "Message" for record in case["records"])):
            yield file, indexed(case)


def main(program, mode, folder):
    run_cases(cases_of(mode, folder), folder, lambda file: [program, mode, str(file.with_suffix(".mcap"))],
              lambda output, file, case: json.loads(output) == case)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
