# SPDX-License-Identifier: MPL-2.0
"""Checks a wheel that `pip wheel python/` built, and gives it the platform tag that it may have.

usage: check_wheel.py WHEEL [--tag]

Every program and library in it may need only the versions of the system's libraries that PEP 600 allows for TAG, from
libraries that every system has; osiview also needs those of Qt, where PyQt6-Qt6 puts them. With `--tag` the wheel is renamed. Needs readelf (binutils); for
`--tag` the package `wheel`, and where the package `abi3audit` is installed it checks the module, too.

manylinux_2_28 (RHEL 8) cannot be had on Debian 12: threads, dlopen() and stat() have versions of glibc 2.33 and 2.34, and
the module needs std::to_chars() of GLIBCXX_3.4.29, where it may not have a libstdc++ of its own beside that of nanobind's
backend. A build in RHEL 8 with its gcc-toolset links the newer parts of libstdc++ statically and is not kept from it.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

TAG = "manylinux_2_34_x86_64"
NEWEST = {"GLIBC": (2, 34), "GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (11, 0)}
#: Of PEP 600's list, those that we need.
OF_THE_SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6"}
LOADER = "ld-linux-x86-64.so.2"
MOST_BYTES = 20_000_000
PROGRAMS = ("osiconvert", "osiplay", "osiview", "ositrace-fmu-host")
#: Of PyQt6-Qt6, which the extra `viewer` installs, for osiview alone.
OF_QT = {f"libQt6{name}.so.6" for name in ("Core", "Gui", "OpenGL", "OpenGLWidgets", "Widgets")}
QT_PATH = "$ORIGIN/../../PyQt6/Qt6/lib"


def output_of(*command):
    return subprocess.run([*map(str, command)], check=True, capture_output=True, text=True).stdout


def problems_of(binary, name):
    """What keeps a program or library from running elsewhere."""
    dynamic = output_of("readelf", "--wide", "--dynamic", binary)
    for library in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if library not in OF_THE_SYSTEM | {LOADER} | (OF_QT if name.name == "osiview" else set()):
            yield f"{name} needs {library}"
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", dynamic)
    if any(not path.startswith("$ORIGIN") for each in paths for path in each.split(":")):
        yield f"{name} looks for libraries in {paths}"
    if name.name == "osiview" and not any(QT_PATH in path.split(":") for path in paths):
        yield f"{name} does not look for Qt in {QT_PATH}"
    versions = output_of("readelf", "--wide", "--version-info", binary)
    needed = versions.partition("Version needs section")[2]
    for kind, number in sorted(set(re.findall(r"Name: ([A-Z]+)_([0-9.]+)", needed))):
        if kind in NEWEST and tuple(map(int, number.split("."))) > NEWEST[kind]:
            yield f"{name} needs {kind}_{number}, {TAG} has {'.'.join(map(str, NEWEST[kind]))}"


def problems_of_wheel(wheel):
    size = wheel.stat().st_size
    if size > MOST_BYTES:
        yield f"has {size} bytes, at most {MOST_BYTES} are good"
    if "-cp310-abi3-" not in wheel.name:
        yield "is not for the stable ABI (cp310-abi3)"
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        for name in ("LICENSE", "third_party.txt"):
            if not any(path.match(f"*.dist-info/licenses/{name}") for path in files):
                yield f"has no {name} in its metadata"
        metadata = next(Path(folder).glob("*.dist-info/METADATA")).read_text()
        for field in ("Author: ", "License-Expression: ", "Keywords: ", "Project-URL: Homepage", "Provides-Extra: viewer"):
            if f"\n{field}" not in metadata:
                yield f"has no {field.strip(': ')} in its metadata"
        for program in PROGRAMS:
            if not (Path(folder) / "ositrace" / "bin" / program).exists():
                yield f"has no {program}"
        for path in files:
            if path.open("rb").read(4) == b"\x7fELF":
                yield from problems_of(path, path.relative_to(folder))
        print(f"{wheel.name}: {size} bytes")


def audit(wheel):
    """The module uses the stable ABI only."""
    if importlib.util.find_spec("abi3audit") is None:
        print("abi3audit is not installed")
        return True
    return subprocess.run([sys.executable, "-m", "abi3audit", "--strict", str(wheel)], check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--tag", action="store_true", help=f"rename it to {TAG}")
    arguments = parser.parse_args()
    problems = list(problems_of_wheel(arguments.wheel))
    for problem in problems:
        print(f"{arguments.wheel.name}: {problem}", file=sys.stderr)
    if not audit(arguments.wheel) or problems:
        return 1
    if arguments.tag:
        command = [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", TAG, str(arguments.wheel)]
        return subprocess.run(command, check=False).returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
