#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The MCAP project's Python package reads what osiconvert writes, and osiconvert reads what the package writes.

usage: mcap_python.py OSICONVERT PACKAGES [TRACES]

PACKAGES is the folder of the unpacked wheels; exit 77 when they are not there. Without TRACES a generated trace is
used.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

FOREIGN = [b'{"speed": %d}' % i for i in range(50)]
MAP = bytes(range(256)) * 5000


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")


def frames_of(file):
    data, at, frames = file.read_bytes(), 0, []
    while at != len(data):
        length, = struct.unpack_from("<I", data, at)
        frames.append(data[at + 4:at + 4 + length])
        at += 4 + length
    return frames


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def read_every_way(file):
    """Payloads by topic: through the index, as a stream, and record by record, with all CRCs checked."""
    with open(file, "rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        summary = reader.get_summary()
        indexed = [(channel.topic, message.log_time, message.data) for _, channel, message in reader.iter_messages()]
    with open(file, "rb") as stream:
        streamed = [(channel.topic, message.log_time, message.data)
                    for _, channel, message in NonSeekingReader(stream, validate_crcs=True).iter_messages()]
    check(sorted(indexed) == sorted(streamed), f"{file}: index and stream agree")
    check(summary.statistics.message_count == len(indexed), f"{file}: statistics")
    with open(file, "rb") as stream:
        records = sum(1 for record in StreamReader(stream, emit_chunks=True, validate_crcs=True).records)
        check(records > 0, f"{file}: records")
    payloads = {}
    for topic, _, data in indexed:
        payloads.setdefault(topic, []).append(data)
    return payloads, summary


def theirs_reads_ours(osiconvert, trace, scratch):
    frames = frames_of(trace)
    for compression in ("none", "lz4", "zstd"):
        for chunk in ("1", "20K", "4M"):
            file = scratch / "ours.mcap"
            run(osiconvert, trace, "-o", file, "--compression", compression, "--chunk-size", chunk, "--overwrite",
                "--quiet")
            payloads, summary = read_every_way(file)
            check(list(payloads.values()) == [frames],
                  f"{trace}: {compression}, chunks of {chunk}: the payloads are those of the trace")
            schema, = summary.schemas.values()
            check(schema.encoding == "protobuf" and schema.name.startswith("osi3."), f"{trace}: the schema record")


def write_by_theirs(file, frames, osi_schema, options):
    with open(file, "wb") as stream:
        writer = Writer(stream, **options)
        writer.start(profile="test", library="theirs")
        schema = writer.register_schema("osi3.GroundTruth", "protobuf", osi_schema)
        truth = writer.register_channel("truth", "protobuf", schema, {"own.key": "value"})
        foreign = writer.register_channel("speed", "json", writer.register_schema("Speed", "jsonschema", b"{}"), {})
        bare = writer.register_channel("bare", "", 0, {})
        for i, frame in enumerate(frames):
            writer.add_message(truth, log_time=1000 * i, publish_time=i, sequence=i, data=frame)
        for i, text in enumerate(FOREIGN):
            writer.add_message(foreign, log_time=100_000 - 1000 * i, publish_time=7, sequence=i, data=text)  # backward
        writer.add_message(bare, log_time=5, publish_time=6, data=b"")
        writer.add_attachment(create_time=1, log_time=2, name="map.xodr", media_type="application/xml", data=MAP)
        writer.add_metadata("own.record", {"a": "1", "b": "2"})
        writer.finish()


def ours_reads_theirs(osiconvert, trace, osi_schema, scratch):
    frames = frames_of(trace)
    theirs, ours, back = scratch / "theirs.mcap", scratch / "again.mcap", scratch / "back.osi"
    for options in ({"compression": CompressionType.NONE}, {"compression": CompressionType.LZ4, "chunk_size": 5000},
                    {"compression": CompressionType.ZSTD, "enable_data_crcs": True}, {"use_chunking": False},
                    {"use_statistics": False, "use_summary_offsets": False, "index_types": IndexType.NONE}):
        write_by_theirs(theirs, frames, osi_schema, options)
        done = subprocess.run([osiconvert, theirs, "-o", back, "--topic", "^truth$", "--overwrite", "--quiet"],
                              capture_output=True, text=True)
        check(done.returncode == 3,
              f"{options}: metadata and attachments that the output cannot hold are reported: {done.stderr}")
        check(frames_of(back) == frames, f"{options}: the payloads come back")
        run(osiconvert, theirs, "-o", ours, "--overwrite", "--quiet")
        payloads, summary = read_every_way(ours)
        check(payloads["truth"] == frames, f"{options}: OSI messages survive")
        check(payloads["speed"] == FOREIGN[::-1] and payloads["bare"] == [b""], f"{options}: foreign messages survive")
        channels = {channel.topic: channel for channel in summary.channels.values()}
        check(channels["truth"].metadata["own.key"] == "value", f"{options}: channel metadata survives")
        check(channels["bare"].schema_id == 0, f"{options}: a channel without schema has none")
        schema = summary.schemas[channels["speed"].schema_id]
        check((schema.name, schema.encoding, schema.data) == ("Speed", "jsonschema", b"{}"),
              f"{options}: foreign schemas survive")
        with open(ours, "rb") as stream:
            reader = make_reader(stream, validate_crcs=True)
            check(reader.get_header().profile == "test", f"{options}: the profile survives")
            check([bytes(a.data) for a in reader.iter_attachments()] == [MAP], f"{options}: the attachment survives")
            records = {record.name: record.metadata for record in reader.iter_metadata()}
            check(records["own.record"] == {"a": "1", "b": "2"}, f"{options}: own metadata survive")
            check("version" in records["net.asam.osi.trace"], f"{options}: the standard's record is there")


def channel_metadata_of_theirs(osiconvert, trace, osi_schema, scratch):
    """The metadata that are filled after the first chunk: they are in the summary, but not in the chunk."""
    frames = frames_of(trace)[:3]
    theirs, ours = scratch / "late.mcap", scratch / "ours.mcap"
    late = {"net.asam.osi.trace.channel.osi_version": "3.7.0", "own.key": "value"}
    with open(theirs, "wb") as stream:
        writer = Writer(stream, chunk_size=1)
        writer.start(profile="", library="theirs")
        metadata = {}
        truth = writer.register_channel("truth", "protobuf",
                                        writer.register_schema("osi3.GroundTruth", "protobuf", osi_schema), metadata)
        for i, frame in enumerate(frames):
            writer.add_message(truth, log_time=i, publish_time=i, sequence=i, data=frame)
            metadata.update(late)
        writer.finish()

    def converted(expected_code, *words, **options):
        done = subprocess.run([str(osiconvert), *map(str, words), "--overwrite"], capture_output=True, text=True,
                              check=False, **options)
        check(done.returncode == expected_code, f"{words}: exit code {done.returncode}: {done.stderr}")
        for text in ("own.key is ", "'value'", "net.asam.osi.trace.channel.osi_version is "):
            check(done.stderr.count(text) == 1, f"{words}: names {text} once: {done.stderr}")
        payloads, summary = read_every_way(ours)
        check(payloads == {"truth": frames}, f"{words}: every message")
        channel, = summary.channels.values()
        return dict(channel.metadata)

    for verb in (["convert"], ["cut", "--frames", "0:3"], ["concat"], ["static", "expand"], ["recover"]):
        found = converted(0, *verb, theirs, "-o", ours)
        check(late.items() <= found.items(), f"{verb}: the metadata of the summary: {found}")
    with open(theirs, "rb") as pipe:
        cat = subprocess.Popen(["cat"], stdin=pipe, stdout=subprocess.PIPE)
        found = converted(3, "convert", "-", "-o", ours, stdin=cat.stdout)
        cat.wait()
    check("own.key" not in found, f"pipe: the metadata of the first record: {found}")


def main(osiconvert, traces=None):
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        generated = scratch / "generated.osi"
        run(osiconvert, "generate", generated, "--type", "gt", "--frames", "100", "--quiet")
        real = sorted(pathlib.Path(traces).glob("*.osi")) if traces else []
        for trace in [generated] + real:
            theirs_reads_ours(osiconvert, trace, scratch)
        run(osiconvert, generated, "-o", scratch / "schema.mcap", "--quiet")
        _, summary = read_every_way(scratch / "schema.mcap")
        osi_schema = next(iter(summary.schemas.values())).data
        ours_reads_theirs(osiconvert, generated, osi_schema, scratch)
        channel_metadata_of_theirs(osiconvert, generated, osi_schema, scratch)
        print(f"{1 + len(real)} traces both ways")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.path.insert(0, sys.argv[2])
    try:
        from mcap.reader import NonSeekingReader, make_reader
        from mcap.stream_reader import StreamReader
        from mcap.writer import CompressionType, IndexType, Writer
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    main(sys.argv[1], *sys.argv[3:])
