# SPDX-License-Identifier: MPL-2.0
"""Tables; the oracle is a loop over objects of osi3, and what pyarrow, pandas, polars and numpy say about its rows."""

import re
import math
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
import warnings

import conftest
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from osi3.osi_groundtruth_pb2 import GroundTruth
from osi3.osi_sensordata_pb2 import SensorData
from osi3.osi_sensorview_pb2 import SensorView
from osi3.osi_trafficupdate_pb2 import TrafficUpdate

import ositrace

CLASSES = {"osi3.GroundTruth": GroundTruth, "osi3.SensorData": SensorData, "osi3.SensorView": SensorView}


def value(message, path):
    """Of a singular field, an element `[0]` on the way allowed; None where it or what is around it is not set."""
    for part in path.split("."):
        name, _, place = part.partition("[")
        field = message.DESCRIPTOR.fields_by_name.get(name)
        if field is None:
            return None  # the other kind of object
        if place:
            elements = getattr(message, name)
            if not elements:
                return None
            message = max(elements, key=probability) if name == "candidate" else elements[0]
        elif not message.HasField(name):
            return None
        else:
            message = getattr(message, name)
    return enum_name(field, message)


def component(message, path):
    """Of a vector: 0 where the vector is there without it, as a writer has it that omits what is 0."""
    found, (around, _, _) = value(message, path), path.rpartition(".")
    for part in around.split("."):
        if not message.HasField(part):
            return None
        message = getattr(message, part)
    return 0.0 if found is None else found


def probability(candidate):
    """Without one, or with NaN, less than any."""
    stated = candidate.probability if has_field(candidate, "probability") else -math.inf
    return stated if stated == stated else -math.inf


def enum_name(field, number):
    if field.enum_type is None:
        return number
    return field.enum_type.values_by_number[number].name


def first(message, *paths):
    return next((found for path in paths if (found := value(message, path)) is not None), None)


def has_field(message, name):
    return name in message.DESCRIPTOR.fields_by_name and message.HasField(name)


def time_ns(message):
    return message.timestamp.seconds * 1_000_000_000 + message.timestamp.nanos


def scenario_name(one):
    """What esmini writes, and OSI's form for OpenSCENARIO."""
    for reference in getattr(one, "source_reference", ()):
        names = [text.partition(":")[2] for text in reference.identifier if text.startswith("entity_name:")]
        if len(reference.identifier) > 1 and reference.identifier[0] in ("Vehicle", "Pedestrian", "MiscObject"):
            names.append(reference.identifier[1])
        if names and names[0]:
            return names[0]
    return None


def object_rows(index, message):
    """What objects() has of a message."""
    root = message.global_ground_truth if isinstance(message, SensorView) else message
    detected = "candidate[0]." if isinstance(message, SensorData) else ""
    vector = value if isinstance(message, SensorData) else component
    for kind in ("moving_object", "stationary_object"):
        for one in getattr(root, kind):
            position, turn, move = (
                [f"base.{name}.{part}" for part in parts]
                for name, parts in (("position", "xyz"), ("orientation", ("roll", "pitch", "yaw")), ("velocity", "xyz"))
            )
            velocity = [vector(one, path) for path in move]
            row = {
                "frame": index,
                "time": time_ns(message) / 1e9,
                "time_ns": time_ns(message),
                "id": first(one, "id.value", "header.tracking_id.value") or 0,
                "kind": kind,
                "type": first(one, f"{detected}type", f"{detected}classification.type"),
                "name": scenario_name(one),
            }
            row |= dict(zip("xyz", (vector(one, path) for path in position)))
            row |= dict(zip(("roll", "pitch", "yaw"), (vector(one, path) for path in turn)))
            row |= dict(zip(("vx", "vy", "vz"), velocity))
            row["speed"] = math.hypot(*(part or 0 for part in velocity)) if velocity != [None] * 3 else None
            row |= {f"a{part}": vector(one, f"base.acceleration.{part}") for part in "xyz"}
            row |= {part: value(one, f"base.dimension.{part}") for part in ("length", "width", "height")}
            row["lane_id"] = first(
                one,
                f"{detected}moving_object_classification.assigned_lane_id[0].value",
                "assigned_lane_id[0].value",
                f"{detected}classification.assigned_lane_id[0].value",
            )
            lights = f"{detected}vehicle_classification.light_state."
            row["brake_light"] = value(one, f"{lights}brake_light_state")
            row["indicator"] = value(one, f"{lights}indicator_state")
            if isinstance(message, SensorData):
                row["ground_truth_id"] = value(one, "header.ground_truth_id[0].value")
            named = next((part for part in (message, root) if has_field(part, "host_vehicle_id")), None)
            row["is_host"] = None if named is None else row["id"] == named.host_vehicle_id.value
            yield row


def osi3_messages(trace):
    return [(frame.index, frame.message.to_protobuf()) for frame in trace]


def assert_rows(table, expected):
    rows = table.to_arrow().to_pylist()
    assert len(rows) == len(expected)
    for row, wanted in zip(rows, expected):
        assert list(row) == list(wanted)
        for name, found in row.items():
            other = wanted[name]
            assert (
                found == pytest.approx(other, rel=1e-15, nan_ok=True) if isinstance(other, float) else found == other
            ), name


@pytest.mark.parametrize(
    "name",
    [
        "highway_merge.osi",
        "disappearingVehicle.mcap",
        "sensorDataDetectedLaneBoundaries.mcap",
        "20240618T122540Z_sv_370_244_20_minimal_valid_example.osi",
    ],
)
def test_objects_are_those_of_a_loop_over_osi3(name):
    kind = "SensorData" if "SensorData" in name or "sensorData" in name else None
    with ositrace.open(conftest.trace(name), type=kind) as trace:
        expected = [row for index, message in osi3_messages(trace) for row in object_rows(index, message)]
        assert_rows(trace.objects(), expected)
        some = ["id", "vx", "type", "time"]
        assert_rows(trace.objects(some), [{name: row[name] for name in some} for row in expected])


def random_ground_truth(chance, i):
    """Fields of all kinds, each set or not."""
    message = GroundTruth()
    message.timestamp.seconds, message.timestamp.nanos = i, 500
    often = lambda: chance.random() < 0.7  # noqa: E731
    if often():
        message.proj_string = chance.choice(["", "+proj=utm", "größer"])
    if often():
        message.country_code = chance.randrange(4)
    if often():
        message.host_vehicle_id.value = chance.randrange(3)
    for _ in range(chance.randrange(4)):
        one = message.moving_object.add()
        if often():
            one.id.value = chance.choice([0, 1, 2, 2**64 - 1])
        if often():
            one.type = chance.choice(list(one.Type.values()))
        for path, parts in (("position", "xyz"), ("velocity", "xyz"), ("orientation", ("roll", "pitch", "yaw"))):
            for part in parts:
                if often():
                    setattr(getattr(one.base, path), part, chance.choice([0.0, -0.0, 1.5, math.nan, math.inf, -1e300]))
        for _ in range(chance.randrange(3)):
            lane = one.assigned_lane_id.add()
            if often():
                lane.value = chance.randrange(100)
        if often():
            one.vehicle_classification.has_trailer = chance.random() < 0.5
        if often():
            one.vehicle_attributes.number_wheels = chance.randrange(6)
    for _ in range(chance.randrange(3)):
        lane = message.lane.add()
        for _ in range(chance.randrange(3)):
            point = lane.classification.centerline.add()
            if often():
                point.x = chance.random()
    return message


