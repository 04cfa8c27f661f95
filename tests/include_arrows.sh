#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Checks the include graph: gui -> app/terminal, and app, gui, python -> lib -> formats. Fails on an include against
# these arrows, on a third-party header in a folder that must not include it, and where folders of a tree include each
# other.
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
for header in lib/include/ositrace/*.hpp lib/include/ositrace/*/*.hpp lib/*/include/ositrace/*.hpp; do
    lib_headers+=("ositrace/${header#*/ositrace/}")
done

forbid formats "formats/ knows no other room" lib/ app/ gui/ "${lib_headers[@]}"
# sys/mman.h: madvise(), so that large buffers get large pages.
forbid formats "formats/ uses the standard library alone" \
    'zstd' 'lz4' 'zlib' 'lzma' 'pugixml' 'fcntl' 'unistd' 'sys/[^m]' 'sys/m[^m]' 'thread>' 'iostream>'
forbid lib "lib/ knows formats/ only" app/ gui/ python/
forbid lib/system "lib/system depends on nothing of lib/" \
    'lib/[^s]' 'lib/s[^y]' "${lib_headers[@]}"
forbid app "app/ does not know gui/ and python/" gui/ python/
forbid app "app/ touches no bytes" formats/
forbid gui "gui/ touches no bytes and uses public headers and lib/system only; of app/ what all programs share" \
    formats/ 'lib/[^s]' 'lib/s[^y]' 'app/[^t]'
forbid python "python/ uses public headers of the library only" formats/ lib/ app/ gui/
forbid gui/render "the renderer knows no Qt" 'Q[A-Z]'
for folder in formats lib/*/ app/osiconvert; do
    [ "$folder" != lib/text/ ] || continue  # a library of its own, for which libprotobuf parses
    forbid "$folder" "the core links no libprotobuf and no flatbuffers" \
        google/protobuf/ flatbuffers/ ositrace/libprotobuf_text_parser
done
for folder in formats/include lib/include lib/*/include; do
    forbid "$folder" "public headers include no third-party and no private headers" \
        'zstd' 'lz4' 'zlib' 'lzma' 'pugixml' 'zmq' 'CLI/' 'formats/' 'lib/'
done

# The headers of an operating system, and the question for it, are in lib/system alone. app/bench measures, and the
# advice on large pages in formats/core/byte_buffer.cpp must not know lib/. OpenGL without a window is WGL on Windows:
# gui/render/wgl_context.cpp is there what egl_context.cpp is elsewhere, and lib/ does not know OpenGL.
system_headers='arpa/|sys/|netinet/|net/|linux/|unistd|fcntl|poll\.h|dlfcn|signal\.h|csignal|termios|netdb|pthread|sched\.h|dirent'
system_headers+='|spawn|ifaddrs|elf\.h|stdio_ext|execinfo|pwd\.h|windows\.h|winsock2|ws2|io\.h|process\.h|direct\.h|psapi|conio|GL/wgl'
found=$(grep -rnEi "^[[:space:]]*#[[:space:]]*(include[[:space:]]*[<\"]($system_headers)|.*\b(_WIN32|WIN32|__linux__|__unix__|_POSIX_)\b)" \
    app lib formats gui python samples --include='*.hpp' --include='*.h' --include='*.cpp' |
    grep -vE '^(app/bench/|lib/system/|formats/core/byte_buffer\.cpp:|gui/render/wgl_context\.cpp:)') || true
if [ -n "$found" ]; then
    printf '%s\n  ^ only lib/system knows the operating system\n' "$found"
    failed=1
fi

# "FOLDER FOLDER" for each include between two folders of a tree. A public header belongs to the folder with the source
# of its name that includes it; one without such a source is part of whoever includes it.
folder_edges() {
    grep -rHoE '^[[:space:]]*#[[:space:]]*include [<"][^>"]+' "$1" --include='*.hpp' --include='*.cpp' | awk -v tree="$1" '
        function folder_of(path) { return split(substr(path, length(tree) + 2), part, "/") > 1 ? part[1] : "." }
        function name_of(path) { sub(/.*\//, "", path); sub(/\.[ch]pp$/, "", path); return path }
        {
            file = $0; sub(/:.*/, "", file)
            included = $0; sub(/.*[<"]/, "", included)
            files[NR] = file; includes[NR] = included
            if (file ~ /\/include\/ositrace\//) is_public[name_of(file)] = 1
            else if (file ~ /\.cpp$/ && included ~ /^ositrace\// && name_of(included) == name_of(file))
                owner[name_of(file)] = folder_of(file)
        }
        function node_of(name) { return name in owner ? owner[name] : name ".hpp" }
        END {
            for (i = 1; i <= NR; ++i) {
                from = files[i] ~ /\/include\/ositrace\// ? node_of(name_of(files[i])) : folder_of(files[i])
                if (index(includes[i], tree "/") == 1) to = folder_of(includes[i])
                else if (includes[i] ~ /^ositrace\// && name_of(includes[i]) in is_public) to = node_of(name_of(includes[i]))
                else continue
                edge[from, to] = 1; nodes[from] = nodes[to] = 1
            }
            for (through in nodes) if (through ~ /\.hpp$/) for (from in nodes) if ((from, through) in edge)
                for (to in nodes) if ((through, to) in edge) edge[from, to] = 1
            for (pair in edge) {
                split(pair, end, SUBSEP)
                if (end[1] != end[2] && end[1] end[2] !~ /\.hpp/) print end[1], end[2]
            }
        }'
}

# What tsort says of a circle names its folders.
for tree in formats lib app gui python/src; do
    [ -d "$tree" ] || continue
    circle=$(folder_edges "$tree" | sort | tsort 2>&1 >/dev/null) || true
    [ -n "$circle" ] || continue
    printf '%s\n  ^ folders of %s/ include each other\n' "$circle" "$tree"
    failed=1
done

exit $failed
