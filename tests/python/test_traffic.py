# SPDX-License-Identifier: MPL-2.0
"""Tables of what happens: those of the command line, and what a loop over the objects finds."""

import csv
import math
import os
import subprocess

import pytest
from conftest import SOURCE, trace as real_trace
from test_tables import damaged_trace

import ositrace
from ositrace import _ositrace

PROGRAMS = pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")


@pytest.fixture
def merge(ground_truth):
    with ositrace.open(ground_truth) as trace:
        yield trace


def rows(table):
    return table.to_arrow().to_pylist()


def printed(value):
    """As a cell of a CSV file."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


@PROGRAMS
@pytest.mark.parametrize("verb, method, given", [
    (["interactions", "--host", "2"], "interactions", {"host": 2}),
    (["interactions", "--all-pairs", "--max-gap", "30"], "interactions", {"all_pairs": True, "max_gap": 30}),
    (["find", "moving_object.base.velocity.x < 20"], "find", {"expression": "moving_object.base.velocity.x < 20"}),
])  # fmt: skip
def test_the_command_line_has_the_same_rows(merge, ground_truth, tmp_path, verb, method, given):
    out = tmp_path / "out.csv"
    subprocess.run([os.environ["OSICONVERT"], *verb, ground_truth, "-o", out], check=True)
    with open(out, newline="") as file:
        found = list(csv.DictReader(file))
    expected = rows(getattr(merge, method)(**given))
    assert len(found) == len(expected) > 0
    for one, other in zip(found, expected):
        assert list(one) == list(other)
        for name, value in other.items():
            assert one[name] == printed(value) if not isinstance(value, (int, float)) else float(one[name]) == value


def test_flatbuffers_give_the_same_rows(merge, ground_truth, tmp_path):
    ositrace.convert(ground_truth, tmp_path / "flat.osifb")
    with ositrace.open(tmp_path / "flat.osifb") as flat:
        assert rows(flat.interactions()) == rows(merge.interactions())
        assert rows(flat.find("moving_object.type == TYPE_VEHICLE")) == rows(
            merge.find("moving_object.type == TYPE_VEHICLE")
        )


def test_a_part_in_time_has_the_rows_of_the_whole_with_its_lanes(merge):
    whole = [row for row in rows(merge.interactions()) if 5 <= row["time"] < 6]
    assert rows(merge.interactions(time=(5, 6))) == whole
    assert {row["related_by"] for row in whole} == {"lane"}


def test_speeds_and_gaps_are_those_of_the_objects(merge):
    objects = {(row["frame"], row["id"]): row for row in rows(merge.objects())}
    for row in rows(merge.interactions())[::7]:
        one, other = (objects[row["frame"], row[name]] for name in ("id", "other_id"))
        assert math.isclose(row["speed"], one["speed"]) and math.isclose(row["other_speed"], other["speed"])
        radii = sum(math.hypot(each["length"], each["width"]) / 2 for each in (one, other))
        distance = math.hypot(one["x"] - other["x"], one["y"] - other["y"])
        assert distance - radii <= row["gap"] + 1e-9 and row["gap"] <= distance
        if row["clearance"] is not None:
            assert row["relation"] in ("leader", "follower", "ahead", "behind")
            assert row["clearance"] >= row["gap"] - 1  # beside each other in a lane the gap is longer
        if row["ttc"] is not None:
            assert math.isclose(row["ttc"], row["clearance"] / row["closing_speed"])
            assert math.isclose(row["drac"], row["closing_speed"] ** 2 / (2 * row["clearance"]))


def test_each_object_has_one_leader_at_most(merge):
    leaders = [(row["frame"], row["id"]) for row in rows(merge.interactions()) if row["relation"] == "leader"]
    assert len(leaders) == len(set(leaders)) > 400


def test_find_has_the_stretches_of_a_loop(merge):
    found = [(row["id"], row["frame"], row["last_frame"]) for row in rows(merge.find("moving_object.base.velocity.x < 25"))]
    by_id = {}
    for row in rows(merge.objects(["frame", "id", "vx"])):
        by_id.setdefault(row["id"], []).append((row["frame"], row["vx"] < 25))
    expected = []
    for id, frames in by_id.items():
        begin = None
        for frame, holds in [*frames, (frames[-1][0] + 1, False)]:
            if holds and begin is None:
                begin = frame
            elif not holds and begin is not None:
                expected.append((id, begin, frame - 1))
                begin = None
    assert sorted(found) == sorted(expected) and found
    assert [row[1] for row in found] == sorted(row[1] for row in found)


def test_matches_of_a_trace_with_both():
    file = real_trace("sensorDataDetectedLaneBoundaries.mcap")
    with ositrace.open(file) as trace:
        found = rows(trace.matches(["match", "range", "measurement_time", "truth_time"]))
        summary = rows(trace.matches_summary())
    for name, column in (("pair", "pairs"), ("missed", "missed"), ("ghost", "ghosts")):
        assert sum(row["match"] == name for row in found) == sum(row[column] for row in summary)


def test_no_column_has_the_name_of_one_that_tells_where_a_row_is_from():
    added = {"file", "topic", "channel", "path", "file_id", "_error"}  # by the command line, scan() and Spark
    for name, columns, _ in _ositrace.traffic_tables():
        assert not added.intersection(columns), name


def test_a_scan_has_the_rows_of_each_file(merge, ground_truth, sensor_view):
    with ositrace.open(sensor_view) as other:
        expected = [
            {"file": str(file), "channel": trace.channels[0].topic} | row
            for file, trace in ((ground_truth, merge), (sensor_view, other))
            for row in rows(trace.interactions())
        ]
    assert rows(ositrace.scan([ground_truth, sensor_view]).interactions()) == expected


def test_damage_is_skipped_with_a_row_that_says_so(tmp_path, ground_truth):
    damaged = tmp_path / "damaged.osi"
    damaged_trace(damaged, ground_truth)
    with pytest.raises(ositrace.Error):
        rows(ositrace.scan(damaged).interactions())
    found = rows(ositrace.scan(damaged, errors="skip").interactions())
    assert sum(row["_error"] is not None for row in found) == 1
    assert {row["frame"] for row in found if row["_error"] is None} == {0, 1, 3, 4}


def test_columns_units_and_definitions(merge):
    table = merge.interactions(["ttc", "id"])
    assert table.columns == ["ttc", "id"] and table.units == {"ttc": "s"}
    assert table.definitions["ttc"].startswith("clearance / closing_speed (ISO 15623)")
    with pytest.raises(ositrace.Error, match="the table interactions has no column 'nothing'"):
        merge.interactions(["nothing"])
    with pytest.raises(ositrace.Error, match="max-gap: found '-1.0'"):
        merge.interactions(max_gap=-1.0)
    with pytest.raises(ositrace.Error, match="no frame has an object 'Nobody'"):
        rows(merge.interactions(host="Nobody"))
    with pytest.raises(ositrace.Error, match="have no matches"):
        merge.matches()


def test_the_page_has_every_column():
    page = "".join((SOURCE / "docs" / name).read_text() for name in ("traffic.md", "events.md"))
    for name, columns, _ in _ositrace.traffic_tables():
        if name == "matches_summary":  # it says how they are made
            continue
        assert [column for column in columns if f"`{column}`" not in page] == []
