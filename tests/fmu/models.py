# SPDX-License-Identifier: MPL-2.0
"""DummySource and DummySensor, and chains of FMUs: source into sensor, player into sensor, sensor into writer."""
from oracle import *

import json
import struct

STEPS, STEP = 12, 0.1
VIEW, DATA = "OSMPSensorViewOut", "OSMPSensorDataOut"


def record(name):
    return Fmu("OsiTraceWriter", name).set(trace_path=str(SCRATCH), trace_name=name).start()


def run(source, sensor, views, data):
    """Step by step, as a master does that hands a step's outputs on to the next: what was sent, and what came back."""
    sent, received = [], []
    for i in range(STEPS):
        sensor.put("OSMPSensorViewIn", source.message(VIEW))
        views.put("OSMPSensorViewIn[1]", source.message(VIEW))
        sent.append(source.message(VIEW))
        for fmu in (source, sensor, views):
            fmu.step(i * STEP, STEP)
        received.append(sensor.message(DATA))
        data.put("OSMPSensorDataIn[1]", received[-1])
        data.step(i * STEP, STEP)
    for fmu in (source, sensor, views, data):
        fmu.close()
    return sent, received


def lines(file, *options):
    return [json.loads(line) for line in osiconvert("cat", file, *options).splitlines()]


# The source in either encoding: the same content.
sent = {}
for encoding, extension, name in (("protobuf", "osi", ""), ("flatbuffers", "osifb", "FlatBuffers")):
    source = Fmu("DummySource" + name).set(objects=20, reflections=360).start()
    sensor = Fmu("DummySensor" + name).set(nominal_range=80.0).start()
    sent[encoding], received = run(source, sensor, record(f"views.{extension}"), record(f"data.{extension}"))
    equal(frames_of(SCRATCH / f"views.{extension}"), sent[encoding],
          f"the {encoding} views are written as they were sent")
    equal(frames_of(SCRATCH / f"data.{extension}"), received, f"the {encoding} data are written as they came")
    check(all(received), "every view gives data")
osiconvert("diff", SCRATCH / "views.osi", SCRATCH / "views.osifb")
osiconvert("diff", SCRATCH / "data.osi", SCRATCH / "data.osifb")
for file in ("views.osi", "data.osi"):
    osiconvert("check", SCRATCH / file, "--disable", "ositrace.alt:osi:3.8.0:file_name.convention", "--fail-on", "never")

views, data = lines(SCRATCH / "views.osi"), lines(SCRATCH / "data.osi")
equal(len(views[0]["message"]["global_ground_truth"]["moving_object"]) if "message" in views[0] else
      len(views[0]["global_ground_truth"]["moving_object"]), 20, "the objects that were asked for")


def message(line):
    return line.get("message", line)


for i, (view, seen) in enumerate(zip(map(message, views), map(message, data))):
    time = lambda m: round(int(m["timestamp"].get("seconds", 0)) * 1000 + m["timestamp"].get("nanos", 0) / 1e6)
    equal((time(view), time(seen)), (i * 100, (i + 1) * 100), "the times")
    equal(len(view["lidar_sensor_view"][0]["reflection"]), 360, "the reflections that were asked for")
    equal(len(seen["feature_data"]["lidar_sensor"][0]["detection"]), 20, "every 18th is detected")
    equal(seen["sensor_view"][0]["timestamp"], view["timestamp"], "the view is carried")
check(any(message(line).get("moving_object") for line in data), "something is detected")

# Without the view; with the other encoding; without any input.
sensor = Fmu("DummySensor").set(nominal_range=80.0, carry_input=False, encoding="flatbuffers").start()
equal(sensor.log, [("warning", "the output is flatbuffers, but its MIME type states protobuf")],
      "the warning about the MIME type")
writer = record("bare.osifb")
sensor.step(0.0, STEP)
equal((sensor.message(DATA), sensor.get_boolean("valid")), (b"", False), "nothing in, nothing out")
for i, view in enumerate(sent["protobuf"]):
    sensor.put("OSMPSensorViewIn", view)
    sensor.step(i * STEP, STEP)
    check(sensor.get_boolean("valid"), "something in, something out")
    writer.put("OSMPSensorDataIn[1]", sensor.message(DATA))
    writer.step(i * STEP, STEP)
sensor.close(), writer.close()
osiconvert("diff", SCRATCH / "bare.osifb", SCRATCH / "data.osi", "--ignore", "sensor_view")
check(not any("sensor_view" in message(line) for line in lines(SCRATCH / "bare.osifb")), "no view is carried")

# The recorded views, played again, give the same data.
player = Fmu("OsiTracePlayer").set(trace_path=str(SCRATCH / "views.osi")).start()
run(player, Fmu("DummySensor").set(nominal_range=80.0).start(), record("views2.osi"), record("data2.osi"))
equal((SCRATCH / "data2.osi").read_bytes(), (SCRATCH / "data.osi").read_bytes(),
      "player into sensor gives what source into sensor gave")

# An output is valid until the second step after its own begins.
if VERSION == 2:
    source, kept = Fmu("DummySource").set(objects=5).start(), []
    for i in range(STEPS):
        kept.append((source.pointer(VIEW), source.message(VIEW)))
        if i > 0:
            (address, size), before = kept[i - 1]
            equal(ctypes.string_at(address, size), before, "the message before")
        source.step(i * STEP, STEP)
    source.close()

