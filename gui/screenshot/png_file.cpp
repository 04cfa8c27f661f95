// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/png_file.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

#include <zlib.h>

#include <QBuffer>
#include <QStringList>

#include <ositrace/error.hpp>
#include <ositrace/pending_output.hpp>

#include "gui/text/save_file.hpp"

namespace ositrace::gui {

namespace {

/// Most significant byte first.
void add_number(QByteArray& to, std::uint32_t number)
{
    for (const int shift : {24, 16, 8, 0}) to.append(static_cast<char>(number >> shift));
}

void add_chunk(QByteArray& png, const char (&type)[5], const QByteArray& content)
{
    add_number(png, static_cast<std::uint32_t>(content.size()));
    const auto begin = png.size();
    png.append(type, 4).append(content);
    const auto* const checked = reinterpret_cast<const Bytef*>(png.constData() + begin);
    add_number(png, static_cast<std::uint32_t>(crc32_z(0, checked, static_cast<z_size_t>(png.size() - begin))));
}

/// The rows of a picture in RGB888, each after the number of its filter: none.
QByteArray deflated_rows(const QImage& image)
{
    const auto row_bytes = static_cast<uInt>(3 * image.width());
    z_stream stream{};
    if (deflateInit(&stream, Z_BEST_SPEED) != Z_OK) throw std::bad_alloc();
    const auto all_bytes = (std::size_t{row_bytes} + 1) * static_cast<std::size_t>(image.height());
    QByteArray deflated(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(all_bytes))),
                        Qt::Uninitialized);
    stream.next_out = reinterpret_cast<Bytef*>(deflated.data());
    stream.avail_out = static_cast<uInt>(deflated.size());
    const auto add = [&](const void* bytes, uInt count, int flush) {
        stream.next_in = static_cast<Bytef*>(const_cast<void*>(bytes));
        stream.avail_in = count;
        deflate(&stream, flush);
    };
    constexpr Bytef no_filter = 0;
    for (int y = 0; y != image.height(); ++y) {
        add(&no_filter, 1, Z_NO_FLUSH);
        add(image.constScanLine(y), row_bytes, Z_NO_FLUSH);
    }
    add(nullptr, 0, Z_FINISH);
    deflated.truncate(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return deflated;
}

}  // namespace

QByteArray fast_png_of(const QImage& image)
{
    QByteArray header;
    for (const auto side : {image.width(), image.height()}) add_number(header, static_cast<std::uint32_t>(side));
    header.append("\x08\x02\0\0\0", 5);  // 8 bits each of red, green and blue
    QByteArray png("\x89PNG\r\n\x1a\n");
    add_chunk(png, "IHDR", header);
    add_chunk(png, "IDAT", deflated_rows(image.convertToFormat(QImage::Format_RGB888)));
    add_chunk(png, "IEND", {});
    return png;
}

bool is_png_name(const std::filesystem::path& file)
{
    const auto suffix = QString::fromStdString(file.extension().string()).toLower();
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
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) throw Error(Cause::unsupported, "this Qt cannot write PNG");
    write_file(file, overwrite, as_bytes(bytes));
}

}  // namespace ositrace::gui
