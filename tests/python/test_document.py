# SPDX-License-Identifier: MPL-2.0
"""The examples of the pages run, in order, and print what stands beside print()."""

import contextlib
import io
import re

import conftest
import pytest

import ositrace


@pytest.mark.parametrize("page", ["python", "catalog"])
def test_the_examples_of_a_page_run(page, sensor_view, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recordings" / "munich").mkdir(parents=True)
    with ositrace.open(sensor_view) as trace:
        trace[0].save("drive.osi")  # SensorView
        trace[0].save("recordings/munich/drive.mcap")
    document = (conftest.SOURCE / "docs" / f"{page}.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", document, re.MULTILINE | re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block, f"docs/{page}.md", "exec"), names)
        for expected in re.findall(r"print\((?:error|trace|fields\..*)\)\s+# (.*)", block):
            assert expected in printed.getvalue().splitlines()
