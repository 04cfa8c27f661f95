#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""omega-prime opens and validates what `osiconvert convert --profile omega-prime` writes, and the files that it writes
are read: the same objects row by row, the same map.

usage: omega_prime.py OSICONVERT PACKAGES SHARED
Exit code 77: the packages are not there.
"""
import csv
import importlib.machinery
import io
import json
import subprocess
import sys
import tempfile
import types
import warnings
from pathlib import Path

#: What omega-prime imports to draw, to write other formats and for its command line.
UNUSED = {"altair", "click", "filelock", "joblib", "loguru", "lxd_io", "matplotlib", "mcap_protobuf", "networkx", "pyarrow",
          "pyogrio", "rich", "tqdm", "typer"}
ROAD = """<?xml version="1.0"?>
<OpenDRIVE><header revMajor="1" revMinor="8"/><road id="7" length="900" junction="-1"><planView>
<geometry s="0" x="-300" y="0" hdg="0" length="900"><line/></geometry></planView><lanes><laneSection s="0"><left>
<lane id="1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></left><center><lane id="0" type="none">
<roadMark sOffset="0" type="broken" color="white" width="0.12"/></lane></center><right><lane id="-1" type="driving">
<width sOffset="0" a="3.5" b="0" c="0" d="0"/></lane></right></laneSection></lanes></road></OpenDRIVE>
"""
TYPE_VEHICLE = 2
#: Columns of omega-prime, and fields of a moving object.
COLUMNS = {"idx": "id.value", "type": "type", "subtype": "vehicle_classification.type", "role": "vehicle_classification.role",
           "x": "base.position.x", "y": "base.position.y", "z": "base.position.z", "length": "base.dimension.length",
           "width": "base.dimension.width", "height": "base.dimension.height", "roll": "base.orientation.roll",
           "pitch": "base.orientation.pitch", "yaw": "base.orientation.yaw", "vel_x": "base.velocity.x",
           "vel_y": "base.velocity.y", "vel_z": "base.velocity.z", "acc_x": "base.acceleration.x",
           "acc_y": "base.acceleration.y", "acc_z": "base.acceleration.z"}


class AnyClass(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return AnyClass(name, (), {})

    def __call__(cls, *words, **_):
        return words[0] if len(words) == 1 and callable(words[0]) else cls

    def __or__(cls, _):
        return cls


class AnyModule(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return AnyClass(name, (), {})


class Unused:
    """Finds a module of that kind."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in UNUSED:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return AnyModule(spec.name)

    def exec_module(self, module):
        pass


