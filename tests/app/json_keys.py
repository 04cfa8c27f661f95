#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Every key that `osiconvert VERB --json` prints is in docs/json.md, and every key there is printed by one of the runs;
so are those of the report of osiplay.

usage: json_keys.py OSICONVERT JSON_MD [OSIPLAY]
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = """
generate d.osi --frames 12
generate g.osi --type gt --frames 12
convert d.osi -o d.mcap --attach broken.osi
convert versions.osi -o versions.mcap
convert g.osi -o profile.mcap --profile omega-prime --map town.xodr
proto2flat d.osi
cut d.osi --frames 0:3 -o c.osi
concat c.osi -o cc.osi
split g.osi --out-dir pieces --every-frames 5
extract d.mcap --out-dir attached
edit g.osi -o e.osi --drop lane --round moving_object.base.position=0.01
edit g.osi -o k.osi --keep moving_object
convert d.osi g.osi -o two.mcap
edit two.mcap -o u.mcap --drop global_ground_truth
resample g.osi -o rs.osi --period 0.05
static compact g.osi -o s.osi
wrap gt2sv g.osi -o w.osi --host 1
info d.osi d.mcap
info g.osi --full
info town.osi bad.osi
stats c.osi
interactions g.osi
find has(host_vehicle_id) g.osi
check g.osi
recover broken.osi -o r.osi
diff g.osi other.osi --list-frames
diff g.osi other.osi --trajectory
rename d.osi
"""

#: Of a version that is not known yet, which is a note.
MAP = """<OpenDRIVE><header revMajor="1" revMinor="9"/><road id="1" length="100"><planView>
<geometry s="0" x="0" y="0" hdg="0" length="100"><line/></geometry></planView><lanes><laneSection s="0">
<center><lane id="0"/></center><right><lane id="-1" type="driving"><width sOffset="0" a="3.5" b="0" c="0" d="0"/>
</lane></right></laneSection></lanes></road></OpenDRIVE>"""


def prepare(osiconvert, folder):
    """Files of what the first runs have generated."""

    def run(command):
        subprocess.run([osiconvert, *command.split()], cwd=folder, check=True)

    whole = (folder / "g.osi").read_bytes()
    half = len(whole) // 2
    (folder / "broken.osi").write_bytes(whole[:half] + b"\xff" * 50 + whole[half:])
    run("generate other.osi --type gt --frames 13 --seed 2 --quiet")
    run("convert g.osi -o g.jsonl --quiet")
    lines = (folder / "g.jsonl").read_text().split("\n")
    lines[5] = lines[5].replace('"version_minor":8', '"version_minor":7', 1)
    (folder / "versions.jsonl").write_text("\n".join(lines))
    run("convert versions.jsonl -o versions.osi --quiet")
    (folder / "town.xodr").write_text(MAP)
    (folder / "bad.xodr").write_text("<OpenDRIVE")
    for name in ("town.osi", "bad.osi"):
        (folder / name).write_bytes(whole)


def keys(value, path=""):
    if isinstance(value, dict):
        for key, inside in value.items():
            yield f"{path}.{key}".lstrip(".")
            yield from keys(inside, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for one in value:
            yield from keys(one, path + "[]")


def documented(page):
    """The keys of each verb."""
    sections = {}
    for section in re.findall(r"^## (?:osiconvert )?(.*?)(?=^## |\Z)", page, re.M | re.S):
        found = {key for row in re.findall(r"^\| (`.*?) \|", section, re.M) for key in re.findall(r"`([^`]+)`", row)}
        for verb in section.split("\n")[0].split(", "):
            sections[verb] = found
    return sections


def main(osiconvert, page, osiplay=None):
    known = documented(Path(page).read_text())
    if not osiplay:
        known.pop("osiplay")
    printed = {verb: set() for verb in known}
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for run in RUNS.strip().split("\n") + ["osiplay d.osi --sink null"] * bool(osiplay):
            if "--attach" in run:
                prepare(osiconvert, Path(folder))
            program = [osiplay] if run.startswith("osiplay") else [osiconvert, run.split()[0]]
            command = [*program, *run.split()[1:], "--json"]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if done.returncode not in (0, 3):
                sys.exit(f"{run}: exit {done.returncode}: {done.stderr}")
            verb = run.split()[0]
            for key in keys(json.loads(done.stdout)):
                wild = [one for one in known[verb] if one.endswith(".*") and key.startswith(one[:-1])]
                printed[verb].update(wild or [key])
                if not wild and key not in known[verb]:
                    problems.append(f"{verb} prints '{key}', which {page} lacks")
    shared = known["convert"]
    of_shared = set().union(*(printed[verb] for verb in known if known[verb] is shared))
    for verb, found in known.items():
        for key in found - (of_shared if found is shared else printed[verb]):
            problems.append(f"{page} has '{key}', which no run of {verb} prints")
    for problem in dict.fromkeys(problems):
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
