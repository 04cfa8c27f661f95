# SPDX-License-Identifier: MPL-2.0
"""The traces that the tests read. Real ones are in a folder beside the checkout."""

import signal
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
TRACES = SOURCE.parent / "shared" / "traces"


def trace(name):
    path = TRACES / name
    if not path.exists():
        pytest.skip(f"{path} is missing")
    return path


def broken_files(*suffixes):
    """Without text.osi, whose error is that of a program that reads no text; see test_sources.py."""
    files = [
        path
        for path in sorted((SOURCE / "tests" / "broken").iterdir())
        if path.suffix in suffixes and path.name != "text.osi"
    ]
    return [pytest.param(path, id=path.name) for path in files]


def expected_error(path):
    """The line beside the file, which names it without its folder."""
    line = path.with_name(path.stem + ".error.txt").read_text().splitlines()[0]
    return line.replace(path.name, str(path), 1)


@pytest.fixture
def ctrl_c():
    """SIGINT is a KeyboardInterrupt, also where the shell that started the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def ground_truth():
    """433 frames in a file with length prefixes."""
    return trace("highway_merge.osi")


@pytest.fixture
def sensor_view():
    """364 frames in an MCAP file with compressed chunks."""
    return trace("disappearingVehicle.mcap")


@pytest.fixture
def two_channels(tmp_path, ground_truth):
    """An MCAP file of the MCAP project's writer: ground truth and, 1 ms later each, a copy under another topic."""
    from mcap.writer import Writer

    import ositrace

    with ositrace.open(ground_truth) as trace:
        frames = [(frame.time_ns, bytes(frame.payload)) for frame in trace[:20]]
    from mcap_protobuf.schema import build_file_descriptor_set
    from osi3.osi_groundtruth_pb2 import GroundTruth

    path = tmp_path / "two.mcap"
    with open(path, "wb") as stream:
        writer = Writer(stream)
        writer.start()
        schema = writer.register_schema(
            name="osi3.GroundTruth",
            encoding="protobuf",
            data=build_file_descriptor_set(GroundTruth).SerializeToString(),
        )
        channels = [
            writer.register_channel(topic=topic, message_encoding="protobuf", schema_id=schema)
            for topic in ("/a", "/b")
        ]
        for time, payload in frames:
            for i, channel in enumerate(channels):
                log_time = time + i * 1_000_000
                writer.add_message(channel, log_time=log_time, publish_time=log_time, data=payload)
        writer.finish()
    return path
