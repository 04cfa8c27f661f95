#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Runs a script of this folder in an empty directory that is removed afterwards; always the same, so that ccache knows what it compiles.
# Scripts that compile the library share one (TREE), so that the second finds what the first compiled.
set -euo pipefail
work=$BUILD/consumer/${TREE:-$(basename "$1" .sh)}
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
bash -euo pipefail "$1"
