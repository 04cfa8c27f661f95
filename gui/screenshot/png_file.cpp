// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/png_file.hpp"

#include <cstdio>

#include <QBuffer>
#include <QFile>
#include <QSaveFile>
#include <QStringList>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

void write_to_stdout(const QByteArray& bytes)
{
    const auto size = static_cast<std::size_t>(bytes.size());
    if (std::fwrite(bytes.constData(), 1, size, stdout) != size || std::fflush(stdout) != 0) {
        throw Error(Cause::io, "standard output: cannot write the picture");
    }
}

}  // namespace

QByteArray png_of(const QImage& image, PngSpeed speed)
{
    constexpr int level_1 = 85;  // Qt's quality: the higher, the less compression
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG", speed == PngSpeed::fast ? level_1 : -1))
        throw Error(Cause::unsupported, "this Qt cannot write PNG");
    return bytes;
}

bool is_png_name(const std::filesystem::path& file)
{
    const auto suffix = QFile::decodeName(file.extension().c_str()).toLower();
    return !QStringList{".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".svg", ".pdf", ".ppm", ".xpm"}
                .contains(suffix);
}

void refuse_existing(const std::filesystem::path& file, bool overwrite)
{
    std::error_code ignored;
    if (overwrite || file == "-" || !std::filesystem::exists(file, ignored)) return;
    throw Error(Cause::exists, file.string() + " exists. Use --overwrite to replace it.");
}

void write_png(const QImage& image, const std::filesystem::path& file, bool overwrite)
{
    if (!is_png_name(file)) throw Error(Cause::usage, {.file = file}, "pictures are written as PNG; name it .png");
    const auto bytes = png_of(image, PngSpeed::small);
    if (file == "-") return write_to_stdout(bytes);
    refuse_existing(file, overwrite);
    QSaveFile out(QFile::decodeName(file.c_str()));
    if (out.open(QIODevice::WriteOnly) && out.write(bytes) == bytes.size() && out.commit()) return;
    throw Error(Cause::io, {.file = file}, out.errorString().toStdString());
}

}  // namespace ositrace::gui