@pytest.fixture(params=["r.osi", "r.osifb", "r.mcap", "r.osi.zst"])
def random_trace(request, tmp_path):
    """The messages and a trace of them, in both encodings."""
    chance = random.Random(16)
    messages = [random_ground_truth(chance, i) for i in range(60)]
    with ositrace.create(tmp_path / request.param) as writer:
        for message in messages:
            writer.write(message)
    with ositrace.open(tmp_path / request.param, type="GroundTruth") as trace:
        yield trace, messages


#: Columns of an object, and the path below it.
FIELDS = {
    "id": "id.value",
    "type": "type",
    "x": "base.position.x",
    "yaw": "base.orientation.yaw",
    "trailer": "vehicle_classification.has_trailer",
    "wheels": "vehicle_attributes.number_wheels",
}


def test_presence_of_any_field_is_that_of_osi3(random_trace):
    trace, messages = random_trace
    columns = {name: f"moving_object[*].{path}" for name, path in FIELDS.items()}
    columns |= {"frame": "@frame", "proj": "proj_string", "country": "country_code", "id": "moving_object[*].id"}
    columns["lanes"] = "moving_object[*].assigned_lane_id[*].value"
    lanes = lambda one: [value(lane, "value") for lane in one.assigned_lane_id]  # noqa: E731
    expected = [
        {name: value(one, FIELDS[name]) if name in FIELDS else None for name in columns}
        | {"frame": i, "proj": value(message, "proj_string"), "country": value(message, "country_code")}
        | {"lanes": lanes(one)}
        for i, message in enumerate(messages)
        for one in message.moving_object
    ]
    assert_rows(trace.table(columns), expected)


def test_defaults_are_filled(random_trace):
    trace, messages = random_trace
    columns = {name: f"moving_object[*].{path}" for name, path in FIELDS.items()}

    def filled(one, path):
        for part in path.split("."):
            field = one.DESCRIPTOR.fields_by_name[part]
            one = getattr(one, part)
        return enum_name(field, one)

    expected = [
        {name: filled(one, path) for name, path in FIELDS.items()}
        for message in messages
        for one in message.moving_object
    ]
    assert_rows(trace.table(columns, fill_defaults=True), expected)


def test_rows_are_elements_frames_or_the_innermost_elements(random_trace):
    trace, messages = random_trace
    columns = {"id": "moving_object[*].id", "lane": "moving_object[*].assigned_lane_id[*].value"}
    ids = lambda one: value(one, "id.value")  # noqa: E731
    lanes = lambda one: [value(lane, "value") for lane in one.assigned_lane_id]  # noqa: E731
    per_frame = [
        {"id": [ids(one) for one in m.moving_object], "lane": [lanes(one) for one in m.moving_object]} for m in messages
    ]
    assert_rows(trace.table(columns, rows="frames"), per_frame)
    exploded = [
        {"id": ids(one), "lane": lane} for m in messages for one in m.moving_object for lane in lanes(one) or [None]
    ]
    assert_rows(trace.table(columns, rows="innermost"), exploded)


@pytest.mark.parametrize("rows", ["elements", "innermost"])
@pytest.mark.parametrize("empty", [GroundTruth(country_code=276), GroundTruth(moving_object=[{"id": {"value": 7}}])])
def test_frames_without_rows_end_no_table(tmp_path, rows, empty):
    """Enough of them for a batch, before an object with two lanes."""
    count = 500_000
    last = GroundTruth(moving_object=[{"id": {"value": 8}, "assigned_lane_id": [{"value": 1}, {"value": 2}]}])
    payload = empty.SerializeToString()
    file = tmp_path / "a.osi"
    file.write_bytes(
        (len(payload).to_bytes(4, "little") + payload) * count
        + last.ByteSize().to_bytes(4, "little")
        + last.SerializeToString()
    )
    columns = {"id": "moving_object[*].id", "lane": "moving_object[*].assigned_lane_id[*].value"}
    with ositrace.open(file, type="GroundTruth") as trace:
        table = trace.table(columns, rows=rows).to_arrow()
    assert len(table) == count * len(empty.moving_object) + (2 if rows == "innermost" else 1)
    assert table["id"][-1].as_py() == 8


def test_all_columns_are_lists_per_frame(random_trace):
    trace, messages = random_trace
    table = trace.columns().to_arrow()
    assert table.num_rows == len(messages)
    xs = [[value(one, "base.position.x") for one in message.moving_object] for message in messages]
    assert repr(table["moving_object.base.position.x"].to_pylist()) == repr(xs)
    points = [
        [[value(point, "x") for point in lane.classification.centerline] for lane in message.lane]
        for message in messages
    ]
    assert table["lane.classification.centerline.x"].to_pylist() == points
    some = ["proj_string", "lane.classification.centerline.x"]
    assert trace.columns(some).to_arrow().equals(table.select(some))


def test_a_number_without_a_name_is_its_digits(tmp_path):
    def vehicle(number):
        one = GroundTruth()
        one.moving_object.add().id.value = 7
        wire = one.moving_object[0].SerializeToString() + b"\x18" + bytes([number])  # field 3, `type`
        return GroundTruth(version=one.version).SerializeToString() + b"\x2a" + bytes([len(wire)]) + wire

    numbers = [2, 99, 3, 2, 98, 99]
    with ositrace.create(tmp_path / "unknown.osi", type="GroundTruth") as writer:
        for number in numbers:
            writer.write(vehicle(number))
    names = ["TYPE_VEHICLE", "99", "TYPE_PEDESTRIAN", "TYPE_VEHICLE", "98", "99"]
    with ositrace.open(tmp_path / "unknown.osi", type="GroundTruth") as trace:
        table = trace.objects(["type"])
        batches = list(ositrace._ositrace.read_table(trace._handle, 0, table._plan, None, 1))
        assert len(batches) == 6  # the dictionary of a later batch is longer
        assert [pa.record_batch(batch)["type"][0].as_py() for batch in batches] == names
        assert table.to_arrow()["type"].to_pylist() == names
        assert table.to_polars()["type"].to_list() == names
        assert list(table.to_pandas()["type"]) == names
        assert list(table.to_numpy()["type"]) == names
        assert pl.concat([pl.DataFrame(batch) for batch in batches])["type"].to_list() == names


