# SPDX-License-Identifier: MPL-2.0
"""Traces that are written: osi3, osi3trace and the MCAP project's reader read them."""

import os
import threading
import warnings

import conftest
import pytest

import ositrace


def frames_of(path, **options):
    with ositrace.open(path, **options) as trace:
        return [(frame.time_ns, bytes(frame.payload)) for frame in trace]


@pytest.fixture
def views():
    from osi3.osi_sensorview_pb2 import SensorView

    messages = []
    for i in range(5):
        view = SensorView()
        view.version.version_major, view.version.version_minor, view.version.version_patch = 3, 8, 0
        view.timestamp.seconds, view.timestamp.nanos = 10 + i, i
        view.global_ground_truth.moving_object.add().id.value = i
        messages.append(view)
    return messages


@pytest.mark.parametrize("name", ["out.osi", "out.osi.zst", "out.osi.lz4", "out.osifb", "out.mcap"])
def test_objects_of_osi3_are_written_and_read_back(tmp_path, views, name):
    path = tmp_path / name
    with ositrace.create(path) as writer:
        for view in views:
            writer.write(view)
        assert not path.exists()
        assert writer.channels == {"SensorView": "osi3.SensorView"}
    assert list(tmp_path.iterdir()) == [path]
    with ositrace.open(path) as trace:
        assert [frame.message.to_protobuf() for frame in trace] == views
        assert [frame.time_ns for frame in trace] == [(10 + i) * 10**9 + i for i in range(5)]


def test_osi3trace_reads_what_is_written(tmp_path, views):
    from osi3trace.osi_trace import OSITrace

    for name in ("out.osi", "out.mcap"):
        with ositrace.create(tmp_path / name) as writer:
            for view in views:
                writer.write(view)
        assert list(OSITrace(str(tmp_path / name), type_name="SensorView")) == views


