# SPDX-License-Identifier: MPL-2.0
"""The questions of docs/python.md, as they are there, on real traces; a loop over objects of osi3 has the same answers."""

import math
import os
import re
import subprocess

import conftest
import numpy as np
import pandas as pd
import polars as pl
import pytest
from test_tables import osi3_messages

import ositrace

PAGE = (conftest.SOURCE / "docs" / "python.md").read_text()
QUESTIONS = {
    question: code.split("<br>")
    for question, code in re.findall(r"^\| ([^|`]+\?) \| (`.+`) \|$", PAGE, re.MULTILINE)
}
asked = set()


def answer(question, **names):
    """What the last line of a question is, whose lines are as the page has them."""
    asked.add(question)
    lines = [line.strip().strip("`") for line in QUESTIONS[question]]
    assert 1 <= len(lines) <= 2
    names |= {"np": np, "pl": pl, "pd": pd, "ositrace": ositrace}
    for line in lines[:-1]:
        exec(line, names)
    return eval(lines[-1], names)


@pytest.fixture
def trace(ground_truth):
    with ositrace.open(ground_truth) as opened:
        yield opened


@pytest.fixture
def by_id(trace):
    """Time and the moving object, of each id."""
    found = {}
    for frame, (_, message) in zip(trace, osi3_messages(trace)):
        for one in message.moving_object:
            found.setdefault(one.id.value, []).append((frame.time, one))
    return found


def speed_of(one):
    return math.hypot(one.base.velocity.x, one.base.velocity.y, one.base.velocity.z)


def test_top_speed(trace, by_id):
    expected = {id: max(speed_of(one) for _, one in rows) for id, rows in by_id.items()}
    assert answer("how fast is each object at most?", trace=trace).to_dict() == pytest.approx(expected)


def test_hard_braking(trace, by_id):
    expected = set()
    for id, rows in by_id.items():
        for time, one in rows:
            v, a = one.base.velocity, one.base.acceleration
            if speed_of(one) > 0 and (a.x * v.x + a.y * v.y) / speed_of(one) < -3:
                expected.add((time, id))
    found = answer("who brakes harder than 3 m/s²?", trace=trace)
    assert {(row.time, row.id) for row in found.itertuples()} == expected


def test_distance_driven(trace, by_id):
    expected = {}
    for id, rows in by_id.items():
        pairs = zip(rows, rows[1:])
        expected[id] = sum((speed_of(a) + speed_of(b)) / 2 * (to - start) for (start, a), (to, b) in pairs)
    assert answer("how far does each object drive?", trace=trace).to_dict() == pytest.approx(expected)


def test_distance_of_two(trace, by_id):
    found = answer("how far apart are two objects?", trace=trace)
    expected = {
        time: math.hypot(a.base.position.x - b.base.position.x, a.base.position.y - b.base.position.y)
        for (time, a), (_, b) in zip(by_id[0], by_id[1])
    }
    assert found.to_dict() == pytest.approx(expected) and len(found) == 433


def test_lidar_histogram(tmp_path):
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    file = tmp_path / "lidar.osi"
    subprocess.run([os.environ["OSICONVERT"], "generate", file, "--frames", "2", "--reflections", "900", "--quiet"], check=True)
    with ositrace.open(file) as views:
        counts, _ = answer("how far do lidar rays reach?", views=views)
        distances = [
            one.time_of_flight * 299792458 / 2
            for _, message in osi3_messages(views)
            for sensor in message.lidar_sensor_view
            for one in sensor.reflection
        ]
    assert counts.tolist() == np.histogram([d for d in distances if d > 0], bins=np.arange(0, 100, 10))[0].tolist()
    assert counts.sum() > 100


def test_join_with_a_table(trace, by_id, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "measured.csv").write_text("time,id,x_measured\n1.0,0,5.0\n2.01,1,6.0\n")
    with pytest.MonkeyPatch.context():
        found = answer("which objects are nearest to my measurements?", trace=trace)
    for row in found.iter_rows(named=True):
        nearest = min(by_id[row["id"]], key=lambda one: abs(one[0] - row["time"]))
        assert row["x"] == nearest[1].base.position.x


def test_all_questions_were_asked():
    assert set(QUESTIONS) == asked and len(asked) >= 6
