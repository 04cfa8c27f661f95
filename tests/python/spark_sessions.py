# SPDX-License-Identifier: MPL-2.0
"""Sessions of Spark for tests, of which each process has at most one at a time: a JVM of 1 GiB."""

import contextlib
import os
import sys

import fetched
import pytest


def add_spark(name="spark"):
    """PySpark can be imported, by its workers, too; a test without it is skipped."""
    try:
        fetched.java()
        folder = fetched.folder(name)
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    os.environ["SPARK_HOME"] = str(folder / "pyspark")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


@contextlib.contextmanager
def session(master, **settings):
    """A session that ends with the block."""
    add_spark()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "1g").config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2")
    # A short life: compiling well would take longer than what it saves.
    builder = builder.config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    for name, value in settings.items():
        builder = builder.config(name.replace("_", "."), value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")  # a test looks at what is raised
    yield spark
    spark.stop()


def message_of(error):
    """The last line that Python wrote into an error of Spark."""
    lines = [line for line in str(error).splitlines() if line and not line.startswith((" ", "\t", "JVM"))]
    return lines[-1]
