#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Checks the libraries that an FMU needs, and the symbols that it exports. usage: shared_object.sh FILE.so
set -euo pipefail

failed=0
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
    case $library in
    libc.so.6 | libm.so.6 | libstdc++.so.6 | libgcc_s.so.1) ;;
    *) echo "$1 needs $library" && failed=1 ;;
    esac
done
[ -n "$needed" ] || { echo "readelf named no library of $1" && failed=1; }

if readelf -d "$1" | grep -E 'TEXTREL|RPATH|RUNPATH'; then
    echo "^ of $1" && failed=1
fi

shown=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sed 's/@.*//')
for name in $shown; do
    case $name in
    fmi2* | fmi3*) ;;
    *) echo "$1 shows $name" && failed=1 ;;
    esac
done
# FMI requires all functions: 45 of FMI 2.0 and 75 of FMI 3.0. An FMU may leave out the model exchange of FMI 2.0.
if [ "$(grep -c '^fmi2' <<<"$shown")" -lt 34 ] || [ "$(grep -c '^fmi3' <<<"$shown")" -ne 75 ]; then
    echo "functions are missing in $1"
    failed=1
fi
exit $failed
