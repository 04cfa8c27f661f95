# SPDX-License-Identifier: MPL-2.0
"""The map of a trace: osi3 judges what `trace.map` is, the command line what it writes into a trace."""

import os
import subprocess
import warnings

import conftest
import pytest

import ositrace

TOWN = conftest.SOURCE.parent / "shared" / "maps" / "soderleden.xodr"
ROAD = """<OpenDRIVE><header revMajor="1" revMinor="6"/><road id="7" length="100" junction="-1"><planView>
<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView><lanes><laneSection s="0">
<left><lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left>
<center><lane id="0" type="none"/></center></laneSection></lanes></road></OpenDRIVE>"""


def ground_truth(y=1.0, **fields):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    message = GroundTruth(**fields)
    message.timestamp.seconds = 1
    moving = message.moving_object.add()
    moving.id.value = 7
    moving.base.position.x, moving.base.position.y, moving.base.position.z = 50, y, 0
    return message


@pytest.fixture
def road(tmp_path):
    path = tmp_path / "road.xodr"
    path.write_text(ROAD)
    return path


def written(path, *messages):
    with ositrace.create(path, type="GroundTruth", overwrite=True) as writer:
        for message in messages:
            writer.write(message)
    return path


def test_the_map_is_a_message_with_tables(tmp_path, road):
    trace = ositrace.open(written(tmp_path / "run.osi", ground_truth(), ground_truth()), map=road)
    map = trace.map
    assert map.lanes(["type", "subtype"]).to_arrow().to_pylist() == [
        {"type": "TYPE_DRIVING", "subtype": "SUBTYPE_NORMAL"}
    ]
    assert map.table(["lane[*].source_reference[0].identifier[0]"]).to_arrow()[0].to_pylist() == ["7"]
    assert [lane.id.value for lane in map.lane] == map.lanes(["id"]).to_arrow()["id"].to_pylist()
    assert map.lane[0].id.value >= 10**12
    assert map.map_reference == map.message.map_reference == "road.xodr"
    assert map.HasField("map_reference") and not map.HasField("timestamp")
    parsed = map.message.to_protobuf()
    assert [lane.id.value for lane in parsed.lane] == [lane.id.value for lane in map.lane]
    assert repr(map) == "<Map 'road.xodr'>"
    with pytest.raises(AttributeError, match="no field 'lanez'"):
        map.lanez
    trace.close()
    assert len(map.lane) == 1  # it outlives the trace
    with pytest.raises(ValueError, match="the trace is closed"):
        trace.map


def test_static_data_are_carried_from_a_map_that_was_given(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth(), ground_truth())
    with ositrace.open(path, map=road) as trace:
        assert len(trace[1].message.lane) == 0
        assert len(trace.at(1, static="carry").message.lane) == 1
        assert len(trace["GroundTruth"].between(static="carry")[0].message.lane) == 1
    with ositrace.open(path) as trace:
        assert trace.map is None
        assert len(trace.at(1, static="carry").message.lane) == 0


