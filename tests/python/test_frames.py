# SPDX-License-Identifier: MPL-2.0
"""Frames: iteration, numbers, slices, times; the oracles are osi3trace and the package mcap."""

import gc
import os
import pickle
import random
import struct
import subprocess
import sys

import polars as pl
import pytest
from mcap.reader import make_reader
from mcap.writer import Writer
from mcap_protobuf.schema import build_file_descriptor_set
from osi3.osi_groundtruth_pb2 import GroundTruth
from osi3trace.osi_trace import OSITrace

import ositrace


def seconds_and_nanos(time_ns):
    return divmod(time_ns, 1_000_000_000)


def test_frames_are_those_of_osi3trace(ground_truth):
    theirs = OSITrace(str(ground_truth), "GroundTruth")
    with ositrace.open(ground_truth) as trace:
        for ours, message in zip(trace, theirs, strict=True):
            assert (message.timestamp.seconds, message.timestamp.nanos) == seconds_and_nanos(ours.time_ns)
            assert type(message).FromString(ours.payload) == message
    theirs.close()


def test_frames_of_mcap_are_those_of_its_reader(sensor_view):
    with open(sensor_view, "rb") as stream, ositrace.open(sensor_view) as trace:
        theirs = list(make_reader(stream).iter_messages())
        assert len(trace) == len(theirs)
        for ours, (_, channel, message) in zip(trace, theirs, strict=True):
            assert ours.payload == message.data
            assert ours.log_time_ns == message.log_time
            assert ours.channel.topic == channel.topic
            assert ours.channel.metadata == channel.metadata


@pytest.mark.parametrize("name", ["ground_truth", "sensor_view"])
def test_indices_and_slices_are_those_of_a_list(request, name):
    with ositrace.open(request.getfixturevalue(name)) as trace:
        frames = [(frame.index, bytes(frame.payload)) for frame in trace]
        numbers = [number for number, _ in frames]
        assert numbers == list(range(len(trace)))
        chance = random.Random(7)
        bounds = [None, 0, 1, -1, len(trace), len(trace) + 1, -len(trace), -len(trace) - 1]
        bounds += [chance.randrange(-len(trace), len(trace)) for _ in range(8)]
        for _ in range(60):
            part = slice(chance.choice(bounds), chance.choice(bounds), chance.choice([None, 1, 2, 7, -1, -3]))
            assert len(trace[part]) == len(numbers[part])
            assert [frame.index for frame in trace[part]] == numbers[part]
            assert [frame.index for frame in trace[part][1:-1]] == numbers[part][1:-1]
        for i in (0, 5, -1, -len(trace)):
            assert (trace[i].index, trace[i].payload) == frames[i]
        assert trace[2:][7].payload == frames[9][1]
        assert trace[2:][-1].payload == frames[-1][1]
        for i in (len(trace), -len(trace) - 1):
            with pytest.raises(IndexError):
                trace[i]


def test_at_is_the_last_frame_at_or_before(ground_truth):
    with ositrace.open(ground_truth) as trace:
        times = [frame.time for frame in trace]
        for i, time in enumerate(times):
            assert trace.at(time).index == i
            assert trace.at(time + 0.001).index == i
        assert trace.at(1e6).index == len(trace) - 1
        with pytest.raises(LookupError, match="no frame at or before -1 s"):
            trace.at(-1)


def test_a_stamp_that_is_one_nanosecond_early_is_meant_to_be_the_next(ground_truth):
    with ositrace.open(ground_truth) as trace:
        assert trace[-1].time_ns == 14_255_999_999
        assert trace.at(14.256).index == 432
        assert [frame.index for frame in trace.between(14.256)] == [432]
        assert [frame.index for frame in trace.between(14.2, 14.256)] == [431]


