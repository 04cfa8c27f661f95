# SPDX-License-Identifier: MPL-2.0
# find_package(ositrace) and pkg-config on an installed tree; every sample program compiles against it.
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
