# SPDX-License-Identifier: MPL-2.0
"""The data source in a local session of Spark; the oracle is `scan()`, and osi3 for it and for this."""

import json
import os
import re
import shutil

import object_store
import pyarrow as pa
import pytest
from spark_sessions import add_spark, message_of, session
from test_tables import damaged_trace

import ositrace
from ositrace._table import TRAFFIC_TABLES


@pytest.fixture(scope="module")
def spark():
    with session("local[2]", spark_sql_python_filterPushdown_enabled="true") as spark:
        from ositrace.spark import register

        register(spark)
        yield spark


@pytest.fixture
def lake(ground_truth, sensor_view, two_channels, tmp_path):
    """Files of both encodings and containers in folders."""
    folder = tmp_path / "lake"
    (folder / "b" / "c").mkdir(parents=True)
    shutil.copy(sensor_view, folder / "a.mcap")
    shutil.copy(two_channels, folder / "b" / "two.mcap")
    ositrace.convert(ground_truth, folder / "b" / "flat.osifb")
    shutil.copy(ground_truth, folder / "b" / "c" / "merge.osi")
    return folder


def load(spark, paths, **options):
    return spark.read.format("ositrace").options(**options).load(paths if isinstance(paths, list) else str(paths))


def rows_of(frame):
    return sorted_rows(frame.toArrow().to_pylist())


def as_spark(table):
    """Rows of `scan()` as Spark has them, without what only Spark has."""
    return sorted_rows({"path": row.pop("file")} | row for row in table.to_arrow().to_pylist())


def without(rows, *names):
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


def sorted_rows(rows):
    """By the columns that tell rows apart."""
    names = ("path", "channel", "frame", "kind", "id", "_error")
    return sorted(rows, key=lambda row: [str(row[name]) for name in names if name in row])


def test_the_schema_is_that_of_the_options_and_not_of_a_file(spark, lake):
    frame = load(spark, lake / "b", columns="id, x, ground_truth_id")
    fixed = [("file_id", "bigint"), ("path", "string"), ("channel", "string"), ("frame", "bigint")]
    times = [("time_ns", "bigint"), ("time", "double")]
    own = [("id", "bigint"), ("x", "double"), ("ground_truth_id", "bigint")]
    assert frame.dtypes == [*fixed, *times, *own, ("_error", "string")]
    assert frame.schema["x"].metadata == {"comment": "m"}
    for path in (lake / "a.mcap", lake / "b" / "c" / "merge.osi", lake):
        assert load(spark, path, columns="id, x, ground_truth_id").schema == frame.schema


def test_rows_are_those_of_the_scan(spark, lake):
    expected = as_spark(ositrace.scan(lake, errors="skip").objects())
    found = rows_of(load(spark, lake))
    assert without(found, "file_id") == expected
    ids = {row["path"]: row["file_id"] for row in found}
    assert len(set(ids.values())) == 4 and set(ids) == {str(file) for file in ositrace.scan(lake).files}
    assert rows_of(ositrace.spark.read(spark, lake)) == found


def test_rows_are_those_of_osi3(spark, ground_truth):
    from osi3trace.osi_trace import OSITrace

    trace = OSITrace(str(ground_truth), "GroundTruth")
    expected = [
        (i, message.timestamp.seconds * 10**9 + message.timestamp.nanos, one.id.value, one.base.position.x)
        for i, message in enumerate(trace)
        for one in message.moving_object
    ]
    frame = load(spark, ground_truth, columns="id,x", maxPartitionBytes="100k")
    assert frame.rdd.getNumPartitions() == 11
    assert sorted(frame.select("frame", "time_ns", "id", "x").collect()) == expected


def test_files_are_cut_without_a_row_more_or_less(spark, lake):
    for path, size in ((lake, "200k"), (lake / "b" / "two.mcap", "5k")):
        whole = load(spark, path, columns="id,kind,x")
        cut = load(spark, path, columns="id,kind,x", maxPartitionBytes=size)
        assert cut.rdd.getNumPartitions() > 4 > whole.rdd.getNumPartitions()
        assert rows_of(cut) == rows_of(whole)


