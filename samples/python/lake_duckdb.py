#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with DuckDB, which reads batch by batch.

usage: lake_duckdb.py FOLDER        needs duckdb and pyarrow
"""

import sys

import duckdb
import pyarrow as pa

import ositrace

table = ositrace.scan(sys.argv[1], errors="skip").objects(["id"])
objects = pa.RecordBatchReader.from_stream(table)  # which the query names
counts = duckdb.sql(
    "SELECT file, count(DISTINCT id), coalesce(list(_error) FILTER (_error IS NOT NULL), [])"
    " FROM objects GROUP BY file ORDER BY file"
)
for path, count, errors in counts.fetchall():
    print(f"{path}: {count} objects")
    for error in errors:
        print(f"left out: {error}")
