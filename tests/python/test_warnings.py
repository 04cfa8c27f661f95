# SPDX-License-Identifier: MPL-2.0
"""What is unusual about a trace that is read is a Python warning, once, at the line that reads it."""

import struct
import warnings

import pytest

import ositrace


def field(number, content):
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def ground_truth(second, nanos=b"\x80\xde\xa0\xcb\x05"):  # 1.5 * 10^9
    timestamp = b"\x08" + bytes([second]) + b"\x10" + nanos
    return field(2, timestamp) + field(5, field(1, b"\x08\x01"))


@pytest.fixture
def nanos(tmp_path):
    path = tmp_path / "nanos.osi"
    payloads = [ground_truth(i) for i in range(3)]
    path.write_bytes(b"".join(struct.pack("<I", len(payload)) + payload for payload in payloads))
    return path


@pytest.fixture
def repeated(tmp_path):
    """The metadata of its channel come after the first chunk."""
    from mcap.writer import Writer

    path = tmp_path / "repeated.mcap"
    with path.open("wb") as stream:
        writer = Writer(stream, chunk_size=1)
        writer.start()
        metadata = {"old": "x"}
        schema = writer.register_schema("osi3.GroundTruth", "protobuf", b"")
        channel = writer.register_channel("gt", "protobuf", schema, metadata)
        for i in range(3):
            writer.add_message(channel, log_time=i, publish_time=i, data=ground_truth(i, b"\x00"))
            metadata.update(old="y", new="z")
        writer.finish()
    return path


NANOS = "a message has 1500000000 nanos, expected less than 1000000000"
REPEATED = (
    "the channel 'gt' is declared again with other metadata: new is 'z' (elsewhere not set), old is 'y' (elsewhere 'x')"
)

READS = {
    "frames": list,
    "one frame": lambda trace: trace[0],
    "times": lambda trace: trace.between(0, 100),
    "table": lambda trace: list(trace.objects().batches()),
    "stats": lambda trace: trace.stats(full=True),
}


@pytest.mark.parametrize("read", READS)
def test_nanos_of_10_to_the_9_are_a_warning_at_the_line_that_reads(nanos, read):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        with ositrace.open(nanos, type="GroundTruth") as trace:
            READS[read](trace)
            list(trace)
    (only,) = given
    assert str(only.message).startswith(f"{nanos}: {NANOS}") and only.filename == __file__


@pytest.mark.parametrize("errors", ["raise", "skip"])
def test_other_metadata_of_a_channel_are_a_warning_and_every_message_is_read(repeated, errors):
    with warnings.catch_warnings(record=True) as given:
        warnings.simplefilter("always")
        with ositrace.open(repeated, errors=errors) as trace:
            assert [frame.time_ns for frame in trace] == [0, 1_000_000_000, 2_000_000_000]
            assert sum(batch.num_rows for batch in trace.objects().batches()) == 3
            assert trace.skipped == []
            assert trace.channels[0].metadata == {"old": "y", "new": "z"}
    told = [str(each.message) for each in given]
    assert told.count(f"{repeated}: {REPEATED}") == 1


def test_a_filter_makes_an_error_of_it(nanos):
    with warnings.catch_warnings(), ositrace.open(nanos, type="GroundTruth") as trace:
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="1500000000 nanos"):
            list(trace)
        assert len(list(trace)) == 3


def test_verbs_warn_as_reading_does(nanos, repeated, tmp_path):
    with pytest.warns(UserWarning, match="1500000000 nanos"):
        ositrace.convert(nanos, tmp_path / "a.mcap", type="GroundTruth")
    with pytest.warns(UserWarning, match="1500000000 nanos"):
        ositrace.recover(nanos, tmp_path / "b.mcap", type="GroundTruth")
    with pytest.warns(UserWarning, match="declared again with other metadata"):
        ositrace.recover(repeated, tmp_path / "c.mcap")
