# SPDX-License-Identifier: MPL-2.0
"""`osiplay bench python`: messages in Python, beside what others make of them."""

import json
import os
import subprocess
import sys

import fetched
import pytest

OSIPLAY = os.environ.get("OSIPLAY", "")
ROS_PYTHON = "/usr/bin/python3"


def runs(python, module):
    words = [python, "-c", f"import {module}"]
    return os.path.exists(python) and subprocess.run(words, capture_output=True, env=environment()).returncode == 0


def environment():
    """Of a Python with the packages of this one, and with betterosi where it was fetched."""
    paths = [*sys.path, str(fetched.folder_of("opponents"))]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def bench(*words):
    if subprocess.run([OSIPLAY, "bench", "python", "--help"], capture_output=True).returncode != 0:
        pytest.skip("osiplay bench python is not built")
    words = [OSIPLAY, "bench", "python", "--quick", "--repetitions", "1", *words]
    return subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=300)


pytestmark = pytest.mark.skipif(not OSIPLAY, reason="the programs are not built")


def test_all_systems_read_the_same_numbers():
    done = bench("--python", sys.executable, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    expected = {"memcpy of the messages", "protobuf, pure Python", "protobuf, upb", "ositrace"}
    expected |= {
        name
        for name, python, module in (
            ("genpy (ROS)", ROS_PYTHON, "genpy, std_msgs.msg, geometry_msgs.msg"),
            ("betterosi", sys.executable, "betterosi"),
        )
        if runs(python, module)
    }
    rounds = {row["name"] for row in result["rows"]}
    assert len(rounds) == 6
    for name in rounds:
        assert {row["variant"] for row in result["rows"] if row["name"] == name} == expected
    facts = " ".join(result["facts"])
    for name in ("genpy (ROS)", "betterosi"):
        assert (f"{name} was not measured" in facts) == (name not in expected)
    conclusions = next(table for table in result["tables"] if table["name"] == "The published conclusions")
    assert len(conclusions["rows"]) == 10
    assert all(
        (row[3] == "was not comparable") == ("genpy" in row[0] and "genpy (ROS)" not in expected)
        for row in conclusions["rows"]
    )


@pytest.mark.parametrize("variant", ["ositrace", "protobuf, upb"])
def test_a_wrong_number_fails(variant):
    done = bench("--python", sys.executable, "--spoil", variant)
    assert done.returncode == 1
    assert done.stdout == ""
    assert variant in done.stderr


def test_a_python_without_packages_is_said(tmp_path):
    done = bench("--python", "no-such-python", "--ros-python", "no-such-python")
    assert done.returncode == 1
    assert "'no-such-python' has neither osi3 nor betterosi nor ositrace" in done.stderr
