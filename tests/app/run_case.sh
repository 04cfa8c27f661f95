#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Runs one command-line case and compares every byte of the output.
# usage: run_case.sh [--update] PROGRAM CASE [TRACES]
#
# A case is a text file of sections. Default for sections that are left out: empty output, exit code 0, any files.
#     # The purpose of the case.
#     --- needs traces              skip if the folder of real traces is absent
#     --- no sanitizer REGEX        skip if the program is built with such a sanitizer ($OSITRACE_SANITIZE)
#     --- command                   run by bash in an empty folder; $TRACES and $BROKEN are folders of inputs
#     --- stdout
#     --- stderr
#     --- exit 1
#     --- files                     every file there afterwards, sorted
# --update writes the actual output into the case.
set -uo pipefail

update=
if [ "$1" = --update ]; then update=1; shift; fi
program=$1 case=$(realpath "$2") traces=$(realpath -m "${3:-/nowhere}")
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
skipped=77

if grep -q '^--- needs traces$' "$case" && [ ! -d "$traces" ]; then
    echo "skipped: no folder of real traces at '$traces'"
    exit $skipped
fi

unfit=$(sed -n 's/^--- no sanitizer //p' "$case")
if [ -n "$unfit" ] && [[ ${OSITRACE_SANITIZE-} =~ $unfit ]]; then
    echo "skipped: not for a program with the sanitizer '$OSITRACE_SANITIZE'"
    exit $skipped
fi

scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/run" "$scratch/expected" "$scratch/actual"
for each in "$(dirname "$(realpath "$program")")"/osi*; do  # a program may start another one
    if [ -f "$each" ] && [ -x "$each" ]; then ln -s "$each" "$scratch/bin/"; fi
done

section() { awk -v name="$1" '/^--- /{inside = ($2 == name); next} inside' "$case"; }
has_section() { grep -q "^--- $1" "$case"; }

section stdout >"$scratch/expected/stdout"
section stderr >"$scratch/expected/stderr"
section files >"$scratch/expected/files"
awk '/^--- exit /{code = $3} END{print code + 0}' "$case" >"$scratch/expected/exit"

section command >"$scratch/command"
(
    cd "$scratch/run" || exit
    export PATH="$scratch/bin:$PATH" LC_ALL=C TZ=UTC HOME="$scratch" XDG_CACHE_HOME="$scratch/cache"
    export TRACES=$traces BROKEN=$here/../broken
    timeout --kill-after=5 100 bash "$scratch/command"
) </dev/null >"$scratch/actual/stdout" 2>"$scratch/actual/stderr"
echo $? >"$scratch/actual/exit"
sed -i "s|$traces|\$TRACES|g" "$scratch/actual/stdout" "$scratch/actual/stderr"
(cd "$scratch/run" && find . -mindepth 1 | sed 's|^\./||' | LC_ALL=C sort) >"$scratch/actual/files"
has_section files || cp "$scratch/actual/files" "$scratch/expected/files"

if [ -n "$update" ]; then
    {
        awk '/^--- (stdout|stderr|exit|files)/{exit} {print}' "$case"
        for name in stdout stderr; do
            if [ -s "$scratch/actual/$name" ]; then echo "--- $name"; cat "$scratch/actual/$name"; fi
        done
        [ "$(cat "$scratch/actual/exit")" = 0 ] || echo "--- exit $(cat "$scratch/actual/exit")"
        if has_section files; then echo "--- files"; cat "$scratch/actual/files"; fi
    } >"$scratch/updated"
    cp "$scratch/updated" "$case"
    exit
fi

diff -ru "$scratch/expected" "$scratch/actual"
