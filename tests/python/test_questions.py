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


def test_lane_changes(trace, by_id):
    found = answer("who changes lanes, and when?", trace=trace)
    assert len(found) > 0
    for row in found.itertuples():
        lanes = [
            (time, [lane.value for lane in one.assigned_lane_id or one.moving_object_classification.assigned_lane_id])
            for time, one in by_id[row.object]
        ]
        changes = [time for (_, before), (time, after) in zip(lanes, lanes[1:]) if before != after]
        assert any(row.begin <= time <= row.end for time in changes)


def test_leader(trace, by_id):
    """Along the straight road the clearance is the distance of the centers less half of both lengths."""
    objects = {(time, id): one.base for id, rows in by_id.items() for time, one in rows}
    names = ["time", "id", "other_id", "relation"]
    expected = {}
    for row in trace.interactions(names, all_pairs=True).to_arrow().to_pylist():
        if row["relation"] != "leader":
            continue
        one, other = objects[row["time"], row["id"]], objects[row["time"], row["other_id"]]
        center = math.hypot(one.position.x - other.position.x, one.position.y - other.position.y)
        clearance = center - (one.dimension.length + other.dimension.length) / 2
        gap = clearance / math.hypot(one.velocity.x, one.velocity.y)
        expected[row["id"]] = min(expected.get(row["id"], math.inf), gap)
    found = answer("how close is the leader in time?", trace=trace)
    assert found.time_gap.to_dict() == pytest.approx(expected, rel=0.03) and len(expected) > 2


def test_red_lights(tmp_path):
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    file = tmp_path / "lights.osi"
    subprocess.run([os.environ["OSICONVERT"], "generate", file, "--type", "gt", "--quiet"], check=True)
    with ositrace.open(file) as lights:
        found = answer("when is which light red?", lights=lights)
        times = [frame.time for frame in lights]
        red = {}
        for frame, (_, message) in zip(lights, osi3_messages(lights)):
            for light in message.traffic_light:
                kind = light.classification
                if kind.color == kind.COLOR_RED and kind.mode != kind.MODE_OFF:
                    red.setdefault(light.id.value, []).append(frame.index)
    expected = []
    for id, frames in red.items():
        starts = [frame for frame in frames if frame - 1 not in frames]
        for start in starts:
            end = next(frame for frame in range(start, len(times) + 1) if frame not in frames)
            expected.append((id, times[start], times[min(end, len(times) - 1)]))
    assert sorted(found.itertuples(index=False, name=None)) == sorted(expected) and len(expected) > 1


def test_detection_errors(sensor_view):
    played = ositrace.play(sensor_view, "dummy")
    with played.outputs as detected:
        found = answer("how wrong are detections?", detected=detected)
        errors = []
        for _, message in osi3_messages(detected):
            truth = message.sensor_view[0].global_ground_truth
            objects = {one.id.value: one for one in truth.moving_object}
            host = objects[truth.host_vehicle_id.value]
            rear = host.vehicle_attributes.bbcenter_to_rear
            at = turned(host.base.orientation.yaw, rear.x, rear.y)
            for one in message.moving_object:
                base = objects[one.header.ground_truth_id[0].value].base
                x = base.position.x - host.base.position.x - at[0]
                y = base.position.y - host.base.position.y - at[1]
                x, y = turned(-host.base.orientation.yaw, x, y)
                mounted = message.mounting_position.position
                x, y = one.base.position.x + mounted.x - x, one.base.position.y + mounted.y - y
                errors.append(turned(host.base.orientation.yaw - base.orientation.yaw, x, y))
    assert len(errors) > 50
    assert found.loc["mean"].tolist() == pytest.approx(np.mean(errors, axis=0), abs=1e-6)
    assert found.loc["std"].tolist() == pytest.approx(np.std(errors, axis=0, ddof=1), abs=1e-6)


def turned(yaw, x, y):
    return x * math.cos(yaw) - y * math.sin(yaw), x * math.sin(yaw) + y * math.cos(yaw)


def test_join_with_a_table(trace, by_id, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "measured.csv").write_text("time,id,x_measured\n1.0,0,5.0\n2.01,1,6.0\n")
    with pytest.MonkeyPatch.context():
        found = answer("which objects are nearest to my measurements?", trace=trace)
    for row in found.iter_rows(named=True):
        nearest = min(by_id[row["id"]], key=lambda one: abs(one[0] - row["time"]))
        assert row["x"] == nearest[1].base.position.x


def test_all_questions_were_asked():
    assert set(QUESTIONS) == asked and len(asked) >= 10
