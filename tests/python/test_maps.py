# SPDX-License-Identifier: MPL-2.0
"""The map of a trace: osi3 judges what `trace.map` is, the command line what it writes into a trace."""

import os
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
    with ositrace.create(path, type="GroundTruth") as writer:
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
