#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Compares the Python package with other ways to get at the same values, one core, in turns.

usage: python_ratio.py BUILD HIGHWAY_MERGE.osi [--repetitions N] [--only TEXT] [--small]

BUILD: a build folder with the package, osiconvert and tests/bench in it. All files are in /dev/shm (0.4 GB). Each row
shows the least processor seconds of each side and how many times as much the other one takes. Run by a Python with the
packages that tests/bench/omega_prime.txt pins:

  python3 -m venv build/opponents
  build/opponents/bin/pip install --require-hashes -r tests/bench/omega_prime.txt
  build/opponents/bin/python tests/bench/python_ratio.py build/release ../shared/traces/highway_merge.osi
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

#: Columns of objects() and where they are, below a moving object; speed is computed.
SIX = ["time", "id", "x", "y", "speed", "type"]
LIDAR = ["signal_strength", "time_of_flight"]


@dataclass
class Sample:
    """A trace, and its payloads in memory for those who have no reader."""

    path: pathlib.Path
    payloads: list

    @property
    def megabytes(self):
        return self.path.stat().st_size / 1e6


@dataclass
class Row:
    name: str
    sample: Sample
    ours: object  # a function that returns how many rows it made
    others: dict  # functions by name; None where the opponent is missing


def payloads_of(path):
    import ositrace

    with ositrace.open(path) as trace:
        return [bytes(frame.payload) for frame in trace]


def ptars_reader(message, paths):
    """Reads payloads into record batches that have only these fields; all fields where `paths` is empty."""
    import ptars
    from google.protobuf import descriptor_pb2, descriptor_pool

    files, known = descriptor_pb2.FileDescriptorSet(), set()

    def add(file):
        for dependency in file.dependencies:
            add(dependency)
        if file.name not in known:
            known.add(file.name)
            file.CopyToProto(files.file.add())

    add(message.DESCRIPTOR.file)
    if paths:
        keep_fields(files, message.DESCRIPTOR.full_name, [path.split(".") for path in paths])
    pool = descriptor_pool.DescriptorPool()
    for file in files.file:
        pool.Add(file)
    descriptor = pool.FindMessageTypeByName(message.DESCRIPTOR.full_name)
    handler = ptars.HandlerPool([descriptor.file]).get_for_message(descriptor)
    return handler.list_to_record_batch


def keep_fields(files, root, paths):
    """Removes all other fields of the messages on these paths."""
    messages = {}

    def name(prefix, message):
        full_name = f"{prefix}.{message.name}"
        messages[full_name] = message
        for nested in message.nested_type:
            name(full_name, nested)

    for file in files.file:
        for message in file.message_type:
            name(file.package, message)
    wanted = {}
    for path in paths:
        at = root
        for part in path:
            wanted.setdefault(at, set()).add(part)
            at = next(field.type_name for field in messages[at].field if field.name == part).lstrip(".")
    for full_name, names in wanted.items():
        kept = [field for field in messages[full_name].field if field.name in names]
        del messages[full_name].field[:]
        messages[full_name].field.extend(kept)


def six_object_columns(highway, _):
    """Six columns of the objects to Arrow."""
    import ositrace
    import pyarrow as pa
    from osi3.osi_groundtruth_pb2 import GroundTruth
    from osi3.osi_object_pb2 import MovingObject

    def ours():
        with ositrace.open(highway.path) as trace:
            return trace.objects(SIX).to_arrow().num_rows

    def loop_over_osi3():
        columns = {name: [] for name in SIX}
        for payload in highway.payloads:
            message = GroundTruth.FromString(payload)
            seconds = message.timestamp.seconds + message.timestamp.nanos / 1e9
            for one in message.moving_object:
                position, velocity = one.base.position, one.base.velocity
                columns["time"].append(seconds)
                columns["id"].append(one.id.value)
                columns["x"].append(position.x)
                columns["y"].append(position.y)
                columns["speed"].append((velocity.x**2 + velocity.y**2 + velocity.z**2) ** 0.5)
                columns["type"].append(MovingObject.Type.Name(one.type))
        return pa.table(columns).num_rows

    read = ptars_reader(GroundTruth, [
        "timestamp.seconds", "timestamp.nanos", "moving_object.id.value", "moving_object.type",
        *(f"moving_object.base.{part}" for part in ("position.x", "position.y", "velocity.x", "velocity.y", "velocity.z")),
    ])
    whole = ptars_reader(GroundTruth, [])
    return Row("6 object columns to Arrow", highway, ours, {
        "osi3 in a loop": loop_over_osi3,
        "ptars, schema of these columns": lambda: len(read(highway.payloads).column("moving_object").flatten()),
        "ptars, schema of OSI": lambda: len(whole(highway.payloads).column("moving_object").flatten()),
    })


