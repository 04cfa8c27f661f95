#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Builds the wheel, checks it (python/check_wheel.py) and runs tests of the package, with the programs of the wheel and the
# extra `viewer`, in a fresh environment of python3: those of what a wheel may lack. A window of its osiview is clicked.
# Needs PyPI. packaging/try.sh does more, in systems where nothing is installed.
# usage: tests/python/wheel.sh [--all]     all tests, in each Python from 3.10 to 3.13 that is here
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source=$PWD
folder=$source/build/wheel-test
minors=$(python3 -c 'import sys; print(sys.version_info.minor)')
tests=("$source"/tests/python/test_{package,sources,verbs,play,picture}.py)
[ "${1-}" != --all ] || minors="10 11 12 13" tests=("$source/tests/python")

# As CMake names them: a compiler cache has nearly all objects of the preset release.
export CC=${CC:-cc} CXX=${CXX:-c++}

rm -rf "$folder"
mkdir -p "$folder"
python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install --quiet abi3audit wheel
python3 -m pip wheel --quiet --no-deps --wheel-dir "$folder" python/
"$folder/tools/bin/python" python/check_wheel.py "$folder"/ositrace-*.whl --tag
wheel=$(ls "$folder"/ositrace-*manylinux*.whl)

# python3.10 of pyenv is in the folder of its version.
versions=$(ls "${PYENV_ROOT:-$HOME/.pyenv}/versions" 2>/dev/null || true)
# It says what is missing, and so do the tests that need it.
python3 tests/python/fetched.py spark spark-3.5 engines moto || true
tested=
for minor in $minors; do
    python=$(command -v "python3.$minor" || true)
    for version in $versions; do
        case $version in 3.$minor.*) python=${PYENV_ROOT:-$HOME/.pyenv}/versions/$version/bin/python3 ;; esac
    done
    [ -n "$python" ] && "$python" -c '' 2>/dev/null || continue
    environment=$folder/3.$minor
    "$python" -m venv "$environment"
    "$environment/bin/pip" install --quiet --no-deps --require-hashes -r cmake/python-tests.txt
    "$environment/bin/pip" install --quiet "$wheel"
    ! "$environment/bin/osiview" --version 2>"$folder/lacks"  # Qt is the extra, and the line says so
    grep -q "pip install 'ositrace\[viewer\]'" "$folder/lacks" && [ "$(wc -l <"$folder/lacks")" = 1 ]
    "$environment/bin/pip" install --quiet "${wheel}[viewer]"
    "$environment/bin/osiconvert" generate "$folder/drive.osi" --overwrite
    packaging/window.sh "$environment/bin/osiview" "$folder/drive.osi"
    "$environment/bin/osiplay" --version >"$folder/version"
    grep -q "^osiplay " "$folder/version"
    echo "== Python 3.$minor"
    (cd "$folder" && OSICONVERT=$environment/bin/osiconvert OSIPLAY=$environment/bin/osiplay \
        "$environment/bin/python" -m pytest -q -p no:cacheprovider "${tests[@]}")
    tested="$tested 3.$minor"
done
[ -n "$tested" ] || { echo "no Python from 3.10 to 3.13 is here"; exit 1; }
echo "the wheel passes with Python$tested"