def test_any_fields_are_columns(spark, ground_truth):
    lanes = {"lane": "moving_object[*].assigned_lane_id[*].value", "type": "moving_object[*].type"}
    text = '{"lane": "moving_object[*].assigned_lane_id[*].value", "type": "moving_object[*].type"}'
    facts = {"frame": "@frame", "time_ns": "@time_ns", "time": "@time"}
    for rows, rows_per in (("elements", "object"), ("frames", "frame")):
        frame = load(spark, [str(ground_truth)], fields=text, type="GroundTruth", rowsPer=rows_per)
        table = ositrace.scan(ground_truth, type="gt").table(facts | lanes, rows=rows).to_arrow()
        expected = without(table.to_pylist(), "file", "channel")
        assert without(rows_of(frame), "file_id", "path", "channel", "_error") == sorted_rows(expected)
    short = load(spark, ground_truth, fields="t=moving_object[*].type, moving_object[*].id", type="GroundTruth")
    assert short.columns[6:] == ["t", "moving_object[*].id", "_error"]


def test_every_field_of_a_frame(spark, ground_truth):
    frame = load(spark, ground_truth, rowsPer="frame", type="GroundTruth")
    whole = ositrace.open(ground_truth).columns()
    assert frame.columns[6:-1] == whole.columns and len(whole.columns) > 500
    names = ["moving_object.id.value", "moving_object.type", "timestamp.nanos", "lane.classification.type"]
    rows = frame.select("frame", *(f"`{name}`" for name in names)).orderBy("frame").toArrow().to_pylist()
    expected = ositrace.open(ground_truth).columns(names).to_arrow().to_pylist()
    assert rows == [{"frame": i} | row for i, row in enumerate(expected)]


def test_numbers_of_64_bits_stay_what_they_are(spark, tmp_path):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    message = GroundTruth()
    message.timestamp.seconds = 1
    for number in (2**64 - 1, 2**63, 2**32):
        message.moving_object.add().id.value = number
        message.moving_object[-1].assigned_lane_id.add().value = number
    with ositrace.create(tmp_path / "large.osi", type="GroundTruth") as writer:
        writer.write(message)
    fields = "id=moving_object[*].id, lanes=moving_object[*].assigned_lane_id[*]"
    rows = load(spark, tmp_path / "large.osi", fields=fields, type="GroundTruth").select("id", "lanes").collect()
    assert [tuple(row) for row in rows] == [(-1, [-1]), (-(2**63), [-(2**63)]), (2**32, [2**32])]


def test_times_topics_and_types_select(spark, lake):
    columns = ["id", "kind", "x"]

    def scanned(**options):
        scan = ositrace.scan(lake, **{name: options[name] for name in ("topic", "type") if name in options})
        return as_spark(scan.objects(["frame", *columns], time=options.get("time")))

    def loaded(**options):
        rows = rows_of(load(spark, lake, columns=",".join(columns), **options))
        return without(rows, "file_id", "time", "time_ns", "_error")

    assert loaded(time="1:2") == scanned(time=(1, 2)) != []
    assert loaded(time=":2", topics="/b") == scanned(time=(None, 2), topic="/b") != []
    assert loaded(topics="/a,/b") == scanned(topic="/a") + scanned(topic="/b") != []
    assert loaded(type="SensorView") == scanned(type="SensorView") != []


def test_a_time_finds_all_rows_of_a_trace_that_begins_again(spark, ground_truth, tmp_path):
    twice = tmp_path / "twice.osi"
    twice.write_bytes(2 * ground_truth.read_bytes())
    whole = load(spark, twice, columns="id,kind")
    assert load(spark, twice, columns="id,kind", time="2:5").count() == whole.filter("time >= 2 and time < 5").count()
    assert load(spark, twice, time="2:5").count() == 2 * load(spark, ground_truth, time="2:5").count() > 0


