# SPDX-License-Identifier: MPL-2.0
"""Payloads in Arrow columns; the oracle are the objects of osi3."""

import polars as pl
import pyarrow as pa
import pytest
from test_tables import value

import ositrace

FIELDS = {
    "t": "timestamp.nanos",
    "id": "moving_object[*].id",
    "x": "moving_object[*].base.position.x",
    "type": "moving_object[*].type",
    "lanes": "moving_object[*].assigned_lane_id[*].value",
}


@pytest.fixture
def payloads(ground_truth):
    with ositrace.open(ground_truth) as trace:
        return [bytes(frame.payload) if i % 7 else None for i, frame in enumerate(trace[:100])]


def expected(payloads):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    for payload in payloads:
        if payload is None:
            yield None
            continue
        message = GroundTruth.FromString(payload)
        objects = message.moving_object
        yield {
            "t": value(message, "timestamp.nanos"),
            "id": [value(one, "id.value") for one in objects],
            "x": [value(one, "base.position.x") for one in objects],
            "type": [value(one, "type") for one in objects],
            "lanes": [[value(lane, "value") for lane in one.assigned_lane_id] for one in objects],
        }


@pytest.mark.parametrize("kind", [pa.binary(), pa.large_binary(), pa.binary_view()], ids=str)
def test_a_column_of_payloads_becomes_a_column_of_structs(payloads, kind):
    rows = list(expected(payloads))
    array = pa.array(payloads, kind)
    decoded = ositrace.decode(array, "GroundTruth", FIELDS)
    assert isinstance(decoded, pa.StructArray) and decoded.to_pylist() == rows
    assert ositrace.decode(array[10:30], "osi3.GroundTruth", FIELDS).to_pylist() == rows[10:30]
    assert ositrace.decode(array[:0], "gt", FIELDS).to_pylist() == []
    chunked = ositrace.decode(pa.chunked_array([array[:8], array[8:50], array[50:]]), "gt", FIELDS)
    assert isinstance(chunked, pa.ChunkedArray) and chunked.num_chunks == 3 and chunked.to_pylist() == rows


def test_a_series_of_polars_stays_one(payloads):
    rows = list(expected(payloads))
    series = pl.Series("data", payloads, pl.Binary)
    decoded = ositrace.decode(series, "GroundTruth", FIELDS)
    assert decoded.name == "data" and decoded.to_list() == rows
    frame = pl.DataFrame({"data": series}).with_columns(ositrace.decode(series, "gt", FIELDS).alias("gt"))
    times = [row and row["t"] for row in rows]
    assert frame.select(pl.col("gt").struct.field("t"))["t"].to_list() == times


def test_any_object_with_arrow_data_is_decoded(payloads):
    class Array:
        def __init__(self, array):
            self.__arrow_c_array__ = array.__arrow_c_array__

    class Stream:
        def __init__(self, array):
            self.__arrow_c_stream__ = array.__arrow_c_stream__

    array = pa.array(payloads, pa.binary())
    rows = list(expected(payloads))
    assert pa.array(ositrace.decode(Array(array), "gt", FIELDS)).to_pylist() == rows
    assert pa.chunked_array(ositrace.decode(Stream(pa.chunked_array([array])), "gt", FIELDS)).to_pylist() == rows


def test_flatbuffers_paths_and_defaults(ground_truth, tmp_path):
    ositrace.convert(ground_truth, tmp_path / "flat.osifb")
    with ositrace.open(tmp_path / "flat.osifb") as trace:
        payloads = pa.array([bytes(frame.payload) for frame in trace[:5]], pa.binary())
        paths = ["timestamp.seconds", "country_code"]
        rows = ositrace.decode(payloads, "GroundTruth", paths, encoding="flatbuffers", fill_defaults=True).to_pylist()
        assert rows == [{"timestamp.seconds": 0, "country_code": 0}] * 5
    positions = pa.array([trace_position(ground_truth)], pa.binary())
    assert ositrace.decode(positions, "osi3.Vector3d", ["x"]).to_pylist() == [{"x": trace_x(ground_truth)}]


def trace_position(path):
    with ositrace.open(path) as trace:
        return trace[0].message.moving_object[0].base.position.SerializeToString()


def trace_x(path):
    with ositrace.open(path) as trace:
        return trace[0].message.moving_object[0].base.position.x


def test_what_is_wrong_is_said(payloads):
    array = pa.array([payloads[1], b"\x2a\xff\xff", None], pa.binary())
    with pytest.raises(
        ositrace.Error, match="frame 1 at byte 0: moving_object: a varint that the end of the message cuts off"
    ) as caught:
        ositrace.decode(array, "GroundTruth", FIELDS)
    assert (caught.value.frame, caught.value.code) == (1, "malformed")
    with pytest.raises(KeyError, match="did you mean 'moving_object'"):
        ositrace.decode(array, "GroundTruth", ["moving_objec[*].id"])
    with pytest.raises(ositrace.Error, match="unknown message type 'Ground'"):
        ositrace.decode(array, "Ground", FIELDS)
    with pytest.raises(ositrace.Error, match="format 'l', expected binary, large_binary or binary_view"):
        ositrace.decode(pa.array([1, 2]), "gt", FIELDS)
    with pytest.raises(TypeError, match=r"decode\(\) takes an Arrow array"):
        ositrace.decode([b""], "gt", FIELDS)
    with pytest.raises(ValueError, match="encoding='json': expected"):
        ositrace.decode(array, "gt", FIELDS, encoding="json")
