#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# The man pages and completions that the programs print: what bash completes, and what groff and zsh say of them.
# usage: shell_files.sh FOLDER_OF_PROGRAMS
set -uo pipefail
PATH=$1:$PATH
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
touch trace.osi

# completes EXPECTED WORD...: the last word is completed.
completes() {
    local expected=$1 found
    shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    "_$1"
    found=${COMPREPLY[*]}
    [ "$found" = "$expected" ] || { echo "$* -> '$found', expected '$expected'"; failed=1; }
}

for program in osiconvert osiplay osiview; do
    command -v "$program" >/dev/null || continue  # it was not built
    # shellcheck disable=SC1090 # what the program prints
    source <("$program" help --bash)
    "$program" help --man >"$program.1"
    "$program" help --zsh >"_$program"
done
completes "convert" osiconvert conv
completes "check" osiconvert help chec
completes "jsonl text csv" osiconvert cat --format ""
completes "--output --out-dir" osiconvert recover --out
completes "--level" osiconvert trace.osi --lev
completes "trace.osi" osiconvert check tr
completes "error warning never" osiconvert check --fail-on ""
completes "deliver drop" osiplay trace.osi --late ""
completes "zmq+push:// zmq+pub://" osiplay --sink zm
if command -v osiview >/dev/null; then
    completes "help" osiview he
    completes "3d bird" osiview trace.osi --view ""
    completes "--colour-by" osiview trace.osi --colour-by in --col
    grep -q "^Play or pause" osiview.1 || { echo "osiview.1 lacks the keys"; failed=1; }
fi
if osiplay bench --version >/dev/null 2>&1; then
    completes "columns convert cosim" osiplay bench co
    completes "--quick --quiet" osiplay bench convert --qui
    osiplay bench help --man >osiplay-bench.1
fi
for page in *.1; do
    program=${page%.1}
    for option in $(${program/-/ } help --options | cut -f1 | sed 's/.*,//' | sort -u); do
        grep -q -- "${option//-/\\\\-}" "$page" || { echo "$page lacks $option"; failed=1; }
    done
    if command -v groff >/dev/null; then
        warnings=$(groff -man -Tutf8 -ww "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || { echo "$page: $warnings"; failed=1; }
    fi
done
if command -v zsh >/dev/null; then
    for file in _*; do zsh -n "$file" || failed=1; done
fi
exit $failed