CONDITIONS = {
    "time between 5 and 6": lambda row: 5 <= row["time"] <= 6,
    "time_ns >= 5000000000": lambda row: row["time_ns"] >= 5_000_000_000,
    "channel = '/b'": lambda row: row["channel"] == "/b",
    "time = 1.016": lambda row: row["time"] == 1.016,
    "time > 1e9": lambda row: row["time"] > 1e9,
}


def test_a_filter_has_no_effect_on_the_next_query(spark, lake):
    """The session has the filter pushdown, with which Spark keeps the filters of a query for the next one."""
    frame = load(spark, lake, columns="id,kind")
    expected = as_spark(ositrace.scan(lake).objects(["frame", "time", "time_ns", "id", "kind"]))
    for condition, holds in CONDITIONS.items():
        some = frame.filter(condition)
        assert without(rows_of(some), "file_id", "_error") == [row for row in expected if holds(row)], condition
        assert without(rows_of(frame), "file_id", "_error") == expected, condition
        assert some.union(frame).count() == some.count() + len(expected), condition
        assert frame.union(some).count() == some.count() + len(expected), condition


def test_a_catalog_says_which_files_are_read(spark, lake, tmp_path, ground_truth):
    from ositrace.spark import catalog, read

    table = tmp_path / "lake.parquet"
    late = lake / "late.osi"
    with ositrace.open(ground_truth) as trace, ositrace.create(late, type="gt") as writer:
        for frame in trace[:20]:
            message = frame.message.to_protobuf()
            message.timestamp.seconds += 1000
            writer.write(message)
    report = catalog(spark, lake, table)
    made, expected = ositrace._catalog.Catalog.read(table), ositrace.catalog(lake)
    assert made.rows.equals(expected.rows) and made.places.equals(expected.places)
    assert (report.files, report.complete, report.rows) == (5, 0, 6)
    assert os.listdir(tmp_path) and "_staging" not in os.listdir(tmp_path)

    whole = load(spark, lake, columns="id,kind")
    query = spark.read.format("ositrace").option("catalog", str(table)).option("columns", "id,kind")
    assert rows_of(query.load()) == rows_of(whole)
    assert rows_of(read(spark, catalog=expected, columns=["id", "kind"])) == rows_of(whole)

    for file in (lake / "b").rglob("*.*"):
        file.write_text("what is read now is an error")
    rows = rows_of(query.option("time", "1000:").load())
    assert {row["path"] for row in rows} == {str(late)} and len(rows) == 120
    with pytest.raises(Exception, match=r"/b/.* it changed after the query was planned"):
        spark.read.format("ositrace").option("catalog", str(table)).load().count()

    (lake / "b" / "two.mcap").unlink()
    again = catalog(spark, lake, table)
    assert (again.files, again.complete) == (2, 2)
    assert ositrace._catalog.Catalog.read(table).rows.equals(ositrace.catalog(lake).rows)


def test_broken_files_end_the_query_or_are_rows(spark, lake, ground_truth):
    cut, damaged, text = (lake / name for name in ("cut.osi", "damaged.osi", "text.osi"))
    cut.write_bytes(ground_truth.read_bytes()[:-1000])
    damaged_trace(damaged, ground_truth)
    text.write_text("this is no trace, but a text of some length " * 10)
    for broken in (cut, damaged, text):
        with pytest.raises(Exception) as caught:
            load(spark, broken).count()
        with pytest.raises(ositrace.Error) as expected:
            ositrace.scan(broken).objects().to_arrow()
        assert message_of(caught.value).endswith(str(expected.value))
    expected = as_spark(ositrace.scan(lake, errors="skip").objects(["frame", "id", "kind", "vx"]))
    assert sum(row["_error"] is not None for row in expected) >= 3
    for size in ("128m", "200k"):
        found = load(spark, lake, columns="id,kind,vx", errors="skip", maxPartitionBytes=size)
        assert without(rows_of(found), "file_id", "time", "time_ns") == expected