def test_a_time_range_is_that_of_between(ground_truth, sensor_view, two_channels):
    for path, topic in ((ground_truth, None), (sensor_view, None), (two_channels, "/b")):
        with ositrace.open(path, topic=topic) as trace:
            last = trace[-1].time
            for bounds in ((None, None), (0, 0.1), (last / 3, last / 2), (None, last), (last, None), (last + 9, None)):
                frames = trace.table(["@frame"], time=bounds).to_numpy()["@frame"]
                assert frames.tolist() == [frame.index for frame in trace.between(*bounds)]


def test_units_are_in_the_fields(ground_truth):
    with ositrace.open(ground_truth) as trace:
        table = trace.objects(["id", "x", "vx", "yaw"])
        assert table.units == {"x": "m", "vx": "m/s", "yaw": "rad"}
        assert table.columns == ["id", "x", "vx", "yaw"]
        schema = table.to_arrow().schema
        assert [(field.metadata or {}).get(b"unit") for field in schema] == [None, b"m", b"m/s", b"rad"]
        assert pa.schema(table) == schema


def test_other_packages_take_tables_and_batches(ground_truth):
    with ositrace.open(ground_truth) as trace:
        table = trace.objects()
        arrow = table.to_arrow()
        assert pa.table(table).equals(arrow)
        assert pl.DataFrame(table).equals(table.to_polars(), null_equal=True)
        assert pl.from_arrow(arrow).equals(table.to_polars(), null_equal=True)
        batches = list(table.batches())
        assert sum(len(batch) for batch in batches) == sum(batch.num_rows for batch in batches) == arrow.num_rows
        for _ in range(2):  # a batch is shared, not consumed
            assert pa.Table.from_batches([pa.record_batch(batch) for batch in batches]).equals(arrow)
    assert pa.Table.from_batches([pa.record_batch(batch) for batch in batches]).equals(arrow)  # outlives the trace
    table.__arrow_c_schema__(), batches[0].__arrow_c_array__()  # capsules that nobody takes


def test_pandas_keeps_nullable_integers(random_trace):
    trace, messages = random_trace
    columns = {name: f"moving_object[*].{path}" for name, path in FIELDS.items()}
    frame = trace.table(columns).to_pandas()
    assert [str(kind) for kind in frame.dtypes] == ["UInt64", "category", "float64", "float64", "boolean", "UInt32"]
    ids = [value(one, "id.value") for message in messages for one in message.moving_object]
    assert None in ids and 2**64 - 1 in ids
    assert [None if one is pd.NA else int(one) for one in frame["id"]] == ids


def test_numpy_arrays(random_trace):
    trace, messages = random_trace
    columns = {name: f"moving_object[*].{path}" for name, path in FIELDS.items()}
    columns["lanes"] = "moving_object[*].assigned_lane_id[*].value"
    arrays = trace.table(columns).to_numpy()
    objects = [one for message in messages for one in message.moving_object]
    expected = {name: [value(one, path) for one in objects] for name, path in FIELDS.items()}
    for name in ("id", "trailer", "wheels", "type"):
        assert arrays[name].tolist() == expected[name]
    for name in ("x", "yaw"):
        wanted = [math.nan if number is None else number for number in expected[name]]
        np.testing.assert_array_equal(arrays[name], wanted)
    lanes = [[value(lane, "value") for lane in one.assigned_lane_id] for one in objects]
    assert [each.tolist() for each in arrays["lanes"]] == lanes
    filled = trace.table(columns, fill_defaults=True).to_numpy()
    assert filled["id"].dtype == np.uint64 and filled["id"].tolist() == [number or 0 for number in expected["id"]]
    nothing = trace.table(columns, time=(1e6, None))
    assert {name: len(array) for name, array in nothing.to_numpy().items()} == dict.fromkeys(columns, 0)
    assert nothing.to_arrow().num_rows == len(nothing.to_pandas()) == nothing.to_polars().height == 0


def test_numbers_come_to_numpy_without_a_copy(tmp_path):
    view = SensorView()
    for i in range(1000):
        view.lidar_sensor_view.add().reflection.add(signal_strength=i, time_of_flight=i / 2)
    with ositrace.create(tmp_path / "lidar.osi") as writer:
        writer.write(view)
    with ositrace.open(tmp_path / "lidar.osi") as trace:
        table = trace.reflections(["signal_strength", "time_of_flight"])
        (batch,) = table.batches()
        for arrays in (table.to_numpy(), batch.to_numpy()):
            for name, factor in (("signal_strength", 1), ("time_of_flight", 0.5)):
                array = arrays[name]
                assert array.tolist() == [factor * i for i in range(1000)]
                assert not array.flags.owndata and not array.flags.writeable
                assert isinstance(array.base, memoryview)


def test_batches_are_joined_in_numpy(ground_truth, monkeypatch):
    with ositrace.open(ground_truth) as trace:
        expected = trace.objects().to_numpy()
        monkeypatch.setattr("ositrace._table._WHOLE_BYTES", 1000)
        for name, array in trace.objects().to_numpy().items():
            np.testing.assert_array_equal(array, expected[name])
            assert array.dtype == expected[name].dtype and type(array) is type(expected[name])
            assert not array.flags.writeable


