#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Checks the include graph: app, gui -> lib -> formats. Fails on an include against these arrows, and on a third-party
# header in a folder that must not include it, and where folders of lib/ include each other.
set -euo pipefail
cd "$1"

failed=0

# forbid FOLDER WHY PATTERN...: no file under the folder may include a path that begins with one of the patterns
forbid() {
    local folder=$1 why=$2 pattern found
    shift 2
    [ -d "$folder" ] || return 0
    for pattern in "$@"; do
        found=$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]$pattern" "$folder" \
            --include='*.hpp' --include='*.cpp') || continue
        printf '%s\n  ^ %s\n' "$found" "$why"
        failed=1
    done
}

# The public headers of lib/ as patterns: they share the folder name with those of formats/.
lib_headers=()
for header in lib/include/ositrace/*.hpp lib/*/include/ositrace/*.hpp; do
    lib_headers+=("ositrace/$(basename "$header" .hpp)\\.hpp")
done

forbid formats "formats/ knows no other room" lib/ app/ gui/ "${lib_headers[@]}"
# sys/mman.h: madvise(), so that large buffers get large pages.
forbid formats "formats/ uses the standard library alone" \
    'zstd' 'lz4' 'zlib' 'lzma' 'fcntl' 'unistd' 'sys/[^m]' 'sys/m[^m]' 'thread>' 'iostream>'
forbid lib "lib/ knows formats/ only" app/ gui/ python/
forbid app "app/ does not know gui/ and python/" gui/ python/
forbid app "app/ touches no bytes" formats/
forbid gui "gui/ touches no bytes and uses public headers only" formats/ lib/ app/
forbid python "python/ uses the library only" app/ gui/
forbid gui/render "the renderer knows no Qt" 'Q[A-Z]'
for folder in formats lib/*/ app/osiconvert; do
    [ "$folder" != lib/text/ ] || continue  # a library of its own, for which libprotobuf parses
    forbid "$folder" "the core links no libprotobuf and no flatbuffers" \
        google/protobuf/ flatbuffers/ ositrace/libprotobuf_text_parser
done
for folder in formats/include lib/include lib/*/include; do
    forbid "$folder" "public headers include no third-party and no private headers" \
        'zstd' 'lz4' 'zlib' 'lzma' 'zmq' 'CLI/' 'formats/' 'lib/'
done

# What tsort says of a circle names its folders.
circles=$(grep -rHoE '^#include "lib/[a-z_]+/' lib --include='*.hpp' --include='*.cpp' |
    sed -E 's#^lib/([a-z_]+)/.*"lib/([a-z_]+)/#\1 \2#' | sort -u | tsort 2>&1 >/dev/null) || true
if [ -n "$circles" ]; then
    printf '%s\n  ^ folders of lib/ include each other\n' "$circles"
    failed=1
fi

exit $failed
