# SPDX-License-Identifier: MPL-2.0
# The shared library has few dependencies and exports no names but our own. A plugin that links the static library
# exports none of them.
shared=$BUILD/lib/libositrace.so

for file in "$shared" "$BUILD/bin/osiconvert"; do
    [ "$file" = "$shared" ] && text= || text='|libprotobuf'  # only the program reads text
    needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    allowed="libc|libm|libstdc\+\+|libgcc_s|libzstd|liblz4|libz|liblzma$text|ld-linux.*"
    if grep -vE "^($allowed)\.so" <<<"$needed"; then
        echo "^ unexpected dependency of $file"
        exit 1
    fi
done

# Templates and inline functions of the standard library are weak and may stay.
exported=$(nm --dynamic --defined-only --demangle "$shared" | grep -vE '^[0-9a-f]+ [VWu] ')
if grep -vE '^[0-9a-f]+ . ((typeinfo|vtable|VTT)( name)? for )?ositrace::' <<<"$exported"; then
    echo "^ unexpected export of libositrace.so"
    exit 1
fi

cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(plugin LANGUAGES CXX)
find_package(ositrace REQUIRED COMPONENTS static)
add_library(plugin MODULE plugin.cpp)
target_link_libraries(plugin PRIVATE ositrace::ositrace_static)
END
cat >plugin.cpp <<END
#include <ositrace/schema.hpp>
extern "C" std::size_t plugin_messages() { return ositrace::Schema::built_in()->messages().size(); }
END
cmake --install "$BUILD" --prefix "$PWD/prefix" >/dev/null
cmake -S . -B build -DCMAKE_PREFIX_PATH="$PWD/prefix" >/dev/null
cmake --build build
exported=$(nm --dynamic --defined-only --demangle build/libplugin.so)
grep -q plugin_messages <<<"$exported"
if grep -E ' T .*ositrace::' <<<"$exported"; then
    echo "^ exported by a plugin that links the static library"
    exit 1
fi
