# SPDX-License-Identifier: MPL-2.0
"""Jobs over a lake: `python -m ositrace.spark JOB SRC... DST`, or the same with this file and `spark-submit`.

Exit code: 0 success, 1 a file or the job failed, 2 invalid usage, 3 completed; added rows report damage.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

from ositrace import Error
from ositrace._rows import counted, optional_package

# By full names: spark-submit runs this file as a script.
from ositrace.spark import Report, catalog, check, columns, convert
from ositrace.spark._texts import fields_of, names_of, times_of

EXAMPLES = """exit codes: 0 success, 1 a file or the job failed, 2 invalid usage, 3 completed; added rows report damage

examples:
  python -m ositrace.spark convert lake/ lake-mcap/ --compression zstd
  python -m ositrace.spark check lake/ findings/ --master spark://head:7077
  python -m ositrace.spark columns lake/ objects/ --columns id,x,y,speed
"""

NO_JAVA = (
    "Spark cannot start Java, of which it needs version 17 or newer: install default-jre-headless (Debian, Ubuntu) or "
    "java-21-openjdk-headless (RHEL, Fedora), or set JAVA_HOME"
)


def main(words: Sequence[str] | None = None) -> int:
    """A job as its words say, without them as the command line does."""
    arguments = parsed(words)
    try:
        spark = session(f"ositrace {arguments.job}", arguments.master)
    except ImportError as error:
        print(f"ositrace.spark: {error}", file=sys.stderr)
        return 1
    except RuntimeError as error:
        if "JAVA_GATEWAY_EXITED" not in str(error):
            raise
        print(f"ositrace.spark: {NO_JAVA}", file=sys.stderr)
        return 1
    spark.sparkContext.setLogLevel("ERROR")
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    for name in ("job", "run", "master"):
        given.pop(name, None)
    try:
        report = arguments.run(spark, given.pop("src"), given.pop("dst"), **given)
    except (Error, ValueError) as error:
        print(f"ositrace.spark: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        if error.filename is None:
            raise
        print(f"ositrace.spark: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    finally:
        spark.stop()
    for note in report.notes:
        print(note, file=sys.stderr)
    for failure in report.failures:
        print(failure.error, file=sys.stderr)
    failed = f", {len(report.failures)} failed" if report.failures else ""
    damage = f", {report.damage} of them with damage" if report.damage else ""
    did = f"{counted(report.files, 'file')} done, {report.complete} complete before{failed}"
    print(f"{did}: {counted(report.rows, 'row')}{damage}, {counted(report.bytes, 'byte')}")
    if report.failures:
        return 1
    return 3 if report.damage else 0


def session(name: str, master: str | None) -> Any:
    """The session of the job, which is begun where there is none."""
    builder = optional_package("pyspark.sql", "a job").SparkSession.builder.appName(name)
    return (builder.master(master) if master else builder).getOrCreate()


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m ositrace.spark", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    jobs = parser.add_subparsers(dest="job", required=True)

    def job(run: Callable[..., Report], text: str) -> argparse.ArgumentParser:
        one = jobs.add_parser(run.__name__, help=text, description=text)
        one.set_defaults(run=run)
        one.add_argument("src", nargs="+", help="files, folders, patterns in quotes")
        one.add_argument("dst", help="folder for the results; for catalog, a .parquet or .jsonl file")
        one.add_argument(
            "--master", help="Spark master, such as local[4] or spark://HOST:7077 (default: that of spark-submit)"
        )
        return one

    one = job(convert, "convert each file")
    one.add_argument("--to", help="container: mcap, osi, osifb (default mcap)")
    one.add_argument("--compression", help="compression of MCAP chunks: none, lz4, zstd")
    one.add_argument("--level", type=int, help="compression level")
    one.add_argument("--skip-bad-frames", action="store_true", default=None, help="leave out what is damaged")
    one = job(check, "check each file into a table of findings")
    one.add_argument("--disable", action="append", metavar="ID", help="a rule that is not checked; may be repeated")
    one.add_argument("--findings", type=int, help="findings listed per id and file (default 10)")
    one = job(columns, "write columns of each file as Parquet")
    one.add_argument("--table", help="objects, lanes, traffic_lights, traffic_signs, reflections, detections")
    one.add_argument("--columns", type=names_of, help="columns of the table, separated by commas")
    one.add_argument("--fields", type=fields_of, metavar="NAME=PATH,...", help="any fields, instead of a table")
    one.add_argument("--rows-per", help="object or frame")
    one.add_argument("--time", type=times_of, metavar="START:STOP", help="seconds")
    one.add_argument("--topics", type=names_of, help="topics, separated by commas")
    one.add_argument("--type", help="message type: GroundTruth or gt")
    one.add_argument("--errors", help="raise, skip (default) or salvage")
    one.add_argument("--map", metavar="FILE", help="OpenDRIVE map of all files, for --lane-frame")
    one.add_argument("--lane-frame", action="store_true", default=None, help="lane coordinates of objects")
    one = job(catalog, "list what the files contain, into a .parquet or .jsonl file")
    one.add_argument("--check", action="store_true", default=None, help="count findings, which reads every file")
    return parser.parse_args(words)


if __name__ == "__main__":
    sys.exit(main())
