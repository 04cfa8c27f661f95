# SPDX-License-Identifier: MPL-2.0
"""OsiTracePlayer: at every communication point the frame at or before it."""
from oracle import *

import json

PERIOD, FRAMES = 50, 20  # ms
trace, flat = SCRATCH / "run.osi", SCRATCH / "run.osifb"
osiconvert("generate", trace, "--frames", FRAMES, "--period", "0.05", "--objects", "3", "--type", "sv")
osiconvert("proto2flat", trace, flat)
frames, flat_frames = frames_of(trace), frames_of(flat)
check(len(frames) == FRAMES and len(set(frames)) == FRAMES, "the frames differ")


def foreign_mcap(topic):
    """An MCAP file with one channel of messages that are not OSI."""
    def record(opcode, content):
        return bytes([opcode]) + struct.pack("<Q", len(content)) + content

    def text(value):
        return struct.pack("<I", len(value)) + value.encode()

    magic = b"\x89MCAP0\r\n"
    return (magic + record(1, text("") + text("")) + record(3, struct.pack("<H", 1) + text("demo.Note") + text("protobuf") +
            text("")) + record(4, struct.pack("<HH", 1, 1) + text(topic) + text("protobuf") + struct.pack("<I", 0)) +
            record(5, struct.pack("<HIQQ", 1, 0, 5, 5) + b"\x08\x01") + record(15, bytes(4)) +
            record(2, bytes(20)) + magic)


def play(expect, step, end, start=0, out="OSMPSensorViewOut", frames=frames, **parameters):
    """Steps of `step` ms from `start` to `end`; `expect(t)` is the number of the frame at time `t`, or None."""
    player = Fmu("OsiTracePlayer").set(**{"trace_path": str(trace), **parameters}).start(start / 1000)
    now, held = start, []
    while True:
        wanted = expect(now)
        message = player.message(out)
        found = frames.index(message) if message else None
        equal(found, wanted, f"the frame at {now} ms, {parameters}")
        equal(player.get_boolean("valid"), wanted is not None, f"valid at {now} ms")
        held.append((player.pointer(out), message) if VERSION == 2 else None)
        if now >= end:
            break
        if VERSION == 2 and len(held) > 1:  # a message may be read until the second step after its own begins
            (address, size), before = held[-2]
            equal(ctypes.string_at(address, size) if size else b"", before, f"the message before that at {now} ms")
        player.step(now / 1000, step / 1000)
        now += step
    player.close()


