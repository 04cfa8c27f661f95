# SPDX-License-Identifier: MPL-2.0
"""PySpark 3.5, which has no data sources: plain functions, and a job, by spark-submit in one session of its own."""

import json
import os
import subprocess
import sys

import pyarrow.parquet as pq
import pytest
from spark_sessions import environment_of

import ositrace
from ositrace import spark

pytestmark = pytest.mark.skipif(sys.version_info >= (3, 12), reason="PySpark 3.5 needs Python 3.11 or older")

SCRIPT = """
import json, runpy, sys
from pyspark.sql import SparkSession
import ositrace, ositrace.spark

path, out, *job = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
try:
    ositrace.spark.register(spark)
except RuntimeError as error:
    refused = str(error)

table = ositrace.spark.read(spark, path, columns=["id", "kind", "x"], max_partition_bytes=300_000)
rows = [row.asDict() for row in table.orderBy("frame", "id").collect()]

fields = {"x": "moving_object[*].base.position.x", "id": "moving_object[*].id"}
with ositrace.open(path) as trace:
    payloads = spark.createDataFrame([(bytes(frame.payload),) for frame in trace[:50]], "payload binary")
lists = [(row.id, row.x) for row in ositrace.spark.decode(payloads, "payload", "GroundTruth", fields).collect()]
found = {"version": spark.version, "refused": refused, "rows": rows, "lists": lists}
with open(out, "w") as file:
    json.dump(found | {"partitions": table.rdd.getNumPartitions()}, file)

sys.argv = job
runpy.run_path(job[0], run_name="__main__")  # as spark-submit runs it
"""


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    """What the script found, the folder of its job, and what was printed."""
    from conftest import trace

    folder = tmp_path_factory.mktemp("spark")
    environment = environment_of("spark-3.5") | {"SPARK_SUBMIT_OPTS": "-XX:TieredStopAtLevel=1 -Xmx1g"}
    settings = ["spark.ui.enabled=false", "spark.sql.shuffle.partitions=1"]
    submit = [f"{environment['SPARK_HOME']}/bin/spark-submit", "--master", "local[1]"]
    submit += [word for setting in settings for word in ("--conf", setting)]
    (folder / "script.py").write_text(SCRIPT)
    job = os.path.join(os.path.dirname(spark.__file__), "__main__.py")
    path = trace("highway_merge.osi")
    words = [path, folder / "out.json", job, "columns", path, folder / "objects", "--columns", "id,x", "--time", ":5"]
    done = subprocess.run([*submit, folder / "script.py", *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "out.json").read_text()), folder / "objects", done.stdout


def test_tables_and_payloads_by_map_in_arrow(submitted, ground_truth):
    found, *_ = submitted
    assert found["version"].startswith("3.5.")
    assert found["refused"].startswith("the data source needs PySpark 4.1 or newer (found 3.5.")
    assert found["partitions"] == 4
    table = ositrace.scan(ground_truth).objects(["frame", "time_ns", "time", "id", "kind", "x"]).to_arrow().to_pylist()
    (file_id,) = {row.pop("file_id") for row in found["rows"]}
    fixed = {"path": str(ground_truth), "_error": None}
    assert found["rows"] == [{key: row[key] for key in row if key != "file"} | fixed for row in table]
    with ositrace.open(ground_truth) as trace:
        fields = {"id": "moving_object[*].id", "x": "moving_object[*].base.position.x"}
        lists = trace.table(fields, rows="frames", time=(None, trace[50].time)).to_arrow().to_pylist()
    assert sorted(found["lists"], key=str) == sorted((list(row.values()) for row in lists), key=str)


def test_a_job_by_spark_submit(submitted, ground_truth):
    _, objects, printed = submitted
    rows = pq.read_table(objects).to_pylist()
    expected = ositrace.open(ground_truth).objects(["frame", "id", "x"], time=(None, 5)).to_arrow().to_pylist()
    assert [{name: row[name] for name in ("frame", "id", "x")} for row in rows] == expected
    size = sum(part.stat().st_size for part in objects.glob("part-*"))
    assert printed.splitlines()[-1] == f"1 file done, 0 complete before: {len(rows)} rows, {size} bytes"