def test_static_data_of_earlier_frames_is_carried(ground_truth, tmp_path):
    def with_map(trace, i):
        """Frame i, with all of frame 0 that it lacks but objects, which are no static data."""
        first, message = (trace[k].message.to_protobuf() for k in (0, i))
        assert first.lane and not message.lane
        for field, content in first.ListFields():
            if (
                field.name not in ("moving_object", "timestamp")
                and field.is_repeated
                and not getattr(message, field.name)
            ):
                getattr(message, field.name).extend(content)
            elif not field.is_repeated and not message.HasField(field.name):
                (
                    getattr(message, field.name).CopyFrom(content)
                    if field.message_type
                    else setattr(message, field.name, content)
                )
        return message

    ositrace.convert(ground_truth, tmp_path / "flat.osifb")
    for path in (ground_truth, tmp_path / "flat.osifb"):
        with ositrace.open(path) as trace:
            at = trace.at(5.0, static="carry")
            assert at.message.to_protobuf() == with_map(trace, at.index)
            assert at.message.lane[0].id.value == trace[0].message.lane[0].id.value
            assert at.time == trace.at(5.0).time and at.index == trace.at(5.0).index
            assert len(trace.at(5.0).message.lane) == 0
            frames = trace.between(5, 6, static="carry")
            plain = trace.between(5, 6)
            assert [frame.index for frame in frames] == [frame.index for frame in plain]
            for carried in (frames[0], next(iter(frames)), frames[-len(frames)]):
                assert carried.message.to_protobuf() == with_map(trace, frames[0].index)
            for one, other in zip(list(frames)[1:], plain[1:], strict=True):
                assert one.payload == other.payload
            assert frames[3:][0].message.to_protobuf() == with_map(trace, frames[3].index)
            assert trace.at(0, static="carry").payload == trace[0].payload
            assert list(trace.between(99, static="carry")) == []
            with pytest.raises(ValueError, match="static='all': expected 'carry' or 'drop'"):
                trace.at(5, static="all")


def test_between_excludes_its_end(ground_truth):
    with ositrace.open(ground_truth) as trace:
        times = [frame.time for frame in trace]
        for start, stop in [(0, 1), (1, 1), (2, 1), (-5, 0.033), (14, 99), (None, 0.5), (3.3, None), (None, None)]:
            low = -1 if start is None else start - 1e-6
            high = 1e9 if stop is None else stop - 1e-6
            expected = [i for i, time in enumerate(times) if low <= time < high]
            found = trace.between(start, stop)
            assert [frame.index for frame in found] == expected
            assert len(found) == len(expected)


def trace_of(path, times, broken=()):
    """A frame per time, in seconds, with the numbers in `broken` damaged after their timestamp; None: it has none."""
    with open(path, "wb") as file:
        for i, time in enumerate(times):
            message = GroundTruth()
            message.moving_object.add().id.value = i
            if time is not None:
                message.timestamp.seconds = time
            payload = message.SerializeToString() + (b"\x2a\x7f" if i in broken else b"")
            file.write(struct.pack("<I", len(payload)) + payload)
    return path


