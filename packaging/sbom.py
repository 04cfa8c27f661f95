# SPDX-License-Identifier: MPL-2.0
"""Writes what a release contains, as CycloneDX 1.6.

usage: sbom.py VERSION OUTPUT

Versions are those of the packages that the release is built with here: Debian's by dpkg-query, PyPI's by the pins of
cmake/ and packaging/. `scope` is `required` for what is inside, `optional` for what the user installs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import uuid
from datetime import datetime, timezone
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]

#: Debian package, licence, where it is.
OF_DEBIAN = (
    ("libzstd-dev", "BSD-3-Clause", "all programs, the module and the FMUs"),
    ("liblz4-dev", "BSD-2-Clause", "all programs, the module and the FMUs"),
    ("zlib1g-dev", "Zlib", "all programs, the module and the FMUs"),
    ("liblzma-dev", "0BSD", "all programs, the module and the FMUs"),
    ("libprotobuf-dev", "BSD-3-Clause", "osiconvert, osiplay, osiview"),
    ("libpugixml-dev", "MIT", "osiplay, osiview"),
    ("libcli11-dev", "BSD-3-Clause", "osiconvert, osiplay"),
    ("libboost-dev", "BSL-1.0", "osiplay, osiview: headers"),
    ("nlohmann-json3-dev", "MIT", "osiplay, osiview: headers"),
    ("qt6-base-dev", "LGPL-3.0-only", "Qt, in the archive for Windows"),
    ("libzmq3-dev", "LGPL-3.0-or-later", "osiplay.exe, osiview.exe"),
    ("fonts-dejavu-core", "Bitstream-Vera", "fonts, in the archive for Windows"),
)
#: Pins, package, licence, where it is, scope.
OF_PYPI = (
    ("cmake/osi-python.txt", "osi-python", "MPL-2.0", "the OSI schema, as data, in everything", "required"),
    ("cmake/fmpy.txt", "fmpy", "BSD-2-Clause", "the FMI headers, in the FMUs and ositrace-fmu-host", "required"),
    ("cmake/nanobind.txt", "nanobind", "BSD-3-Clause", "the module of the wheel: headers", "required"),
    ("cmake/nanobind.txt", "nanobind-backend", "BSD-3-Clause", "what the wheel needs from PyPI", "optional"),
    ("packaging/qt.txt", "PyQt6-Qt6", "LGPL-3.0-only", "Qt, in the archive; of the wheel the extra 'viewer'", "required"),
)


def component(kind, name, version, licence, purl, where, scope):
    return {
        "type": kind,
        "bom-ref": purl,
        "name": name,
        "version": version,
        "description": where,
        "scope": scope,
        "licenses": [{"license": {"id": licence}}],
        "purl": purl,
    }


def of_debian():
    for package, licence, where in OF_DEBIAN:
        version = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", package], check=True, capture_output=True, text=True
        ).stdout
        purl = f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace(':', '%3A')}?arch=amd64"
        yield component("library", package, version, licence, purl, where, "required")


def of_pypi():
    for pins, package, licence, where, scope in OF_PYPI:
        version = re.search(rf"^{package}==(\S+)", (SOURCE / pins).read_text(), re.MULTILINE)[1]
        yield component("library", package, version, licence, f"pkg:pypi/{package.lower()}@{version}", where, scope)


def main():
    version, output = sys.argv[1:]
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH") or datetime.now(timezone.utc).timestamp())
    product = f"pkg:generic/ositrace@{version}"
    components = [*of_debian(), *of_pypi()]
    sbom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{product}-{seconds}')}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": product,
                "name": "ositrace",
                "version": version,
                "licenses": [{"license": {"id": "MPL-2.0"}}],
                "purl": product,
            },
        },
        "components": components,
        "dependencies": [{"ref": product, "dependsOn": [one["bom-ref"] for one in components]}],
    }
    Path(output).write_text(json.dumps(sbom, indent=2) + "\n")


if __name__ == "__main__":
    main()