def test_the_map_is_found_where_the_command_line_finds_it(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth(map_reference="road.xodr"))
    with ositrace.open(path) as trace:
        assert trace.map.lanes().to_arrow().num_rows == 1
        assert trace["gt"].map.map_reference == "road.xodr"
    (tmp_path / "other").mkdir()
    with ositrace.open(written(tmp_path / "other" / "run.osi", ground_truth(map_reference="road.xodr"))) as trace:
        assert trace.map is None
    with ositrace.open(path.read_bytes(), type="gt") as trace:
        assert trace.map is None  # there is nothing beside bytes
    with ositrace.open(path.read_bytes(), type="gt", map=road) as trace:
        assert len(trace.map.lane) == 1
    with ositrace.open(road) as trace:
        assert trace.map is None and len(trace[0].message.lane) == 1


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_a_channel_an_attachment_and_a_text_trace(tmp_path, road):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = written(folder / "run.osi", ground_truth())
    ositrace.convert(path, folder / "channel.mcap", attach_map=road)
    ositrace.convert(path, folder / "attachment.mcap", attach=[road])
    ositrace.convert(path, folder / "run.jsonl")
    expected = ositrace.open(path, map=road).map.message.SerializeToString()
    for name in ("channel.mcap", "attachment.mcap"):
        with ositrace.open(folder / name) as trace:
            assert trace.map.message.SerializeToString() == expected
    with ositrace.open(folder / "run.jsonl", map=road) as trace:
        assert trace.map.message.SerializeToString() == expected
    ositrace.static("add", path, folder / "with_map.osi", map=road)
    with ositrace.open(folder / "with_map.osi") as trace, ositrace.open(path, map=road) as other:
        assert bytes(trace[0].payload) == bytes(other.at(1, static="carry").payload)


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_beside_a_map_channel_frames_and_tables_need_no_topic(tmp_path, road):
    path = written(tmp_path / "run.osi", *(ground_truth(y=y) for y in (1.0, 2.0, 3.0)))
    ositrace.convert(path, tmp_path / "run.mcap", attach_map=road)
    with ositrace.open(tmp_path / "run.mcap") as trace, ositrace.open(path) as alone:
        assert sorted((channel.is_map, channel.topic) for channel in trace.channels) == [
            (False, alone.channels[0].topic),
            (True, "/ground_truth_map"),
        ]
        assert len(trace) == len(list(trace)) == len(trace.between()) == 3
        assert [bytes(frame.payload) for frame in trace] == [bytes(frame.payload) for frame in alone]
        assert bytes(trace[2].payload) == bytes(trace[-1].payload) == bytes(alone[2].payload)
        assert bytes(trace.at(1).payload) == bytes(alone.at(1).payload)
        columns = ["time", "id", "x", "y"]  # frames are numbered over all channels
        assert trace.objects(columns).to_arrow().equals(alone.objects(columns).to_arrow())
        assert trace.fields.moving_object is not None
        maps = trace["/ground_truth_map"]
        assert len(maps) == 1 and ROAD.encode() in bytes(maps[0].payload)
        assert maps.channels[0].is_map
        assert len(trace.stats()) == 2


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_of_two_maps_in_a_trace_the_first_is_used_with_a_warning(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth())
    old = tmp_path / "old.xodr"
    old.write_text(ROAD.replace("3.5", "9"))
    ositrace.convert(path, tmp_path / "run.mcap", attach=[road, old])
    with ositrace.open(tmp_path / "run.mcap") as trace:
        with pytest.warns(UserWarning, match="there are 2 maps: that in the attachment 'road.xodr' is used"):
            assert len(trace.map.lane) == 1


def test_the_map_of_a_real_trace(ground_truth_trace):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with ositrace.open(ground_truth_trace, map=TOWN) as trace:
            assert trace.map.lanes().to_arrow().num_rows > 10


@pytest.fixture
def ground_truth_trace():
    if not TOWN.exists():
        pytest.skip(f"{TOWN} is missing")
    return conftest.trace("highway_merge.osi")


def test_a_map_that_does_not_fit_or_cannot_be_read_is_reported(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth(y=500.0))
    with pytest.warns(UserWarning, match="1 of 1 object is more than 10 m from any lane"):
        trace = ositrace.open(path, map=road)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(trace.map.lane) == 1  # it was said before
    with pytest.raises(FileNotFoundError, match="none.xodr"):
        ositrace.open(path, map=tmp_path / "none.xodr")
    broken = tmp_path / "broken.xodr"
    broken.write_text(ROAD.replace('length="100"', 'length="nan"', 1))
    with pytest.raises(ositrace.Error, match='broken.xodr: line 1: <road>: length is "nan"'):
        ositrace.open(path, map=broken)
    road.rename(tmp_path / "run.xodr")
    (tmp_path / "run.xodr").write_text("<OpenDRIVE>")
    with ositrace.open(path) as trace, pytest.raises(ositrace.Error, match="run.xodr"):
        trace.map
    for wrong in (b"town.xodr", 3):
        with pytest.raises(TypeError, match="map=.*: expected a path"):
            ositrace.open(path, map=wrong)
    with pytest.raises(ositrace.Error, match="object stores are not supported"):
        ositrace.open(path, map="s3://bucket/town.xodr")