def at_or_before(t):
    return min(t // PERIOD, FRAMES - 1) if t >= 0 else None


for step in (50, 20, 7, 120, 1000):  # equal to the period, smaller, larger, larger than the trace
    play(at_or_before, step, 1300)
play(lambda t: at_or_before(t - 100_000), 30, 101_200, start=100_000)
play(lambda t: at_or_before(t + 300), 20, 1000, offset=0.3)
play(lambda t: at_or_before(t - 120), 20, 1000, offset=-0.12)
play(lambda t: t % 1000 // PERIOD, 30, 3500, loop=True)
play(lambda t: (t + 990) % 1000 // PERIOD, 20, 2500, loop=True, offset=0.99)

first = int(json.loads(osiconvert("info", trace, "--json"))["files"][0]["channels"][0]["start"]) // 1_000_000
play(lambda t: at_or_before(t - first), 40, first + 1200, start=max(first - 200, 0), osi_time=True)

# Both encodings in both directions, whatever the container.
play(at_or_before, 50, 1000, frames=flat_frames, encoding="flatbuffers")
play(at_or_before, 50, 1000, trace_path=str(flat))
play(at_or_before, 50, 1000, frames=flat_frames, trace_path=str(flat), encoding="flatbuffers")

replay = Fmu("OsiTracePlayerFlatBuffers").set(trace_path=str(trace)).start()
equal(replay.message("OSMPSensorViewOut"), flat_frames[0], "FlatBuffers by the FMU's own nature")
equal(replay.log, [], "and nothing to be said about it")
replay.close()

# A folder, and names of files in it.
play(at_or_before, 50, 100, trace_path=str(SCRATCH), trace_name="run.osi")
play(at_or_before, 50, 100, trace_path=str(SCRATCH))

# Several channels: an output for every type, topics chosen.
data, both = SCRATCH / "data.osi", SCRATCH / "both.mcap"
osiconvert("generate", data, "--frames", FRAMES, "--period", "0.05", "--objects", "3", "--type", "sd")
osiconvert(trace, data, flat, "-o", both)
data_frames = frames_of(data)
play(at_or_before, 20, 1000, trace_path=str(both))
play(at_or_before, 20, 1000, trace_path=str(both), out="OSMPSensorDataOut", frames=data_frames)
topics = [channel["topic"] for channel in json.loads(osiconvert("info", both, "--json"))["files"][0]["channels"]]
player = Fmu("OsiTracePlayer").set(trace_path=str(both)).start()
check(any(level == "warning" and "is not played" in text for level, text in player.log),
      f"two channels of a type are reported: {player.log}")
player.close()
player = Fmu("OsiTracePlayer").set(trace_path=str(both), topic=f"^{topics[1]}$").start()
equal((player.message("OSMPSensorViewOut"), player.message("OSMPSensorDataOut")), (b"", data_frames[0]),
      "one topic is chosen")

# Real traces, if available: at the time of a frame that frame, between two frames the earlier one.
for real in sorted(TRACES.glob("*.osi")):
    channel, = json.loads(osiconvert("info", real, "--json"))["files"][0]["channels"]
    lines = osiconvert("cat", real, "--format", "csv", "--fields", "timestamp.seconds,timestamp.nanos").splitlines()
    head = lines[0].split(",")
    seconds, nanos = head.index("timestamp.seconds"), head.index("timestamp.nanos")
    times = [int(line.split(",")[seconds] or 0) * 10**9 + int(line.split(",")[nanos] or 0) for line in lines[1:]]
    real_frames = frames_of(real)
    if len(times) != len(real_frames) or any(b <= a for a, b in zip(times, times[1:])):
        continue  # broken on purpose
    out = f"OSMP{channel['type'].split('.')[1]}Out"
    replay, now = Fmu("OsiTracePlayer").set(trace_path=str(real)).start(), 0
    for i, time in enumerate(times[1:], 1):
        between = (times[i - 1] + time) // 2 - times[0]
        for to, expected in ((between, i - 1), (time - times[0], i)):
            replay.step(now / 1e9, (to - now) / 1e9)
            now = to
            equal(replay.message(out), real_frames[expected], f"{real.name} at {now} ns")
    replay.close()

# Reset, several instances, free without terminate.
player.step(0.0, 0.5)
player.reset().set(trace_path=str(trace)).start()
other = Fmu("OsiTracePlayer", "other").set(trace_path=str(trace), offset=0.5).start()
player.step(0.0, 0.1)
other.step(0.0, 0.1)
equal((player.message("OSMPSensorViewOut"), other.message("OSMPSensorViewOut")), (frames[2], frames[12]),
      "two instances have two times")
player.free()
equal(other.message("OSMPSensorViewOut"), frames[12], "an instance outlives another")
other.close()

# In a folder an empty file and a text trace are not preferred to a trace that can be played.
chosen = SCRATCH / "chosen"
chosen.mkdir()
(chosen / "a.osi").touch()
osiconvert("convert", trace, "-o", chosen / "b.txth")
osiconvert("convert", trace, "-o", chosen / "c.mcap")
play(at_or_before, 50, 100, trace_path=str(chosen))

# Nor is a file that is no trace, or one without OSI messages; each is reported.
(chosen / "a1.osi").write_text("no trace, but notes of a drive")
(chosen / "a2.mcap").write_bytes(foreign_mcap("notes"))
play(at_or_before, 50, 100, trace_path=str(chosen))
player = Fmu("OsiTracePlayer").set(trace_path=str(chosen)).start()
check([text.split(": ")[0].rsplit("/", 1)[-1] for level, text in player.log if level == "warning"] ==
      ["a1.osi", "a2.mcap"], f"warnings of the files that are not played: {player.log}")
player.close()

# An .osi file that is cut off is played up to the cut, with a warning.
short = SCRATCH / "short.osi"
short.write_bytes(trace.read_bytes()[:-1000])
player = Fmu("OsiTracePlayer").set(trace_path=str(short)).start()
check([text for level, text in player.log if level == "warning"
       and f"short.osi: frame {FRAMES - 1} at byte " in text and text.endswith("; skipped")],
      f"a warning of the cut: {player.log}")
player.step(0.0, 10.0)
equal(player.message("OSMPSensorViewOut"), frames[FRAMES - 2], "the last frame before the cut")
player.close()

# A type for messages that could be of several.
unclear = SCRATCH / "unclear.osi"
stamps = [bytes([0x12, 2, 0x08, second]) for second in range(1, 4)]  # only a timestamp
unclear.write_bytes(b"".join(struct.pack("<I", len(stamp)) + stamp for stamp in stamps))
for code in ("sv", "SensorView"):
    play(lambda t: t // 1000, 1000, 2000, trace_path=str(unclear), message_type=code, frames=stamps)

# A trace that is cut off is played up to the damage; a damaged frame and one of another type are held over.
whole, cut, stump = SCRATCH / "whole.mcap", SCRATCH / "cut.mcap", SCRATCH / "stump.mcap"
osiconvert("convert", trace, "-o", whole, "--chunk-size", "51200", "--compression", "none")
cut.write_bytes(whole.read_bytes()[:-whole.stat().st_size // 3])
stump.write_bytes(whole.read_bytes()[:2000])
player = Fmu("OsiTracePlayer").set(trace_path=str(cut)).start()
check(any(level == "warning" and "cut.mcap: frame " in text and text.endswith("; skipped") for level, text in player.log),
      f"a warning of the damage: {player.log}")
equal(player.message("OSMPSensorViewOut"), frames[0], "the first frame of a trace that is cut off")
player.step(0.0, 10.0)
last = frames.index(player.message("OSMPSensorViewOut"))
check(5 < last < FRAMES - 1, f"the last frame before the damage: {last}")
player.close()
mixed = SCRATCH / "mixed.osi"
truth = SCRATCH / "truth.osi"
osiconvert("generate", truth, "--frames", 3, "--period", "0.05", "--objects", "3", "--type", "gt")
parts = [*frames[:2], frames_of(truth)[2], frames[3], b"\xff" * 50, *frames[5:7]]
mixed.write_bytes(b"".join(struct.pack("<I", len(part)) + part for part in parts))
player = Fmu("OsiTracePlayer").set(trace_path=str(mixed), message_type="sv").start()
shown = []
for i in range(12):
    player.step(i * 0.025, 0.025)
    shown.append(frames.index(player.message("OSMPSensorViewOut")))
equal(shown, [0, 1, 1, 1, 1, 3, 3, 3, 3, 5, 5, 6], "the good frames, each held until the next")
check(any("mixed.osi: frame 2" in text and "fits GroundTruth, not SensorView; skipped" in text
          for _, text in player.log), f"a warning of the frame of another type: {player.log}")
player.close()

# The output at the end of the step from t to t + h is the frame of t + h, as OSMP's example source does.
player = Fmu("OsiTracePlayer").set(trace_path=str(trace)).start()
equal(player.message("OSMPSensorViewOut"), frames[0], "before the first step: the frame of t")
player.step(0.0, PERIOD / 1000)
equal(player.message("OSMPSensorViewOut"), frames[1], "after it: the frame of t + h")
player.close()

# Invalid parameters are reported in one line.
(SCRATCH / "empty").mkdir()
(SCRATCH / "text.txth").write_text("version { }\n")
(SCRATCH / "text.osi").write_text('{"timestamp": {}}\n')
not_read = "is text, which is not read here: 'osiconvert convert' writes it as .osi or .mcap"
for parameters, reason in (
        ({}, "no trace: set 'trace_path'"),
        ({"trace_path": str(SCRATCH / "none.osi")}, "none.osi"),
        ({"trace_path": str(SCRATCH / "empty")}, "no trace (.osi, .osifb, .mcap) with content in the folder"),
        ({"trace_path": str(chosen / "a2.mcap")}, "a2.mcap: the channel 'notes' is not played: "),
        ({"trace_path": str(SCRATCH / "text.txth")}, "text.txth: " + not_read),
        ({"trace_path": str(SCRATCH / "text.osi")}, "text.osi: " + not_read),
        ({"trace_path": str(unclear)}, "select one with the parameter 'message_type'"),
        ({"trace_path": str(unclear), "message_type": "xy"}, "unknown message_type 'xy' (known: SensorView, "),
        ({"trace_path": str(cut), "skip_damage": False}, "cut.mcap: frame "),
        ({"trace_path": str(stump)}, "stump.mcap: frame 0 at byte "),
        ({"trace_path": str(trace), "encoding": "xml"}, "unknown encoding 'xml' (known: protobuf, flatbuffers)"),
        ({"trace_path": str(trace), "topic": "no such"}, "no frame on a topic that matches 'no such'; the trace has: "),
        ({"trace_path": str(trace), "topic": "("}, "("),
        ({"trace_path": str(trace), "performance_log": str(SCRATCH / "none" / "log.json")}, "none/log.json")):
    player = Fmu("OsiTracePlayer").set(**parameters)
    refused(player, player.start, reason)
    player.free()
player = Fmu("OsiTracePlayer").set(trace_path=str(trace))
refused(player, lambda: player.step(0.0, 0.1), "a step is not allowed now")
player.start()
refused(player, lambda: player.set(offset=1.0), "offset is fixed")
refused(player, lambda: player.step(0.0, -0.1), "a step of -0.1")
refused(player, lambda: player.slave.getBoolean([4711]), "value reference 4711")
refused(player, lambda: player.slave.setBoolean([player.reference("valid")], [True]), "valid is an output")
player.step(0.0, 0.1)  # and continues
equal(player.message("OSMPSensorViewOut"), frames[2], "the frame behind the refusals")
player.close()

# The error of a broken frame names file and frame.
broken = SCRATCH / "broken.osifb"
broken.write_bytes(b"".join(struct.pack("<I", len(f)) + f for f in flat_frames[:2])
                   + struct.pack("<I", 40) + b"\xff" * 40)
player = Fmu("OsiTracePlayer").set(trace_path=str(broken), skip_damage=False)
refused(player, lambda: (player.start(), player.step(0.0, 1.0)), "broken.osifb")
player.free()

# The performance log.
log = SCRATCH / "log.json"
player = Fmu("OsiTracePlayer").set(trace_path=str(trace), performance_log=str(log)).start()
player.step(0.0, 0.05)
player.close()
content = json.loads(log.read_text())
events = content["Data"][0]["OsiEvents"]
equal([event[0] for event in events], [0, 1, 2, 0, 1, 2], "the events of two frames")
equal({event[4] for event in events},
      {player.reference("OSMPSensorViewOut.size" if VERSION == 2 else "OSMPSensorViewOut")}, "the value reference")
equal([event[5] for event in events if event[0] == 2], [len(frames[0]), len(frames[1])], "the sizes")
equal(events[0][3], content["Header"]["OsiMessages"].index("osi3::SensorView"), "the message")
print("played")
