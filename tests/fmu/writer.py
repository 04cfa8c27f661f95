# SPDX-License-Identifier: MPL-2.0
"""OsiTraceWriter: several inputs in one trace, named by the standard, readable even where the simulation dies."""
from oracle import *

import datetime
import json
import os
import re
import signal

FRAMES = 12
views, data, flat = SCRATCH / "views.osi", SCRATCH / "data.osi", SCRATCH / "views.osifb"
osiconvert("generate", views, "--frames", FRAMES, "--period", "0.1", "--objects", "3", "--type", "sv")
osiconvert("generate", data, "--frames", FRAMES, "--period", "0.1", "--objects", "3", "--type", "sd")
osiconvert("proto2flat", views, flat)
view_frames, data_frames, flat_frames = frames_of(views), frames_of(data), frames_of(flat)
folders = 0


def folder():
    global folders
    folders += 1
    made = SCRATCH / f"out{folders}"
    made.mkdir()
    return made


def only_file(path):
    files = list(path.iterdir())
    check(len(files) == 1, f"one file: {files}")
    return files[0]


def write(inputs, path, steps=FRAMES, **parameters):
    writer = Fmu("OsiTraceWriter").set(trace_path=str(path), **parameters).start()
    for i in range(steps):
        for name, messages in inputs.items():
            writer.put(name, messages[i])
        writer.step(i * 0.1, 0.1)
    return writer


def channels_of(file):
    return {channel["topic"]: channel
            for channel in json.loads(osiconvert("info", file, "--json", "--full"))["files"][0]["channels"]}


# One input into a .osi: byte for byte, named by the standard, in UTC.
before = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
out = folder()
write({"OSMPSensorViewIn[1]": view_frames}, out, file_format="osi", custom_name="my_run",
      protobuf_version="2112").close()
