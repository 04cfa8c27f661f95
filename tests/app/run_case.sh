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
program=$(realpath "$1") case=$(realpath "$2") traces=$(realpath -m "${3:-/nowhere}")
broken=$(realpath "${BASH_SOURCE[0]%/*}/../broken")
skipped=77

# What a section states in its line, and its text.
declare -A stated=() text=([stdout]='' [stderr]='')
name=purpose
while IFS= read -r line; do
    if [[ $line = '--- '* ]]; then
        read -r _ name rest <<<"$line"
        stated[$name]=$rest text[$name]=
    else
        text[$name]+=$line$'\n'
    fi
done <"$case"

if [ -n "${stated[needs]-}" ] && [ ! -d "$traces" ]; then
    echo "skipped: no folder of real traces at '$traces'"
    exit $skipped
fi

unfit=${stated[no]-}
if [ -n "$unfit" ] && [[ ${OSITRACE_SANITIZE-} =~ ${unfit#sanitizer } ]]; then
    echo "skipped: not for a program with the sanitizer '$OSITRACE_SANITIZE'"
    exit $skipped
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch" 2>/dev/null || { chmod -R u+w "$scratch"; rm -rf "$scratch"; }' EXIT
mkdir "$scratch"/{bin,run,expected,actual}
ln -s "${program%/*}"/osi* "$scratch/bin"  # a program may start another one

for name in stdout stderr; do printf %s "${text[$name]}" >"$scratch/expected/$name"; done
echo "${stated[exit]:-0}" >"$scratch/expected/exit"

printf %s "${text[command]}" >"$scratch/command"
(
    cd "$scratch/run" || exit
    export PATH="$scratch/bin:$PATH" LC_ALL=C TZ=UTC HOME="$scratch" XDG_CACHE_HOME="$scratch/cache"
    export TRACES=$traces BROKEN=$broken
    exec timeout --kill-after=5 "${OSITRACE_CASE_SECONDS:-100}" bash "$scratch/command"
) </dev/null >"$scratch/actual/stdout" 2>"$scratch/actual/stderr"
echo $? >"$scratch/actual/exit"
if [[ ${text[command]} = *TRACES* ]]; then
    sed -i "s|$traces|\$TRACES|g" "$scratch/actual/stdout" "$scratch/actual/stderr"
fi
if [ -n "${stated[files]+there}" ]; then
    printf %s "${text[files]}" >"$scratch/expected/files"
    find "$scratch/run" -mindepth 1 -printf '%P\n' | LC_ALL=C sort >"$scratch/actual/files"
fi

if [ -n "$update" ]; then
    {
        awk '/^--- (stdout|stderr|exit|files)/{exit} {print}' "$case"
        for name in stdout stderr; do
            if [ -s "$scratch/actual/$name" ]; then echo "--- $name"; cat "$scratch/actual/$name"; fi
        done
        [ "$(<"$scratch/actual/exit")" = 0 ] || echo "--- exit $(<"$scratch/actual/exit")"
        if [ -f "$scratch/actual/files" ]; then echo "--- files"; cat "$scratch/actual/files"; fi
    } >"$scratch/updated"
    cp "$scratch/updated" "$case"
    exit
fi

# The paths of Windows; a backslash in JSON is two.
if [ -n "${OSITRACE_BACKSLASHES-}" ]; then sed -i 's|\\\\*|/|g' "$scratch"/{expected,actual}/std{out,err}; fi

diff -ru "$scratch/expected" "$scratch/actual"
