#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Signs SHA256SUMS, and with it every file of a release. usage: packaging/sign.sh DIST
#
# OSITRACE_SIGN_KEY is a key of gpg (its fingerprint), of which SHA256SUMS.asc is made. Without it nothing is signed, and
# it says so: there is no key in this repository, nor in CI. Who has a release checks it with
#     gpg --verify SHA256SUMS.asc && sha256sum --check SHA256SUMS
set -euo pipefail
cd "$1"
sha256sum --check --quiet SHA256SUMS
if [ -z "${OSITRACE_SIGN_KEY:-}" ]; then
    echo "not signed: OSITRACE_SIGN_KEY is not set"
    exit 0
fi
gpg --batch --yes --local-user "$OSITRACE_SIGN_KEY" --armor --detach-sign --output SHA256SUMS.asc SHA256SUMS
gpg --verify SHA256SUMS.asc SHA256SUMS