def run(*words, codes=(0,)):
    done = subprocess.run([OSICONVERT, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr}")
    return done


def check(condition, what):
    if not condition:
        sys.exit(f"failed: {what}")


def enumerators(path):
    kind = betterosi.MovingObjectType if path == "type" else \
        betterosi.MovingObjectVehicleClassificationType if path.endswith("type") else \
        betterosi.MovingObjectVehicleClassificationRole
    prefix = "ROLE_" if path.endswith("role") else "TYPE_"
    return {name if name.startswith(prefix) else prefix + name: int(value) for name, value in kind.__members__.items()}


def our_rows(file):
    """The moving objects as osiconvert reads them: time in ns, id, and the other columns."""
    fields = ",".join(["@time_ns"] + [f"moving_object[*].{path}" for path in COLUMNS.values()])
    printed = run("cat", file, "--topic", "ground_truth$", "--format", "csv", "--fields", fields).stdout
    rows = []
    for row in csv.DictReader(io.StringIO(printed)):
        values = {"total_nanos": int(row["@time_ns"])}
        for column, path in COLUMNS.items():
            text = row[f"moving_object[*].{path}"]
            if text.startswith(("TYPE_", "ROLE_")):
                values[column] = enumerators(path)[text]
            else:
                values[column] = float(text) if text else 0
        if values["type"] != TYPE_VEHICLE:
            values["subtype"] = values["role"] = -1  # as omega-prime has them
        rows.append(values)
    return sorted(rows, key=lambda row: (row["total_nanos"], row["idx"]))


def compare(file, recording, what):
    theirs = recording.df.select("total_nanos", *COLUMNS).sort("total_nanos", "idx").to_dicts()
    ours = our_rows(file)
    check(len(ours) == len(theirs) != 0, f"{what}: {len(ours)} rows, omega-prime has {len(theirs)}")
    for our, their in zip(ours, theirs):
        check(our == their, f"{what}: {our}, omega-prime has {their}")


def opened(file, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return omega_prime.Recording.from_file(file, validate=True, parse_map=True, apply_proj=False, **options)


def findings(file):
    printed = json.loads(run("check", file, "--rules", "none", "--profile", "omega-prime", "--json", codes=(0, 3)).stdout)
    return {finding["id"].rpartition("omega_prime.")[2] for finding in printed["findings"] if "omega_prime." in finding["id"]}


def ours_are_opened(folder, shared):
    (folder / "road.xodr").write_text(ROAD)
    run("generate", folder / "gt.osi", "--type", "gt", "--frames", "30", "--quiet")
    traces = [(folder / "gt.osi", folder / "road.xodr")]
    merge = shared / "traces" / "highway_merge.osi"
    if merge.exists():
        traces.append((merge, shared / "maps" / "soderleden.xodr"))
    for trace, road in traces:
        file = folder / f"{trace.stem}.mcap"
        done = run("convert", trace, "-o", file, "--profile", "omega-prime", "--map", road, codes=(3,))
        check("[omega_prime." in done.stderr, f"{trace}: what is missing is listed: {done.stderr}")
        recording = opened(file)
        compare(file, recording, trace.name)
        check(recording.map.odr_xml == road.read_text(), f"{trace}: the map")
        check(len(recording.map.lanes) > 1, f"{trace}: the lanes of the map")
        references = {truth.map_reference for truth in betterosi.read(file, return_ground_truth=True)}
        check(references == {recording.map.name}, f"{trace}: map_reference is {references}, that of the map {recording.map.name}")
        check(not any(row["name"] != "net.asam.osi.trace" for row in betterosi.read_file_metadata(file)), "the metadata")
        keys = betterosi.read_channel_metadata(file)
        check(set(keys) == {"/ground_truth", "/ground_truth_map"}, f"{trace}: the topics are {set(keys)}")
        check(all(betterosi.io.OSI_CHANNEL_REQUIRED_METADATA_KEYS <= set(each) for each in keys.values()), f"{keys}")


def broken_ones_are_refused(folder):
    """What omega-prime refuses is found: the name of a rule, and a change of a number in JSON."""
    lines = run("cat", folder / "gt.osi").stdout.splitlines()
    changes = {
        "moving_object_orientation_in_range": lambda object: object["base"]["orientation"].update(yaw=4),
        "moving_object_dimension_in_range": lambda object: object["base"]["dimension"].update(width=0),
        "moving_object_id_is_unique": lambda object: object["id"].update(value="2"),
    }
    for rule, change in changes.items():
        frames = [json.loads(line) for line in lines]
        change(next(object for object in frames[3]["moving_object"] if object["id"]["value"] == "3"))
        (folder / "broken.jsonl").write_text("".join(json.dumps(frame) + "\n" for frame in frames))
        run("convert", folder / "broken.jsonl", "-o", folder / "broken.mcap", "--overwrite", "--type", "gt",
            "--profile", "omega-prime", "--map", folder / "road.xodr", codes=(3,))
        check(rule in findings(folder / "broken.mcap"), f"{rule} is found")
        try:
            opened(folder / "broken.mcap")
        except Exception as error:
            check("Schema" in type(error).__name__, f"{rule}: {error}")
        else:
            sys.exit(f"{rule}: omega-prime validates the file")


def theirs_are_read(folder):
    rows = []
    for frame in range(20):
        for idx in (3, 12):
            rows.append({"total_nanos": 5 * 10**9 + frame * 10**8, "idx": idx, "x": 1.1 * frame + idx, "y": 1.75 - idx / 7,
                         "z": 0.1, "vel_x": 11.0, "vel_y": -0.25, "vel_z": 0.0, "acc_x": 0.5, "acc_y": 0.0, "acc_z": -1e-3,
                         "length": 4.5 + idx, "width": 1.9, "height": 1.9, "roll": 0.01, "pitch": -0.02, "yaw": 3.1 - idx,
                         "type": 2, "role": 2, "subtype": 5 if idx == 3 else 9})
    for row in rows:
        row["yaw"] = max(row["yaw"], -3.14)
    road = omega_prime.MapOdr.from_file(folder / "road.xodr")
    theirs = folder / "theirs.mcap"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        omega_prime.Recording(polars.DataFrame(rows), map=road, host_vehicle_idx=3, validate=True).to_mcap(theirs)
    compare(theirs, opened(theirs), "their file")
    place = json.loads(run("info", theirs, "--json").stdout)["files"][0]["map"]
    check((place["found_by"], place["roads"], place["lanes"]) == ("channel", 1, 2), f"their map: {place}")
    known = {"country_code_is_set", "map_reference_is_set", "proj_string_is_set", "proj_frame_offset_is_set", "topic"}
    check(findings(theirs) == known, f"their file: {findings(theirs)}")
    ours = folder / "ours.mcap"
    done = run("convert", theirs, "-o", ours, "--profile", "omega-prime", codes=(3,))
    check("map_reference written into 20 frames" in done.stderr, done.stderr)
    check(findings(ours) == known - {"map_reference_is_set", "topic"}, f"what is missing in theirs: {findings(ours)}")
    compare(theirs, opened(ours), "their file as ours")
    check(opened(ours).map.odr_xml == ROAD, "their map as ours")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    OSICONVERT = sys.argv[1]
    sys.path.insert(0, sys.argv[2])
    try:
        import pandas  # before the packages that it would use are replaced
        import pandera.polars
        import polars
        sys.meta_path.insert(0, Unused())
        import betterosi
        import omega_prime
    except ImportError as missing:
        print(f"skipped: {missing}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as scratch:
        ours_are_opened(Path(scratch), Path(sys.argv[3]))
        broken_ones_are_refused(Path(scratch))
        theirs_are_read(Path(scratch))
