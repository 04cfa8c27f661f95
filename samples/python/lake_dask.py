#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with Dask: a task reads a trace.

usage: lake_dask.py FOLDER        needs dask and pyarrow
"""

import sys

import dask
import pyarrow.compute as pc

import ositrace


@dask.delayed
def objects(path):
    table = ositrace.scan(path, errors="skip").objects(["id"]).to_arrow()
    return path, pc.count_distinct(table["id"]).as_py(), table["_error"].drop_null().to_pylist()


if __name__ == "__main__":  # its processes import this file
    tasks = [objects(path) for path in ositrace.scan(sys.argv[1]).files]
    for path, count, errors in dask.compute(*tasks, scheduler="processes"):
        print(f"{path}: {count} objects")
        for error in errors:
            print(f"left out: {error}")
