# SPDX-License-Identifier: MPL-2.0
"""What can be opened: paths, bytes, file objects, compressed ones; and which threads wait for whom."""

import bz2
import gzip
import io
import lzma
import os
import threading

import lz4.frame
import pytest
import zstandard

import ositrace


def payloads(source, **options):
    with ositrace.open(source, **options) as trace:
        return [bytes(frame.payload) for frame in trace]


class Stream:
    """Reads like a socket: a few bytes at a time, no seek."""

    name = "a stream"

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def read(self, size):
        return self._data.read(min(size, 1000))


@pytest.mark.parametrize("name", ["ground_truth", "sensor_view"])
def test_a_trace_is_the_same_from_every_source(request, name):
    path = request.getfixturevalue(name)
    expected = payloads(path)
    data = path.read_bytes()
    assert len(expected) > 300
    for source in (
        str(path),
        os.fsencode(path),
        data,
        bytearray(data),
        memoryview(data),
        io.BytesIO(data),
        Stream(data),
    ):
        if isinstance(source, bytes) and source != data:
            source = os.fsdecode(source)
        assert payloads(source) == expected
    with open(path, "rb") as file:
        assert payloads(file) == expected
    with open(path, "rb", buffering=0) as file:
        assert payloads(file) == expected


def test_compressed_sources_are_unpacked(ground_truth):
    expected = payloads(ground_truth)
    data = ground_truth.read_bytes()
    for packed in (gzip.compress(data), lzma.compress(data), zstandard.compress(data), lz4.frame.compress(data)):
        assert payloads(packed) == expected
        assert payloads(Stream(packed)) == expected
    with pytest.raises(ositrace.Error, match="this is not a trace but compressed by bzip2"):
        ositrace.open(bz2.compress(data))


def test_a_text_file_is_refused(ground_truth):
    with pytest.raises(TypeError, match="open it with mode 'rb'"):
        ositrace.open(io.StringIO("text"))
    with pytest.raises(TypeError, match="a path, bytes or a binary file object"):
        ositrace.open(12)


def test_an_exception_of_a_file_object_arrives(sensor_view):
    class Fails(io.BytesIO):
        fail = False

        def read(self, size=-1):
            if self.fail:
                raise InterruptedError("no more today")
            return super().read(size)

    file = Fails(sensor_view.read_bytes())
    trace = ositrace.open(file)
    file.fail = True
    with pytest.raises(InterruptedError, match="no more today"):
        list(trace)


@pytest.mark.parametrize("name", ["ground_truth", "sensor_view"])
def test_threads_that_read_one_file_object_do_not_wait_for_each_other(request, name):
    path = request.getfixturevalue(name)
    expected = payloads(path)
    trace = ositrace.open(io.BytesIO(path.read_bytes()))
    found = {}

    def read(part):
        found[part] = (
            [bytes(frame.payload) for frame in trace]
            if part % 2
            else [bytes(trace[i].payload) for i in range(len(trace))]
        )

    threads = [threading.Thread(target=read, args=(part,), daemon=True) for part in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert all(found[part] == expected for part in range(4))


def test_an_iterator_that_is_left_early_ends_its_threads(sensor_view):
    for _ in range(20):
        trace = ositrace.open(io.BytesIO(sensor_view.read_bytes()))
        next(iter(trace))
        trace.close()


def test_the_descriptor_set_of_another_release_is_used(ground_truth, tmp_path):
    from google.protobuf import descriptor_pb2
    from osi3 import osi_groundtruth_pb2

    files, names = descriptor_pb2.FileDescriptorSet(), set()

    def add(file):
        for dependency in file.dependencies:
            add(dependency)
        if file.name not in names:
            names.add(file.name)
            file.CopyToProto(files.file.add())

    add(osi_groundtruth_pb2.DESCRIPTOR)
    (tmp_path / "osi.desc").write_bytes(files.SerializeToString())
    expected = payloads(ground_truth)
    assert payloads(ground_truth, schema=tmp_path / "osi.desc", type="GroundTruth") == expected
    assert payloads(ground_truth, schema=files.SerializeToString(), type="gt") == expected


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
@pytest.mark.parametrize("name", ["drive.jsonl", "drive.txth", "drive.txth.zst"])
def test_text_is_converted(ground_truth, tmp_path, name):
    path = tmp_path / name
    with ositrace.open(ground_truth) as trace, ositrace.create(path) as writer:
        for frame in trace[:10]:
            writer.write(frame)
        expected = [frame.message for frame in trace[:10]]
    with ositrace.open(path) as trace:
        assert trace.info.file == str(path)
        assert [frame.message for frame in trace] == expected
    with pytest.raises(ositrace.Error, match="opened by its path"):
        ositrace.open(path.read_bytes())


@pytest.mark.skipif("OSICONVERT" not in os.environ, reason="the programs are not built")
def test_damaged_text_has_the_place_in_the_text(tmp_path):
    path = tmp_path / "drive.jsonl"
    path.write_text('{"moving_object": [{"id": {"value": "1"}}]}\n{"moving_object": 3}\n')
    with pytest.raises(ositrace.Error, match="frame 1 at byte 44: line 2") as caught:
        ositrace.open(path, type="GroundTruth")
    assert (caught.value.file, caught.value.frame, caught.value.code) == (str(path), 1, "malformed")
    with pytest.warns(UserWarning) as warned:
        trace = ositrace.open(path, type="GroundTruth", errors="skip")
    assert len(trace) == 1 and len(warned) == 1
    assert str(warned[0].message).startswith(f"{path}: frame 1 at byte 44: line 2")
    assert trace.skipped == trace["gt"].skipped == [str(warned[0].message)]
