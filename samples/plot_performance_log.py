#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Box plots of the stage times in performance logs, written by `osiplay --log`, our FMUs or any other program.

usage: plot_performance_log.py LOG.json... [-o PLOT.png] [--text]

A source has two stages, generate and serialize; a model three: deserialize, calculate, serialize. Models are side by
side, with a box per stage: quartiles, the median, whiskers to 1.5 times the distance of the quartiles. --text prints
the medians instead and needs no matplotlib.
"""
import argparse
import decimal
import json
import pathlib
import statistics
import sys

# The stage between two consecutive events, by the names in the header of the log.
STAGES = {
    ("StartSourceCalc", "StartOSISerialize"): "generate",
    ("StartOSISerialize", "StopOSISerialize"): "serialize",
    ("StartOSIDeserialize", "StopOSIDeserialize"): "deserialize",
    ("StopOSIDeserialize", "StartOSISerialize"): "calculate",
}
ORDER = ["generate", "deserialize", "calculate", "serialize"]


def read_log(path):
    """{model: {stage: [milliseconds]}} of one file."""
    # A double resolves a quarter of a microsecond in times since 1970, so the digits are kept.
    log = json.loads(pathlib.Path(path).read_text(encoding="utf-8"), parse_float=decimal.Decimal)
    header = log["Header"]
    column = {name: place for place, name in enumerate(header["EventFields"])}
    models = {}
    for entry in log["Data"]:
        stages = models.setdefault(entry["Instance"]["ModelIdentity"], {})
        before = None
        for event in entry["OsiEvents"]:
            name, time = header["EventTypes"][event[column["EventId"]]], event[column["GlobalTime"]]
            stage = STAGES.get((before[0], name)) if before else None
            if stage:
                stages.setdefault(stage, []).append(float(time - before[1]) * 1e3)
            before = (name, time)
    return models


def read_logs(paths):
    """[(model, {stage: [milliseconds]})]; models of the same name in several files are distinguished by the file."""
    logs = [(pathlib.Path(path).stem, read_log(path)) for path in paths]
    names = [name for _, models in logs for name in models]
    return [(f"{name} ({stem})" if names.count(name) > 1 else name, stages) for stem, models in logs
            for name, stages in models.items() if stages]


def print_medians(models):
    for name, stages in models:
        total = sum(statistics.median(times) for times in stages.values())
        print(f"{name}: {total:.3f} ms a step, {max(map(len, stages.values()))} steps")
        for stage in filter(stages.get, ORDER):
            times = sorted(stages[stage])
            print(f"  {stage:12} median {statistics.median(times):.3f} ms, {times[0]:.3f} .. {times[-1]:.3f} ms")


def plot(models, output):
    import matplotlib

    matplotlib.use("Agg")  # no display is needed
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(models), figsize=(1.2 + 2.6 * len(models), 4.2), sharey=True, squeeze=False,
                                   layout="constrained")
    for axis, (name, stages) in zip(axes[0], models):
        shown = [stage for stage in ORDER if stage in stages]
        axis.boxplot([stages[stage] for stage in shown], widths=0.5, flierprops={"markersize": 3})
        axis.set_xticks(range(1, len(shown) + 1), shown)
        axis.set_title(name, fontsize="medium")
        axis.grid(axis="y", alpha=0.3)
        axis.set_ylim(bottom=0)
    axes[0][0].set_ylabel("time in ms")
    figure.savefig(output, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", metavar="LOG.json")
    parser.add_argument("-o", "--output", default="performance.png",
                        help="PNG, SVG or PDF, by its name; default performance.png")
    parser.add_argument("--text", action="store_true", help="print the medians instead")
    options = parser.parse_args()
    try:
        models = read_logs(options.logs)
    except (OSError, ValueError, KeyError, IndexError) as error:
        sys.exit(f"plot_performance_log: not a performance log: {error}")
    if not models:
        sys.exit("plot_performance_log: no stage in these logs")
    if options.text:
        return print_medians(models)
    try:
        plot(models, options.output)
    except ImportError:
        sys.exit("plot_performance_log: matplotlib is missing (python3-matplotlib); --text needs none")


if __name__ == "__main__":
    main()
