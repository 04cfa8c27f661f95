# SPDX-License-Identifier: MPL-2.0
"""Traces that are played into functions, FMUs and the dummy sensor."""

import os
import shutil
import signal
import threading

import pytest

import ositrace

needs_programs = pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")


@pytest.fixture
def views(sensor_view):
    with ositrace.open(sensor_view) as trace:
        yield trace


def detect(frame):
    """A sensor model: the ids of what is there."""
    from osi3.osi_sensordata_pb2 import SensorData

    view = frame.message
    data = SensorData()
    data.timestamp.seconds, data.timestamp.nanos = view.timestamp.seconds, view.timestamp.nanos
    for one in view.global_ground_truth.moving_object:
        data.moving_object.add().header.ground_truth_id.add().value = one.id.value
    return data


def test_a_function_gets_every_frame_and_its_messages_are_the_outputs(views):
    seen = []

    def model(frame):
        seen.append((frame.index, bytes(frame.payload)))
        return detect(frame)

    played = ositrace.play(views, model)
    assert seen == [(frame.index, bytes(frame.payload)) for frame in views]
    assert [frame.message.to_protobuf() for frame in played.outputs] == [detect(frame) for frame in views]
    assert [frame.time_ns for frame in played.outputs] == [frame.time_ns for frame in views]
    assert played.outputs.channels[0].type == "osi3.SensorData"
    report = played.report
    assert (report.frames, report.late, report.lost, report.lateness.max) == (len(views), 0, 0, 0.0)


def test_outputs_are_recorded(views, tmp_path):
    def several(frame):
        return {"/data": detect(frame), "/copy": frame.payload}

    path = tmp_path / "out.mcap"
    with pytest.raises(ositrace.Error, match="there is no channel '/copy'"):
        ositrace.play(views, several, record=path)
    assert list(tmp_path.iterdir()) == []
    played = ositrace.play(views, lambda frame: [detect(frame), frame], record=path, time=(None, 1))
    count = len(views.between(None, 1))
    with ositrace.open(path) as trace:
        assert len(trace["SensorData"]) == len(trace["SensorView"]) == count == played.report.frames
    with pytest.raises(ositrace.Error, match="exists"):
        ositrace.play(views, detect, record=path)
    assert ositrace.play(views, detect, record=path, overwrite=True).outputs.info.file == str(path)
    assert ositrace.play(views, lambda frame: None).outputs is None


@needs_programs
@pytest.mark.parametrize("model", [lambda frame: frame, "dummy"], ids=["function", "dummy"])
def test_a_recording_does_not_replace_what_is_played(sensor_view, tmp_path, monkeypatch, model):
    own, link, hard = tmp_path / "own.mcap", tmp_path / "link.mcap", tmp_path / "hard.mcap"
    shutil.copy(sensor_view, own)
    link.symlink_to(own)
    hard.hardlink_to(own)
    monkeypatch.chdir(tmp_path)
    content = own.read_bytes()
    with ositrace.open(own) as trace:
        for source in (own, str(link), trace):
            for record in (own, "own.mcap", link, str(hard), tmp_path / ".." / tmp_path.name / "own.mcap"):
                for overwrite in (True, False):
                    with pytest.raises(ositrace.Error) as caught:
                        ositrace.play(source, model, record=record, overwrite=overwrite)
                    assert str(caught.value) == f"{record}: is also an input. Choose another output."
                    assert (caught.value.code, caught.value.file) == ("usage", str(record))
    assert own.read_bytes() == content and sorted(tmp_path.iterdir()) == [hard, link, own]


@pytest.fixture
def fmu():
    """The dummy sensor."""
    path = os.environ.get("DUMMY_SENSOR_FMU", "")
    if not os.path.exists(path):
        pytest.skip("the FMUs are not built")
    return path


@needs_programs
def test_a_recording_does_not_replace_the_model(views, tmp_path, fmu):
    model = tmp_path / "model.fmu"
    shutil.copy(fmu, model)
    with pytest.raises(ositrace.Error, match="model.fmu: is also an input"):
        ositrace.play(views, model, record=model, overwrite=True)
    assert model.stat().st_size == os.stat(fmu).st_size


@pytest.fixture
def early(tmp_path):
    """A view at 14 s, one a nanosecond before 14.256 s, and more at 15 and 16 s."""
    from osi3.osi_sensorview_pb2 import SensorView

    path = tmp_path / "early.osi"
    with ositrace.create(path) as writer:
        for seconds, nanos in ((14, 0), (14, 255_999_999), (15, 0), (16, 0)):
            view = SensorView()
            view.version.version_major = 3
            view.timestamp.seconds, view.timestamp.nanos = seconds, nanos
            view.global_ground_truth.moving_object.add().id.value = 1
            writer.write(view)
    return path


