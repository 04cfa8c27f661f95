#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes a release of the sources that are here: into dist/ the wheel, the archive, the .deb packages, the licences of what is
# inside, an SBOM, and SHA256SUMS. Takes the objects of build/release where it is built. Needs PyPI.
# usage: packaging/make.sh [PART...]     wheel, archive, debs: these alone (and what they need); windows, only if named
# OSITRACE_BUILD_TREE names another build of the preset `release`. On Debian 12, whose glibc the wheel and the archive need
# at least.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source=$PWD
tree=${OSITRACE_BUILD_TREE:-$source/build/release}
dist=$source/dist
work=$source/build/package
version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
name=ositrace-$version-linux-x86_64
parts=${*:-wheel archive debs}
# Files have the time of the sources, so that the same sources give the same archive.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH OSITRACE_BUILD_TREE=$tree

# What is installed, without the tests.
programs='osiconvert osiplay osiview ositrace-fmu-host fmus osiconvert_shell_files osiplay_shell_files osiview_shell_files'
libraries=$(printf 'ositrace_%s ' scene dummy picture query compare field_docs series table traffic net text fmu)

has() { case " $parts " in *" $1 "*) ;; *) return 1 ;; esac; }
say() { printf '== %s\n' "$*"; }

cmake/debian_packages.sh wheel package
[ -f "$tree/build.ninja" ] || cmake --preset release -DOSITRACE_TESTS=OFF
rm -rf "$work"
mkdir -p "$dist" "$work"

if has wheel; then
    say wheel
    cmake --build "$tree" --target wheel_parts
    rm -f "$dist"/ositrace-*.whl
    python3 -m venv "$work/tools"
    "$work/tools/bin/pip" install --quiet wheel abi3audit
    python3 -m pip wheel --quiet --no-deps --wheel-dir "$work" python/
    "$work/tools/bin/python" python/check_wheel.py "$work"/ositrace-*.whl --tag
    mv "$work"/ositrace-*manylinux*.whl "$dist"
fi

if has archive; then
    say archive
    cmake --build "$tree" --target wheel_parts $programs
    folder=$work/$name
    for component in programs viewer fmus; do
        cmake --install "$tree" --component $component --prefix "$folder" >/dev/null
    done
    # The programs of the wheel need no library of Debian's.
    rm -rf "${folder:?}/bin" "${folder:?}/libexec"
    # Qt Network needs libraries of the system (libgssapi_krb5, libbrotlidec): osiview is without remote traces.
    find "$folder" -name 'osiview_remote.so' -delete
    mkdir -p "$folder/bin" "$folder/licences"
    for program in osiconvert osiplay osiview ositrace-fmu-host; do cp "$tree/wheel/$program" "$folder/bin"; done
    printf '[Paths]\nPrefix=../qt\n' >"$folder/bin/qt.conf"

    python3 -m pip download --quiet --no-deps --require-hashes --only-binary :all: --dest "$work/qt" -r packaging/qt.txt
    (cd "$work/qt" && python3 -m zipfile -e ./*.whl .)
    qt=$work/qt/PyQt6/Qt6
    mkdir -p "$folder/qt/lib" "$folder/qt/plugins"
    for library in Core Gui Widgets OpenGL OpenGLWidgets DBus XcbQpa WaylandClient Svg; do
        cp "$qt/lib/libQt6$library.so.6" "$folder/qt/lib"
    done
    cp "$qt"/lib/libicu*.so.* "$folder/qt/lib"
    while read -r plugin; do
        mkdir -p "$folder/qt/plugins/$(dirname "$plugin")"
        cp "$qt/plugins/$plugin" "$folder/qt/plugins/$(dirname "$plugin")"
    done <<'PLUGINS'
platforms/libqoffscreen.so
platforms/libqwayland.so
platforms/libqxcb.so
iconengines/libqsvgicon.so
imageformats/libqsvg.so
platforminputcontexts/libcomposeplatforminputcontextplugin.so
platforminputcontexts/libibusplatforminputcontextplugin.so
platformthemes/libqxdgdesktopportal.so
wayland-decoration-client/libbradient.so
wayland-graphics-integration-client/libqt-plugin-wayland-egl.so
wayland-shell-integration/libxdg-shell.so
xcbglintegrations/libqxcb-egl-integration.so
xcbglintegrations/libqxcb-glx-integration.so
PLUGINS
    # Every library of Qt that one of these needs is here.
    for file in "$folder"/bin/osiview "$folder"/qt/lib/*.so.* "$folder"/qt/plugins/*/*.so; do
        for needed in $(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(lib\(Qt6\|icu\).*\)\]/\1/p'); do
            [ -e "$folder/qt/lib/$needed" ] || { echo "${file#"$folder"/} needs $needed" >&2; exit 1; }
        done
    done

    rm -rf "$folder/share/doc"
    cp LICENSE "$folder/licences/ositrace.txt"
    cp python/third_party.txt "$folder/licences/third_party.txt"
    cp packaging/licences/Qt.txt "$folder/licences/Qt.txt"
    cp "$work"/qt/*.dist-info/LICENSE "$folder/licences/Qt-package.txt"
    for text in LGPL-3 GPL-3; do cp "/usr/share/common-licenses/$text" "$folder/licences/$text.txt"; done
    cp CHANGELOG.md "$folder"
    sed "s/@VERSION@/$version/g" packaging/archive.txt >"$folder/README.txt"
    chmod -R u=rwX,go=rX "$folder"
    rm -f "$dist"/ositrace-*-linux-*.tar.zst
    tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" |
        zstd -q -19 -T0 -o "$dist/$name.tar.zst"
fi

if has debs; then
    say .deb
    cmake --build "$tree" --target $programs ositrace_static ositrace_shared $libraries ositrace-bench bench_fmus
    cpack --config "$tree/CPackConfig.cmake" -B "$work/debs" >"$work/cpack.log" || { cat "$work/cpack.log"; exit 1; }
    rm -f "$dist"/*.deb
    mv "$work"/debs/*.deb "$dist"
fi

if has windows; then
    say windows
    packaging/windows/archive.sh
fi

say licences, SBOM, checksums
{
    echo "ositrace $version contains, and its wheel, archive and packages contain, the following."
    for text in LICENSE python/third_party.txt packaging/licences/Qt.txt /usr/share/common-licenses/LGPL-3 \
        /usr/share/common-licenses/GPL-3; do
        printf '\n%s\n\n' "======== $(basename "$text")"
        cat "$text"
    done
} >"$dist/ositrace-$version-licences.txt"
python3 packaging/sbom.py "$version" "$dist/ositrace-$version.cdx.json"
(cd "$dist" && rm -f SHA256SUMS* && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
packaging/sign.sh "$dist"
(cd "$dist" && ls -l --block-size=1 | awk 'NR > 1 { printf "%12d %s\n", $5, $9 }')
