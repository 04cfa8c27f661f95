#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with Ray Data: a task reads a trace.

usage: lake_ray.py FOLDER        needs ray and pyarrow
"""

import sys

import ray

import ositrace


def objects(paths):
    table = ositrace.scan(paths["path"].to_pylist(), errors="skip").objects(["id"]).to_arrow()
    return table.group_by("file").aggregate([("id", "count_distinct")])


traces = ray.data.from_items([{"path": path} for path in ositrace.scan(sys.argv[1]).files])
counts = traces.map_batches(objects, batch_size=1, batch_format="pyarrow")
for row in sorted(counts.take_all(), key=lambda row: row["file"]):
    print(f"{row['file']}: {row['id_count_distinct']} objects")
