#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Extracts source packages of Debian 12, with its patches, each into a folder of its name in the current one.
# usage: packaging/windows/debian_source.sh PACKAGE SHA256 [PACKAGE SHA256]...     the SHA-256 of its upstream archive
set -euo pipefail

mkdir -p lists/partial archives/partial
# The sources of the packages of this machine.
if [ -e /etc/apt/sources.list.d/debian.sources ]; then
    list=list.sources
    sed 's/^Types: .*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources >$list
else
    list=list
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list >$list
fi
apt=(apt-get -qq -o "Dir::Etc::SourceList=$PWD/$list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$PWD/lists"
    -o "Dir::Cache=$PWD/archives" -o APT::Sandbox::User=)
release=$(. /etc/os-release && echo "$VERSION_CODENAME")
"${apt[@]}" update
while [ $# -gt 0 ]; do
    # A security archive may list a version that it does not have; that of the release has the same upstream archive.
    "${apt[@]}" source --download-only "$1" || "${apt[@]}" source --download-only "$1/$release"
    archive=$(ls "$1"_*.orig.tar.*[!c])
    [ "$(sha256sum <"$archive")" = "$2  -" ] || { echo "$archive is not the archive that is pinned."; exit 1; }
    dpkg-source --no-check --extract "$1"_*.dsc "$1"
    shift 2
done
