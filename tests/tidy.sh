#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Checks sources with the pinned clang-tidy and .clang-tidy: those that changed since a commit, or all.
# usage: tests/tidy.sh [--all | --since COMMIT] [--at-most FILES] [BUILD]
#   --all             every source, several together as the build compiles them
#   --since COMMIT    default: the commit where the branch left its upstream, or the one before the last
#   --at-most FILES   checks this many of the changed files (default: all of them)
#   BUILD             a configured build with the unpacked wheel of cmake/clang-tidy.txt (default: build/release)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

all= since= at_most=100000 build=build/release
while [ $# -gt 0 ]; do
    case $1 in
        --all) all=1 ;;
        --since) since=$2; shift ;;
        --at-most) at_most=$2; shift ;;
        *) build=$1 ;;
    esac
    shift
done

skip() { echo "skipped: $1"; exit 77; }
tidy=$build/clang-tidy/clang_tidy/data/bin/clang-tidy
[ -f "$tidy" ] || skip "$tidy is missing (configure the build with network access)"
[ -f "$build/compile_commands.json" ] || skip "$build/compile_commands.json is missing"
chmod +x "$tidy"  # CMake unpacks a wheel without the permission

if [ -z "$since" ]; then
    since=$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)
    if [ -z "$since" ] || [ "$since" = "$(git rev-parse HEAD)" ]; then since=HEAD~1; fi
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -n "$all" ]; then
    changed=
else
    git rev-parse --quiet --verify "$since^{commit}" >/dev/null || skip "this clone has no commit $since"
    changed=$(git diff --name-only --diff-filter=d "$since" -- \
        'formats/*.cpp' 'lib/*.cpp' 'app/*.cpp' 'gui/*.cpp' 'python/*.cpp')
    echo "$(wc -w <<<"$changed") sources changed since $(git rev-parse --short "$since"); at most $at_most are checked."
fi

# Writes the commands of the build without its compiler cache, and the files to check. A changed file that the build
# compiles together with others gets a command of its own.
python3 - "$build/compile_commands.json" "$PWD" "$work" "$at_most" "${all:-0}" $changed <<'PYTHON'
import json
import pathlib
import re
import sys

commands, root, work, at_most, check_all, *changed = sys.argv[1:]
unity = pathlib.Path(commands).resolve().parent / "unity"
entries, files = [], []
for entry in json.loads(pathlib.Path(commands).read_text()):
    entry["command"] = re.sub(r"^\S*ccache ", "", entry["command"])
    sources = [entry["file"]]
    if pathlib.Path(entry["file"]).is_relative_to(unity):
        sources = [f"{root}/{name}" for name in re.findall('#include "(.*)"', pathlib.Path(entry["file"]).read_text())]
    if check_all == "1":
        if any(re.match(rf"{re.escape(root)}/(formats|lib|app|gui|python)/", source) for source in sources):
            entries.append(entry)
            files.append(entry["file"])
        continue
    for source in sources:
        if source.startswith(f"{root}/") and source[len(root) + 1:] in changed and source not in files:
            entries.append(entry | {"file": source, "command": entry["command"].replace(entry["file"], source)})
            files.append(source)
work = pathlib.Path(work)
(work / "compile_commands.json").write_text(json.dumps(entries))
(work / "files").write_text("".join(f"{file}\0" for file in files[:int(at_most)]))
PYTHON

xargs -0 -r -n 1 -P "$(nproc)" "$tidy" --quiet --config-file=.clang-tidy -p "$work" \
    --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wshadow \
    <"$work/files" 2>"$work/log" || { grep -v 'warnings\? generated' "$work/log" >&2; exit 1; }
echo "$(tr -cd '\0' <"$work/files" | wc -c) checked, no findings."