def test_a_frame_that_cannot_be_read_is_not_passed_over(tmp_path):
    path = trace_of(tmp_path / "a.osi", [0, 1, 2, 3, 4], broken=[2])
    with ositrace.open(path, type="gt") as trace:
        for ask in (
            lambda: trace.at(2),
            lambda: trace.at(1.5),
            lambda: list(trace.between(2, 3)),
            lambda: list(trace.between(1, 2)),
            lambda: trace.objects(time=(2, 3)).to_arrow(),
            lambda: trace.objects(time=(1, 4)).to_arrow(),
        ):
            with pytest.raises(ositrace.Error, match="frame 2 at byte") as caught:
                ask()
            assert (caught.value.frame, caught.value.code) == (2, "malformed")
        assert trace.at(4).index == 4 and trace.at(0).index == 0
    with ositrace.open(path, type="gt", errors="skip") as trace:
        assert trace.at(2.5).index == 1
        (line,) = trace.skipped
        assert "frame 2 at byte" in line and line.endswith("(the frame has no time)")
        assert trace.objects(["frame"], time=(1, 4)).to_arrow()["frame"].to_pylist() == [1, 3]


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
@pytest.mark.parametrize(
    "times", [[None, 1, None, None, 2, 3, None], [None, None], [1, None, 1, 5], [None, None, None, 1, 2]]
)
def test_a_frame_without_a_timestamp_belongs_to_the_one_before_it(tmp_path, times):
    """In ranges, as in cut(), which reads all frames."""
    path = trace_of(tmp_path / "a.osi", times)
    with ositrace.open(path, type="gt") as trace:
        for bounds in [(100, None), (None, 100), (0, 2), (1, 2), (2, 3), (3, None), (None, 1), (0, 0.5), (5, 6)]:
            try:
                ositrace.cut(path, tmp_path / "cut.osi", time=bounds, type="gt", static="drop", overwrite=True)
                with ositrace.open(tmp_path / "cut.osi", type="gt") as part:
                    expected = [frame.message.moving_object[0].id.value for frame in part]
            except ositrace.Error as error:
                assert "no frame" in str(error)
                expected = []
            assert [frame.index for frame in trace.between(*bounds)] == expected, bounds
            assert trace.table(["@frame"], time=bounds).to_arrow()["@frame"].to_pylist() == expected
        assert len(trace.between()) == len(times)
        stated = [(time, i) for i, time in enumerate(times) if time is not None]
        for asked in range(6):
            found = [i for time, i in stated if time <= asked]
            if found:
                assert trace.at(asked).index == found[-1]
            else:
                with pytest.raises(LookupError):
                    trace.at(asked)


BOUNDS = [(0, 2), (1, None), (None, 1), (2.5, 4), (3, 3), (40, 90), (99, None), (None, None)]


def check_ranges(path, times):
    """A range has the frames that a filter of all frames leaves, by each way of asking."""
    with ositrace.open(path, type="gt") as trace:
        everything = trace.objects(["frame", "time"]).to_polars()
        assert everything["time"].to_list() == [time for time in times if time is not None]
        for start, stop in BOUNDS:
            low, high = (-1 if start is None else start), (1e9 if stop is None else stop)
            expected = [i for i, time in enumerate(times) if time is not None and low <= time < high]
            frames = trace.between(start, stop)
            assert [frame.index for frame in frames] == expected and len(frames) == len(expected)
            assert [frame.index for frame in frames[::-1]] == expected[::-1]
            assert [frame.index for frame in frames[1:4]] == expected[1:4]
            assert trace.objects(["frame"], time=(start, stop)).to_arrow()["frame"].to_pylist() == expected
            found = ositrace.scan_polars(path, type="gt").filter((pl.col("time") >= low) & (pl.col("time") < high))
            assert found.collect()["frame"].to_list() == expected


@pytest.mark.parametrize(
    "times",
    [
        [0, 3, 1, 4, 2, 5, 0, 1],
        [*range(60), 20, *range(61, 100)],
        [*range(50), *range(50)],
        [*range(50), *range(20)],
        [5, 4, 3, 2, 1, 0],
    ],
)
def test_a_range_of_times_that_go_backward_has_all_its_frames(tmp_path, times):
    path = trace_of(tmp_path / "a.osi", times)
    check_ranges(path, times)
    with ositrace.open(path, type="gt") as trace:
        assert trace.between(0, 2, static="carry")[0].index == next(i for i, time in enumerate(times) if time < 2)
        with pytest.raises(ositrace.Error, match="the times of the trace go backward"):
            trace.at(1)


def mcap_of(path, times, log_times):
    """A frame per time and log time, in seconds."""
    with open(path, "wb") as stream:
        writer = Writer(stream, chunk_size=1000)
        writer.start()
        schema = writer.register_schema(
            "osi3.GroundTruth", "protobuf", build_file_descriptor_set(GroundTruth).SerializeToString()
        )
        channel = writer.register_channel("/a", "protobuf", schema)
        for time, log_time in zip(times, log_times, strict=True):
            message = GroundTruth()
            message.timestamp.seconds = time
            message.moving_object.add().id.value = 1
            writer.add_message(channel, log_time * 10**9, message.SerializeToString(), log_time * 10**9)
        writer.finish()
    return path


