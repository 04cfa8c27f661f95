#!/usr/bin/env python3
# SPDX-License-Identifier: MPL-2.0
"""The types in the comments of the player's modules agree, as TypeScript's compiler says.

usage: types.py SOURCE
"""

import subprocess
import sys
from pathlib import Path

SOURCE = Path(sys.argv[1])
sys.path.insert(0, str(SOURCE / "tests" / "python"))
import fetched  # noqa: E402

try:
    fetched.fetch("typescript")
    compiler = fetched.folder("typescript") / "node_modules" / "typescript" / "bin" / "tsc"
except fetched.Missing as why:
    print(f"skipped: {why}")
    sys.exit(77)
options = "--allowJs --checkJs --noEmit --strict --target es2022 --module es2022 --moduleResolution bundler"
command = ["node", compiler, *options.split(), "--lib", "es2024,dom,dom.iterable"]
sys.exit(subprocess.run([*command, *sorted((SOURCE / "lib" / "web_page" / "player").glob("*.js"))]).returncode)
