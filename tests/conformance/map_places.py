#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The map of a trace in a channel, as omega-prime and betterosi write it, in an attachment and beside the trace is one
and the same; the Python package mcap writes the files, and reads the channel that osiconvert writes.

usage: map_places.py OSICONVERT PACKAGES
Exit code 77: the packages are not there.
"""
import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

TOPIC = "/ground_truth_map"
MISSING_MAP = "ositrace.alt:osi:3.8.0:map.readable"
TYPE = "osi3.MapAsamOpenDrive"
ROAD = """<?xml version="1.0" encoding="UTF-8"?>
<OpenDRIVE><header revMajor="1" revMinor="6" name="Straße"/><road id="7" length="100" junction="-1"><planView>
<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView><lanes><laneSection s="0"><left>
<lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left><center><lane id="0" type="none">
<roadMark sOffset="0" type="broken" color="white" width="0.12"/></lane></center><right><lane id="-1" type="driving">
<width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right></laneSection></lanes></road></OpenDRIVE>
""".encode()


def varint(value):
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    return bytes(data) + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field, value):
    return varint(field << 3 | 1) + struct.pack("<d", value)


def ground_truth(second, y=1.0, reference=b"town.xodr"):
    """osi3.GroundTruth with a time, a moving object (number 5) at (50, y), and map_reference (number 15)."""
    position = real(1, 50.0) + real(2, y)
    moving = text(1, number(1, 7)) + text(2, text(2, position))
    return text(2, number(1, second)) + text(5, moving) + text(15, reference)


def descriptor():
    """A FileDescriptorSet with osi_mapasamopendrive.proto, as betterosi 0.9.0 has it."""
    def string_field(name, place):
        return text(2, text(1, name) + number(3, place) + number(4, 1) + number(5, 9))

    message = text(1, b"MapAsamOpenDrive") + string_field(b"map_reference", 1) + string_field(b"open_drive_xml_content", 2)
    return text(1, text(1, b"osi_mapasamopendrive.proto") + text(2, b"osi3") + text(4, message))


def run(*words, code=0):
    done = subprocess.run([OSICONVERT, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != code:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr}")
    return done


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def write(file, *, topic=TOPIC, type_name=TYPE, message=None, attachment=None):
    with open(file, "wb") as stream:
        writer = Writer(stream)
        writer.start(profile="", library="theirs")
        truth = writer.register_channel("/ground_truth", "protobuf",
                                        writer.register_schema("osi3.GroundTruth", "protobuf", OSI_SCHEMA))
        for second in (1, 2):
            writer.add_message(truth, log_time=second * 10**9, publish_time=0, data=ground_truth(second))
        if message is not None:
            schema = writer.register_schema(type_name, "protobuf", descriptor()) if type_name else 0
            # betterosi writes the map after the frames, with the time of the first one
            writer.add_message(writer.register_channel(topic, "protobuf", schema), log_time=10**9, publish_time=0,
                               data=message)
        if attachment is not None:
            writer.add_attachment(0, 0, "town.xodr", "application/xml", attachment)
        writer.finish()
    return file


def truths(file):
    """The payloads of the ground truth, by the package mcap."""
    with open(file, "rb") as stream:
        return [message.data for _, channel, message in make_reader(stream).iter_messages()
                if channel.topic == "/ground_truth"]


def found(file, *words):
    info = json.loads(run("info", file, "--json", *words).stdout)["files"][0]
    return info.get("map")


def same_everywhere(folder):
    message = text(1, b"town.xodr") + text(2, ROAD)
    alone = folder / "beside"
    alone.mkdir()
    beside = write(alone / "drive.mcap")
    (alone / "town.xodr").write_bytes(ROAD)
    places = {
        "map_reference": beside,
        "channel": write(folder / "channel.mcap", message=message),
        "attachment": write(folder / "attachment.mcap", attachment=ROAD),
    }
    payloads = {}
    for name, file in places.items():
        of = found(file)
        check(of and of["found_by"] == name, f"{file}: found by {of}, expected {name}")
        check((of["roads"], of["lanes"], of["fits"]) == (1, 2, True), f"{file}: {of}")
        output = folder / f"{name}_added.mcap"
        run("static", "add", file, "-o", output)
        payloads[name] = truths(output)
        check(len(payloads[name]) == 2 and len(payloads[name][0]) > len(payloads[name][1]), f"{output}: the first frame")
    check(payloads["channel"] == payloads["attachment"] == payloads["map_reference"], "the maps are equal")

    bare = write(folder / "bare.mcap", message=message, topic="ground_truth_map", type_name="MapAsamOpenDrive")
    check(found(bare)["found_by"] == "channel", "a type without its package, a topic without a slash")
    untyped = write(folder / "untyped.mcap", message=message, type_name=None)
    check(found(untyped)["found_by"] == "channel", "the topic of a channel without a type")
    lanes = write(folder / "lanes.mcap", message=ground_truth(1), type_name="osi3.GroundTruth")
    check(found(lanes) is None, "a ground truth under the topic of the map is no map message")
    both = write(folder / "both.mcap", message=message, attachment=b"not read")
    check(found(both)["found_by"] == "channel", "the channel comes first")
    other = folder / "reference"
    other.mkdir()
    (other / "town.xodr").write_bytes(ROAD)
    empty = write(other / "empty.mcap", message=text(1, b"town.xodr"))
    check(found(empty)["found_by"] == "map_reference", "a message without a map, and the map beside the trace")


def hostile(folder):
    """One line each, from every command that wants the map; info shows it and goes on."""
    message = text(1, b"town.xodr") + text(2, ROAD)
    damaged = "the message with the map is damaged"
    cases = {
        "cut_in_text": (write(folder / "cut.mcap", message=message[:-1]), [], damaged),
        "long_varint": (write(folder / "varint.mcap", message=b"\xff" * 20), [], damaged),
        "cut_in_tag": (write(folder / "tag.mcap", message=text(1, b"x") + b"\x92"), [], damaged),
        "no_map": (write(folder / "no_map.mcap", message=text(1, b"town")), [],
                   f"the message in the channel '{TOPIC}' contains no map"),
        "no_message": (write(folder / "no_message.mcap", message=b""), [],
                       f"the message in the channel '{TOPIC}' contains no map"),
        "no_xml": (write(folder / "no_xml.mcap", message=text(2, b"\0\1\2")), [], "line 1: "),
        "large": (write(folder / "large.mcap", attachment=ROAD), ["--max-message", "600"],
                  "the map in the attachment town.xodr exceeds the limit of 600 bytes (--max-message raises it)"),
    }
    for name, (file, words, expected) in cases.items():
        output = folder / "never.mcap"
        refused = run("static", "add", file, "-o", output, *words, code=1).stderr
        check(refused.count("\n") == 1 and expected in refused and not output.exists(), f"{name}: {refused}")
        shown = run("info", file, *words)
        check(shown.stdout.count(expected) == 1 and shown.stderr == "", f"{name}: {shown.stdout}{shown.stderr}")


def attached(folder):
    """The channel that osiconvert writes."""
    (folder / "other.xodr").write_bytes(ROAD)
    trace = write(folder / "trace.mcap")
    output = folder / "attached.mcap"
    run("convert", trace, "-o", output, "--attach-map", folder / "other.xodr", "--quiet")
    with open(output, "rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        messages = list(reader.iter_messages(topics=[TOPIC]))
    (schema, channel, message), = messages
    check((schema.name, schema.encoding, schema.data) == (TYPE, "protobuf", descriptor()), "the schema record")
    check(channel.message_encoding == "protobuf", "the encoding")
    check(set(channel.metadata) == {"net.asam.osi.trace.channel.osi_version",
                                    "net.asam.osi.trace.channel.protobuf_version"}, f"{channel.metadata}")
    check(message.log_time == message.publish_time == 10**9, f"{message.log_time}: the time of the first frame")
    check(message.data == text(1, b"town.xodr") + text(2, ROAD), "the reference of the ground truth, the text of the file")
    check(truths(output) == truths(trace), "the ground truths")
    check(found(output)["found_by"] == "channel", "it is found")
    plain = folder / "plain.mcap"
    run("convert", trace, "-o", plain, "--quiet")
    findings = [subprocess.run([OSICONVERT, "check", file, "--json"], capture_output=True, text=True, check=False).stdout
                for file in (plain, output)]
    kinds = [sorted({finding["id"] for finding in json.loads(text)["findings"]}) for text in findings]
    check(kinds[0] == sorted([*kinds[1], MISSING_MAP]), f"check finds that the other names a map it lacks: {kinds}")
    again = run("convert", output, "-o", folder / "again.mcap", "--attach-map", folder / "other.xodr", code=1).stderr
    check(f"the channel '{TOPIC}' has a map already" in again, again)


def extracted(folder):
    """Names of attachments are names of files in the folder, whatever they are."""
    trace = folder / "names.mcap"
    names = {
        "../up.json": "up.json", "/etc/deep/passwd": "passwd", "calibration.json": "calibration.json",
        "a\\b\\windows.txt": "windows.txt", "..": "attachment", "": "attachment_2", ".bashrc": "bashrc",
        "line\nbreak\x1b[31m": "line_break_[31m", "sub/": "attachment_3", "other/calibration.json": "calibration_2.json",
    }
    with open(trace, "wb") as stream:
        writer = Writer(stream)
        writer.start(profile="", library="theirs")
        for name in names:
            writer.add_attachment(0, 0, name, "text/plain", name.encode())
        writer.finish()
    out = folder / "inner" / "out"
    printed = json.loads(run("extract", trace, "--out-dir", out, "--json").stdout)["files"]
    check([row["name"] for row in printed] == list(names), f"{printed}")
    check({row["name"]: Path(row["output"]).name for row in printed} == names, f"{printed}")
    check({file.name: file.read_text() for file in out.iterdir()} == {file: name for name, file in names.items()}, "files")
    check([file.name for file in out.parent.iterdir()] == ["out"], "nothing outside of the folder")
    shown = run("extract", trace, "--out-dir", folder / "shown")
    check("\x1b" not in shown.stdout, "no control characters on the terminal")

    data = bytearray(trace.read_bytes())
    data[data.index(b"calibration.json", data.index(b"calibration.json") + 1)] ^= 1  # contents of the third one
    trace.write_bytes(data)
    left = folder / "left"
    told = run("extract", trace, "--out-dir", left, code=1).stderr
    check(told.count("\n") == 1, told)
    check(len(list(left.iterdir())) == len(names) - 1, "the others are written")

    drive = write(folder / "drive.mcap", message=text(1, b"town") + text(2, ROAD), attachment=b"not the map")
    run("extract", drive, "--out-dir", folder / "both")
    check((folder / "both" / "town_2.xodr").read_bytes() == ROAD, "the map of the channel")
    check((folder / "both" / "town.xodr").read_bytes() == b"not the map", "the attachment")
    run("extract", drive, "map", "--out-dir", folder / "one")
    check([file.name for file in (folder / "one").iterdir()] == ["town.xodr"], "the map alone")
    projected = write(folder / "projected.mcap", message=text(1, b"+proj=utm +zone=32") + text(2, ROAD))
    run("extract", projected, "--out-dir", folder / "two")
    check([file.name for file in (folder / "two").iterdir()] == ["projected.xodr"], "a PROJ string is no name")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    OSICONVERT = sys.argv[1]
    sys.path.insert(0, sys.argv[2])
    try:
        from mcap.reader import make_reader
        from mcap.writer import Writer
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run("generate", folder / "sample.osi", "--type", "gt", "--frames", "1", "--quiet")
        run("convert", folder / "sample.osi", "-o", folder / "sample.mcap", "--quiet")
        with open(folder / "sample.mcap", "rb") as stream:
            OSI_SCHEMA = next(iter(make_reader(stream).get_summary().schemas.values())).data
        same_everywhere(folder)
        hostile(folder)
        attached(folder)
        extracted(folder)
