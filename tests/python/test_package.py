# SPDX-License-Identifier: MPL-2.0
"""The package as a whole: its types, its version, its memory."""

import ast
import os
import re

import conftest

import ositrace
from ositrace import _ositrace

PACKAGE = conftest.SOURCE / "python"


def test_the_stub_has_the_names_of_the_module():
    stub = ast.parse((PACKAGE / "ositrace" / "_ositrace.pyi").read_text())
    declared = {}
    for node in stub.body:
        if isinstance(node, ast.ClassDef):
            declared[node.name] = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
        elif isinstance(node, ast.FunctionDef):
            declared[node.name] = None
        elif isinstance(node, ast.AnnAssign):
            declared[node.target.id] = None
    public = lambda names: {name for name in names if not name.startswith("_")}  # noqa: E731
    assert public(declared) == public(vars(_ositrace))
    for name, members in declared.items():
        if members is not None:
            assert public(members) == public(vars(getattr(_ositrace, name))), name


def test_the_version_is_that_of_the_project():
    version = ositrace.__version__
    assert f'version = "{version}"' in (PACKAGE / "pyproject.toml").read_text()
    assert re.search(rf"VERSION {re.escape(version)}\b", (conftest.SOURCE / "CMakeLists.txt").read_text())


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_does_not_grow_with_the_traces_that_were_opened(ground_truth, sensor_view):
    def use(path):
        with ositrace.open(path) as trace:
            for frame in trace[:3]:
                message = frame.message
                bytes(frame.payload), str(message.timestamp), message == trace[0].message
                for field, value in message.ListFields():
                    field.name, value
                hasattr(message, "no_field")
            for frame in trace:
                break
        try:
            len(trace)
        except ValueError:
            pass

    for _ in range(50):
        use(ground_truth)
        use(sensor_view)
    before = resident_bytes()
    for _ in range(500):  # 1000 opens
        use(ground_truth)
        use(sensor_view)
    assert resident_bytes() - before < 4 << 20
