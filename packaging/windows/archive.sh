#!/usr/bin/env bash
# SPDX-License-Identifier: MPL-2.0
# Makes the archive for 64-bit Windows, on Debian 12: dist/ositrace-VERSION-windows-x86_64.zip. packaging/make.sh windows
# calls it, and writes the checksums. Compiles Qt first where that has not been done: forty minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
name=ositrace-$version-windows-x86_64
folder=$PWD/build/package-windows/$name
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date +%s)}

packaging/windows/make.sh osiconvert osiplay osiview osiview_remote ositrace-fmu-host fmus
qt=$(packaging/windows/qt.sh)

rm -rf "$folder"
mkdir -p "$folder"/{bin,fmu,licences,qt/fonts} dist
cp build/windows/bin/{osiconvert,osiplay,osiview,ositrace-fmu-host}.exe build/windows/bin/osiview_remote.dll "$folder/bin"
cp -r build/windows/fmu/fmi* "$folder/fmu"
for library in Core Gui Widgets OpenGL OpenGLWidgets Network; do cp "$qt/bin/Qt6$library.dll" "$folder/bin"; done
for plugin in platforms/qwindows platforms/qoffscreen imageformats/qjpeg tls/qschannelbackend; do
    mkdir -p "$folder/qt/plugins/$(dirname "$plugin")"
    cp "$qt/plugins/$plugin.dll" "$folder/qt/plugins/$(dirname "$plugin")"
done
x86_64-w64-mingw32-strip "$folder"/bin/*.{exe,dll} "$folder"/qt/plugins/*/*.dll
# The fonts of pictures that are written without a window: with them these are those of Linux, but for the hints of letters.
cp /usr/share/fonts/truetype/dejavu/DejaVuSans{,-Bold}.ttf "$folder/qt/fonts"
printf '[Paths]\r\nPrefix=../qt\r\nLibraries=.\r\n' >"$folder/bin/qt.conf"
# Every DLL of Qt that one of these needs is here.
for file in "$folder"/bin/*.{exe,dll} "$folder"/qt/plugins/*/*.dll; do
    for needed in $(x86_64-w64-mingw32-objdump -p "$file" | sed -n 's/.*DLL Name: \(Qt6.*\|lib.*\)/\1/p'); do
        [ -e "$folder/bin/$needed" ] || { echo "${file#"$folder"/} needs $needed" >&2; exit 1; }
    done
done

cp LICENSE "$folder/licences/ositrace.txt"
cp python/third_party.txt "$folder/licences/third_party.txt"
cp packaging/windows/third_party.txt "$folder/licences/third_party-windows.txt"
cp "$qt/copyright" "$folder/licences/Qt.txt"
cp /usr/share/doc/libzmq3-dev/copyright "$folder/licences/libzmq.txt"
cp /usr/share/doc/mingw-w64-common/copyright "$folder/licences/mingw-w64.txt"
cp /usr/share/doc/fonts-dejavu-core/copyright "$folder/licences/DejaVu.txt"
for text in LGPL-3 GPL-3; do cp "/usr/share/common-licenses/$text" "$folder/licences/$text.txt"; done
cp CHANGELOG.md "$folder"
sed "s/@VERSION@/$version/g" packaging/windows/archive.txt >"$folder/README.txt"
# Notepad of older Windows shows one line without these.
find "$folder" -name '*.txt' -exec sed -i 's/\r*$/\r/' {} +
chmod -R u=rwX,go=rX "$folder"

rm -f dist/ositrace-*-windows-*.zip
(cd "$folder/.." && find "$name" -type f | LC_ALL=C sort >files &&
    cmake -E tar cf "$OLDPWD/dist/$name.zip" --format=zip "--mtime=$(date -u -d "@$SOURCE_DATE_EPOCH" '+%Y-%m-%d %H:%M:%S UTC')" \
        --files-from=files)
ls -l "dist/$name.zip"
