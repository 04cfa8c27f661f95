# SPDX-License-Identifier: MPL-2.0
# add_subdirectory builds ositrace::ositrace and nothing else, without network if the schema is given.
# Not optimized: that takes a minute, and other tests do it.
build=$BUILD-subproject
trap 'rm -rf "$build"' EXIT
rm -rf "$build"
no_network=(unshare --net --map-root-user)
"${no_network[@]}" true 2>/dev/null || no_network=()

"${no_network[@]}" env HOME="$PWD" XDG_CACHE_HOME="$PWD/cache" \
    cmake -S "$SOURCE/tests/consumer/subproject" -B "$build" -DOSITRACE="$SOURCE" \
    -DOSITRACE_SCHEMA="$SCHEMA" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 -DOSITRACE_WERROR="$WERROR"
"${no_network[@]}" cmake --build "$build"
"$build"/consumer

if find "$build" -name 'osiconvert' -o -name 'test_*' -o -name '*.so*' | grep .; then
    echo "a subproject must build the one library that it is asked for"
    exit 1
fi
if cmake --install "$build" --prefix "$PWD/prefix" && find prefix -type f 2>/dev/null | grep .; then
    echo "a subproject must not install anything"
    exit 1
fi
