#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The table "where is a new one added" in docs/architecture.md names every place.

usage: added_places.py SOURCE_FOLDER

Of each kind the text of one that is there already (EXAMPLES) is searched in what is built. The files that have it are
those that the row names; a folder means its files. Other files and folders that a row names exist.
"""
import re
import sys
from pathlib import Path

EXAMPLES = {
    "message type": r"traffic_command_update",
    "container": r"text_trace\b|txth, jsonl",
    "sink of `osiplay`": r"make_recording|osiplay/recording",
    "rule or finding of `check`": r"timestamp.no_gap",
    "fact of a channel that `info` prints": r"\bframes_without_time\b",
    "table of fixed columns": r"\btraffic_lights, +///|\blight_columns\b|(\"|`|def )traffic_lights\b",
    "table of what happens": r"\bfind_table\b|def find\(\n",
    "option of a verb": r"\bevery.bytes\b(?!_)",
    "option of osiview": r"\bkeep_bytes\b",
    "option of the Spark data source": r"\browsPer\b",
    "verb of `osiconvert`": r"\brecover_command\b",
    "function of the Python package for a verb": r"\bdef wrap\b|\bstats, wrap\b",
    "benchmark verb": r"\bstructs_bench\b",
    "panel of osiview": r"\bclass DockPanel {|StatesPanel|states_panel",
    "command or key of osiview": r"\bgo_to_time\b|\bfind_in_time\b",
    "function of a curve": r"\bFunction::time_to_contact\b",
}
BUILT = ("formats", "lib", "app", "gui", "python", "cmake")
SUFFIXES = {".cpp", ".hpp", ".py", ".pyi", ".cmake", ".txt"}


def places_of(page):
    """The files and folders of each row."""
    table = page.split("| where is a new one added? |")[1].split("\n\n")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines()[2:]]
    return {row[0]: re.findall(r"`([\w.-]+/[\w./-]*)`", row[1]) for row in rows}


def main():
    source = Path(sys.argv[1])
    files = [one for folder in BUILT for one in sorted((source / folder).rglob("*")) if one.suffix in SUFFIXES]
    texts = {str(one.relative_to(source)): one.read_text() for one in files}
    places = places_of((source / "docs/architecture.md").read_text())
    wrong = [f"{kind}: has no example in {Path(__file__).name}" for kind in places.keys() - EXAMPLES.keys()]
    wrong += [f"{kind}: is not in the table" for kind in EXAMPLES.keys() - places.keys()]
    for kind in places.keys() & EXAMPLES.keys():
        found = {name for name, text in texts.items() if re.search(EXAMPLES[kind], text)}
        for place in places[kind]:
            here = {name for name in found if name == place or (place.endswith("/") and name.startswith(place))}
            if not (source / place).exists():
                wrong.append(f"{kind}: {place} does not exist")
            elif not here and place.split("/")[0] in BUILT:
                wrong.append(f"{kind}: {place} has no '{EXAMPLES[kind]}'")
            found -= here
        wrong += [f"{kind}: {name} has '{EXAMPLES[kind]}' too" for name in sorted(found)]
    print("\n".join(sorted(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
