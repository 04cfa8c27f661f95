# SPDX-License-Identifier: MPL-2.0
"""The package as a whole: its types, its version, its memory."""

import ast
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys

import conftest
import fetched
import pytest

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


USE = """
import ositrace
from ositrace import Batch, Frame, Table

trace: ositrace.Trace = ositrace.open("drive.osi")
frame: Frame = trace.at(1.0, static="carry")
table: Table = trace.objects(["id"], time=(None, 2), frame_of_reference="host")
paths: Table = trace.table({"id": trace.fields.moving_object.id, "x": "moving_object[*].base.position.x"})
batches: list[Batch] = list(table.batches())
units: dict[str, str] = table.units
ositrace.scan(["a.osi"], errors="skip").lanes().to_parquet("out")
"""

WRONG = [
    "trace.objects(time=3)",
    "trace.at()",
    "trace.table([1])",
    "ositrace.scan('x', errors='ignore')",
    "frame.topic",
]


def test_the_types_are_strict_and_fit_their_use(tmp_path):
    """mypy, in a process of its own: it must not find the packages that are optional."""
    shutil.copytree(PACKAGE / "ositrace", tmp_path / "ositrace")
    (tmp_path / "use.py").write_text(USE + "\n".join(f"{line}  # type: ignore" for line in WRONG))
    mypy = os.path.dirname(os.path.dirname(importlib.util.find_spec("mypy").origin))
    command = [sys.executable, "-m", "mypy", "--strict", "--warn-unused-ignores", "--cache-dir", tmp_path / "cache"]
    environment = os.environ | {"PYTHONPATH": mypy, "PYTHONSAFEPATH": "1"}
    done = subprocess.run(
        [*command, "ositrace", "use.py"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_pyright_agrees(tmp_path):
    """The types as editors show them; each wrong use is an error there, too."""
    try:
        pyright = fetched.folder("pyright") / "node_modules" / "pyright" / "index.js"
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    if shutil.which("node") is None:
        pytest.skip("Node is missing (Debian package: nodejs)")
    shutil.copytree(PACKAGE / "ositrace", tmp_path / "ositrace")
    (tmp_path / "use.py").write_text(USE)
    (tmp_path / "wrong.py").write_text(USE + "\n".join(WRONG))
    (tmp_path / "pyrightconfig.json").write_text('{"pythonVersion": "3.10", "reportMissingImports": "none"}')

    command = ["node", pyright, "--outputjson", "ositrace", "use.py", "wrong.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = [one for one in json.loads(done.stdout)["generalDiagnostics"] if one["severity"] == "error"]
    first = USE.count("\n")
    wrong = {("wrong.py", line) for line in range(first, first + len(WRONG))}
    assert {(os.path.basename(one["file"]), one["range"]["start"]["line"]) for one in found} == wrong


READERS = {
    "osi3": "from osi3 import osi_groundtruth_pb2; message = osi_groundtruth_pb2.GroundTruth.FromString(payload)",
    "betterosi": "import betterosi; message = betterosi.GroundTruth.from_binary(payload)",
    "ositrace": "import ositrace; message = ositrace.open(path)[0].message",
}


def test_packages_with_a_protobuf_of_their_own_share_a_process(ground_truth):
    """In each order of their imports: osi3 loads upb, betterosi a library in Rust; ours has none."""
    try:
        paths = [*sys.path, str(fetched.folder("opponents"))]
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    with ositrace.open(ground_truth) as trace:
        payload = bytes(trace[0].payload)
        expected = [each.id.value for each in trace[0].message.moving_object]
    for order in itertools.permutations(READERS):
        program = [f"path, payload = {str(ground_truth)!r}, {payload!r}"]
        for name in order + order:  # the second time beside all others
            program += [READERS[name], f"assert [each.id.value for each in message.moving_object] == {expected}"]
        done = subprocess.run(
            [sys.executable, "-"], input="\n".join(program), text=True, capture_output=True, env=environment
        )
        assert (done.returncode, done.stderr) == (0, ""), order


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
    growth = []  # A leak is in every round; what an allocator keeps once is not.
    for _ in range(3):
        before = resident_bytes()
        for _ in range(170):  # 1020 opens in all
            use(ground_truth)
            use(sensor_view)
        growth.append(resident_bytes() - before)
    assert min(growth) < 1 << 20, growth


def test_dir_has_public_names_only():
    assert dir(ositrace) == sorted(ositrace.__all__)