#: Timestamps that go back while log times go on: a loop, one in the middle that no end tells of, steps to both sides.
BACKWARD = [
    [*range(50), *range(50)],
    [*range(60), *[1] * 5, *range(65, 100)],
    [*range(30), *range(200, 240), *range(70, 100)],
    [*range(50, 99), *range(50), 99],
]


@pytest.mark.parametrize("times", BACKWARD)
@pytest.mark.parametrize("first", [0, 1000])
def test_a_range_needs_no_log_times_that_are_timestamps(tmp_path, times, first):
    check_ranges(mcap_of(tmp_path / "loop.mcap", times, range(first, first + 100)), times)


@pytest.mark.parametrize(
    ("times", "bounds"), [([*range(50), *range(20)], (0, 49)), ([*range(30, 80), *range(20)], (0, 79))]
)
def test_a_catalog_has_the_times_of_a_recording_that_begins_again(tmp_path, times, bounds):
    name = tmp_path / "20200101T000000Z_gt_380_3211_70"
    for path in (trace_of(name.with_suffix(".osi"), times), mcap_of(name.with_suffix(".mcap"), times, range(30, 100))):
        made = ositrace.catalog(path)
        (row,) = made.rows.to_pylist()
        assert (row["first_time_ns"], row["last_time_ns"]) == (bounds[0] * 10**9, bounds[1] * 10**9)
        for low, high in ((30, 90), (0, 2), (90, 99)):
            expected = [i for i, time in enumerate(times) if low <= time < high]
            found = ositrace.scan(catalog=made).objects(["frame"], time=(low, high)).to_arrow()
            assert found["frame"].to_pylist() == expected
            lazy = ositrace.scan_polars(catalog=made).filter((pl.col("time") >= low) & (pl.col("time") < high))
            assert lazy.collect()["frame"].to_list() == expected


