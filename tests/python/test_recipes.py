# SPDX-License-Identifier: MPL-2.0
"""Every recipe of samples/python runs as its usage line says, and prints what is true of its trace."""

import os
import re
import subprocess
import sys
import tempfile

import conftest
import fetched
import pytest

import ositrace

RECIPES = conftest.SOURCE / "samples" / "python"
tested = set()


def run(name, *arguments, packages=None, warnings="error", **environment):
    """What a recipe prints. A warning is an error: a recipe shows how to do it right."""
    tested.add(name)
    try:
        paths = [*sys.path, str(fetched.folder(packages))] if packages else sys.path
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    environment |= {"PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [sys.executable, "-W", warnings, RECIPES / name, *map(str, arguments)],
            env={**os.environ, **environment, "RAY_TMPDIR": scratch},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def lidar(tmp_path):
    file = tmp_path / "lidar.osi"
    program = os.environ.get("OSICONVERT")
    if not program:
        pytest.skip("osiconvert is not built")
    subprocess.run([program, "generate", file, "--frames", "3", "--reflections", "500", "--quiet"], check=True)
    return file


def test_plot_velocity(ground_truth, tmp_path):
    run("plot_velocity.py", ground_truth, tmp_path / "speed.png")
    assert (tmp_path / "speed.png").read_bytes().startswith(b"\x89PNG")


def test_hard_braking(ground_truth):
    printed = run("hard_braking.py", ground_truth, 2)
    events = re.findall(r"^ +\S+ s to \S+ s: object \d+ at (\S+) m/s\^2$", printed, re.MULTILINE)
    assert printed.splitlines()[-1] == f"{len(events)} events above 2.0 m/s^2 among 6 objects"
    assert events and all(float(event) > 2 for event in events)


def test_truth_against_detections(sensor_view):
    printed = run("truth_against_detections.py", sensor_view)
    assert "detections of 1 of 2 objects" in printed
    row = re.search(r"│ 2 +┆ (\d+) +┆ (\S+) +│", printed)
    assert int(row[1]) == 94 and float(row[2]) < 0.5  # in metres; the dummy sensor adds noise


def test_sensor_model(sensor_view, tmp_path):
    printed = run("sensor_model.py", sensor_view, tmp_path / "out.mcap")
    assert printed.startswith("364 frames")
    with ositrace.open(tmp_path / "out.mcap") as trace:
        assert [channel.type for channel in trace.channels] == ["osi3.SensorData"]
        assert max(len(frame.message.moving_object) for frame in trace) == 1


def test_lidar_distances(lidar):
    printed = run("lidar_distances.py", lidar).splitlines()
    assert [line.split(",")[0] for line in printed] == [f"frame {i}: 500 reflections" for i in range(3)]


def test_map_at_any_time(ground_truth):
    printed = run("map_at_any_time.py", ground_truth, 5).splitlines()
    assert printed[0] == "33 lanes are known at 4.983 s"
    assert "object 1: lane 4 TYPE_DRIVING" in printed and len(printed) == 7


def test_shift_times(sensor_view, tmp_path):
    run("shift_times.py", sensor_view, tmp_path / "shifted.osi")
    with ositrace.open(sensor_view) as before, ositrace.open(tmp_path / "shifted.osi") as after:
        start = before[0].time_ns
        assert [frame.time_ns for frame in after] == [frame.time_ns - start for frame in before]


def test_check_folder(ground_truth, tmp_path):
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "one.osi").write_bytes(ground_truth.read_bytes())
    printed = run("check_folder.py", tmp_path / "traces", tmp_path / "findings.csv")
    errors = sum(map(int, re.findall(r"one.osi: (\d+) x error", printed)))
    assert printed.splitlines()[-1] == f"traces: 1, errors: {errors}, warnings: 0" and errors > 0
    rows = (tmp_path / "findings.csv").read_text().splitlines()
    assert rows[0].startswith("id,severity,file,frame")
    assert sum(",error," in row for row in rows) == errors


def test_trace_from_numbers(tmp_path):
    printed = run("trace_from_numbers.py", tmp_path / "circle.osi", 2)
    assert printed.endswith("40 frames to 1.95 s\n")
    findings = ositrace.check(tmp_path / "circle.osi", disable=["file_name.convention"])
    assert findings.conforming, list(findings)


def test_traces_to_parquet(ground_truth, sensor_view, tmp_path):
    (tmp_path / "traces").mkdir()
    (tmp_path / "traces" / "one.osi").write_bytes(ground_truth.read_bytes())
    (tmp_path / "traces" / "two.mcap").write_bytes(sensor_view.read_bytes())
    (tmp_path / "traces" / "three.osi").write_bytes(ground_truth.read_bytes()[:-10])
    printed = run("traces_to_parquet.py", tmp_path / "traces", tmp_path / "out")
    assert re.search(r"one.osi *│ +6 │ +40.0003", printed) and "two.mcap" in printed
    errors = [line for line in printed.splitlines() if line.startswith("left out")]
    assert len(errors) == 1 and "three.osi: frame 432" in errors[0]


def test_payloads_of_a_reader(sensor_view):
    printed = run("payloads_of_a_reader.py", sensor_view)
    with ositrace.open(sensor_view) as trace:
        objects = sum(len(frame.message.global_ground_truth.moving_object) for frame in trace)
    assert printed.endswith(f"364 messages, {objects} objects\n")


ENGINES = {
    "lake_polars.py": {},
    "lake_duckdb.py": {},
    "lake_dask.py": {"packages": "engines"},
    # Ray warns about itself; and it would leave a token in the user's folder, and ask its makers to count this use.
    "lake_ray.py": {
        "packages": "engines",
        "warnings": "ignore",
        "RAY_AUTH_MODE": "disabled",
        "RAY_USAGE_STATS_ENABLED": "0",
    },
}


@pytest.mark.parametrize("name", ENGINES)
def test_engines_give_what_osi3_gives(name, ground_truth, sensor_view, tmp_path):
    from osi3trace.osi_trace import OSITrace

    (tmp_path / "lake" / "sub").mkdir(parents=True)
    files = [tmp_path / "lake" / "one.osi", tmp_path / "lake" / "sub" / "two.mcap"]
    for file, source in zip(files, (ground_truth, sensor_view)):
        file.write_bytes(source.read_bytes())
    broken = tmp_path / "lake" / "sub" / "cut.osi"
    broken.write_bytes(ground_truth.read_bytes()[:-10])
    printed = run(name, tmp_path / "lake", **ENGINES[name]).splitlines()
    truths = [
        OSITrace(str(files[0]), "GroundTruth"),
        (message.global_ground_truth for message in OSITrace(str(files[1]), "SensorView")),
    ]
    expected = []
    for file, messages in zip(files, truths):
        objects = {one.id.value for message in messages for one in [*message.moving_object, *message.stationary_object]}
        expected.append(f"{file}: {len(objects)} objects")
    place = printed.index(f"{broken}: 6 objects")
    assert printed[place + 1].startswith(f"left out: {broken}: frame 432 at byte ")
    del printed[place : place + 2]
    assert printed == expected


def test_all_recipes_were_run():
    assert {file.name for file in RECIPES.glob("*.py")} == tested
