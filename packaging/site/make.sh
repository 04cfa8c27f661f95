#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Builds the site of docs/ into build/site: fails if a link or an anchor leads nowhere, or a page asks another server for
# something. Needs the programs of the preset `release`, and PyPI once.
# usage: packaging/site/make.sh [--pin]     --pin writes the pins with hashes, packaging/site/requirements.txt, of requirements.in
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
environment=build/site-environment
bin=${OSITRACE_BIN:-$PWD/build/release/bin}

if [ "${1-}" = --pin ]; then
    python3 - <<'PYTHON'
import json
import subprocess
import sys

command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--only-binary", ":all:",
           "--report", "-", "-r", "packaging/site/requirements.in"]
report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
with open("packaging/site/requirements.txt", "w") as pins:
    pins.write("# Of packaging/site/requirements.in, by packaging/site/make.sh --pin.\n")
    for one in sorted(report["install"], key=lambda one: one["metadata"]["name"].lower()):
        meta, file = one["metadata"], one["download_info"]["archive_info"]["hashes"]
        pins.write(f"{meta['name']}=={meta['version']} --hash=sha256:{file['sha256']}\n")
PYTHON
    exit
fi

if ! cmp -s packaging/site/requirements.txt "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment"
    "$environment/bin/pip" install --quiet --no-deps --require-hashes -r packaging/site/requirements.txt
    cp packaging/site/requirements.txt "$environment"
fi
"$environment/bin/python" packaging/site/prepare.py build/site-source "$bin"
NO_MKDOCS_2_WARNING=1 "$environment/bin/mkdocs" build --quiet --strict --config-file packaging/site/mkdocs.yml
# Scripts, styles, pictures and fonts are all here: only links that a reader follows lead elsewhere.
python3 - <<'PYTHON'
import re
import sys
from pathlib import Path

asked = set()
for page in Path("build/site").rglob("*.html"):
    for tag in re.findall(r"<(?:script|img|link|iframe|source|video)\b[^>]*>", page.read_text()):
        if re.search(r"(?:src|href)=[\"']?(?:https?:)?//", tag) and "rel=canonical" not in tag and 'rel="canonical"' not in tag:
            asked.add(tag)
for style in Path("build/site").rglob("*.css"):
    asked.update(re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//[^)\"']*", style.read_text()))
for one in sorted(asked):
    print("a page would ask another server:", one, file=sys.stderr)
print(f"{len(list(Path('build/site').rglob('*.html')))} pages in build/site")
sys.exit(bool(asked))
PYTHON
