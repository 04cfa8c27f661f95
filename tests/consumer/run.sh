#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Runs a script of this folder in an empty directory that is removed afterwards. Its path is always the same, so that
# ccache has the objects.
set -euo pipefail
work=$BUILD/consumer/$(basename "$1" .sh)
rm -rf "$work"
mkdir -p "$work"
trap 'rm -rf "$work"' EXIT
cd "$work"
bash -euo pipefail "$1"