def test_a_parquet_file_is_complete_or_not_there(ground_truth, tmp_path):
    path = tmp_path / "objects.parquet"
    with ositrace.open(ground_truth) as trace:
        trace.objects().to_parquet(path, compression="zstd")
        expected = trace.objects().to_arrow()
        found = pq.read_table(path)
        assert found.to_pylist() == expected.to_pylist()
        assert found.schema.field("x").metadata[b"unit"] == b"m"
    damaged = tmp_path / "cut.osi"
    damaged.write_bytes(ground_truth.read_bytes()[:-1000])
    before = path.read_bytes()
    with ositrace.open(damaged) as trace, pytest.raises(ositrace.Error, match="frame 432"):
        trace.objects().to_parquet(path, overwrite=True)
    assert path.read_bytes() == before
    with ositrace.open(ground_truth) as trace:
        with pytest.raises(ositrace.Error) as caught:
            trace.objects(["id"]).to_parquet(path)
        text = f"{path} exists. Use overwrite=True to replace it."
        assert (str(caught.value), caught.value.code, path.read_bytes()) == (text, "exists", before)
        trace.objects(["id"]).to_parquet(path, overwrite=True)
        assert pq.read_table(path).column_names == ["id"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["cut.osi", "objects.parquet"]


def test_unknown_names_are_key_errors_with_the_names_that_are_near(ground_truth):
    asks = {
        lambda t: t.table(["moving_objects[*].id"]): "there is no field 'moving_objects' in osi3.GroundTruth "
        "(column 'moving_objects[*].id'); did you mean 'moving_object' or 'stationary_object'?",
        lambda t: t.table({"x": "moving_object[*].base.positio.x"}): "there is no field 'positio' in osi3.BaseMoving "
        "(column 'x'); did you mean 'position' or 'orientation'?",
        lambda t: t.table({"x": "global_ground_truth.moving_object[*].id"}): "there is no field 'global_ground_truth' "
        "in osi3.GroundTruth (column 'x'); did you mean 'moving_object[*].id'?",
        lambda t: t.objects(["speeed"]): "there is no column 'speeed' in the objects of osi3.GroundTruth; "
        "did you mean 'speed'?",
        lambda t: t.columns(["lane.idd"]): "there is no column 'lane.idd' in osi3.GroundTruth; did you mean "
        "'lane.id.value'?",
        lambda t: t.table(["@tim"]): "there is no field '@tim' in osi3.GroundTruth (column '@tim'); did you mean "
        "'@time' or '@time_ns' or '@log_time_ns'?",
    }
    with ositrace.open(ground_truth) as trace:
        for ask, text in asks.items():
            with pytest.raises(KeyError) as caught:
                ask(trace)
            assert isinstance(caught.value, ositrace.Error) and str(caught.value) == text
        for ask, text in {
            lambda t: t.table(["moving_object[1"]): r"'\]' is missing in 'moving_object\[1'",
            lambda t: t.table(["moving_object[*].base"]): "is a message, expected one of its fields: dimension",
            lambda t: t.table(["lane[*].id", "moving_object[*].id"]): r"their first \[\*\] differ",
            lambda t: t.detections(): "osi3.GroundTruth has no detections",
        }.items():
            with pytest.raises(ositrace.Error, match=text) as caught:
                ask(trace)
            assert caught.value.code == "usage" and not isinstance(caught.value, KeyError)
        with pytest.raises(ValueError, match="rows='lines': expected"):
            trace.table(["@time"], rows="lines")


def test_several_channels_and_a_closed_trace_say_so(two_channels):
    with ositrace.open(two_channels) as trace:
        table = trace["/a"].objects()
        assert table.to_arrow().num_rows == trace["/b"].objects().to_arrow().num_rows > 0
        both = trace.objects()
    for one in (table, both):
        with pytest.raises(ValueError, match="the trace is closed"):
            one.to_arrow()


def test_a_table_of_several_channels_has_their_topics_as_scan_has_them(two_channels):
    with ositrace.open(two_channels) as trace:
        table = trace.objects(["time", "id", "x"], time=(None, 1))
        assert table.columns == ["channel", "time", "id", "x"]
        rows = table.to_arrow()
        assert rows.to_pylist() == ositrace.scan(two_channels).objects(
            ["time", "id", "x"], time=(None, 1)
        ).to_arrow().drop_columns("file").to_pylist()
        assert rows["channel"].unique().to_pylist() == ["/a", "/b"]
        for topic in ("/a", "/b"):
            own = trace[topic].objects(["time", "id", "x"], time=(None, 1)).to_arrow()
            assert [row for row in rows.to_pylist() if row.pop("channel") == topic] == own.to_pylist()
        with pytest.raises(ValueError, match="the name 'channel'"):
            trace.table({"channel": "@time"})
        with pytest.raises(KeyError, match="there is no column 'speeed'"):
            trace.objects(["speeed"])
        with pytest.raises(ositrace.Error, match="has no detections"):
            trace.detections()


def test_a_table_has_a_head_a_length_and_columns(ground_truth, two_channels):
    with ositrace.open(ground_truth) as trace:
        table = trace.objects()
        whole = table.to_pandas()
        assert len(table) == len(whole) and bool(trace.objects(time=(-2, -1))) and len(trace.objects(time=(-2, -1))) == 0
        assert table.head().equals(whole.head()) and table.head(0).shape == (0, len(table.columns))
        assert table.head(20).equals(whole.head(20)) and table.head(10**6).equals(whole)
        assert list(table) == table.columns
        assert (table["speed"] == table.to_numpy()["speed"]).all() and table["speed"].max() == whole.speed.max()
        some = table[["x", "id"]]
        assert some.columns == ["x", "id"] and some.units == {"x": "m"}
        assert some.to_pandas().equals(whole[["x", "id"]]) and (some["id"] == table["id"]).all()
        with pytest.raises(KeyError, match="there is no column 'sped' in the table of osi3.GroundTruth"):
            table["sped"]
        with pytest.raises(TypeError, match=r"table\[3\]: expected"):
            table[3]
        lanes = trace.table({"t": "@time", "id": "moving_object[*].id", "lane": "moving_object[*].assigned_lane_id[*].value"})
        assert len(lanes) == lanes.to_arrow().num_rows
        assert len(lanes["t"]) == len(lanes) and lanes[["t"]].to_arrow().column_names == ["t"]
        assert len(trace.columns()) == 433 and len(trace.columns()["timestamp.nanos"]) == 433
    with ositrace.open(two_channels) as trace:
        table = trace.objects()
        assert len(table) == table.to_arrow().num_rows
        assert table[["channel", "id"]].to_arrow().num_rows == len(table["channel"]) == len(table)
    scanned = ositrace.scan(two_channels).objects(["id"])
    assert len(scanned) == scanned.to_arrow().num_rows and set(scanned["file"]) == {str(two_channels)}


def test_names_of_a_scenario_are_a_column_and_pick_elements(tmp_path):
    source = conftest.trace("MovingHostWithStopLine.mcap")
    with ositrace.open(source) as trace:
        rows = trace.objects(["id", "name"]).to_pandas()
        assert {(row.id, row.name_) for row in rows.rename(columns={"name": "name_"}).itertuples()} == {(0, "Ego")}
        path = "global_ground_truth.moving_object[name=Ego].base.position.x"
        by_name = trace.table({"x": path})["x"]
        assert (by_name == trace.objects(["x"])["x"]).all() and len(by_name) == 152
        nobody = trace.table({"t": "@time", "x": path.replace("Ego", "Ego 1.5")}).to_arrow()
        assert nobody["x"].null_count == 152


def test_a_channel_of_another_schema_has_tables(tmp_path):
    from google.protobuf import type_pb2
    from mcap_protobuf.schema import build_file_descriptor_set
    from mcap.writer import Writer

    path = tmp_path / "types.mcap"
    with open(path, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        files = build_file_descriptor_set(type_pb2.Enum).SerializeToString()
        schema = writer.register_schema("google.protobuf.Enum", "protobuf", files)
        channel = writer.register_channel(topic="/enums", message_encoding="protobuf", schema_id=schema)
        for i in range(3):
            data = type_pb2.Enum(name=f"e{i}", enumvalue=[type_pb2.EnumValue(number=i), type_pb2.EnumValue(name="x")])
            writer.add_message(channel, log_time=10 * i, publish_time=0, data=data.SerializeToString())
        writer.finish()
    with ositrace.open(path) as trace:
        columns = {"t": "@log_time_ns", "name": "name", "number": "enumvalue[*].number"}
        rows = trace.table(columns).to_arrow().to_pylist()
    numbers = [(i, number) for i in range(3) for number in (i or None, None)]
    assert rows == [{"t": 10 * i, "name": f"e{i}", "number": number} for i, number in numbers]


def damaged_trace(path, ground_truth):
    """Frame 2 is damaged in a velocity."""
    with ositrace.open(ground_truth) as trace:
        payloads = [bytes(frame.payload) for frame in trace[1:6]]
    message = GroundTruth.FromString(payloads[2])
    velocity = message.moving_object[1].base.velocity.SerializeToString()
    at = payloads[2].index(velocity, payloads[2].index(message.moving_object[1].base.position.SerializeToString()))
    payloads[2] = payloads[2][:at] + b"\x0f" + payloads[2][at + 1 :]  # wire type 7
    with open(path, "wb") as file:
        for payload in payloads:
            file.write(len(payload).to_bytes(4, "little") + payload)


def test_damage_has_its_place_in_every_form(ground_truth, tmp_path):
    path = tmp_path / "damaged.osi"
    damaged_trace(path, ground_truth)
    with ositrace.open(path, type="GroundTruth") as trace:
        assert trace.objects(["x"]).to_arrow().num_rows > 5  # nobody asks for the damaged part
        table = trace.objects()
        texts = set()
        for form in (table.to_arrow, table.to_pandas, table.to_polars, table.to_numpy, lambda: list(table.batches())):
            with pytest.raises(ositrace.Error) as caught:
                form()
            assert (caught.value.file, caught.value.frame, caught.value.code) == (str(path), 2, "malformed")
            assert caught.value.field.startswith("moving_object[1].base.velocity") and caught.value.byte is not None
            texts.add(str(caught.value))
        (text,) = texts
        with pytest.raises(OSError) as other:
            pa.table(table)
        assert text in str(other.value)
    with ositrace.open(path, type="GroundTruth", errors="skip") as trace:
        assert set(trace.objects(["frame", "vx"]).to_numpy()["frame"]) == {0, 1, 3, 4}
        assert len(trace.skipped) == 1 and trace.skipped[0].startswith(text)


@pytest.mark.parametrize("path", conftest.broken_files(".osi", ".osifb"))
def test_broken_inputs_say_what_the_command_line_says_or_are_read(path):
    """A table does not look into what is not a column, such as an unknown field."""
    try:
        with ositrace.open(path, type="SensorView") as trace:
            trace.columns().to_arrow()
    except ositrace.Error as error:
        assert str(error) == conftest.expected_error(path)


@pytest.fixture
def long_trace(ground_truth, tmp_path):
    """Takes a fraction of a second to be read."""
    path = tmp_path / "long.osi"
    data = ground_truth.read_bytes()
    with open(path, "wb") as file:
        for _ in range(200):
            file.write(data)
    return path


def test_other_threads_run_while_a_table_is_read(long_trace):
    count, ended = 0, False

    def work():
        nonlocal count
        while not ended:
            count += 1
            time.sleep(0)

    with ositrace.open(long_trace) as trace:
        table = trace.objects()
        reader = ositrace._ositrace.read_table(trace._handle, 0, table._plan, None, 1 << 40)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)  # only who releases the GIL lets others run
        thread = threading.Thread(target=work, daemon=True)
        try:
            thread.start()
            before = count
            next(reader)
            during = count - before
        finally:
            ended = True
            sys.setswitchinterval(interval)
            thread.join()
    assert during > 1


def test_a_signal_ends_a_read(long_trace):
    handled = 0

    def handle(number, frame):
        nonlocal handled
        handled += 1
        if handled == 2:  # twice within one call: it looks for signals
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    with ositrace.open(long_trace) as trace:
        table = trace.objects()
        before = signal.signal(signal.SIGALRM, handle)
        try:
            for _ in range(100):
                reader = ositrace._ositrace.read_table(trace._handle, 0, table._plan, None, 1 << 40)
                handled = 0
                try:
                    signal.setitimer(signal.ITIMER_REAL, 0.02, 0.02)
                    next(reader)
                    signal.setitimer(signal.ITIMER_REAL, 0)
                except KeyboardInterrupt:
                    break
            assert list(reader) == []  # what was read so far is no batch
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    assert handled == 2


def test_an_exception_of_a_file_object_arrives(ground_truth):
    import io

    class Fails(io.BytesIO):
        fail = False

        def read(self, size=-1):
            if self.fail:
                raise InterruptedError("no more today")
            return super().read(size)

    file = Fails(ground_truth.read_bytes())
    with ositrace.open(file) as trace:
        table = trace.objects()
        file.fail = True
        for form in (table.to_arrow, table.to_polars, table.to_numpy):
            with pytest.raises(InterruptedError, match="no more today"):
                form()
        with pytest.raises(OSError, match="no more today"):
            pa.table(table)


@pytest.mark.parametrize("package", ["pyarrow", "pandas", "polars", "numpy"])
def test_a_missing_package_is_named(ground_truth, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with ositrace.open(ground_truth) as trace:
        method = "to_arrow" if package == "pyarrow" else f"to_{package}"
        text = rf"{method}\(\) needs {package}: pip install {package}"
        with pytest.raises(ModuleNotFoundError, match=text):
            getattr(trace.objects(), method)()


@pytest.mark.skipif("OSITRACE_TEST_SANITIZED" in os.environ, reason="the sanitizer keeps memory that was freed")
def test_memory_does_not_grow_with_the_tables_that_were_read(ground_truth):
    from test_package import resident_bytes

    with ositrace.open(ground_truth) as trace:

        def use():
            table = trace.objects(["time", "id", "type"])
            table.to_arrow(), table.to_numpy(), pa.schema(table)
            next(table.batches())
            table.__arrow_c_stream__()

        for _ in range(20):
            use()
        before = resident_bytes()
        for _ in range(200):
            use()
        assert resident_bytes() - before < 8 << 20


def turned(roll, pitch, yaw):
    """The matrix of an orientation in OSI: Rz(yaw) Ry(pitch) Rx(roll)."""

    def about(angle, i, j):
        matrix = np.eye(3)
        matrix[[i, j], [i, j]] = math.cos(angle)
        matrix[i, j], matrix[j, i] = -math.sin(angle), math.sin(angle)
        return matrix

    return about(yaw, 0, 1) @ about(pitch, 2, 0) @ about(roll, 1, 2)


@pytest.mark.filterwarnings("ignore:.* host=ID names it")
def test_objects_as_seen_from_the_host(tmp_path):
    chance = random.Random(5)
    three = lambda most: [chance.uniform(-most, most) for _ in range(3)]  # noqa: E731
    messages = []
    for i in range(30):
        message = GroundTruth()
        message.timestamp.seconds = i
        message.host_vehicle_id.value = 3
        for identifier in chance.sample(range(6), 5 if i % 5 else 2):
            one = message.moving_object.add()
            one.id.value = identifier
            for part, names, most in (
                ("position", "xyz", 100),
                ("orientation", ("roll", "pitch", "yaw"), 1.5),
                ("velocity", "xyz", 30),
                ("acceleration", "xyz", 5),
            ):
                for name, number in zip(names, three(most)):
                    setattr(getattr(one.base, part), name, number)
        messages.append(message)
    for name in ("seen.osi", "seen.osifb"):
        with ositrace.create(tmp_path / name) as writer:
            for message in messages:
                writer.write(message)
        with ositrace.open(tmp_path / name) as trace:
            rows = trace.objects(frame_of_reference="host").to_arrow().to_pylist()
            plain = trace.objects().to_arrow().to_pylist()
            some = trace.objects(["vy", "yaw"], frame_of_reference="host").to_arrow().to_pylist()
        assert some == [{name: row[name] for name in ("vy", "yaw")} for row in rows]
        groups = [("x", "y", "z"), ("vx", "vy", "vz"), ("ax", "ay", "az")]
        angles = ("roll", "pitch", "yaw")
        hosts = {row["frame"]: row for row in plain if row["is_host"]}
        assert 20 < len(hosts) < 30
        for row, before in zip(rows, plain, strict=True):
            host = hosts.get(row["frame"])
            changed = {name for group in (*groups, angles) for name in group}
            assert {name: row[name] for name in row.keys() - changed} == {
                name: before[name] for name in row.keys() - changed
            }
            if host is None:
                assert all(row[name] is None for name in changed)
                continue
            back = turned(*(host[name] for name in angles)).T
            for group in groups:
                expected = back @ np.array([before[name] - host[name] for name in group])
                np.testing.assert_allclose([row[name] for name in group], expected, atol=1e-12)
            expected = back @ turned(*(before[name] for name in angles))
            np.testing.assert_allclose(turned(*(row[name] for name in angles)), expected, atol=1e-12)


@pytest.mark.parametrize("suffix", [".osi", ".osifb"])
def test_a_host_that_the_trace_does_not_state_is_named(tmp_path, suffix):
    messages = []
    for i in range(3):
        truth = GroundTruth()
        truth.timestamp.seconds = i
        for number in (4, 5):
            one = truth.moving_object.add()
            one.id.value = number
            one.base.position.x = 10.0 * number + i
            one.base.orientation.yaw = 0.0
        if i == 1:
            truth.host_vehicle_id.value = 4
        messages.append(truth)
    with ositrace.create(tmp_path / f"host{suffix}") as writer:
        for message in messages:
            writer.write(message)
    columns = ["frame", "id", "x", "is_host"]
    with ositrace.open(tmp_path / f"host{suffix}") as trace:
        with pytest.warns(UserWarning, match=r"host\.osi.*: some frames do not state which object is the host .* host=ID"):
            rows = trace.objects(columns, frame_of_reference="host").to_arrow().to_pylist()
        assert [row["x"] for row in rows] == [None, None, 0.0, 10.0, None, None]
        assert [row["is_host"] for row in rows] == [None, None, True, False, None, None]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            rows = trace.objects(columns, frame_of_reference="host", host=5).to_arrow().to_pylist()
            alone = trace.objects(["x"], frame_of_reference="host", host=5)
            assert alone.to_arrow()["x"].to_pylist() == [row["x"] for row in rows]
            assert trace.objects(["is_host"], host=5).to_arrow()["is_host"].to_pylist() == 3 * [False, True]
        assert [row["x"] for row in rows] == 3 * [-10.0, 0.0]
        assert [row["is_host"] for row in rows] == 3 * [False, True]
        with pytest.warns(UserWarning, match="host=ID"):
            rows = trace.objects(columns, frame_of_reference="host", host=6).to_arrow().to_pylist()
        assert {row["x"] for row in rows} == {None} and {row["is_host"] for row in rows} == {False}
        with pytest.raises(ValueError, match="host=-1: expected an int of 0 or more"):
            trace.objects(host=-1)


def set_pose(pose, position, angles):
    pose.position.x, pose.position.y, pose.position.z = position
    pose.orientation.roll, pose.orientation.pitch, pose.orientation.yaw = angles


def measured_messages(chance):
    """A SensorView and a SensorData of one host, and x, y, z of their rows in each frame of reference by numpy."""
    three = lambda most: np.array([chance.uniform(-most, most) for _ in range(3)])  # noqa: E731
    view, data = SensorView(), SensorData()
    truth = view.global_ground_truth
    for message in (view, data, truth):
        message.timestamp.seconds = 4
    host = truth.moving_object.add()
    host.id.value = truth.host_vehicle_id.value = view.host_vehicle_id.value = 7
    centre, angles, axle = three(1000), three(1.5), three(2)
    set_pose(host.base, centre, angles)
    rear = host.vehicle_attributes.bbcenter_to_rear
    rear.x, rear.y, rear.z = axle
    expected = {view.DESCRIPTOR.name: [], data.DESCRIPTOR.name: []}

    def expect(message, mounting, local):
        if local is None:
            expected[message.DESCRIPTOR.name].append(dict.fromkeys(("sensor", "host", "global")))
            return
        at, turn = mounting
        seen = turned(*turn) @ local + at
        points = {"sensor": local, "host": seen, "global": turned(*angles) @ (axle + seen) + centre}
        expected[message.DESCRIPTOR.name].append(points)

    def spherical(distance, azimuth, elevation):
        level = distance * math.cos(elevation)
        return np.array([level * math.cos(azimuth), level * math.sin(azimuth), distance * math.sin(elevation)])

    for rays in (3, 0, 4):  # the second one has none
        sensor = view.lidar_sensor_view.add()
        mounting = three(3), three(1)
        set_pose(sensor.view_configuration.mounting_position, *mounting)
        for ray in range(rays):
            direction = three(1)
            listed = sensor.view_configuration.directions.add()
            listed.x, listed.y, listed.z = 5 * direction  # of any length
            distance = chance.uniform(1, 200) if ray else 0
            sensor.reflection.add().time_of_flight = 2 * distance / 299792458
            expect(view, mounting, distance * direction / np.linalg.norm(direction) if distance else None)
    grid = view.lidar_sensor_view.add()
    mounting = three(3), three(1)
    set_pose(grid.view_configuration.mounting_position, *mounting)
    grid.view_configuration.number_of_rays_horizontal, grid.view_configuration.number_of_rays_vertical = 2, 2
    grid.view_configuration.field_of_view_horizontal, grid.view_configuration.field_of_view_vertical = 0.8, 0.4
    for azimuth, elevation in ((0.2, 0.1), (-0.2, 0.1), (0.2, -0.1), (-0.2, -0.1)):  # to the left first, then down
        grid.reflection.add().time_of_flight = 2e-7
        expect(view, mounting, spherical(29.9792458, azimuth, elevation))
    radar = view.radar_sensor_view.add()
    mounting = three(3), three(1)
    set_pose(radar.view_configuration.mounting_position, *mounting)
    one = radar.reflection.add()
    one.time_of_flight, one.source_horizontal_angle, one.source_vertical_angle = 4e-7, 0.3, -0.2
    expect(view, mounting, spherical(2 * 29.9792458, 0.3, -0.2))
    for kind in ("lidar", "radar", "camera"):
        sensor = getattr(data.feature_data, f"{kind}_sensor").add()
        mounting = three(3), three(1)
        set_pose(sensor.header.mounting_position, *mounting)
        for number in range(3):
            detection = sensor.detection.add()
            if kind == "camera" or number == 0:  # of a camera the points have places
                expect(data, mounting, None)
                continue
            place = chance.uniform(1, 200), chance.uniform(-3, 3), chance.uniform(-1, 1)
            detection.position.distance, detection.position.azimuth, detection.position.elevation = place
            expect(data, mounting, spherical(*place))
    data.sensor_view.add().CopyFrom(view)
    return view, data, expected


@pytest.mark.parametrize("suffix", [".osi", ".osifb"])
def test_places_of_measurements_are_those_of_numpy(tmp_path, suffix):
    chance = random.Random(11)
    made = [measured_messages(chance) for _ in range(5)]
    for which, table, code in ((0, "reflections", "sv"), (1, "detections", "sd")):
        messages = [one[which] for one in made]
        path = tmp_path / f"{code}{suffix}"
        with ositrace.create(path) as writer:
            for message in messages:
                writer.write(message)
        expected = [points for *_, every in made for points in every[messages[0].DESCRIPTOR.name]]
        with ositrace.open(path, type=code) as trace:
            assert "x" not in getattr(trace, table)().columns
            for frame in ("sensor", "host", "global"):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    rows = getattr(trace, table)(["x", "y", "z"], frame_of_reference=frame).to_arrow().to_pylist()
                assert len(rows) == len(expected) and sum(row["x"] is None for row in rows) >= 5
                for row, points in zip(rows, expected, strict=True):
                    if points[frame] is None:
                        assert set(row.values()) == {None}
                    else:
                        np.testing.assert_allclose([row[name] for name in "xyz"], points[frame], atol=1e-9)
            whole = getattr(trace, table)(frame_of_reference="host")
            assert whole.columns[-3:] == ["x", "y", "z"] and whole.units["z"] == "m"


def rays_of(lidar):
    """Those that a configuration lists, else those of its grid: left to right, then down."""
    if lidar.directions:
        rays = np.array([[ray.x, ray.y, ray.z] for ray in lidar.directions])
        return rays / np.linalg.norm(rays, axis=1)[:, None]
    columns, rows = lidar.number_of_rays_horizontal, lidar.number_of_rays_vertical
    a = np.tile(lidar.field_of_view_horizontal * (0.5 - (np.arange(columns) + 0.5) / columns), rows)
    e = np.repeat(lidar.field_of_view_vertical * (0.5 - (np.arange(rows) + 0.5) / rows), columns)
    return np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)]).T