def all_columns(highway, _):
    """Every field of every frame to Arrow."""
    import ositrace
    from osi3.osi_groundtruth_pb2 import GroundTruth

    def ours():
        with ositrace.open(highway.path) as trace:
            return trace.columns().to_arrow().num_rows

    read = ptars_reader(GroundTruth, [])
    return Row("all columns to Arrow", highway, ours, {"ptars": lambda: read(highway.payloads).num_rows})


def lidar_to_numpy(_, lidar):
    """Two columns of the reflections, batch by batch as numpy arrays."""
    import ositrace
    import pyarrow.compute
    from osi3.osi_sensorview_pb2 import SensorView

    def ours():
        with ositrace.open(lidar.path) as trace:
            return sum(len(batch.to_numpy()[LIDAR[0]]) for batch in trace.reflections(LIDAR).batches())

    def whole_table():
        with ositrace.open(lidar.path) as trace:
            return len(trace.reflections(LIDAR).to_numpy()[LIDAR[0]])

    def ptars(read):
        rows = 0
        for payload in lidar.payloads:
            sensors = read([payload]).column("lidar_sensor_view").flatten()
            reflections = sensors.field("reflection").flatten()
            arrays = [pyarrow.compute.fill_null(reflections.field(name), 0.0).to_numpy() for name in LIDAR]
            rows += len(arrays[0])
        return rows

    few = ptars_reader(SensorView, [f"lidar_sensor_view.reflection.{name}" for name in LIDAR])
    whole = ptars_reader(SensorView, [])
    return Row("lidar: two columns to numpy", lidar, ours, {
        "C++ ColumnReader": lambda: ProgramTime("ositrace-bench-columns", lidar.path),
        "ours, one array of all frames": whole_table,
        "ptars, schema of these columns": lambda: ptars(few),
        "ptars, schema of OSI": lambda: ptars(whole),
    })


def to_parquet(highway, _):
    """The objects of a trace as a Parquet file."""
    import ositrace
    import pyarrow as pa
    import pyarrow.parquet as pq
    from osi3.osi_groundtruth_pb2 import GroundTruth
    from osi3.osi_object_pb2 import MovingObject

    path = highway.path.with_suffix(".parquet")
    names = ositrace.open(highway.path).objects().columns

    def ours():
        with ositrace.open(highway.path) as trace:
            trace.objects().to_parquet(path)
        return pq.read_metadata(path).num_rows

    def loop_over_osi3():
        columns = {name: [] for name in names}
        for i, payload in enumerate(highway.payloads):
            message = GroundTruth.FromString(payload)
            nanoseconds = message.timestamp.seconds * 1_000_000_000 + message.timestamp.nanos
            for one in message.moving_object:
                base = one.base
                speed = (base.velocity.x**2 + base.velocity.y**2 + base.velocity.z**2) ** 0.5
                lights = one.vehicle_classification.light_state
                values = (
                    i, nanoseconds / 1e9, nanoseconds, one.id.value, "moving_object", MovingObject.Type.Name(one.type),
                    base.position.x, base.position.y, base.position.z,
                    base.orientation.roll, base.orientation.pitch, base.orientation.yaw,
                    base.velocity.x, base.velocity.y, base.velocity.z, speed,
                    base.acceleration.x, base.acceleration.y, base.acceleration.z,
                    base.dimension.length, base.dimension.width, base.dimension.height,
                    one.assigned_lane_id[0].value if one.assigned_lane_id else None,
                    lights.brake_light_state, lights.indicator_state, one.id.value == message.host_vehicle_id.value,
                )
                for column, value in zip(columns.values(), values):
                    column.append(value)
        pq.write_table(pa.table(columns), path)
        return len(columns["id"])

    return Row("objects to Parquet", highway, ours, {
        "osi3 in a loop + pyarrow": loop_over_osi3,
        "omega-prime": omega_prime(highway),
    })


def omega_prime(highway):
    """From a trace to its Parquet file; None without the package. It writes other columns, one row per object, too."""
    try:
        import omega_prime
    except ImportError:
        return None
    path = highway.path.with_suffix(".omega.parquet")

    def convert():
        recording = omega_prime.Recording.from_file(highway.path, parse_map=False, validate=False)
        recording.to_parquet(path)
        return len(recording.df)

    return convert


