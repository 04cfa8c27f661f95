# SPDX-License-Identifier: MPL-2.0
"""Events, encounters and quality: the faces have equal rows; swept areas against shapely."""

import csv
import math
import os
import random
import struct
import subprocess

import pytest

import ositrace
from conftest import trace

pytest.importorskip("pyarrow")
PROGRAMS = pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
TABLES = ("events", "encounters", "quality")
REAL = ("highway_merge.osi", "disappearingVehicle.mcap", "MovingHostWithStopLine.mcap")


def rows_of(table):
    return table.to_arrow().to_pylist()


def same(text, value):
    if value is None or isinstance(value, bool):
        return text == ("" if value is None else str(value).lower())
    return float(text) == value if isinstance(value, (int, float)) else text == value


@PROGRAMS
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", REAL)
def test_command_line_and_python_have_equal_rows(table, name):
    path = trace(name)
    command = [os.environ["OSICONVERT"], table, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    with ositrace.open(path) as opened:
        expected = rows_of(getattr(opened, table)())
    assert len(rows) == len(expected)
    for row, other in zip(rows, expected):
        assert {key: same(row[key], value) for key, value in other.items()} == dict.fromkeys(other, True)


@pytest.mark.parametrize("table", TABLES)
def test_a_scan_has_the_rows_of_its_files(table):
    paths = [trace("highway_merge.osi"), trace("disappearingVehicle.mcap")]
    expected = []
    for path in paths:
        with ositrace.open(path) as opened:
            place = {"file": str(path), "channel": opened.channels[0].topic}
            expected += [place | row for row in rows_of(getattr(opened, table)())]
    assert rows_of(getattr(ositrace.scan(paths), table)()) == expected


def test_the_lane_change_of_highway_merge():
    with ositrace.open(trace("highway_merge.osi")) as opened:
        rows = rows_of(opened.events())
    (change,) = [row for row in rows if row["kind"] == "lane_change"]
    assert change["object"] == 0 and change["source"] == "marking, wheels"
    # The front left wheel is on the line at 7.873 s, the rear right one at 8.874 s; the paint is 0.12 m wide.
    assert change["begin"] == pytest.approx(7.84, abs=0.04) and change["begin"] < 7.8725
    assert change["end"] == pytest.approx(8.91, abs=0.04) and change["end"] > 8.874


def test_an_object_that_leaves():
    with ositrace.open(trace("disappearingVehicle.mcap")) as opened:
        rows = rows_of(opened.events())
        quality = {row["id"]: row for row in rows_of(opened.quality())}
    (gone,) = [row for row in rows if row["kind"] == "vanishes"]
    assert gone["object"] == 2 and gone["begin"] == pytest.approx(4.95, abs=0.051)
    assert quality[2]["frames"] == 94 and quality[2]["coverage"] == 1
    assert quality[1]["without_velocity"] == quality[1]["frames"] == 364


def corners(x, y, yaw, length, width):
    cosine, sine = math.cos(yaw), math.sin(yaw)
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    places = [(a * length / 2, b * width / 2) for a, b in signs]
    return [(x + a * cosine - b * sine, y + a * sine + b * cosine) for a, b in places]


def arc(rng):
    """An object that passes near the origin on an arc: its pose at a time, and its size."""
    curvature, yaw0 = rng.uniform(-0.005, 0.005), rng.uniform(-math.pi, math.pi)
    speed, passes, aside = rng.uniform(5, 15), rng.uniform(4, 8), rng.uniform(-2, 2)
    length, width = rng.uniform(1, 8), rng.uniform(0.6, 2.5)

    def pose(time):
        way = speed * (time - passes)
        yaw = yaw0 + curvature * way
        x = (math.sin(yaw) - math.sin(yaw0)) / curvature - aside * math.sin(yaw0)
        y = (math.cos(yaw0) - math.cos(yaw)) / curvature + aside * math.cos(yaw0)
        return x, y, yaw, length, width

    return pose, speed


STEP, FRAMES, FINE = 0.05, 280, 20


def write_scene(path, arcs):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    with open(path, "wb") as file:
        for frame in range(FRAMES):
            truth = GroundTruth()
            truth.timestamp.seconds, truth.timestamp.nanos = divmod(round(frame * STEP * 1e9), 10**9)
            for number, (pose, speed) in enumerate(arcs, 1):
                x, y, yaw, length, width = pose(frame * STEP)
                thing = truth.moving_object.add(type=2)
                thing.id.value = number
                base = thing.base
                base.position.x, base.position.y, base.position.z = x, y, 0.5
                base.orientation.yaw = yaw
                base.dimension.length, base.dimension.width, base.dimension.height = length, width, 1
                base.velocity.x, base.velocity.y = speed * math.cos(yaw), speed * math.sin(yaw)
            payload = truth.SerializeToString()
            file.write(struct.pack("<I", len(payload)) + payload)


def stay(shapely, pose, area):
    """The first and the last time in the area, on a fine grid of times."""
    times = []
    for frame in range(FRAMES - 1):
        one, other = pose(frame * STEP), pose((frame + 1) * STEP)
        for part in range(FINE):
            share = part / FINE
            between = [a + share * (b - a) for a, b in zip(one, other)]
            if shapely.Polygon(corners(*between)).intersection(area).area > 1e-6:
                times.append((frame + share) * STEP)
    return (times[0], times[-1]) if times else None


@pytest.mark.parametrize("seed", range(12))
def test_entries_and_exits_are_those_of_swept_areas_in_shapely(tmp_path, seed):
    shapely = pytest.importorskip("shapely")
    rng = random.Random(seed)
    arcs = [arc(rng), arc(rng)]
    path = tmp_path / "crossing_gt.osi"
    write_scene(path, arcs)
    swept = []
    for pose, _ in arcs:
        poses = [corners(*pose(frame * STEP)) for frame in range(FRAMES)]
        pieces = [shapely.MultiPoint(a + b).convex_hull for a, b in zip(poses, poses[1:])]
        swept.append(shapely.union_all(pieces))
    stays = {number: stay(shapely, arcs[number - 1][0], swept[2 - number]) for number in (1, 2)}
    with ositrace.open(path) as opened:
        rows = rows_of(opened.encounters(max_pet=20))
    rows = [row for row in rows if row["kind"] == "crossing"]
    first, second = sorted(stays, key=lambda number: stays[number][0])
    angle = abs(math.remainder(arcs[0][0](0)[2] - arcs[1][0](0)[2], math.pi))
    if angle < 0.6:
        pytest.skip("nearly parallel")
    (row,) = rows
    assert (row["first"], row["second"]) == (first, second)
    tolerance = STEP / FINE + 0.003
    assert row["first_enters"] == pytest.approx(stays[first][0], abs=tolerance)
    assert row["time"] == pytest.approx(stays[second][0], abs=tolerance)
    assert row["first_leaves"] == pytest.approx(stays[first][1], abs=tolerance)
    pet = stays[second][0] - stays[first][1]
    if pet > tolerance:
        assert row["pet"] == pytest.approx(pet, abs=2 * tolerance)
    elif pet < -tolerance:
        assert row["pet"] is None
