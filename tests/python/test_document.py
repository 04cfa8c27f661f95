# SPDX-License-Identifier: MPL-2.0
"""The examples of docs/python.md run, in order, and print what stands beside print()."""

import contextlib
import io
import re

import conftest

import ositrace


def test_the_examples_of_the_document_run(sensor_view, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with ositrace.open(sensor_view) as trace:
        trace[0].save("drive.osi")  # SensorView
    document = (conftest.SOURCE / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 3
    names = {}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, "docs/python.md", "exec"), names)
        for expected in re.findall(r"print\((?:error|trace|fields\..*)\)\s+# (.*)", block):
            assert expected in printed.getvalue().splitlines()