def iterate(highway, lidar):
    """Every frame with its payload and time; osi3trace reads and parses."""
    import ositrace
    from osi3trace.osi_trace import OSITrace

    for sample, name in ((highway, "GroundTruth"), (lidar, "SensorView")):

        def ours():
            frames = 0
            with ositrace.open(sample.path) as trace:
                for frame in trace:
                    frame.payload, frame.time
                    frames += 1
            return frames

        def osi3trace():
            frames = 0
            trace = OSITrace(str(sample.path), name)
            for message in trace:
                message.timestamp.seconds + message.timestamp.nanos / 1e9
                frames += 1
            trace.close()
            return frames

        yield Row(f"{sample.path.stem}: iterate with payload and time", sample, ours,
                  {"osi3trace, read and parse": osi3trace})


def one_field(highway, _):
    """One field of one object in each frame, of few objects and of 200."""
    import ositrace
    from osi3.osi_groundtruth_pb2 import GroundTruth

    many = highway.path.with_name("objects.osi")
    with ositrace.create(many) as trace:
        message = GroundTruth()
        for i in range(200):
            one = message.moving_object.add()
            one.id.value = i + 1
            for part in (one.base.position, one.base.velocity, one.base.acceleration):
                part.x, part.y, part.z = i + 0.5, 1.0, 2.0
            one.base.orientation.yaw = 0.1
            one.base.dimension.length, one.base.dimension.width, one.base.dimension.height = 4.5, 1.8, 1.5
        for i in range(max(len(highway.payloads) // 20, 10)):
            message.timestamp.seconds, message.timestamp.nanos = divmod(i * 10_000_000, 1_000_000_000)
            trace.write(message)
    for sample in (highway, Sample(many, payloads_of(many))):
        data = sample.path.read_bytes()  # both sides have it in memory

        def ours():
            frames = 0
            with ositrace.open(data, type="GroundTruth") as trace:
                for frame in trace:
                    frame.message.moving_object[2].base.position.x
                    frames += 1
            return frames

        def osi3():
            for payload in sample.payloads:
                GroundTruth.FromString(payload).moving_object[2].base.position.x
            return len(sample.payloads)

        yield Row(f"{sample.path.stem}: one field of one object a frame", sample, ours, {"osi3, upb": osi3})


def every_field(highway, _):
    """Every field of every object, by name."""
    import ositrace
    from osi3.osi_groundtruth_pb2 import GroundTruth

    def names_of(descriptor):
        return [(field.name, field.is_repeated, names_of(field.message_type) if field.message_type else None)
                for field in descriptor.fields]

    tree = names_of(GroundTruth.DESCRIPTOR.fields_by_name["moving_object"].message_type)

    def read(message, tree):
        count = 0
        for name, repeated, below in tree:
            value = getattr(message, name)
            if repeated:
                for one in value:
                    count += read(one, below) if below else 1
            elif below is None:
                count += 1
            elif message.HasField(name):
                count += read(value, below)
        return count

    def ours():
        with ositrace.open(highway.path) as trace:
            return sum(read(one, tree) for frame in trace for one in frame.message.moving_object)

    def osi3():
        return sum(read(one, tree) for data in highway.payloads for one in GroundTruth.FromString(data).moving_object)

    return Row("every field of every object", highway, ours, {"osi3, upb": osi3})


FIRST_FRAME = """
import sys, time
sys.path[:0] = sys.argv[1:2]
start = time.perf_counter()
import ositrace
with ositrace.open(sys.argv[2]) as trace:
    trace[0].message.timestamp.seconds
seconds = time.perf_counter() - start
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(seconds, int(peak) / 1024)
"""


def first_frame(highway, _):
    """From `import ositrace` to a field of the first frame of 10 GB. Only the first frames of the file are real."""
    path = highway.path.with_name("large.osi")
    length = 16 << 20
    with open(path, "wb") as file:
        file.write(highway.path.read_bytes())
        while file.tell() < 10_000_000_000:
            file.write(length.to_bytes(4, "little"))
            file.seek(length, os.SEEK_CUR)
        file.truncate()
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    words = [sys.executable, "-X", f"pycache_prefix={path.parent}", "-c", FIRST_FRAME, sys.path[0], str(path)]
    runs = []
    for _ in range(10):
        done = subprocess.run(words, check=True, capture_output=True, text=True, env=environment)
        runs.append(tuple(map(float, done.stdout.split())))
    del runs[0]  # it compiled the modules, as pip does
    path.unlink()
    print("\nfirst frame of 10 GB, interpreter started")
    print(f"  {'ours':32} {min(runs)[0] * 1e3:8.0f} ms, median {statistics.median(runs)[0] * 1e3:.0f} ms, "
          f"{max(memory for _, memory in runs):.0f} MB")


SCAN = """
import sys
sys.path[:0] = sys.argv[1:2]
import ositrace
rows = sum(len(batch) for batch in ositrace.scan(sys.argv[2:]).objects().batches())
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(rows, int(peak) / 1024)
"""


def scan_memory(highway, _):
    """Peak memory of a scan of 10 GB, on all cores."""
    files = [highway.path] * round(10_000 / highway.megabytes)
    words = [sys.executable, "-c", SCAN, sys.path[0], *map(str, files)]
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count()))
    start = time.perf_counter()
    rows, peak = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
    seconds = time.perf_counter() - start
    os.sched_setaffinity(0, cores)
    print(f"\nscan of {len(files) * highway.megabytes / 1000:.1f} GB")
    print(f"  {'ours':32} {float(peak):8.0f} MB, {int(rows) / seconds / 1e6:.2f} M rows/s, {seconds:.1f} s of wall time")


