#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Runs a script of this folder in a temporary directory that is removed afterwards.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
bash -euo pipefail "$1"