@pytest.mark.parametrize("table, code", [("reflections", "sv"), ("detections", "sd")])
def test_places_of_a_generated_trace_are_those_of_numpy(tmp_path, table, code):
    if "OSICONVERT" not in os.environ:
        pytest.skip("osiconvert is not built")
    path = tmp_path / f"{code}.osi"
    command = [os.environ["OSICONVERT"], "generate", path, "--type", code, "--frames", "3", "--reflections", "2000"]
    subprocess.run([*command, "--quiet"], check=True)
    vector = lambda one: np.array([one.x, one.y, one.z])  # noqa: E731
    angles = lambda one: (one.roll, one.pitch, one.yaw)  # noqa: E731
    with ositrace.open(path, type=code) as trace:
        found = {
            frame: np.array([columns[name] for name in "xyz"]).T
            for frame in ("sensor", "host", "global")
            for columns in [getattr(trace, table)(["x", "y", "z"], frame_of_reference=frame)]
        }
        expected = {frame: [] for frame in found}
        for _, message in osi3_messages(trace):
            if code == "sv":
                sensors = [(one.view_configuration, one) for one in message.lidar_sensor_view]
            else:
                data = message.feature_data
                sensors = [(one.header, one) for one in (*data.lidar_sensor, *data.radar_sensor)]
            truth = message.global_ground_truth if code == "sv" else message.sensor_view[0].global_ground_truth
            host = next(one for one in truth.moving_object if one.id.value == truth.host_vehicle_id.value)
            turn, axle = turned(*angles(host.base.orientation)), vector(host.vehicle_attributes.bbcenter_to_rear)
            for mounted, sensor in sensors:
                mounting = mounted.mounting_position
                if code == "sv":
                    rays = rays_of(mounted)
                    distances = np.array([one.time_of_flight for one in sensor.reflection]) * 299792458 / 2
                    local = np.where(distances[:, None] > 0, distances[:, None] * rays, np.nan)
                else:
                    places = [one.position for one in sensor.detection]
                    d, a, e = np.array([[one.distance, one.azimuth, one.elevation] for one in places]).T
                    local = np.array([d * np.cos(e) * np.cos(a), d * np.cos(e) * np.sin(a), d * np.sin(e)]).T
                seen = local @ turned(*angles(mounting.orientation)).T + vector(mounting.position)
                expected["sensor"].append(local)
                expected["host"].append(seen)
                expected["global"].append((seen + axle) @ turn.T + vector(host.base.position))
    for frame, places in expected.items():
        places = np.concatenate(places)
        assert np.isfinite(places[:, 0]).sum() > 100
        np.testing.assert_allclose(found[frame], places, atol=1e-9)


