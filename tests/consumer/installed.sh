# SPDX-License-Identifier: MPL-2.0
# find_package(ositrace) and pkg-config on an installed tree; every sample program compiles against it. The shared library has
# few dependencies and exports no names but our own; a plugin that links the static library exports none of them.
cmake --install "$BUILD" --prefix "$PWD/prefix" >/dev/null
cmake -S "$SOURCE/tests/consumer/installed" -B build -DCMAKE_PREFIX_PATH="$PWD/prefix" -DSAMPLES="$SOURCE/samples"
cmake --build build
build/with_shared
build/with_static
build/parts
for program in build/net_with_* build/text_with_*; do
    [ ! -e "$program" ] || "$program"
done
model=$BUILD/tests/lib/fmu/models/test_model_fmi2.fmu
host=$(find "$PWD/prefix" -name ositrace-fmu-host)
for program in build/fmu_with_*; do
    [ ! -e "$program" ] || [ ! -e "$model" ] || OSITRACE_FMU_HOST=$host "$program" "$model"
done

if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH
    PKG_CONFIG_PATH=$(dirname "$(find prefix -name ositrace.pc)")
    "$CXX" -std=c++20 "$SOURCE/tests/consumer/main.cpp" -o with_pkg_config $(pkg-config --cflags --libs ositrace)
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") ./with_pkg_config
fi

shared=$BUILD/lib/libositrace.so
for file in "$shared" "$BUILD/bin/osiconvert"; do
    # Only the program reads text; it has the XML parser inside, whose shared library would bring a second libstdc++.
    [ "$file" = "$shared" ] && others=libpugixml || others=libprotobuf
    needed=$(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    allowed="libc|libm|libstdc\+\+|libgcc_s|libzstd|liblz4|libz|liblzma|$others|ld-linux.*"
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

exported=$(nm --dynamic --defined-only --demangle build/libplugin.so)
grep -q plugin_messages <<<"$exported"
if grep -E ' T .*ositrace::' <<<"$exported"; then
    echo "^ exported by a plugin that links the static library"
    exit 1
fi