LANE_COLUMNS = ["s", "t", "logical_lane_id", "physical_lane_id", "reference_line_id"]


def lane_rows(trace, *more, **options):
    return trace.objects([*more, *LANE_COLUMNS], lane_frame=True, **options).to_arrow().to_pylist()


def test_lane_coordinates_are_those_on_the_reference_line(tmp_path, road):
    far, left = ground_truth(y=500.0), ground_truth(y=-2.0)
    path = written(tmp_path / "run.osi", ground_truth(y=1.5), left, far)
    trace = ositrace.open(path, map=road)
    inside, beside, none = lane_rows(trace, "lane_id")
    lane = trace.map.logical_lane[0]
    assert inside == {
        "lane_id": None,
        "s": pytest.approx(50),
        "t": pytest.approx(1.5),
        "logical_lane_id": lane.id.value,
        "physical_lane_id": trace.map.lane[0].id.value,
        "reference_line_id": lane.reference_line_id.value,
    }
    assert beside["t"] == pytest.approx(-2) and beside["logical_lane_id"] is None
    assert beside["reference_line_id"] == lane.reference_line_id.value
    assert none == dict.fromkeys(["lane_id", *LANE_COLUMNS])
    table = trace.objects(lane_frame=True)
    assert table.columns[-5:] == LANE_COLUMNS and table.units["s"] == table.units["t"] == "m"
    assert "s" not in trace.objects().columns
    with pytest.raises(KeyError, match="no column 's'"):
        trace.objects(["s"])
    with pytest.raises(TypeError, match="lane_frame"):
        trace.objects(lane_frame=1)
    assert trace.objects(["s"], lane_frame=True, time=(5, 6)).to_arrow().num_rows == 0


def test_an_assignment_wins_and_refers_to_its_lane(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth())
    with ositrace.open(path, map=road) as trace:
        lane = trace.map.logical_lane[0]
    message = ground_truth()
    assignment = message.moving_object[0].moving_object_classification.logical_lane_assignment.add(s_position=7)
    assignment.assigned_lane_id.value = lane.id.value
    unplaced = ground_truth(y=5.0)
    assignment = unplaced.moving_object[0].moving_object_classification.logical_lane_assignment.add()
    assignment.assigned_lane_id.value = lane.id.value
    unknown = ground_truth()
    assignment = unknown.moving_object[0].moving_object_classification.logical_lane_assignment.add(t_position=3)
    assignment.assigned_lane_id.value = 5
    with ositrace.open(written(tmp_path / "run.osi", message, unplaced, unknown), map=road) as trace:
        first, second, third = lane_rows(trace)
    assert (first["s"], first["t"], first["logical_lane_id"]) == (7, 0, lane.id.value)
    assert first["reference_line_id"] == lane.reference_line_id.value
    assert (second["s"], second["t"]) == (pytest.approx(50), pytest.approx(5))
    assert third == {
        "s": 0,
        "t": 3,
        "logical_lane_id": 5,
        "physical_lane_id": None,
        "reference_line_id": None,
    }
    with ositrace.open(tmp_path / "run.osi") as trace:
        assert [row["reference_line_id"] for row in lane_rows(trace)] == [None] * 3
        assert lane_rows(trace)[0]["s"] == 7


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_what_a_writer_assigns_is_what_is_found_without_it(tmp_path):
    """The generated scene computes s and t from its own curve."""
    from osi3.osi_groundtruth_pb2 import GroundTruth

    generated = [os.environ["OSICONVERT"], "generate", tmp_path / "drive.osi", "--frames=40", "--type=gt"]
    subprocess.run(generated, check=True)
    messages = []
    with ositrace.open(tmp_path / "drive.osi") as trace:
        expected = lane_rows(trace, "frame", "id", "kind")
        for frame in trace:
            message = GroundTruth.FromString(bytes(frame.payload))
            for moving in message.moving_object:
                del moving.moving_object_classification.logical_lane_assignment[:]
            messages.append(message)
    for form in ("plain.osi", "plain.osifb"):
        written(tmp_path / "plain.osi", *messages)
        if form != "plain.osi":
            ositrace.convert(tmp_path / "plain.osi", tmp_path / form)
        with ositrace.open(tmp_path / form) as trace:
            found = lane_rows(trace, "frame", "id", "kind")
            late = lane_rows(trace, "frame", "id", "kind", time=(1, None))
        assert late == [row for row in found if row["frame"] >= late[0]["frame"]] and late
        moving = [(a, b) for a, b in zip(expected, found) if a["kind"] == "moving_object" and a["s"] is not None]
        assert len(moving) > 100
        for one, other in moving:
            assert other["s"] == pytest.approx(one["s"], abs=0.05) and other["t"] == pytest.approx(one["t"], abs=0.05)
            assert other["reference_line_id"] == one["reference_line_id"]
        agree = sum(one["logical_lane_id"] == other["logical_lane_id"] for one, other in moving)
        assert agree >= 0.95 * len(moving)