@pytest.fixture
def mixed(tmp_path):
    """Two channels of ground truth under one topic, whose log times are not the timestamps, and one that is not OSI."""
    path = tmp_path / "mixed.mcap"
    rng = random.Random(5)
    with open(path, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        schema = writer.register_schema(
            "osi3.GroundTruth", "protobuf", build_file_descriptor_set(GroundTruth).SerializeToString()
        )
        other = writer.register_schema("text", "jsonschema", b"{}")
        channels = [writer.register_channel("/a", "protobuf", schema) for _ in range(2)]
        channels.append(writer.register_channel("/text", "json", other))
        for i in range(60):
            which = rng.randrange(3)
            message = GroundTruth()
            message.timestamp.seconds = i
            log_time = (i + which) * 1_000_000_000
            writer.add_message(
                channels[which], log_time, message.SerializeToString() if which < 2 else b"{}", log_time
            )
        writer.finish()
    return path


def test_between_has_the_order_of_iteration(mixed):
    with ositrace.open(mixed) as trace:
        everything = [frame.index for frame in trace]
        assert [frame.index for frame in trace.between()] == everything == sorted(everything)
        part = [frame.index for frame in trace.between(10, 30)]
        assert part == sorted(part) and len(part) > 15
        expected = [
            frame.index
            for frame in trace
            if 10e9 <= (frame.log_time_ns if frame.time_ns is None else frame.time_ns) < 30e9
        ]
        assert part == expected


def test_channels_of_one_topic_are_selected_by_number(mixed):
    with ositrace.open(mixed) as trace:
        both = trace["/a"]
        reason = r"needs one channel; select it by trace.of_channel\(number\) \(topics: '/a', '/a'\)"
        for ask in (len, lambda t: t[0]):
            with pytest.raises(ositrace.Error, match=reason):
                ask(both)
        assert len(both.objects()) == len(both.of_channel(0).objects()) + len(both.of_channel(1).objects())
        assert len(both.of_channel(0)) + len(both.of_channel(1)) == len(list(both))
        assert {frame.index for frame in both.of_channel(0)}.isdisjoint(frame.index for frame in both.of_channel(-1))
        with pytest.raises(IndexError, match="there is no channel 2, there are 2"):
            both.of_channel(2)


def test_several_channels_are_selected_by_topic(two_channels):
    with ositrace.open(two_channels) as trace:
        assert [channel.topic for channel in trace.channels] == ["/a", "/b"]
        assert [frame.channel.topic for frame in trace][:4] == ["/a", "/b", "/a", "/b"]
        b = trace["/b"]
        assert len(b) == 20
        assert {frame.channel.topic for frame in b} == {"/b"}
        assert b[3].payload == trace["/a"][3].payload
        assert [frame.log_time_ns for frame in b[2:5]] == [frame.log_time_ns for frame in b][2:5]
        assert [frame.channel.topic for frame in trace.between(0.033, 0.066)] == ["/a", "/b"]
        assert len(trace["GroundTruth"].channels) == 2
    with ositrace.open(two_channels, topic="/b") as b:
        assert len(b) == 20


def test_what_needs_one_channel_says_so(two_channels):
    with ositrace.open(two_channels) as trace:
        for ask in (len, lambda t: t[0], lambda t: t[:2], lambda t: t.at(0)):
            with pytest.raises(ositrace.Error, match=r"needs one channel; select it by .* \(topics: '/a', '/b'\)"):
                ask(trace)


def test_a_payload_outlives_its_trace(ground_truth):
    with ositrace.open(ground_truth) as trace:
        expected = bytes(trace[7].payload)
        payload = trace[7].payload
        frames = iter(trace)
        next(frames)
    del trace
    gc.collect()
    assert payload == expected
    assert payload.readonly and payload.format == "B" and payload.nbytes == len(expected)
    assert next(frames).index == 1  # what was begun goes on


def test_a_closed_trace_says_so(ground_truth):
    trace = ositrace.open(ground_truth)
    part = trace[2:4]
    assert not trace.closed
    trace.close()
    trace.close()
    assert trace.closed and "closed" in repr(trace)
    for ask in (
        len,
        iter,
        lambda t: t[0],
        lambda t: t.channels,
        lambda t: t.info,
        lambda t: t.stats(),
        lambda _: part[0],
        lambda _: iter(part),
    ):
        with pytest.raises(ValueError, match="the trace is closed"):
            ask(trace)


def test_info_metadata_and_stats_are_those_of_the_file(sensor_view, ground_truth):
    with ositrace.open(sensor_view) as trace, open(sensor_view, "rb") as stream:
        theirs = {record.name: record.metadata for record in make_reader(stream).iter_metadata()}
        assert trace.metadata == theirs
        assert (trace.info.container, trace.info.chunk_compression) == ("mcap", "zstd")
        assert trace.stats()[0]["frames"] == 364
    with ositrace.open(ground_truth) as trace:
        (stats,) = trace.stats(full=True)
        assert stats["bytes"] == sum(len(frame.payload) for frame in trace)
        assert (stats["start"], stats["end"], stats["static_data"]) == (0.0, 14.255999999, "first frame only")


@pytest.mark.parametrize("name", ["one.osi", "one.osi.zst", "one.mcap"])
def test_a_saved_frame_is_a_trace(ground_truth, tmp_path, name):
    with ositrace.open(ground_truth) as trace:
        frame = trace[5]
    frame.save(tmp_path / name)
    with ositrace.open(tmp_path / name) as saved:
        assert [one.payload for one in saved] == [frame.payload]
        assert saved[0].time_ns == frame.time_ns
    with pytest.raises(ositrace.Error, match="exists") as caught:
        frame.save(tmp_path / name)
    assert caught.value.code == "exists"
    frame.save(tmp_path / name, overwrite=True)


def test_what_has_begun_outlives_the_trace(ground_truth):
    trace = ositrace.open(ground_truth)
    frames, batches = iter(trace), trace.objects(["id"]).batches()
    assert next(frames).index == 0
    trace.close()
    assert sum(1 for _ in frames) == 432
    assert sum(batch.num_rows for batch in batches) == 2598
    tables = lambda: list(trace.objects().batches())  # noqa: E731
    for begin in (lambda: iter(trace), lambda: len(trace), lambda: trace.at(1), tables):
        with pytest.raises(ValueError, match="the trace is closed"):
            begin()


def test_channels_with_one_topic_are_told_apart_by_their_place(ground_truth, tmp_path):
    from mcap.writer import Writer

    path = tmp_path / "same.mcap"
    with open(path, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        for value in (b"1", b"2"):
            channel = writer.register_channel("/a", "json", writer.register_schema("J", "jsonschema", b"{}"))
            writer.add_message(channel, log_time=int(value), publish_time=0, data=value)
        writer.finish()
    with ositrace.open(path) as trace:
        assert [channel.topic for channel in trace.channels] == ["/a", "/a"]
        assert [bytes(trace.of_channel(i)[0].payload) for i in range(2)] == [b"1", b"2"]


def test_the_last_time_of_64_bits_is_found(tmp_path):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    last = 2**63 - 1
    with ositrace.create(tmp_path / "end.mcap") as writer:
        for nanoseconds in (1_000_000_000, last):
            message = GroundTruth()
            message.timestamp.seconds, message.timestamp.nanos = divmod(nanoseconds, 1_000_000_000)
            writer.write(message, time_ns=nanoseconds)
    with ositrace.open(tmp_path / "end.mcap") as trace:
        for time in (9223372036.9, 9223372036.855, 1e10, float("inf")):
            assert trace.at(time).time_ns == last
        assert trace.at(9.2e9).index == 0
        assert [frame.index for frame in trace.between(9.21e9)] == [1]
        assert [frame.index for frame in trace.between(None, 9.21e9)] == [0]
        with pytest.raises(LookupError):
            trace.at(-1e10)


OTHER_PROCESS = """
import pickle, sys
with open("pickled", "rb") as file:
    trace, frame = pickle.load(file)
print(len(trace), trace.objects(["id"]).to_arrow().num_rows, frame.index, len(frame.payload), frame.message.ByteSize())
"""


def test_traces_and_frames_are_pickled_by_path(ground_truth, two_channels, tmp_path, monkeypatch):
    monkeypatch.chdir(ground_truth.parent)
    with ositrace.open(ground_truth.name) as trace:  # the other process may be in another folder
        again = pickle.loads(pickle.dumps(trace))
        assert len(again) == 433 and again[7].payload == trace[7].payload
        pickled = pickle.dumps(trace[7])
        assert len(pickled) < 500
        frame = pickle.loads(pickled)
        assert (frame.index, frame.time_ns, bytes(frame.payload)) == (7, trace[7].time_ns, bytes(trace[7].payload))
        (tmp_path / "pickled").write_bytes(pickle.dumps((trace, frame)))
        done = subprocess.run(
            [sys.executable, "-c", OTHER_PROCESS],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
        )
        size = len(frame.payload)
        assert done.stdout.split() == ["433", "2598", "7", str(size), str(size)], done.stderr
        with pytest.raises(TypeError, match="static data"):
            pickle.dumps(trace.at(5, static="carry"))
    with ositrace.open(two_channels) as trace:
        again = pickle.loads(pickle.dumps(trace["/b"]))
        assert [frame.index for frame in again] == [frame.index for frame in trace["/b"]]
        for frame in (trace["/b"][3], trace["/a"][4]):
            same = pickle.loads(pickle.dumps(frame))
            assert (same.index, same.channel.topic, same.payload) == (frame.index, frame.channel.topic, frame.payload)
    with ositrace.open(ground_truth.read_bytes()) as trace:
        for one in (trace, trace[0]):
            with pytest.raises(TypeError, match="opened by its path"):
                pickle.dumps(one)
    changed = tmp_path / "changed.osi"
    changed.write_bytes(ground_truth.read_bytes())
    with ositrace.open(changed) as trace:
        pickled = pickle.dumps(trace[0])
    changed.write_bytes(ground_truth.read_bytes()[:-10])
    with pytest.raises(ositrace.Error, match="has changed since the frame was pickled"):
        pickle.loads(pickled)