def test_salvage_reads_what_recover_saves(spark, lake, ground_truth, tmp_path):
    """Of a chunk that is damaged, the messages that are whole."""
    whole = tmp_path / "whole.mcap"
    ositrace.convert(ground_truth, whole, compression="none", chunk_size=100_000)
    data = bytearray(whole.read_bytes())
    data[300_000:300_020] = b"\xff" * 20
    broken = lake / "broken.mcap"
    broken.write_bytes(data)
    saved = tmp_path / "saved.mcap"
    lost = ositrace.recover(broken, saved).lost
    expected = ositrace.open(saved).objects().to_arrow().to_pylist()
    found = load(spark, broken, errors="salvage")
    rows = rows_of(found.filter("_error is null"))
    assert without(rows, "file_id", "path", "channel", "_error", "ground_truth_id") == sorted_rows(expected)
    errors = [row._error for row in found.filter("_error is not null").collect()]
    assert [error.split(": ")[:2] for error in errors] == [[str(broken), f"byte {place.byte}"] for place in lost] != []
    skipped = load(spark, broken, errors="skip").filter("_error is null").count()
    assert len(rows) == skipped > 0
    assert {row["path"] for row in rows} == {str(broken)}


def test_a_file_that_changes_after_the_plan_is_an_error(spark, lake):
    file = lake / "b" / "c" / "merge.osi"
    frame = load(spark, file)
    frame.count()
    planned = ositrace.spark.read(spark, file)
    size = file.stat().st_size
    with open(file, "ab") as stream:
        stream.write(b"\0")
    reason = f"it changed after the query was planned ({size} bytes then, {size + 1} now)"
    with pytest.raises(Exception) as caught:
        planned.count()
    assert message_of(caught.value).endswith(f"{file}: {reason}")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"colums": "id"}, "there is no option 'colums' in the data source ositrace; did you mean 'columns'?"),
        ({"columns": "speeed"}, "did you mean 'speed'?"),
        ({"errors": "ignore"}, "errors='ignore': expected 'raise', 'skip', 'salvage'"),
        ({"rowsPer": "frame"}, "rowsPer='frame' without fields has every field of a message: it needs a type"),
        ({"time": "5"}, "time='5': expected START:STOP in seconds"),
        ({"maxPartitionBytes": "0"}, "maxPartitionBytes='0': expected a number of bytes, as 134217728 or 128m"),
        ({"fields": "path=moving_object[*].id"}, "a column cannot be named 'path': every table has one of its own"),
        ({"type": "View"}, "unknown message type 'View'"),
    ],
)
def test_options_that_are_wrong_are_named(options, message):
    add_spark()
    from ositrace.spark._source import request_of

    with pytest.raises((ositrace.Error, ValueError)) as caught:
        request_of({"path": "lake/", **options}).ddl
    assert message in str(caught.value)


def test_a_wrong_option_ends_a_query(spark, ground_truth):
    with pytest.raises(Exception, match="did you mean 'speed'"):
        load(spark, ground_truth, columns="speeed")


def test_a_missing_file_is_named(spark, tmp_path):
    for path in (tmp_path / "missing.osi", tmp_path / "*.osi"):
        with pytest.raises(Exception, match=r"(missing.osi: No such file|no file matches .*\*\.osi')"):
            load(spark, path).count()


