# SPDX-License-Identifier: MPL-2.0
# Without Qt, Protobuf, FlatBuffers, Catch2, ZeroMQ and Boost the library and the programs are built, and the summary says what is
# missing.
absent=()
for package in Qt6 Protobuf FlatBuffers Catch2 Libzmq Boost; do
    absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
# Beside the build that this test belongs to, and configured like it, so that a compiler cache has the objects.
build=$BUILD-minimal
trap 'rm -rf "$build"' EXIT
rm -rf "$build"
cmake -S "$SOURCE" -B "$build" "${absent[@]}" -DCMAKE_BUILD_TYPE="$BUILD_TYPE" -DOSITRACE_WERROR="$WERROR" \
    -DOSITRACE_SCHEMA="$SCHEMA" | tee configure.txt
for package in Protobuf FlatBuffers Catch2 Libzmq Boost; do
    grep -q "not built: .*: $package .*missing" configure.txt
done
# Nobody promises that the tests and benchmarks of this configuration build.
cmake --build "$build" --target ositrace_static osiconvert osiplay
"$build"/bin/osiconvert --version
if "$build"/bin/osiplay foxglove:// --sink null 2>error.txt; then exit 1; fi
grep 'built without Foxglove' error.txt
echo '{"timestamp":{}}' >a.jsonl
if "$build"/bin/osiconvert cat a.jsonl 2>error.txt; then exit 1; fi
grep 'reading it needs libprotobuf' error.txt