@needs_programs
def test_times_have_the_tolerance_of_between(early, tmp_path):
    with ositrace.open(early, type="SensorView") as trace:
        for span in ((14.256, 16), (14, 14.256), (None, 14.256), (14.256, None), (14.2561, None)):
            expected = [frame.time_ns for frame in trace.between(*span)]
            seen = []
            ositrace.play(trace, lambda frame: seen.append(frame.time_ns), time=span)
            assert seen == expected, span
            assert ositrace.play(trace, "dummy", time=span).report.frames == len(expected), span
            part = ositrace.cut(early, tmp_path / "part.osi", time=span, type="sv", overwrite=True)
            assert part.frames == len(expected), span
    exact = ositrace.cut(early, tmp_path / "exact.osi", time=(14.256, 16), time_tolerance=0, type="sv")
    assert exact.frames == 1


@needs_programs
@pytest.mark.parametrize("steps", [{"loop": 2}, {"step_size": 0.03}, {"step_size": 0.03, "loop": 2}, {}])
def test_a_function_sees_the_times_that_the_dummy_sensor_sees(views, steps):
    seen = []
    played = ositrace.play(views, lambda frame: seen.append(frame.time_ns), time=(None, 2), **steps)
    assert played.report.frames == len(seen) and seen == sorted(set(seen))
    dummy = ositrace.play(views, "dummy", time=(None, 2), **steps)
    assert seen == [frame.log_time_ns for frame in dummy.outputs]


def test_messages_keep_their_timestamps_in_a_loop(views):
    stamps = []
    ositrace.play(views, lambda frame: stamps.append(frame.message.timestamp.nanos), loop=2)
    assert len(stamps) == 2 * len(views) and stamps[: len(views)] == stamps[len(views) :]


def test_progress_is_reported_from_the_beginning_to_the_end(views, tmp_path, monkeypatch):
    monkeypatch.setattr("ositrace._play._SECONDS_OF_PROGRESS", 0)
    seen = []
    ositrace.play(views, detect, progress=seen.append)
    assert [one.frames for one in seen] == [*range(1, len(views) + 1), len(views)]
    assert {one.file for one in seen} == {views.info.file}
    assert [one.done for one in seen] == [None] * len(views) + [1.0]
    with pytest.raises(TypeError, match="progress=5: expected a function"):
        ositrace.play(views, detect, progress=5, record=tmp_path / "out.mcap")
    assert list(tmp_path.iterdir()) == []


def test_bytes_need_a_type(views):
    played = ositrace.play(views, lambda frame: detect(frame).SerializeToString(), type="SensorData", time=(0, 0.5))
    assert played.outputs.channels[0].type == "osi3.SensorData"


def test_a_rate_is_kept(views):
    with pytest.raises(ositrace.Error, match="rate"):
        ositrace.play(views, detect, rate=1000)
    played = ositrace.play(views, detect, rate=100, loop=2)
    assert played.report.frames == 2 * len(views)
    times = [frame.time for frame in views]
    assert played.report.seconds >= (times[-1] - times[0]) / 100 * 2
    lateness = played.report.lateness
    assert 0 < lateness.p50 <= lateness.p99 <= lateness.max


def test_channels_are_selected(two_channels):
    with ositrace.open(two_channels) as trace:
        for selected, topics in ((trace["/b"], {"/b"}), (trace, {"/a", "/b"})):
            seen = set()
            report = ositrace.play(selected, lambda frame: seen.add(frame.channel.topic)).report
            assert (seen, report.frames) == (topics, 20 * len(topics))


def test_an_exception_of_the_function_ends_the_replay(views, tmp_path):
    frames = []

    def fail(frame):
        frames.append(frame)
        if len(frames) == 3:
            raise ZeroDivisionError
        return detect(frame)

    with pytest.raises(ZeroDivisionError):
        ositrace.play(views, fail, record=tmp_path / "out.mcap")
    assert len(frames) == 3 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("ends", [lambda: signal.raise_signal(signal.SIGINT), lambda: exit(1)])
