#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with Ray Data: a task reads a trace.

usage: lake_ray.py FOLDER        needs ray and pyarrow
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
import ray

import ositrace


def objects(paths):
    (path,) = paths["path"].to_pylist()
    table = ositrace.scan(path, errors="skip").objects(["id"]).to_arrow()
    errors = pa.array([table["_error"].drop_null().to_pylist()], pa.list_(pa.string()))
    return pa.table({"path": [path], "objects": [pc.count_distinct(table["id"]).as_py()], "errors": errors})


traces = ray.data.from_items([{"path": path} for path in ositrace.scan(sys.argv[1]).files])
counts = traces.map_batches(objects, batch_size=1, batch_format="pyarrow")
for row in sorted(counts.take_all(), key=lambda row: row["path"]):
    print(f"{row['path']}: {row['objects']} objects")
    for error in row["errors"]:
        print(f"left out: {error}")
