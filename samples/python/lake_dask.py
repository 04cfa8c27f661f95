#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with Dask: a task reads a trace.

usage: lake_dask.py FOLDER        needs dask, pandas and pyarrow
"""

import sys

import dask

import ositrace


@dask.delayed
def objects(path):
    return path, ositrace.scan(path, errors="skip").objects(["id"]).to_pandas().id.nunique()


if __name__ == "__main__":  # its processes import this file
    tasks = [objects(path) for path in ositrace.scan(sys.argv[1]).files]
    for path, count in dask.compute(*tasks, scheduler="processes"):
        print(f"{path}: {count} objects")