def test_places_without_a_mounting_or_a_host_are_null(tmp_path):
    data = SensorData()
    data.timestamp.seconds = 1
    for kind in ("lidar", "radar"):
        getattr(data.feature_data, f"{kind}_sensor").add().detection.add().position.distance = 5.0
    data.feature_data.radar_sensor[0].header.mounting_position.position.x = 2.0
    path = frames_of(tmp_path / "sd.osi", [data])

    def x_of(frame):
        with ositrace.open(path, type="sd") as trace:
            return trace.detections(["x"], frame_of_reference=frame).to_arrow()["x"].to_pylist()

    assert x_of("sensor") == [5.0, 5.0]
    with pytest.warns(UserWarning, match="do not state where a sensor is mounted, or where the host vehicle is"):
        assert x_of("host") == [None, 7.0]
    with pytest.warns(UserWarning, match="where the host vehicle is"):
        assert x_of("global") == [None, None]
    data.host_vehicle_location.position.x = 100.0
    frames_of(path, [data])
    with pytest.warns(UserWarning, match="where a sensor is mounted"):
        assert x_of("global") == [None, 107.0]
    with ositrace.open(path, type="sd") as trace:
        with pytest.raises(ValueError, match="frame_of_reference='car': expected 'sensor', 'host', 'global' or None"):
            trace.detections(frame_of_reference="car")
        with pytest.raises(KeyError, match="'x'"):
            trace.detections(["x"])