def test_the_reader_of_the_mcap_project_finds_topics_times_and_metadata(tmp_path, views):
    from mcap.reader import make_reader

    path = tmp_path / "out.mcap"
    metadata = {"net.asam.osi.trace": {"description": "a test"}, "mine": {"key": "value"}}
    channels = {"/front": "SensorView", "/rear": "sv"}
    with ositrace.create(path, channels=channels, metadata=metadata, compression="zstd", level=5) as writer:
        for i, view in enumerate(views):
            writer.write(view, time=100.5 + i, channel="/front")
            writer.write(view.SerializeToString(), time_ns=100_750_000_000 + i * 10**9, channel="/rear")
        assert writer.frames == 10
    with open(path, "rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        found = [(channel.topic, message.log_time, message.data) for _, channel, message in reader.iter_messages()]
        records = {record.name: dict(record.metadata) for record in reader.iter_metadata()}
    expected = []
    for i, view in enumerate(views):
        expected.append(("/front", 100_500_000_000 + i * 10**9, view.SerializeToString()))
        expected.append(("/rear", 100_750_000_000 + i * 10**9, view.SerializeToString()))
    assert found == expected
    assert records["mine"] == {"key": "value"}
    assert records["net.asam.osi.trace"]["description"] == "a test"


@pytest.mark.parametrize("name", ["out.osi", "out.osifb", "out.mcap"])
def test_frames_and_messages_of_a_trace_are_written(tmp_path, ground_truth, name):
    whole, parts = tmp_path / ("whole_" + name), tmp_path / ("parts_" + name)
    with ositrace.open(ground_truth) as trace:
        with ositrace.create(whole) as by_frame, ositrace.create(parts) as by_message:
            for frame in trace[:20]:
                by_frame.write(frame)
                by_message.write(frame.message)
        assert frames_of(whole) == frames_of(parts)
        with ositrace.open(whole) as written:
            assert [frame.message for frame in written] == [frame.message for frame in trace[:20]]


def test_a_copy_of_all_frames_has_the_channels_and_the_times_of_the_trace(tmp_path, two_channels):
    path = tmp_path / "copy.mcap"
    with ositrace.open(two_channels) as trace:
        with ositrace.create(path, channels=trace.channels, metadata=trace.metadata) as writer:
            for frame in trace:
                writer.write(frame)
        with ositrace.open(path) as copy:
            assert [c.topic for c in copy.channels] == ["/a", "/b"]
            of = lambda frame: (
                frame.channel.topic,
                frame.time_ns,
                frame.log_time_ns,
                bytes(frame.payload),
            )  # noqa: E731
            assert list(map(of, copy)) == list(map(of, trace))


def test_an_exception_leaves_no_file(tmp_path, views):
    for name in ("out.osi", "out.mcap"):
        with pytest.raises(ZeroDivisionError):
            with ositrace.create(tmp_path / name, recording=True) as writer:
                writer.write(views[0])
                assert [path.name for path in tmp_path.iterdir()] == [name + ".part"]
                1 / 0
        assert writer.closed
        assert list(tmp_path.iterdir()) == []


def test_an_existing_file_stays_until_close(tmp_path, views):
    path = tmp_path / "out.osi"
    path.write_bytes(b"old")
    with pytest.raises(ositrace.Error, match="exists") as caught:
        ositrace.create(path)
    assert caught.value.code == "exists"
    with pytest.raises(ZeroDivisionError), ositrace.create(path, overwrite=True) as writer:
        writer.write(views[0])
        1 / 0
    assert path.read_bytes() == b"old"
    with ositrace.create(path, overwrite=True) as writer:
        writer.write(views[0])
    assert len(frames_of(path, type="SensorView")) == 1


def test_what_does_not_fit_is_an_error(tmp_path, views):
    path = tmp_path / "out.osi"
    with pytest.raises(ositrace.Error, match="unknown extension '.txt'"):
        ositrace.create(tmp_path / "out.txt")
    with pytest.raises(ositrace.Error, match="compression requires an MCAP output"):
        ositrace.create(path, compression="zstd")
    with pytest.raises(ositrace.Error, match="level requires a compressed output"):
        ositrace.create(path, level=3)
    with pytest.raises(ositrace.Error, match="metadata requires an MCAP output"):
        ositrace.create(path, metadata={"a": {}})
    with pytest.raises(ositrace.Error, match="unknown message type 'Foo'"):
        ositrace.create(path, type="Foo")
    with pytest.raises(ositrace.Error, match="encoding 'flatbuffers' contradicts the extension .osi"):
        ositrace.create(path, encoding="flatbuffers")
    with pytest.raises(ositrace.Error, match="nothing was written"), ositrace.create(path) as writer:
        pass
    with ositrace.create(path, type="SensorView") as writer:
        with pytest.raises(ositrace.Error, match="bytes do not say what they are"):
            ositrace.create(tmp_path / "none.mcap").write(b"")
        with pytest.raises(TypeError, match="not 'int'"):
            writer.write(1)
        with pytest.raises(ositrace.Error, match="frame 0") as caught:
            writer.write(b"\xff\xff\xff")
        assert (caught.value.code, caught.value.file, caught.value.frame) == ("malformed", str(path), 0)
        with pytest.raises(ositrace.Error, match="holds no times but the timestamps"):
            writer.write(views[0], time=11)
        with pytest.raises(ositrace.Error, match="holds osi3.SensorView messages, found osi3.GroundTruth") as caught:
            writer.write(views[0].global_ground_truth)
        assert caught.value.code == "mismatch"
        with pytest.raises(ositrace.Error, match="holds one channel"):
            writer.add_channel("GroundTruth")
        writer.write(views[0], time=10)
    with pytest.raises(ositrace.Error, match="the writer is closed"):
        writer.write(views[0])
    with ositrace.create(tmp_path / "two.mcap", channels={"a": "sv", "b": "sv"}) as writer:
        with pytest.raises(ositrace.Error, match=r"several channels fit.*\(topics: 'a', 'b'\)"):
            writer.write(views[0])
        with pytest.raises(KeyError, match="there is no channel 'c'"):
            writer.write(b"", channel="c")


@pytest.mark.parametrize("name, options", [("out.osifb", {}), ("out.mcap", {"encoding": "flatbuffers"})])
def test_bytes_in_another_encoding_are_named(tmp_path, views, name, options):
    written, other = tmp_path / name, tmp_path / "other.osi"
    with ositrace.create(written, type="SensorView", **options) as writer:
        writer.write(views[0])
        with pytest.raises(ositrace.Error) as caught:
            writer.write(views[1].SerializeToString())
    decides = "The file extension sets the encoding; for MCAP, pass encoding=."
    assert str(caught.value) == (
        f"{written}: frame 1: the bytes are a message in another encoding"
        f" (found protobuf, expected flatbuffers). {decides}"
    )
    assert caught.value.code == "mismatch"
    payload = frames_of(written)[0][1]
    with ositrace.create(other, type="SensorView") as writer:
        with pytest.raises(ositrace.Error, match=r"frame 0: .*\(found flatbuffers, expected protobuf\)"):
            writer.write(payload)
        with pytest.raises(ositrace.Error, match="frame 0 at byte") as caught:
            writer.write(payload[1:])  # neither
        assert caught.value.code != "mismatch"
        writer.write(views[0])


def test_what_the_output_changes_is_a_warning(tmp_path, views):
    with ositrace.create(tmp_path / "out.mcap") as writer:
        for view in reversed(views):
            writer.write(view)
        with pytest.warns(UserWarning, match="the times of 'SensorView' go backward"):
            writer.close()


def test_threads_take_turns(tmp_path, views):
    path = tmp_path / "out.mcap"
    with ositrace.create(path, channels={str(i): "sv" for i in range(4)}, threads=2) as writer:

        def write(topic):
            for _ in range(200):
                for view in views:
                    writer.write(view, channel=topic, time=5)

        threads = [threading.Thread(target=write, args=(str(i),)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert writer.frames == 4000
    with ositrace.open(path) as trace:
        for i in range(4):
            expected = [view.SerializeToString() for view in views] * 200
            assert [bytes(frame.payload) for frame in trace[str(i)]] == expected


def test_a_name_need_not_be_utf8(tmp_path, views):
    path = tmp_path / os.fsdecode(b"\xff.osi")
    with ositrace.create(path) as writer:
        writer.write(views[0])
    assert len(frames_of(path, type="SensorView")) == 1


def test_a_writer_that_is_forgotten_says_so(ground_truth, tmp_path):
    writer = ositrace.create(tmp_path / "lost.osi")
    with ositrace.open(ground_truth) as trace:
        writer.write(trace[0])
    with pytest.warns(ResourceWarning, match="lost.osi.*was not closed, and there is no file"):
        del writer
    assert not list(tmp_path.iterdir())


def test_a_topic_that_is_called_as_a_type_hides_no_channel(ground_truth, tmp_path):
    file = tmp_path / "two.mcap"
    channels = {"GroundTruth": "GroundTruth", "/other": "GroundTruth"}
    with ositrace.open(ground_truth) as trace, ositrace.create(file, channels=channels) as writer:
        for i, frame in enumerate(trace[:10]):
            writer.write(frame, channel="GroundTruth" if i == 0 else "/other")
    for name in ("GroundTruth", "osi3.GroundTruth", "gt"):
        with ositrace.open(file, type=name) as trace:
            assert len(list(trace)) == 10  # which asks for len() first
    with pytest.raises(KeyError, match="there is no channel of the type 'SensorView'"):
        ositrace.open(file, type="SensorView")
    with ositrace.open(file) as trace, pytest.raises(ositrace.Error, match="needs one channel"):
        len(trace)


def test_frames_without_a_version_keep_the_channel_of_the_trace(tmp_path, ground_truth):
    """The version is in the first frame only, and here that is written last."""
    from mcap.reader import make_reader

    path, one = tmp_path / "backward.mcap", tmp_path / "one.mcap"
    with ositrace.open(ground_truth) as trace:
        assert [frame.message.HasField("version") for frame in trace[:3]] == [True, False, False]
        with warnings.catch_warnings(record=True) as caught, ositrace.create(path) as writer:
            warnings.simplefilter("always")
            for number, frame in enumerate(trace[9::-1]):
                writer.write(frame, time=number)
        assert caught == []
        trace[7].save(one)
    for file in (path, one):
        with open(file, "rb") as stream:
            reader = make_reader(stream)
            (channel,) = reader.get_summary().channels.values()
            records = {record.name: record.metadata for record in reader.iter_metadata()}
        assert channel.metadata["net.asam.osi.trace.channel.osi_version"] == "3.5.0"
        assert records["net.asam.osi.trace"]["min_osi_version"] == "3.5.0"
        assert records["net.asam.osi.trace"]["max_osi_version"] == "3.5.0"


def test_several_metadata_records_of_one_name_are_read_and_written(tmp_path, views):
    from mcap.reader import make_reader
    from mcap.writer import Writer as TheirWriter

    path, copy = tmp_path / "in.mcap", tmp_path / "copy.mcap"
    records = [("one", {"a": "1"}), ("other", {}), ("one", {"b": "2"})]
    with open(path, "wb") as stream:
        writer = TheirWriter(stream)
        writer.start()
        for name, entries in records:
            writer.add_metadata(name, entries)
        writer.finish()
    with ositrace.open(path) as trace:
        assert trace.metadata_records == records
        assert trace.metadata == {"one": {"b": "2"}, "other": {}}
        with ositrace.create(copy, type="sv", metadata=trace.metadata_records) as writer:
            writer.write(views[0])
    with open(copy, "rb") as stream:
        found = [(record.name, dict(record.metadata)) for record in make_reader(stream).iter_metadata()]
    assert [record for record in found if record[0] != "net.asam.osi.trace"] == records
    with pytest.raises(TypeError, match=r"metadata=\[.one.\]: expected a dict of dicts, or a list of names with dicts"):
        ositrace.create(copy, metadata=["one"], overwrite=True)


@pytest.mark.parametrize("extension", ["osi", "osi.zst"])
def test_a_trace_that_is_not_recognised_again_is_a_warning(tmp_path, extension):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    message = GroundTruth()
    message.timestamp.seconds = 1
    message.version.version_major = 3
    message.moving_object.add().id.value = 4
    path = tmp_path / f"objects.{extension}"
    text = r"the content fits several types; open it by open\(\.\.\., type='GroundTruth'\)"
    with pytest.warns(UserWarning, match=text):
        with ositrace.create(path) as writer:
            writer.write(message)
    with pytest.raises(ositrace.Error) as caught:
        ositrace.open(path)
    assert caught.value.code == "ambiguous"
    assert ositrace.open(path, type="GroundTruth")[0].message.to_protobuf() == message
    named = tmp_path / f"20261124T101112Z_gt_3.8.0_4.21_1_objects.{extension}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for other in (named, tmp_path / "objects.mcap"):
            with ositrace.create(other) as writer:
                writer.write(message)
            assert ositrace.open(other)[0].message.to_protobuf() == message


@pytest.mark.parametrize(
    ("source", "name", "text"),
    [
        (
            "sensorDataDetectedLaneBoundaries.mcap",
            "out.mcap",
            "replaced the publish time of 40 messages by the OSI time, as OSI-MCAP requires",
        ),
        ("disappearingVehicle.mcap", "out.osi", "keeps only OSI times, but 10 messages have other log or publish times"),
    ],
)
def test_times_that_a_copy_does_not_keep_are_the_warning_of_convert(tmp_path, source, name, text):
    source = conftest.trace(source)
    notes = {}
    for folder in ("ours", "theirs"):
        (tmp_path / folder).mkdir()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if folder == "theirs":
                ositrace.convert(source, tmp_path / folder / name)
            else:
                with ositrace.open(source) as trace, ositrace.create(tmp_path / folder / name) as writer:
                    for frame in trace:
                        writer.write(frame)
        notes[folder] = [str(one.message).partition(": ")[2] for one in caught]
    assert text in notes["ours"]
    assert text in notes["theirs"]