def test_messages_are_written_as_traces(spark, lake, tmp_path):
    with ositrace.open(lake / "b" / "two.mcap") as two, ositrace.open(lake / "b" / "c" / "merge.osi") as merge:
        rows = [("sub/two.mcap", f.channel.topic, "GroundTruth", f.log_time_ns / 1e9, bytes(f.payload)) for f in two]
        rows += [("merge.osi", None, "gt", f.time, bytes(f.payload)) for f in merge[:50]]
    frame = spark.createDataFrame(rows, "path string, topic string, type string, time double, payload binary")
    frame = frame.repartition("path").sortWithinPartitions("path", "time")
    out = tmp_path / "out"
    frame.write.format("ositrace").mode("append").save(str(out))
    assert sorted(os.path.relpath(file, out) for file in ositrace.scan(out).files) == ["merge.osi", "sub/two.mcap"]
    assert sorted(os.listdir(out)) == ["merge.osi", "sub"]
    assert ositrace.diff(lake / "b" / "two.mcap", out / "sub" / "two.mcap").same
    with ositrace.open(out / "merge.osi") as trace:
        assert [bytes(f.payload) for f in trace] == [row[4] for row in rows if row[0] == "merge.osi"]

    with pytest.raises(Exception, match=r"merge\.osi exists\. Use mode\('overwrite'\) to replace it\."):
        frame.filter("path = 'merge.osi'").write.format("ositrace").mode("append").save(str(out))
    frame.filter("path = 'merge.osi'").limit(5).write.format("ositrace").mode("overwrite").save(str(out))
    assert len(ositrace.open(out / "merge.osi")) == 5 and (out / "sub" / "two.mcap").exists()


def test_a_write_that_fails_leaves_nothing(spark, ground_truth, tmp_path):
    with ositrace.open(ground_truth) as trace:
        good = [("a.osi", "gt", bytes(frame.payload)) for frame in trace[:20]]
    schema = "path string, type string, payload binary"
    cases = {
        "frame 20: the message has no payload": ([*good, ("a.osi", "gt", None)], 1),
        "2 tasks wrote it; repartition('path') gives each file to one": (good, 2),
    }
    for i, (reason, (rows, tasks)) in enumerate(cases.items()):
        out = tmp_path / f"out{i}"
        frame = spark.createDataFrame(rows, schema).repartition(tasks)
        with pytest.raises(Exception) as caught:
            frame.write.format("ositrace").mode("append").save(str(out))
        assert f"{out}/a.osi: {reason}" in str(caught.value)
        assert not out.exists() or os.listdir(out) == []
    with pytest.raises(Exception, match="columns path, payload: expected path, type, payload"):
        frame.drop("type").write.format("ositrace").mode("append").save(str(tmp_path / "out"))