def test_what_ends_a_replay_early_leaves_the_old_recording(views, tmp_path, ctrl_c, ends):
    path = tmp_path / "out.mcap"

    def interrupted(frame):
        if frame.index == 5:
            ends()
        return detect(frame)

    with pytest.raises((KeyboardInterrupt, SystemExit)):
        ositrace.play(views, interrupted, record=path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    with pytest.raises((KeyboardInterrupt, SystemExit)):
        ositrace.play(views, interrupted, record=path, overwrite=True)
    assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == b"old"


@needs_programs
def test_ctrl_c_leaves_the_old_recording_of_the_dummy_sensor(views, tmp_path, ctrl_c):
    """The frame that osiplay has recorded before it is ended is the sign to end it."""
    path = tmp_path / "out.mcap"
    path.write_bytes(b"old")
    recorded = threading.Event()

    def interrupt():
        while not list(tmp_path.glob(".out.mcap.*/*")) and not recorded.is_set():
            recorded.wait(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            ositrace.play(views, "dummy", rate=0.1, record=path, overwrite=True)
    finally:
        recorded.set()
        thread.join()
    assert list(tmp_path.iterdir()) == [path] and path.read_bytes() == b"old"


@needs_programs
def test_a_recording_of_the_dummy_sensor_replaces_a_file_when_it_is_complete(views, tmp_path):
    path, link = tmp_path / "out.mcap", tmp_path / "link.mcap"
    path.write_bytes(b"old")
    link.symlink_to(path)
    with pytest.raises(ositrace.Error) as caught:
        ositrace.play(views, "dummy", record=path)
    assert (str(caught.value), caught.value.code) == (f"{path} exists. Use overwrite=True to replace it.", "exists")
    with pytest.raises(ositrace.Error, match="no parameter"):
        ositrace.play(views, "dummy", record=path, overwrite=True, set={"none": 1})
    assert path.read_bytes() == b"old"
    played = ositrace.play(views, "dummy", record=link, overwrite=True, time=(None, 1))
    assert link.is_symlink() and played.outputs.info.file == str(link)
    with ositrace.open(path) as trace:
        assert len(trace) == len(views.between(None, 1))
    assert sorted(tmp_path.iterdir()) == [link, path]
    with pytest.raises(FileNotFoundError, match=f"^{tmp_path}/none/out.mcap: No such file or directory"):
        ositrace.play(views, "dummy", record=tmp_path / "none" / "out.mcap")


def test_ctrl_c_ends_a_wait(tmp_path, ctrl_c):
    from osi3.osi_groundtruth_pb2 import GroundTruth

    with ositrace.create(tmp_path / "gap.mcap") as writer:
        for seconds in (0, 10_000):
            message = GroundTruth()
            message.timestamp.seconds = seconds
            writer.write(message)
    played = threading.Event()

    def interrupt():
        played.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        ositrace.play(tmp_path / "gap.mcap", lambda frame: played.set(), rate=1)
    thread.join()


def test_bad_frames_are_skipped(ground_truth, tmp_path):
    path = tmp_path / "damaged.osi"
    with ositrace.open(ground_truth) as trace:
        sizes = [frame.payload.nbytes for frame in trace[:20]]
    data = bytearray(ground_truth.read_bytes()[: sum(sizes) + 4 * len(sizes)])
    start = sum(sizes[:7]) + 4 * 8
    data[start : start + 40] = b"\xff" * 40
    path.write_bytes(data)
    with pytest.raises(ositrace.Error, match="frame 7 ") as caught:
        ositrace.play(ositrace.open(path, type="gt"), lambda frame: frame)
    with ositrace.open(path, type="gt") as trace, pytest.warns(UserWarning, match="frame 7 ") as warned:
        played = ositrace.play(trace, lambda frame: frame, skip_bad_frames=True)
    assert (played.report.frames, len(played.outputs)) == (19, 19)
    assert str(caught.value) in str(warned[0].message)


@needs_programs
def test_the_dummy_sensor_sees_what_is_near(views, tmp_path):
    played = ositrace.play(views, "dummy", set={"carry_input": False}, record=tmp_path / "out.osi")
    assert played.report.frames == len(views) == len(played.outputs)
    assert played.outputs.channels[0].type == "osi3.SensorData"
    near = ositrace.play(views, "dummy", set={"nominal_range": 10})
    count = lambda trace: sum(len(frame.message.moving_object) for frame in trace)  # noqa: E731
    assert count(near.outputs) < count(played.outputs)
    with pytest.raises(ositrace.Error, match="the dummy sensor has no parameter 'none'") as caught:
        ositrace.play(views, "dummy", set={"none": 1})
    assert caught.value.code == "usage"
    with pytest.raises(ositrace.Error, match="play files only"):
        ositrace.play(ositrace.open(open(views.info.file, "rb").read()), "dummy")


@needs_programs
def test_an_fmu_is_in_the_loop(views, fmu):
    played = ositrace.play(views, fmu, time=(0, 2), rate=100)
    assert 0 < len(played.outputs) == played.report.frames < len(views)
    assert played.outputs.channels[0].type == "osi3.SensorData"
    with pytest.raises(FileNotFoundError):
        ositrace.play(views, "none.fmu")


def test_a_replay_without_an_end_and_options_of_fmus_are_refused(ground_truth):
    with pytest.raises(ValueError, match="loop=0: expected at least 1"):
        ositrace.play(ground_truth, lambda frame: frame, loop=0)
    with pytest.raises(ValueError, match="set is for an FMU or the dummy sensor"):
        ositrace.play(ground_truth, lambda frame: frame, set={"a": 1})