file = only_file(out)
name = re.fullmatch(r"(\d{8}T\d{6}Z)_sv_380_32112_12_my_run\.osi", file.name)
check(name, f"the standard's name: {file.name}")
begin = datetime.datetime.strptime(name[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
check(before <= begin <= datetime.datetime.now(datetime.timezone.utc), f"the time is UTC: {file.name}")
equal(file.read_bytes(), views.read_bytes(), "the trace is what was played")

# Another one with the same content in the same second gets another name.
write({"OSMPSensorViewIn[1]": view_frames}, out, file_format="osi", custom_name="my_run",
      protobuf_version="2112").close()
equal(len(list(out.iterdir())), 2, "nothing is overwritten")

# Several inputs into an MCAP file; some are empty at times; FlatBuffers are recognised.
out = folder()
write({"OSMPSensorViewIn[1]": view_frames, "OSMPSensorDataIn[3]": data_frames,
       "OSMPSensorViewIn[2]": [b""] * 6 + flat_frames[6:]}, out).close()
file = only_file(out)
check(re.fullmatch(r"\d{8}T\d{6}Z_multi_380_32112_12\.mcap", file.name), f"the standard's name: {file.name}")
osiconvert("check", file)  # no error
channels = channels_of(file)
equal({topic: (channel["type"], channel["encoding"], channel["frames"]) for topic, channel in channels.items()},
      {"OSMPSensorViewIn[1]": ("osi3.SensorView", "protobuf", 12),
       "OSMPSensorDataIn[3]": ("osi3.SensorData", "protobuf", 12),
       "OSMPSensorViewIn[2]": ("osi3.SensorView", "flatbuffers", 6)}, "the channels")
for topic, frames in (("OSMPSensorViewIn.1.$", view_frames), ("OSMPSensorDataIn", data_frames),
                      ("OSMPSensorViewIn.2.", flat_frames[6:])):
    back = SCRATCH / ("back.osifb" if frames[0] in flat_frames else "back.osi")
    # Exit code 3: the output cannot hold the metadata.
    osiconvert(file, "-o", back, "--topic", topic, "--overwrite", "--quiet", code=3)
    equal(frames_of(back), frames, f"the messages of {topic}")

# A message that stays set is written once; a message without a time is always a new one.
out = folder()
held = [view_frames[i // 3] for i in range(12)]
write({"OSMPSensorViewIn[1]": held}, out, file_format="osi", trace_name="held.osi").close()
equal(frames_of(out / "held.osi"), view_frames[:4], "held messages are written once")
write({"OSMPSensorViewIn[1]": held}, out, file_format="osi", trace_name="all.osi", write_held=True).close()
equal(frames_of(out / "all.osi"), held, "or every time")

# Other formats.
write({"OSMPSensorViewIn[1]": flat_frames}, out, trace_name="flat.osifb").close()
equal((out / "flat.osifb").read_bytes(), flat.read_bytes(), "FlatBuffers")
for name in ("text.txth", "lines.jsonl", "packed.osi.zst", "zstd.mcap"):
    write({"OSMPSensorViewIn[1]": view_frames}, out, trace_name=name, compression="zstd", flush=False).close()
    osiconvert("diff", out / name, views)

# Freed without terminate, or reset in between: the messages so far are kept.
out = folder()
write({"OSMPSensorViewIn[1]": view_frames}, out, steps=5, trace_name="freed.osi").free()
equal(frames_of(out / "freed.osi"), view_frames[:5], "freed without terminate")
writer = write({"OSMPSensorViewIn[1]": view_frames}, out, steps=4, trace_name="reset.osi")
writer.reset().set(trace_path=str(out), trace_name="again.osi").start()
writer.put("OSMPSensorViewIn[1]", view_frames[7])
writer.step(0.0, 0.1)
writer.close()
equal((frames_of(out / "reset.osi"), frames_of(out / "again.osi")), (view_frames[:4], view_frames[7:8]), "reset")

# Two instances at once.
first, second = (Fmu("OsiTraceWriter", name).set(trace_path=str(out), file_format="osi", custom_name="two").start()
                 for name in ("a", "b"))
for writer, frames in ((first, view_frames), (second, view_frames[6:])):
    writer.put("OSMPSensorViewIn[1]", frames[0])
    writer.step(0.0, 0.1)
check(len(list(out.glob("*.part"))) == 2, f"a recording is visible: {list(out.iterdir())}")
first.close(), second.close()
check(len(list(out.glob("*_two*.osi"))) == 2 and not list(out.glob("*.part")), f"two recordings: {list(out.iterdir())}")

# An address that was not set again after a step is not read: its message is no longer valid.
if VERSION == 2:
    writer = write({"OSMPSensorViewIn[1]": view_frames}, out, steps=2, trace_name="stale.osi")
    writer.step(0.2, 0.1)
    writer.close()
    equal(frames_of(out / "stale.osi"), view_frames[:2], "no message from a stale address")

# A simulation that crashes leaves all its messages in a .part file, which recover reads.
for name in ("dead.osi", "dead.mcap"):
    out = folder()
    child = os.fork()
    if child == 0:
        writer = write({"OSMPSensorViewIn[1]": view_frames}, out, steps=9, trace_name=name)
        os.kill(os.getpid(), signal.SIGKILL)
    equal(os.waitpid(child, 0)[1], signal.SIGKILL, "killed")
    part = only_file(out)
    equal(part.name, name + ".part", "what a crash leaves")
    recovered, again = out / f"saved-{name}", out / "again.osi"
    done = subprocess.run([OSICONVERT, "recover", part, "-o", recovered], capture_output=True, text=True)
    check(done.returncode in (0, 3), f"recover: {done.stdout}{done.stderr}")
    osiconvert("cut", recovered, "-o", again, "--frames", "0:100", "--quiet", "--overwrite")
    equal(frames_of(again), view_frames[:9], f"every message before the crash is in {name}.part")

# Invalid parameters are reported in one line, before the first step.
out = folder()
(out / "there.osi").write_bytes(b"")
for parameters, reason in (
        ({"trace_path": str(out / "none")}, "no such folder"),
        ({"trace_path": str(out), "trace_name": "there.osi"},
         "there.osi exists. Use the parameter 'overwrite' to replace it."),
        ({"trace_path": str(out), "custom_name": "a/b"}, "custom_name 'a/b' is not a part of a file name"),
        ({"trace_path": str(out), "custom_name": "c", "trace_name": "d.osi"}, "set one of them"),
        ({"trace_path": str(out), "compression": "best"}, "unknown compression 'best' (known: none, lz4, zstd)"),
        ({"trace_path": str(out), "file_format": "xml"}, "'trace.xml' is not a trace format"),
        ({"trace_path": str(out), "protobuf_version": "latest"}, "protobuf_version 'latest'")):
    writer = Fmu("OsiTraceWriter").set(**parameters)
    refused(writer, writer.start, reason)
    writer.free()


def first_message(reason, message=view_frames[0], name="OSMPSensorViewIn[1]", **parameters):
    writer = Fmu("OsiTraceWriter").set(trace_path=str(out), **parameters).start()
    writer.put(name, message)
    refused(writer, lambda: writer.step(0.0, 0.1), reason)
    writer.free()


first_message("OSMPSensorDataIn[1]", message=b"\xff" * 50, name="OSMPSensorDataIn[1]")
writer = Fmu("OsiTraceWriter").set(trace_path=str(out), trace_name="one.osi").start()
writer.put("OSMPSensorViewIn[1]", view_frames[0])
writer.step(0.0, 0.1)
writer.put("OSMPSensorDataIn[1]", data_frames[0])
refused(writer, lambda: writer.step(0.1, 0.1),
        "this container holds one channel; 'OSMPSensorDataIn[1]' is a second one")
writer.free()
equal(frames_of(out / "one.osi"), view_frames[:1], "what stood before the error")
if VERSION == 2:
    writer = Fmu("OsiTraceWriter").set(trace_path=str(out)).start()
    writer.slave.setInteger([writer.reference("OSMPSensorViewIn[1].size")], [100])
    refused(writer, lambda: writer.step(0.0, 0.1), "OSMPSensorViewIn[1].size is 100, but its address is 0")
    writer.slave.setInteger([writer.reference("OSMPSensorViewIn[1].size")], [-5])
    refused(writer, lambda: writer.step(0.0, 0.1), "OSMPSensorViewIn[1].size is -5")
    writer.free()

# Without a message no file is written, and a warning is logged.
out = folder()
writer = write({}, out)
writer.terminate()
check(writer.log == [("warning", "received no message, so no trace was written")],
      f"the warning about no message: {writer.log}")
writer.free()
equal(list(out.iterdir()), [], "no file")

# The performance log.
log = SCRATCH / "log.json"
write({"OSMPSensorDataIn[2]": data_frames}, folder(), steps=2, performance_log=str(log)).close()
content = json.loads(log.read_text())
events = content["Data"][0]["OsiEvents"]
equal([event[0] for event in events], [3, 4, 1, 2] * 2, "the events of two messages")
name = "OSMPSensorDataIn[2]" + (".size" if VERSION == 2 else "")
equal({event[4] for event in events}, {Package.named("OsiTraceWriter").variables[name].valueReference},
      "the value reference")
print("written")