# Reset restores the defaults; instances are independent.
source, other = Fmu("DummySource").set(objects=3).start(), Fmu("DummySource", "other").set(objects=7).start()
source.step(0.0, STEP), other.step(0.0, STEP)
check(len(source.message(VIEW)) < len(other.message(VIEW)), "instances have parameters of their own")
source.reset().start()
check(len(source.message(VIEW)) > len(other.message(VIEW)), "ten objects are the default")
source.free(), other.free()

# Invalid parameters.
for name, parameters, reason in (("DummySource", {"objects": -1}, "objects is -1"),
                                 ("DummySource", {"objects": 2 * 10**9}, "objects is 2000000000, expected 0 to 4194304"),
                                 ("DummySource", {"reflections": 2 * 10**9}, "reflections is 2000000000, expected 0 to "),
                                 ("DummySource", {"encoding": "xml"}, "unknown encoding 'xml'"),
                                 ("DummySource", {"reflections": 36, "reflection_fields": 9}, "9"),
                                 ("DummySensor", {"encoding": "xml"}, "unknown encoding 'xml'")):
    fmu = Fmu(name).set(**parameters)
    refused(fmu, fmu.start, reason)
    fmu.free()
sensor = Fmu("DummySensor").start()
sensor.put("OSMPSensorViewIn", b"\xff" * 30)
refused(sensor, lambda: sensor.step(0.0, STEP), "OSMPSensorViewIn")
sensor.free()

# What a sensor requests before the first step, and receives, in either encoding.
REQUEST, CONFIG, INIT = "OSMPSensorViewInConfigRequest", "OSMPSensorViewInConfig", "OSMPGroundTruthInit"
for encoding, name, extension in (("protobuf", "DummySensor", "osi"),
                                  ("flatbuffers", "DummySensorFlatBuffers", "osifb")):
    sensor = Fmu(name).set(nominal_range=80.0).enter()
    asked = sensor.message(REQUEST)
    (SCRATCH / f"asked.{extension}").write_bytes(struct.pack("<I", len(asked)) + asked)
    request, = map(message, lines(SCRATCH / f"asked.{extension}", "--type", "svc"))
    equal((round(request["range"], 6), round(request["field_of_view_horizontal"], 6)), (88.0, 1.047198),
          "range and field of view")
    equal(sorted(request), ["field_of_view_horizontal", "range", "version"], "it asks for no more")
    sensor.set(nominal_range=100.0)
    check(sensor.message(REQUEST) != asked, "the request follows its parameter")
    sensor.put(CONFIG, asked)
    sensor.leave()
    equal(sensor.log, [("warning", f"{CONFIG} has a range of 88.000000 m, 110.000000 m were requested")],
          "less than requested is reported")
    sensor.put("OSMPSensorViewIn", sent[encoding][0])
    sensor.step(0.0, STEP)
    check(sensor.message(DATA), "it works all the same")
    sensor.close()

    sensor = Fmu(name).enter()
    sensor.put(CONFIG, sensor.message(REQUEST))
    osiconvert("generate", SCRATCH / f"gt.{extension}", "--type", "gt", "--frames", "1", "--encoding", encoding,
               "--overwrite")
    sensor.put(INIT, frames_of(SCRATCH / f"gt.{extension}")[0])
    sensor.leave()
    equal(sensor.log, [], "nothing to be said about what was asked for")
    refused(sensor, lambda: sensor.put(CONFIG, b"late"), "is fixed")
    sensor.free()
    for variable in (CONFIG, INIT):
        sensor = Fmu(name).enter()
        sensor.put(variable, b"\xff" * 30)
        refused(sensor, sensor.leave, variable)
        sensor.free()
    sensor = Fmu(name).enter()
    refused(sensor, lambda: sensor.put(REQUEST, b"mine"), "is an output")
    sensor.free()

# The performance logs.
source_log, sensor_log = SCRATCH / "source.json", SCRATCH / "sensor.json"
source = Fmu("DummySource").set(performance_log=str(source_log)).start()
sensor = Fmu("DummySensor").set(performance_log=str(sensor_log)).start()
sensor.put("OSMPSensorViewIn", source.message(VIEW))
sensor.step(0.0, STEP)
size = len(sensor.message(DATA))
source.close(), sensor.close()
logs = [json.loads(log.read_text()) for log in (source_log, sensor_log)]
events = [log["Data"][0]["OsiEvents"] for log in logs]
equal([[event[0] for event in log] for log in events], [[0, 1, 2], [3, 4, 1, 2]], "the events of a step")
equal(logs[1]["Header"]["OsiMessages"], ["osi3::SensorView", "osi3::SensorData"], "the messages")
equal([event[3:5] for event in events[1]], [[0, 2], [0, 2], [1, 5], [1, 5]],
      "messages and value references: 2 and 5, as in the field's models")
equal(events[1][-1][5], size, "the size")

# FMPy's own master.
result = fmpy.simulate_fmu(str(FMUS / "DummySource.fmu"), stop_time=1.0, output_interval=0.1, output=["valid"],
                           start_values={"objects": 2})
check(len(result) == 11 and all(bool(row[1]) for row in result), f"simulate_fmu: {result}")
print("modelled")
