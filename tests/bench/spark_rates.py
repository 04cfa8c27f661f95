#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Rows per second through Spark: a local session with two threads, and a cluster of one master and two workers.

usage: spark_rates.py PACKAGE_FOLDER WHEELS_FOLDER highway_merge.osi [--folder SCRATCH]

PACKAGE_FOLDER is build/release/python, WHEELS_FOLDER build/release/python-tests; Spark is that of fetched.py.
hw50 is 20 files of 54 MB (links to one), small are 200 of 1.1 MB. Of three queries the second and the third count; the
better one is printed, with the processor time of all processes. "The limit" is a source that gives Spark the same
record batches, in the same partitions, out of mapped Arrow files: what is left when reading traces costs nothing.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

COLUMNS = ["id", "x", "y", "vx", "vy", "speed"]
FACTS = ["frame", "time_ns", "time"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("wheels")
    parser.add_argument("trace", type=Path)
    parser.add_argument("--folder", type=Path, help="for 1.4 GB of traces, instead of a temporary one")
    return parser.parse_args()


def make_lake(trace, folder):
    """Rows of each part of the lake."""
    small, large = folder / "small", folder / "hw50"
    for part in (small, large):
        part.mkdir(parents=True, exist_ok=True)
    data = trace.read_bytes()
    for i in range(200):
        (small / f"{i:03}.osi").write_bytes(data)
    (large / "00.osi").write_bytes(data * 50)
    for i in range(1, 20):
        (large / f"{i:02}.osi").unlink(missing_ok=True)
        os.link(large / "00.osi", large / f"{i:02}.osi")
    import ositrace

    rows = sum(len(batch) for batch in ositrace.open(trace).objects(["id"]).batches())
    return {large: 20 * 50 * rows, small: 200 * rows}


def scanned(files):
    import ositrace

    return sum(len(batch) for batch in ositrace.scan(files, threads=1).objects([*FACTS, *COLUMNS]).batches())


def processor_seconds():
    """Of this process and all below it, those that ended included."""
    from spark_sessions import descendants

    total = 0
    for pid in (os.getpid(), *descendants(os.getpid())):
        try:
            fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
        except OSError:
            continue
        total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def measure(where, what, rows, work):
    best = None
    for i in range(3):
        before, start = processor_seconds(), time.perf_counter()
        work()
        taken = (time.perf_counter() - start, processor_seconds() - before)
        if i and (best is None or taken < best):
            best = taken
    wall, used = best
    print(f"| {where} | {what} | {wall:.2f} s | {used:.2f} s | {rows / wall / 1e6:.2f} M rows/s |", flush=True)


def prepared_batches(reader, folder):
    """Each partition of a reader as an Arrow file."""
    import pyarrow as pa

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for number, partition in enumerate(reader.partitions()):
        batches = [pa.record_batch(batch) for batch in reader.read(partition)]
        with pa.ipc.new_file(folder / f"{number:04}.arrow", batches[0].schema) as file:
            for batch in batches:
                file.write_batch(batch)


def source_of_batches():
    """The class of a source that reads what prepared_batches() wrote; without a module, so that Spark pickles it."""
    from pyspark.sql import datasource as api

    class Reader(api.DataSourceReader):
        def __init__(self, folder):
            self.folder = folder

        def partitions(self):
            from pathlib import Path

            return [api.InputPartition(str(file)) for file in sorted(Path(self.folder).iterdir())]

        def read(self, partition):
            import pyarrow as pa

            file = pa.ipc.open_file(pa.memory_map(partition.value))
            for number in range(file.num_record_batches):
                yield file.get_batch(number)

    class Source(api.DataSource):
        @classmethod
        def name(cls):
            return "batches"

        def schema(self):
            return self.options["ddl"]

        def reader(self, schema):
            return Reader(self.options["path"])

    return Source


def queries(spark, where, lake, out):
    import ositrace.spark
    from ositrace.spark._source import source_of

    ositrace.spark.register(spark)
    spark.dataSource.register(source_of_batches())
    source = source_of(2)
    for folder, rows in lake.items():
        frame = spark.read.format("ositrace").option("columns", ",".join(COLUMNS)).load(str(folder))
        made = source({"columns": ",".join(COLUMNS), "path": str(folder)})
        prepared_batches(made.reader(None), out.with_name("batches"))
        limit = spark.read.format("batches").option("ddl", made.schema()).load(str(out.with_name("batches")))

        def job():
            shutil.rmtree(out, ignore_errors=True)
            ositrace.spark.columns(spark, folder, out, columns=COLUMNS)

        noop = lambda: frame.write.format("noop").mode("overwrite").save()  # noqa: E731
        parquet = lambda: frame.write.mode("overwrite").parquet(str(out))  # noqa: E731
        numbers = [name for name, type in frame.dtypes if type in ("double", "bigint")]
        plain = frame.write.options(**{f"parquet.enable.dictionary#{name}": "false" for name in numbers})
        measure(where, f"{folder.name}, noop", rows, noop)
        measure(where, f"{folder.name}, noop, the limit", rows, limit.write.format("noop").mode("overwrite").save)
        measure(where, f"{folder.name}, `df.write.parquet`", rows, parquet)
        without_dictionaries = lambda: plain.mode("overwrite").parquet(str(out))  # noqa: E731
        measure(where, f"{folder.name}, the same, no dictionaries of numbers", rows, without_dictionaries)
        shutil.rmtree(out, ignore_errors=True)
        measure(where, f"{folder.name}, job `columns`", rows, job)


def main():
    options = arguments()
    tests = Path(__file__).resolve().parents[1] / "python"
    sys.path[:0] = [os.path.abspath(options.package), os.path.abspath(options.wheels), str(tests)]
    from spark_sessions import Cluster, session

    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        lake = make_lake(options.trace, folder)
        print("| where | what | wall | processor | |\n|---|---|---|---|---|")
        with ProcessPoolExecutor(2) as pool:
            for part, rows in lake.items():
                files = sorted(map(str, part.iterdir()))
                halves = [files[: len(files) // 2], files[len(files) // 2 :]]
                measure("two processes", f"{part.name}, `scan()`", rows, lambda: sum(pool.map(scanned, halves)))
        compile_well = {"spark_driver_extraJavaOptions": "-XX:+UseParallelGC"}
        with session("local[2]", **compile_well) as spark:
            queries(spark, "local[2]", lake, folder / "out")
        workers = {"spark_executor_memory": "512m", "spark_executor_extraJavaOptions": "-XX:+UseParallelGC"}
        with Cluster(folder / "workers") as cluster, session(cluster.url, **compile_well, **workers) as spark:
            queries(spark, "two workers", lake, folder / "out")


if __name__ == "__main__":
    main()
