#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Writes the objects of all traces in a folder to Parquet, and asks DuckDB about them.

usage: traces_to_parquet.py FOLDER OUT_FOLDER        needs pyarrow and duckdb
"""

import pathlib
import sys

import duckdb

import ositrace

folder, out = map(pathlib.Path, sys.argv[1:])
lake = ositrace.scan([folder / "**/*.osi", folder / "**/*.mcap"], errors="skip")
lake.objects(["frame", "time", "id", "type", "x", "y", "speed"]).to_parquet(out)

parts = str(out / "*.parquet")
print(
    duckdb.sql(
        f"SELECT file, count(DISTINCT id) AS objects, max(speed) AS fastest FROM '{parts}' GROUP BY file ORDER BY file"
    )
)
for file, error in duckdb.sql(f"SELECT file, _error FROM '{parts}' WHERE _error IS NOT NULL").fetchall():
    print(f"left out of {file}: {error}")