def test_what_cannot_be_seen_from_the_host_is_refused(ground_truth):
    with ositrace.open(ground_truth) as trace:
        with pytest.raises(ValueError, match="frame_of_reference='ego': expected 'host' or None"):
            trace.objects(frame_of_reference="ego")
    with ositrace.open(conftest.trace("sensorDataDetectedLaneBoundaries.mcap"), type="SensorData") as trace:
        with pytest.raises(ositrace.Error, match="the objects of osi3.SensorData cannot be seen from the host vehicle"):
            trace.objects(frame_of_reference="host")


def test_help_names_the_columns_with_their_units_and_an_example(ground_truth, sensor_view):
    from ositrace import _ositrace

    for kind in ("objects", "lanes", "traffic_lights", "traffic_signs", "reflections", "detections"):
        text = " ".join(getattr(ositrace.Trace, kind).__doc__.split())
        named = text.partition("Columns: ")[2].partition(">>>")[0]
        assert ">>> " in text
        for type in ("GroundTruth", "SensorView", "SensorData"):
            channel = _ositrace.channel_of_type(type, "protobuf", None)
            for name in _ositrace.table_columns(channel, kind):
                assert re.search(rf"\b{name}\b", named), (kind, name)
            if columns := _ositrace.table_columns(channel, kind):
                units = {unit for _, unit, _ in _ositrace.named_table(channel, kind, columns, False, False).columns}
                assert all(f"({unit})" in named for unit in units - {"", "ns"}), (kind, units)
    functions = [getattr(ositrace, name) for name in ositrace.__all__ if name[0].islower()]
    assert ositrace.open in functions and ositrace.diff in functions
    for function in (*functions, *(getattr(ositrace.Trace, name) for name in ("columns", "table", "at", "between"))):
        assert ">>> " in function.__doc__, function


