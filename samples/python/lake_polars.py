#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Counts the objects of each trace in a folder with polars, on one machine and in bounded memory.

usage: lake_polars.py FOLDER        needs polars
"""

import sys

import polars as pl

import ositrace

objects = ositrace.scan_polars(sys.argv[1], errors="skip")  # lazy: the columns of the query are decoded
counts = objects.group_by(pl.col("file").cast(pl.String)).agg(
    pl.col("id").drop_nulls().n_unique(), pl.col("_error").drop_nulls()
)
for path, count, errors in counts.sort("file").collect(engine="streaming").iter_rows():
    print(f"{path}: {count} objects")
    for error in errors:
        print(f"left out: {error}")