def test_an_error_names_the_file_that_the_user_knows(ground_truth, tmp_path):
    """And not where it is staged; frames are the rows of its path."""
    add_spark()
    from ositrace.spark._writer import TraceWriter

    with ositrace.open(ground_truth) as trace:
        payload, other = bytes(trace[0].payload), bytes(trace[1].payload)
    ositrace.convert(ground_truth, tmp_path / "flat.osifb")
    with ositrace.open(tmp_path / "flat.osifb") as trace:
        flat = bytes(trace[0].payload)
    good = {"path": "sub/a.osi", "topic": None, "type": "gt", "time": None, "payload": payload}
    foreign = "the bytes are a message in another encoding (found %s, expected %s). "
    foreign += "The file extension sets the encoding; for MCAP, pass encoding=."
    out = tmp_path / "out"
    cases = [
        ({"payload": b"\xff\xff\xff"}, f"{out}/sub/a.osi: frame 2 at byte 0: "),
        ({"payload": None}, f"{out}/sub/a.osi: frame 2: the message has no payload"),
        ({"payload": flat}, f"{out}/sub/a.osi: frame 2: {foreign % ('flatbuffers', 'protobuf')}"),
        ({"path": "sub/b.osifb"}, f"{out}/sub/b.osifb: frame 0: {foreign % ('protobuf', 'flatbuffers')}"),
        ({"type": None}, f"{out}/sub/a.osi: frame 2: the message has no type"),
        ({"type": "View"}, f"{out}/sub/a.osi: frame 2: unknown message type 'View'"),
        ({"type": "sv"}, f"{out}/sub/a.osi: frame 2: "),
        ({"type": "sv", "topic": "GroundTruth"}, f"{out}/sub/a.osi: frame 2: channel 'GroundTruth' holds osi3.Ground"),
        ({"time": 1e6}, f"{out}/sub/a.osi: frame 2: this container holds no times but the timestamps"),
        ({"time": float("nan")}, f"{out}/sub/a.osi: frame 2: time=nan: expected a number"),
        ({"path": "sub/a.txt"}, f"{out}/sub/a.txt: unknown extension '.txt'"),
        ({"path": "sub/../../b.osi"}, f"path 'sub/../../b.osi': expected one below {out}"),
        ({"path": None}, "row 2 of its partition has no path"),
    ]
    for wrong, message in cases:
        writer = TraceWriter(str(out), list(good), False)
        rows = [good, good | {"path": "./sub/a.osi", "payload": other}, good | wrong]
        with pytest.raises((ositrace.Error, ValueError)) as caught:
            writer.write(iter([pa.RecordBatch.from_pylist(rows)]))
        assert str(caught.value).startswith(message) and "_staging" not in repr(caught.value.__dict__)
        writer.abort([])
        assert os.listdir(out) == []
    writer = TraceWriter(str(out), list(good), False)
    rows = [good | {"path": "sub/a.mcap", "payload": one} for one in (other, payload)]
    written = writer.write(iter([pa.RecordBatch.from_pylist(rows)]))
    note = f"{out}/sub/a.mcap: 'GroundTruth' has messages of OSI 3.8.0 and 3.5.0, but a channel has one version: "
    with pytest.warns(UserWarning, match=f"^{re.escape(note)}"):
        writer.commit([written, None])
    assert os.listdir(out) == ["sub"] and len(list(ositrace.open(out / "sub" / "a.mcap"))) == 2


def test_objects_of_a_store_are_tables(spark, ground_truth, tmp_path):
    pytest.importorskip("obstore")
    with object_store.server(tmp_path) as (proxy, bucket):
        shutil.copy(ground_truth, bucket.folder / "merge.osi")
        ositrace.convert(ground_truth, bucket.folder / "merge.mcap", chunk_size="100K")
        bucket.upload("merge.osi", "merge.mcap")
        known = object_store.access(proxy.server_address[1])
        access = {name: value for name, value in known.items() if name != "retry_config"}
        options = {"columns": "id,x", "time": "5:15", "maxPartitionBytes": "300k"}
        remote = load(spark, "s3://lake/", storageOptions=json.dumps(access), **options)
        rows = rows_of(remote)
    local = rows_of(load(spark, bucket.folder, **options))
    assert without(rows, "file_id", "path") == without(local, "file_id", "path") != []
    assert {row["path"] for row in rows} == {"s3://lake/merge.mcap", "s3://lake/merge.osi"}


def test_columns_of_payloads_are_decoded(spark, ground_truth):
    """What a reader of another package has put into a column of bytes."""
    fields = {"t": "timestamp.nanos", "id": "moving_object[*].id", "type": "moving_object[*].type"}
    fields["lanes"] = "moving_object[*].assigned_lane_id[*].value"
    with ositrace.open(ground_truth) as trace:
        rows = [(i, bytes(frame.payload) if i % 7 else None, "kept") for i, frame in enumerate(trace[:20])]
        expected = trace.table(fields, rows="frames", time=(None, trace[20].time)).to_arrow().to_pylist()
    messages = spark.createDataFrame(rows, "i int, payload binary, note string")
    found = ositrace.spark.decode(messages, "payload", "GroundTruth", fields)
    types = ["bigint", "array<bigint>", "array<string>", "array<array<bigint>>"]
    assert found.dtypes == [("i", "int"), ("note", "string"), *zip(fields, types)]
    for i, row in enumerate(found.orderBy("i").toArrow().to_pylist()):
        assert row == {"i": i, "note": "kept"} | (expected[i] if i % 7 else dict.fromkeys(fields))