def test_a_table_without_columns_is_refused(ground_truth):
    with ositrace.open(ground_truth) as trace:
        for table in (trace.objects, trace.lanes, trace.columns, trace.table, ositrace.scan(ground_truth).objects):
            with pytest.raises(ValueError, match="columns: expected at least one"):
                table([])


def test_a_path_of_a_ground_truth_is_completed_for_a_sensor_view(sensor_view):
    with ositrace.open(sensor_view) as trace, pytest.raises(KeyError) as caught:
        trace.table(["moving_object[*].id"])
    assert str(caught.value) == (
        "there is no field 'moving_object' in osi3.SensorView (column 'moving_object[*].id');"
        " did you mean 'global_ground_truth.moving_object[*].id'?"
    )


def frames_of(path, messages):
    with open(path, "wb") as file:
        for message in messages:
            payload = message.SerializeToString()
            file.write(struct.pack("<I", len(payload)) + payload)
    return path


def with_omitted_zeros(objects, i):
    """Objects that drive along an axis, in the form of a writer that omits what is 0."""
    for number in range(20):  # as many as it takes to read elements by what is known of their shapes
        base = objects.add().base
        base.position.x = 1.0 + i
        base.velocity.y = -10.0 - number
        base.acceleration.SetInParent()
        base.orientation.yaw = 1.5
        base.dimension.length = 4.0
    objects.add().base.position.SetInParent()


@pytest.mark.parametrize("suffix", [".osi", ".osifb"])
def test_what_a_vector_omits_is_0_in_named_tables_of_the_ground_truth(tmp_path, suffix):
    truth, view = GroundTruth(), SensorView()
    for i, message in enumerate((truth, view.global_ground_truth)):
        message.timestamp.seconds = 1
        message.host_vehicle_id.value = 0
        with_omitted_zeros(message.moving_object, i)
        message.moving_object[0].id.value = 7
        lane = message.lane.add()
        for x in (0.5, 0.0, 2.5):
            point = lane.classification.centerline.add()
            point.y = 2 * x
            if x != 0.0:
                point.x = x
    view.timestamp.seconds = 1
    view.lidar_sensor_view.add().reflection.add().normal_to_surface.z = 1.0
    for message, code in ((truth, "gt"), (view, "sv")):
        path = frames_of(tmp_path / f"{code}.osi", [message, message])
        if suffix != ".osi":
            ositrace.convert(path, path := path.with_suffix(suffix), type=code)
        with ositrace.open(path, type=code) as trace:
            rows = trace.objects().to_arrow().to_pylist()
            assert len(rows) == 42
            for number, row in enumerate(rows[:20]):
                assert (row["vx"], row["vy"], row["vz"], row["speed"]) == (0.0, -10.0 - number, 0.0, 10.0 + number)
                assert (row["y"], row["z"], row["roll"], row["pitch"], row["yaw"]) == (0.0, 0.0, 0.0, 0.0, 1.5)
                assert (row["ax"], row["ay"], row["az"]) == (0.0, 0.0, 0.0)
                assert (row["length"], row["width"], row["height"]) == (4.0, None, None)
            empty = rows[20]
            assert (empty["x"], empty["y"], empty["vx"], empty["speed"], empty["yaw"]) == (0.0, 0.0, None, None, None)
            (lane, _) = trace.lanes().to_arrow().to_pylist()
            assert (lane["centerline_x"], lane["centerline_z"]) == ([0.5, 0.0, 2.5], [0.0, 0.0, 0.0])
            prefix = "global_ground_truth." if code == "sv" else ""
            exact = trace.table({"vx": f"{prefix}moving_object[*].base.velocity.x"}).to_arrow()["vx"]
            assert exact.null_count == len(exact)
            if code == "sv":
                (row, _) = trace.reflections().to_arrow().to_pylist()
                assert (row["normal_x"], row["normal_z"], row["time_of_flight"]) == (0.0, 1.0, None)


def test_what_a_sensor_omits_is_null(tmp_path):
    data = SensorData()
    data.timestamp.seconds = 1
    with_omitted_zeros(data.moving_object, 0)
    data.feature_data.radar_sensor.add().detection.add().position.distance = 5.0
    with ositrace.open(frames_of(tmp_path / "sd.osi", [data]), type="sd") as trace:
        row = trace.objects().to_arrow().to_pylist()[0]
        assert (row["x"], row["y"], row["vx"], row["vy"], row["roll"]) == (1.0, None, None, -10.0, None)
        (row,) = trace.detections().to_arrow().to_pylist()
        assert (row["distance"], row["azimuth"], row["elevation"]) == (5.0, None, None)
    update = TrafficUpdate()
    update.timestamp.seconds = 1
    update.update.add().base.velocity.y = 3.0
    with ositrace.open(frames_of(tmp_path / "tu.osi", [update]), type="tu") as trace:
        (row,) = trace.objects(["vx", "vy"]).to_arrow().to_pylist()
        assert (row["vx"], row["vy"]) == (None, 3.0)


def test_dir_has_public_names_only(ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace, ositrace.create(tmp_path / "a.osi", type="GroundTruth") as writer:
        writer.write(trace[0])
        scan = ositrace.scan(ground_truth)
        table, frames = trace.objects(["id"]), trace[:2]
        frame = trace[0]
        of_frame = frame, frame.message, frame.message.timestamp
        for made in (trace, table, frames, scan, scan.objects(), writer, ositrace.check(ground_truth), *of_frame):
            names = dir(made)
            assert not [name for name in names if name.startswith("_") and not name.endswith("__")], made
            assert "__class__" in names and [name for name in names if name[0] != "_"]
        assert {"at", "between", "objects", "fields"} <= set(dir(trace)) and "to_polars" in dir(table)
