# SPDX-License-Identifier: MPL-2.0
"""Sessions of Spark for tests, of which each process has at most one at a time, and a cluster; JVMs of 1 GiB."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading

import fetched
import pytest


def environment_of(name):
    """The environment of a process with a PySpark; a test without it is skipped."""
    try:
        fetched.java()
        folder = fetched.folder(name)
    except fetched.Missing as missing:
        pytest.skip(str(missing))
    paths = [str(folder), *(path for path in sys.path if path and path != str(fetched.folder_of("spark")))]
    return os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "SPARK_HOME": str(folder / "pyspark"),
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }


def add_spark():
    """PySpark can be imported in this process."""
    os.environ.update(environment_of("spark"))
    if str(fetched.folder_of("spark")) not in sys.path:
        sys.path.append(str(fetched.folder_of("spark")))


def java_options():
    """Of a short life: compiling well would take longer than what it saves, and classes are mapped."""
    classes = fetched.folder_of("spark") / fetched.CLASSES
    mapped = f" -XX:SharedArchiveFile={classes} -Xlog:cds=off -Xlog:cds+dynamic=off" if classes.exists() else ""
    return f"-XX:TieredStopAtLevel=1 -XX:+UseSerialGC{mapped}"


@contextlib.contextmanager
def session(master, **settings):
    """A session that ends with the block."""
    add_spark()
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master).config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "1g").config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "2")
    for process in ("driver", "executor"):
        builder = builder.config(f"spark.{process}.extraJavaOptions", java_options())
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


class Cluster:
    """A master and workers of one core each, on this machine. A context manager."""

    def __init__(self, folder, workers=2):
        self._folder = folder
        self._workers = workers
        self._processes = []

    def __enter__(self):
        add_spark()
        try:
            master = self._start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
            self.url = self._line(master, r"Starting Spark master at (\S+)")
            workers = []
            for i in range(self._workers):
                options = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", self._folder / str(i)]
                workers.append(self._start("worker.Worker", "--host", "127.0.0.1", *options, self.url))
            for worker in workers:
                self._line(worker, r"Successfully registered with master (\S+)")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self._processes:
            for descendant in [*descendants(process.pid), process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(descendant, signal.SIGKILL)
            process.wait()
            process.stdout.close()

    def executors(self):
        """The processes that run tasks."""
        found = [pid for process in self._processes for pid in descendants(process.pid)]
        return [pid for pid in found if "CoarseGrainedExecutorBackend" in command_of(pid)]

    def _start(self, name, *arguments):
        environment = os.environ | {
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": java_options(),
        }
        command = [f"{os.environ['SPARK_HOME']}/bin/spark-class", f"org.apache.spark.deploy.{name}", *arguments]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._processes.append(process)
        return process

    def _line(self, process, pattern):
        """Waits for a line of the log; what follows it is read and forgotten."""
        seen = []
        for line in process.stdout:
            seen.append(line)
            if match := re.search(pattern, line):
                threading.Thread(target=process.stdout.read, daemon=True).start()
                return match[1]
        raise AssertionError("".join(seen))


def descendants(pid):
    """Child processes, and theirs."""
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children") as children:
                for child in map(int, children.read().split()):
                    yield child
                    yield from descendants(child)


def command_of(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline") as file:
        return file.read().replace("\0", " ")
    return ""