def two_threads(highway, _):
    """Two Python threads that each read a table, beside one after the other: the library releases the GIL."""
    import threading

    import ositrace

    def read():
        with ositrace.open(highway.path) as trace:
            return trace.objects(SIX).to_arrow().num_rows

    def in_turn():
        read(), read()

    def together():
        threads = [threading.Thread(target=read) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count()))
    times = {in_turn: [], together: []}
    for _ in range(9):
        for function, seconds in times.items():
            start = time.perf_counter()
            function()
            seconds.append(time.perf_counter() - start)
    os.sched_setaffinity(0, cores)
    one, two = min(times[in_turn]), min(times[together])
    print("\n6 object columns, two threads on two cores")
    print(f"  in turn {one:.3f} s, together {two:.3f} s of wall time: {one / two:.2f}x")


ROWS = [
    iterate, six_object_columns, all_columns, lidar_to_numpy, one_field, every_field, first_frame, to_parquet, scan_memory,
    two_threads,
]


class ProgramTime:
    """What a program says that it needed."""

    folder = None

    def __init__(self, program, *arguments):
        words = [str(self.folder / program), *map(str, arguments)]
        _, cpu, rows = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        self.seconds, self.rows = float(cpu), int(rows)


def measured(function):
    """Processor seconds, and how many rows."""
    start = time.process_time()
    result = function()
    if isinstance(result, ProgramTime):
        return result.seconds, result.rows
    return time.process_time() - start, result


def rows_of(result):
    """None, a row, or rows one by one: each is measured before the next one is made."""
    return [] if result is None else [result] if isinstance(result, Row) else result


def report(row, repetitions):
    sides = {"ours": row.ours, **{name: other for name, other in row.others.items() if other}}
    times = {name: [] for name in sides}
    row.ours()  # imports what it needs
    for _ in range(repetitions):
        for name, function in sides.items():
            seconds, rows = measured(function)
            times[name].append((seconds, rows))
    found = {name: {rows for _, rows in runs} for name, runs in times.items()}
    if len(set.union(*found.values())) != 1:
        raise SystemExit(f"{row.name}: the sides have other numbers of rows: {found}")
    best = min(times["ours"])[0]
    print(f"\n{row.name}")
    for name, runs in times.items():
        seconds, count = min(runs)
        median = statistics.median(seconds for seconds, _ in runs)
        speed = f"{row.sample.megabytes / seconds:8.0f} MB/s {count / seconds / 1e6:8.2f} M rows/s"
        print(f"  {name:32} {seconds:8.4f} s  median {median:8.4f} s {speed} {seconds / best:8.2f}x", flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("highway", type=pathlib.Path)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    sys.path.insert(0, str(options.build / "python"))
    ProgramTime.folder = options.build / "tests" / "bench"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # one core
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        highway, lidar = pathlib.Path(folder, "highway.osi"), pathlib.Path(folder, "lidar.osi")
        highway.write_bytes(options.highway.read_bytes() * (2 if options.small else 50))
        reflections = "1000" if options.small else "829440"
        generate = [options.build / "bin" / "osiconvert", "generate", lidar, "--frames", "20", "--reflections", reflections]
        subprocess.run(generate, check=True, stdout=subprocess.DEVNULL)
        samples = [Sample(path, payloads_of(path)) for path in (highway, lidar)]
        for row in ROWS:
            if options.only in row.__name__:
                for one in rows_of(row(*samples)):
                    report(one, options.repetitions)


main()
