# SPDX-License-Identifier: MPL-2.0
"""Builds the wheel for pip: scikit-build-core, with two additions.

Where the preset `release` is built (`build/release`, or the folder that OSITRACE_BUILD_TREE names; an empty one means
none), the wheel is made of its objects, in seconds. Where a build fails because packages of the system are missing, the
last line names them.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from scikit_build_core import build as _build
from scikit_build_core.build import *  # noqa: F403  what pip calls and is not below

_SOURCE = Path(__file__).resolve().parents[1]


def _build_tree() -> Path | None:
    """A build of the preset release that can make wheels."""
    given = os.environ.get("OSITRACE_BUILD_TREE")
    if given == "":
        return None
    tree = Path(given) if given else _SOURCE / "build/release"
    try:
        cache = (tree / "CMakeCache.txt").read_text()
    except OSError:
        if given:
            raise SystemExit(f"OSITRACE_BUILD_TREE={given}: there is no build") from None
        return None
    wanted = ("CMAKE_BUILD_TYPE:STRING=Release", "OSITRACE_SANITIZE:STRING=\n", "OSITRACE_PYTHON_PACKAGE:")
    return tree.resolve() if all(text in cache for text in wanted) and (tree / "wheel/qt.conf").exists() else None


def _missing_packages() -> str:
    """The line that installs them, on Debian; empty: none, or another system."""
    script = _SOURCE / "cmake/debian_packages.sh"
    ended = subprocess.run(["sh", str(script), "--check", "wheel"], capture_output=True, text=True, check=False)
    return ended.stderr.strip() if ended.returncode == 1 else ""


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    settings = dict(config_settings or {})
    if tree := _build_tree():
        print(f"The wheel is made of the objects in {tree}.", flush=True)
        settings.update(
            {
                "cmake.source-dir": "from_build_tree",
                "cmake.define.OSITRACE_BUILD_TREE": str(tree),
                "build-dir": str(tree / "wheel/pip"),
            }
        )
    try:
        return _build.build_wheel(wheel_directory, settings, metadata_directory)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) or not (missing := _missing_packages()):
            raise
        raise SystemExit(f"\nThe wheel cannot be built. {missing}") from None
