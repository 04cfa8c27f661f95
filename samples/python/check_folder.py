#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Checks all traces of a folder, and writes all findings as a table.

usage: check_folder.py FOLDER FINDINGS.csv         needs pandas
"""

import pathlib
import sys

import ositrace

folder, table = sys.argv[1:]
traces = [file for file in sorted(pathlib.Path(folder).rglob("*")) if file.suffix in (".osi", ".osifb", ".mcap")]
findings = ositrace.check(traces, findings=None)
findings.to_pandas().to_csv(table, index=False)
for count in findings.counts:
    print(f"{pathlib.Path(count.file).name}: {count.count} x {count.severity} {count.id}")
print(f"traces: {len(traces)}, errors: {findings.errors}, warnings: {findings.warnings}")
