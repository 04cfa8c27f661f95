# SPDX-License-Identifier: MPL-2.0
# Without Qt, Protobuf, FlatBuffers, Catch2, ZeroMQ and Boost, and without network if the schema is given: add_subdirectory builds
# ositrace::ositrace and nothing else; with OSITRACE_APPS the programs, too, which say what they were built without.
# Not optimized: that takes a minute, and other tests do it.
no_network=(unshare --net --map-root-user)
"${no_network[@]}" true 2>/dev/null || no_network=()
absent=()
for package in Qt6 Protobuf FlatBuffers Catch2 Libzmq Boost; do
    absent+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

# The summary of a build of its own says what is missing.
cmake -S "$SOURCE" -B alone "${absent[@]}" -DOSITRACE_SCHEMA="$SCHEMA" | tee configure.txt
for package in Protobuf FlatBuffers Catch2 Libzmq Boost; do
    grep -q "not built: .*: $package .*missing" configure.txt
done

# Its path is always the same, so that a compiler cache has the objects.
build=$BUILD-subproject
trap 'rm -rf "$build"' EXIT
rm -rf "$build"
build_with() {
    "${no_network[@]}" env HOME="$PWD" XDG_CACHE_HOME="$PWD/cache" \
        cmake -S "$SOURCE/tests/consumer/subproject" -B "$build" -DOSITRACE="$SOURCE" "${absent[@]}" \
        -DOSITRACE_SCHEMA="$SCHEMA" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DOSITRACE_WERROR="$WERROR" "$@"
    "${no_network[@]}" cmake --build "$build"
}

build_with
"$build"/consumer
if find "$build" -name 'osiconvert' -o -name 'test_*' -o -name '*.so*' | grep .; then
    echo "a subproject must build the one library that it is asked for"
    exit 1
fi
if cmake --install "$build" --prefix "$PWD/prefix" && find prefix -type f 2>/dev/null | grep .; then
    echo "a subproject must not install anything"
    exit 1
fi

build_with -DOSITRACE_APPS=ON
programs=$build/ositrace/bin
"$programs"/osiconvert --version
if "$programs"/osiplay foxglove:// --sink null 2>error.txt; then exit 1; fi
grep 'built without Foxglove' error.txt
echo '{"timestamp":{}}' >a.jsonl
if "$programs"/osiconvert cat a.jsonl 2>error.txt; then exit 1; fi
grep 'reading text needs libprotobuf' error.txt
