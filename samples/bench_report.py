#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Runs the benchmarks and writes the tables of docs/benchmarks.md and docs/published-experiments.md.

usage: bench_report.py BUILD [--quick] [--repetitions N] [--docs FOLDER] [--debug DEBUG.json] [--python PYTHON]
                       [--only VERB] [--from DIR]
       bench_report.py --show REPORT.json

BUILD is the build folder (build/release). The JSON and the pages of all verbs are written to BUILD/bench-report; --from
reads the JSON of such a folder instead of measuring. The tables are printed as Markdown; --docs writes each of them into
the page of FOLDER that has `<!-- bench: NAME -->` and `<!-- bench end -->` around it. --only measures one verb and
writes its tables alone. --debug adds the conclusions of samples/bench_debug.sh. --show prints what a report contains
besides its rounds.
"""
import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys


def time_text(nanoseconds):
    for unit in ("ns", "us", "ms", "s"):
        if nanoseconds < 999.5 or unit == "s":
            return f"{nanoseconds:.{2 if nanoseconds < 9.995 else 1 if nanoseconds < 99.95 else 0}f} {unit}"
        nanoseconds /= 1000


def bytes_text(count):
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.{0 if unit == 'B' else 1}f} {unit}"
        count /= 1000


def markdown(titles, rows):
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def per_thing(row):
    return time_text(int(row["median_ns"]) / row["things"])


def stages(row, places):
    return sum(int(row["stages"][place]["median_ns"]) for place in places)


def variants(report, *rounds):
    """[(variant, [its row in each round, or None])] in the order of the first round; the yardstick is left out."""
    found = [{row["variant"]: row for row in report["rows"] if row["name"] == name} for name in rounds]
    return [(variant, [of_round.get(variant) for of_round in found]) for variant, row in found[0].items()
            if row["role"] != "yardstick"]


def rounds_of(report):
    return list(dict.fromkeys(row["name"] for row in report["rows"]))


def command(report):
    """As a reader would type it: without what only this script wants, and with names instead of places."""
    words, shown = iter(shlex.split(report["command"])), []
    for word in words:
        if word in ("--html", "--compare"):
            next(words)
        elif word == "--python":
            next(words)
            shown += [word, "PYTHON"]
        elif word != "--json":
            shown.append(pathlib.Path(word).name if word.endswith(".osi") else word)
    return shlex.join(shown)


def conditions(reports):
    cosim = reports["cosim"]
    machine = cosim["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in cosim["versions"].items())
    commands = ", ".join(("`samples/bench_debug.sh`: " if verb == "debug" else "") + f"`{command(report)}`"
                         for verb, report in reports.items() if verb not in ("all", "structs"))
    quick = "--quick" in cosim["command"]
    system = machine["system"].split()[0]
    text = f"{machine['processor']}, {machine['cores']} cores, {system}; {versions}. Medians, of {commands}."
    preliminary = " Preliminary: `--quick` takes a hundredth of the reflections, and the machine was busy."
    return text + (preliminary if quick else "") + "\n"


def conclusions(reports):
    rows = {}  # one report may contain what another lacks
    for verb, report in reports.items():
        for table in report["tables"]:
            if verb not in ("all", "structs") and table["name"] == "The published conclusions":
                section = ""
                for row in table["rows"]:
                    section = section if row[0].startswith("...") else row[0]
                    if (section, row[0]) not in rows or row[-1] != "was not comparable":
                        rows[section, row[0]] = row
    return markdown(["conclusion", "published", "here", ""], rows.values())


def cosim(reports):
    names = rounds_of(reports["cosim"])
    rays = [name for name in names if " rays," in name and "FMUs" not in name]
    text = ""
    for kind in ("reflection", "objects;"):
        of_kind = [name for name in names if kind in name and "FMUs" not in name and name not in rays]
        alone, carrying = of_kind[:2] if kind == "reflection" else of_kind[-2:]
        scene = rays[:1] if kind == "reflection" else []
        rows = []
        for variant, (row, *others) in variants(reports["cosim"], alone, carrying, *scene):
            rows.append([variant, time_text(stages(row, (0, 1))), time_text(stages(row, (2, 3, 4))),
                         time_text(stages(row, range(5))), *(time_text(stages(other, range(5))) for other in others),
                         bytes_text(row["bytes"] / row["things"]), bytes_text(row.get("peak_heap_bytes", 0)),
                         str(row.get("allocations", "")), str(row["lines_of_code"])])
        text += markdown([alone.split(";")[0], "source", "model", "both", "both, carrying",
                          *("both, ray scene" for _ in scene), "SensorView", "peak heap", "allocations", "lines"],
                         rows) + "\n"
    return text


def fmus(reports):
    names = [name for name in rounds_of(reports["cosim"]) if "FMUs" in name]
    if not names:
        return "The FMUs were not built.\n"
    shown = [names[0], [name for name in names if name.split(";")[0].endswith(" objects") and "," not in name][-1]]
    titles = [title for name in shown for title in (name.split(";")[0], "in the models")]
    return markdown(["", *titles, "process memory"],
                    [[variant, *(cell for row in rows for cell in (per_thing(row), time_text(stages(row, range(5))))),
                      bytes_text(rows[0]["peak_process_bytes"]) if "peak_process_bytes" in rows[0] else "-"]
                     for variant, rows in variants(reports["cosim"], *shown)])


def replay(reports):
    report = reports["replay"]
    names = rounds_of(report)
    rows = []
    for variant, of_rounds in variants(report, *names):
        first = of_rounds[0]
        rows.append([variant, time_text(stages(first, (0,))), time_text(stages(first, (1,))),
                     *(per_thing(row) if row else "" for row in of_rounds)])
    return markdown(["a frame", "source", "model", *names], rows)


def columns(reports):
    report = reports["columns"]
    return "\n".join(
        markdown([name, "a reflection"], [[variant, per_thing(row)] for variant, (row,) in variants(report, name)])
        for name in rounds_of(report))


def size(reports):
    report = reports["size"]
    rows = [[variant, f"{row['bytes'] / row['things']:.2f}", per_thing(row), per_thing(read)]
            for variant, (row, read) in variants(report, "writing reflections", "reading reflections")]
    return markdown(["", "bytes a reflection", "write", "read"], rows)


def python(reports):
    if "python" not in reports:
        return "Not measured: --python is missing.\n"
    seconds = next(table for table in reports["python"]["tables"] if table["name"].startswith("Time for"))
    return markdown(seconds["columns"], seconds["rows"])


def answer(reports):
    report = reports["all"]
    text = f"`{command(report)}`, load {report['machine']['load']:.1f}: {report['answer']['sentence']}\n\n"
    text += "".join(f"- {advice}\n" for advice in report["answer"]["advice"])
    table = report["tables"][-1]
    return text + "\n" + markdown(table["columns"], table["rows"])


def table_of(reports, begin):
    """A table of the verb structs whose name begins like this."""
    table = next(table for table in reports["structs"]["tables"] if table["name"].startswith(begin))
    return markdown(table["columns"], table["rows"])


def structs_conditions(reports):
    report = reports["structs"]
    machine = report["machine"]
    facts = " ".join(report["facts"])
    quick = " Preliminary: `--quick`." if "--quick" in report["command"] else ""
    return (f"{machine['processor']}, {machine['cores']} cores; medians of {report['repetitions']} repetitions, load "
            f"{machine['load']:.1f}: `{command(report)}`. {facts}{quick}\n")


def structs_conclusions(reports):
    return table_of(reports, "The published conclusions")


def structs(reports):
    return table_of(reports, "Time of 1 000 000 structs")


def structs_threads(reports):
    return table_of(reports, "Two threads")


def structs_curve(reports):
    return table_of(reports, "Processor time by frequency")


def structs_processes(reports):
    report = reports["structs"]
    names = [name for name in rounds_of(report) if name.startswith("two processes")]
    rows = [[variant, *(cell for row in of_rounds
                        for cell in (per_thing(row), *(time_text(stages(row, (place,)) / row["things"])
                                                       for place in (0, 1))))]
            for variant, of_rounds in variants(report, *names)]
    titles = [title for name in names for title in (name.split(", ")[1] + ", a struct", "sender", "receiver")]
    return markdown(["", *titles], rows)


BLOCKS = {function.__name__: function
          for function in (answer, conditions, conclusions, cosim, fmus, replay, columns, size, python,
                           structs_conditions, structs_conclusions, structs,
                           structs_threads, structs_curve, structs_processes)}


#: The verb whose report a block needs, where that is not its name.
VERB_OF = {"answer": "all", "conditions": "cosim", "conclusions": "cosim", "fmus": "cosim"}
VERBS = ("cosim", "replay", "columns", "size", "all", "structs", "python")


def verb_of(block):
    return VERB_OF.get(block, block.split("_")[0])


def measure(build, folder, quick, repetitions, python, only):
    folder.mkdir(exist_ok=True)
    trace = folder / "lidar.osi"
    reflections = "8294" if quick else "829440"
    subprocess.run([build / "bin/osiconvert", "generate", trace, "--frames", "2", "--reflections", reflections,
                    "--overwrite", "--quiet"], check=True)
    verbs = {"cosim": [], "replay": [], "columns": [trace], "size": [trace], "all": [trace], "structs": []}
    if python:
        verbs["columns"] += ["--python", python]
        verbs["python"] = ["--python", python]
    for verb, words in verbs.items():
        if only not in (None, verb):
            continue
        print(f"osiplay bench {verb} ...", file=sys.stderr)
        (folder / f"{verb}.html").unlink(missing_ok=True)  # this folder is the script's own
        command = [build / "bin/osiplay", "bench", verb, *words, "--json", "--html", folder / f"{verb}.html",
                   *(["--quick"] if quick else []), *(["--repetitions", repetitions] if repetitions else [])]
        (folder / f"{verb}.json").write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    trace.unlink()


def put(folder, blocks):
    pages = {page: page.read_text(encoding="utf-8") for page in sorted(folder.glob("*.md"))}
    for name, content in blocks.items():
        begin, end = f"<!-- bench: {name} -->\n", "<!-- bench end -->"
        page = next((page for page, text in pages.items() if begin in text), None)
        if not page:
            sys.exit(f"bench_report: no page of {folder} has {begin}")
        before, after = pages[page].split(begin, 1)
        pages[page] = before + begin + content.rstrip("\n") + "\n" + after[after.index(end):]
    for page, text in pages.items():
        page.write_text(text, encoding="utf-8")


def show(report):
    for table in report["tables"]:
        print("\n" + table["name"] + "\n\n" + markdown(table["columns"], table["rows"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repetitions", metavar="N", help="instead of those of each verb")
    parser.add_argument("--docs", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("--debug", type=pathlib.Path)
    parser.add_argument("--python", help="with the packages of app/bench/opponents.txt")
    parser.add_argument("--only", metavar="VERB", choices=VERBS)
    parser.add_argument("--from", dest="source", type=pathlib.Path)
    parser.add_argument("--show", type=pathlib.Path)
    options = parser.parse_args()
    load = lambda file: json.loads(file.read_text(encoding="utf-8"))
    if options.show:
        return show(load(options.show))
    if not options.build and not options.source:
        parser.error("BUILD or --from is needed")
    folder = options.source or options.build / "bench-report"
    if not options.source:
        measure(options.build, folder, options.quick, options.repetitions, options.python,
                options.only)
    reports = {verb: load(folder / f"{verb}.json") for verb in VERBS
               if options.only in (None, verb) and (verb != "python" or (folder / f"{verb}.json").exists())}
    if options.debug:
        reports["debug"] = load(options.debug)
    blocks = {name: function(reports) for name, function in BLOCKS.items() if options.only in (None, verb_of(name))}
    if options.docs:
        return put(options.docs, blocks)
    for name, content in blocks.items():
        print(f"\n## {name}\n\n{content}")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"bench_report: {error}")
