# SPDX-License-Identifier: MPL-2.0
# Without Qt, Protobuf, FlatBuffers and Catch2 the library and the programs are built, and the summary says what is missing.
absent=()
for package in Qt6 Protobuf FlatBuffers Catch2 Libzmq; do
    absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
# What is built matters here, not how fast it runs.
cmake -S "$SOURCE" -B build/ositrace "${absent[@]}" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DOSITRACE_GUI=OFF -DOSITRACE_SCHEMA="$SCHEMA" | tee configure.txt
for package in Protobuf FlatBuffers Catch2 Libzmq; do
    grep -q "not built: .*: $package .*missing" configure.txt
done
# The tests and benchmarks of this configuration are none of its promise.
cmake --build build/ositrace --target ositrace_static osiconvert osiplay
build/ositrace/bin/osiconvert --version
echo '{"timestamp":{}}' >a.jsonl
if build/ositrace/bin/osiconvert cat a.jsonl 2>error.txt; then exit 1; fi
grep 'reading it needs libprotobuf' error.txt