def test_lanes_of_a_real_trace_are_those_of_its_map(tmp_path, ground_truth_trace):
    """esmini assigns lanes of its own; their centre lines tell which lanes of the map these are."""
    with ositrace.open(ground_truth_trace, map=TOWN) as trace:
        rows = lane_rows(trace, "lane_id", "kind")
        lanes = {lane.id.value: lane.classification.centerline for lane in trace[0].message.lane}
    centre = {}
    for id, points in lanes.items():
        messages = []
        for point in points:
            message = ground_truth()
            place = message.moving_object[0].base.position
            place.x, place.y, place.z = point.x, point.y, point.z
            messages.append(message)
        if not messages:
            continue
        with ositrace.open(written(tmp_path / "centre.osi", *messages), map=TOWN) as trace:
            found = [row["physical_lane_id"] for row in lane_rows(trace)]
        centre[id] = {one for one in found if one is not None}
    judged = [row for row in rows if row["kind"] == "moving_object" and centre.get(row["lane_id"])]
    agree = sum(row["physical_lane_id"] in centre[row["lane_id"]] for row in judged)
    assert len(judged) > 1000 and agree >= 0.95 * len(judged)


def test_lane_coordinates_of_many_files_and_of_other_types(tmp_path, road):
    folder = tmp_path / "lake"
    folder.mkdir()
    for name in ("a", "b"):
        written(folder / f"{name}.osi", ground_truth(y=1.0))
    road.rename(folder / "a.xodr")
    lake = ositrace.scan(folder)
    assert lake.objects(["s"], lane_frame=True).to_arrow()["s"].to_pylist() == [pytest.approx(50), None]
    given = ositrace.scan(folder, map=folder / "a.xodr").objects(["s", "id"], lane_frame=True)
    assert given.to_arrow()["s"].to_pylist() == [pytest.approx(50)] * 2
    polars = pytest.importorskip("polars")
    frame = ositrace.scan_polars(folder, lane_frame=True).filter(polars.col("t") < 2).select("file", "t").collect()
    assert frame["t"].to_list() == [pytest.approx(1)]
    with pytest.raises(TypeError, match="map=.*: expected a path"):
        ositrace.scan(folder, map=3)
    from osi3.osi_sensordata_pb2 import SensorData

    with ositrace.create(tmp_path / "sd.osi", type="SensorData") as writer:
        message = SensorData()
        message.timestamp.seconds = 1
        message.moving_object.add()
        writer.write(message)
    with pytest.raises(ositrace.Error, match="objects of osi3.SensorData have no lane coordinates"):
        ositrace.open(tmp_path / "sd.osi").objects(lane_frame=True)


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_a_check_compares_with_the_map(tmp_path, road):
    path = written(tmp_path / "run.osi", ground_truth(), ground_truth(y=80.0))
    disabled = ["file_name.convention", "deserialization.version_is_set", "timestamp.not_repeated"]
    found = ositrace.check(path, map=road, disable=disabled, rules="none")
    assert [(one.id.rpartition(":")[2], one.frame) for one in found] == [("map.fits", 1)]
    assert not ositrace.check(path, disable=disabled, rules="none")