def test_lane_coordinates_are_those_of_the_scan(spark, ground_truth, tmp_path):
    road = """<OpenDRIVE><header/><road id="1" length="2000" junction="-1"><planView>
<geometry s="0" x="-500" y="0" hdg="0" length="2000"><line/></geometry></planView><lanes><laneSection s="0">
<center><lane id="0" type="none"/></center><right><lane id="-1" type="driving"><width sOffset="0" a="9" b="0" c="0" d="0"/>
</lane></right></laneSection></lanes></road></OpenDRIVE>"""
    folder = tmp_path / "lake"
    folder.mkdir()
    shutil.copy(ground_truth, folder / "a.osi")
    town = tmp_path / "town.xodr"
    town.write_text(road)
    names = ["id", "kind", "s", "t", "reference_line_id"]
    given = dict(columns=", ".join(names), map=str(town), laneFrame="true")
    expected = as_spark(
        ositrace.scan(folder, errors="skip", map=town).objects(["frame", "time_ns", "time", *names], lane_frame=True)
    )
    assert any(row["s"] is not None for row in expected)
    found = load(spark, folder, **given)
    assert without(rows_of(found), "file_id") == expected
    assert found.schema["s"].metadata == {"comment": "m"}
    assert rows_of(ositrace.spark.read(spark, folder, columns=names, map=town, lane_frame=True)) == rows_of(found)
    # Without the map that was given there is none beside it.
    none = load(spark, folder, columns="s", laneFrame="true").select("s").distinct().toArrow().to_pylist()
    assert none == [{"s": None}]
    with pytest.raises(Exception, match="no column 's'"):
        load(spark, folder, columns="s").schema
    with pytest.raises(Exception, match="laneFrame='yes': expected true or false"):
        load(spark, folder, laneFrame="yes").schema
    with pytest.raises(Exception, match="the table objects has lane coordinates"):
        load(spark, folder, table="lanes", laneFrame="true").schema
    report = ositrace.spark.columns(spark, folder, tmp_path / "table", columns=names, map=town, lane_frame=True)
    assert report.rows == len(expected)


def test_tables_of_what_happens_are_those_of_the_scan(spark, ground_truth, sensor_view, tmp_path):
    truths = [str(ground_truth), str(sensor_view)]
    ositrace.play(sensor_view, "dummy", record=tmp_path / "detected.mcap")
    detected = [str(tmp_path / "detected.mcap")]
    options = {
        "interactions": {"max_gap": 40, "all_pairs": True},
        "matches": {"gate": 3},
        "matches_summary": {"bin": 20},
        "find": {"expression": "moving_object.base.velocity.x > 20"},
        "events": {"braking": 2},
        "encounters": {},
        "quality": {},
    }
    for table in TRAFFIC_TABLES:
        given = options.pop(table)
        paths = detected if table.startswith("matches") else truths
        texts = {name: "true" if value is True else str(value) for name, value in given.items()}
        named = {re.sub(r"_(\w)", lambda found: found[1].upper(), name): text for name, text in texts.items()}
        found = load(spark, paths, table=table, **named)
        assert len(set(found.columns)) == len(found.columns), table  # else Java reads the one for the other
        expected = getattr(ositrace.scan(paths, errors="skip"), table)(**given)
        units = {field.name: field.metadata.get("comment") for field in found.schema if field.metadata}
        assert units == {name: unit for name, unit in expected.units.items()}
        rows = [sorted(some, key=lambda row: str(sorted(row.items()))) for some in (
            without(found.toArrow().to_pylist(), "file_id"),
            [{"path": row.pop("file")} | row for row in expected.to_arrow().to_pylist()],
        )]  # fmt: skip
        assert rows[0] == rows[1] and (rows[0] or table == "encounters"), table
    assert not options
    with pytest.raises(Exception, match="max-gap: the table objects has no such option"):
        load(spark, truths, maxGap="40").schema
