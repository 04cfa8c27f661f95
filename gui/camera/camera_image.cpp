// SPDX-License-Identifier: MPL-2.0
#include "gui/camera/camera_image.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <variant>

#include <QBuffer>
#include <QImageReader>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

namespace ositrace::gui {

namespace {

constexpr std::uint64_t most_pixels = 64'000'000;
constexpr int most_megabytes = 256;  // of a picture that is decoded

enum class Pattern : std::uint8_t {
    mono,
    rgb,
    blocks,  ///< of 2 x 2 pixels
};

/// The part of the name of a channel format after `CHANNEL_FORMAT_` and before the type of its values.
struct PatternRow {
    std::string_view name;
    Pattern pattern;
    std::array<int, 4> parts{};  ///< of a block, row by row: 0 red, 1 green, 2 blue
};

/// Clear pixels count as grey: RCCC is shown as it is, of RCCB they are green.
constexpr PatternRow patterns[] = {
    {"MONO_", Pattern::mono},
    {"RGB_", Pattern::rgb},
    {"BAYER_BGGR_", Pattern::blocks, {2, 1, 1, 0}},
    {"BAYER_RGGB_", Pattern::blocks, {0, 1, 1, 2}},
    {"RCCC_", Pattern::mono},
    {"RCCB_", Pattern::blocks, {0, 1, 1, 2}},
};

struct ValueRow {
    std::string_view name;
    std::size_t bytes;
    std::uint8_t (*byte_of)(const std::byte* value) noexcept;
};

template <class T>
T number_at(const std::byte* value) noexcept
{
    static_assert(std::endian::native == std::endian::little);
    T number;
    std::memcpy(&number, value, sizeof number);
    return number;
}

constexpr ValueRow value_kinds[] = {
    {"U8_LIN", 1, [](const std::byte* value) noexcept { return std::to_integer<std::uint8_t>(*value); }},
    {"U16_LIN", 2,
     [](const std::byte* value) noexcept { return static_cast<std::uint8_t>(number_at<std::uint16_t>(value) >> 8U); }},
    {"U32_LIN", 4,
     [](const std::byte* value) noexcept { return static_cast<std::uint8_t>(number_at<std::uint32_t>(value) >> 24U); }},
    {"F32_LIN", 4,
     [](const std::byte* value) noexcept {
         const auto number = number_at<float>(value);
         return static_cast<std::uint8_t>(number > 0 ? std::lround(std::min(number, 1.F) * 255) : 0);  // NaN: 0
     }},
};

struct Format {
    const PatternRow* pattern = nullptr;
    const ValueRow* values = nullptr;
    [[nodiscard]] std::size_t pixel_bytes() const { return values->bytes * (pattern->pattern == Pattern::rgb ? 3 : 1); }
};

std::optional<Format> format_of(std::string_view name)
{
    constexpr std::string_view prefix = "CHANNEL_FORMAT_";
    if (!name.starts_with(prefix)) return std::nullopt;
    name.remove_prefix(prefix.size());
    for (const auto& pattern : patterns)
        for (const auto& values : value_kinds)
            if (name.starts_with(pattern.name) && name.substr(pattern.name.size()) == values.name)
                return Format{&pattern, &values};
    return std::nullopt;
}

QImage decoded(const Format& format, Bytes data, int width, int height)
{
    QImage image(width, height, QImage::Format_RGB32);
    if (image.isNull()) return image;
    const auto columns = static_cast<std::size_t>(width), rows = static_cast<std::size_t>(height);
    const auto step = format.pixel_bytes();
    const auto byte_at = [&](std::size_t x, std::size_t y, std::size_t part) {
        return format.values->byte_of(data.data() + (y * columns + x) * step + part * format.values->bytes);
    };
    for (std::size_t y = 0; y != rows; ++y) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(y)));
        for (std::size_t x = 0; x != columns; ++x) {
            if (format.pattern->pattern == Pattern::rgb) {
                line[x] = qRgb(byte_at(x, y, 0), byte_at(x, y, 1), byte_at(x, y, 2));
            } else if (format.pattern->pattern == Pattern::mono) {
                const auto grey = byte_at(x, y, 0);
                line[x] = qRgb(grey, grey, grey);
            } else {
                std::array<int, 3> sums{}, counts{};
                for (std::size_t i = 0; i != 4; ++i) {
                    const auto in_x = std::min(x / 2 * 2 + i % 2, columns - 1),
                               in_y = std::min(y / 2 * 2 + i / 2, rows - 1);
                    const auto part = static_cast<std::size_t>(format.pattern->parts.at(i));
                    sums.at(part) += byte_at(in_x, in_y, 0);
                    ++counts.at(part);
                }
                line[x] = qRgb(sums[0] / std::max(counts[0], 1), sums[1] / std::max(counts[1], 1),
                               sums[2] / std::max(counts[2], 1));
            }
        }
    }
    return image;
}

/// Empty: it is no such file.
std::optional<CameraImage> picture_file(Bytes data)
{
    constexpr std::string_view png = "\x89PNG\r\n\x1a\n", jpeg = "\xff\xd8\xff";
    const auto text = text_of(data);
    const bool is_png = text.starts_with(png);
    if (!is_png && !text.starts_with(jpeg)) return std::nullopt;
    auto bytes = QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size()));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, is_png ? "png" : "jpeg");
    CameraImage made;
    const auto size = reader.size();
    if (static_cast<std::uint64_t>(std::max(size.width(), 0)) * static_cast<std::uint64_t>(std::max(size.height(), 0)) >
        most_pixels) {
        made.text = QStringLiteral("the picture has more than %1 pixels").arg(most_pixels);
        return made;
    }
    made.image = reader.read();
    const auto kind = is_png ? QStringLiteral("PNG") : QStringLiteral("JPEG");
    made.text = made.image.isNull()
                    ? QStringLiteral("the %1 cannot be read: %2").arg(kind, reader.errorString())
                    : QStringLiteral("%1 x %2, %3").arg(made.image.width()).arg(made.image.height()).arg(kind);
    return made;
}

}  // namespace

CameraImage camera_image(const MessageView& camera_sensor_view)
{
    const auto value = camera_sensor_view["image_data"];
    const auto* const data = std::get_if<Bytes>(&value);
    if (data == nullptr || data->empty()) return {{}, QStringLiteral("there is no image_data")};
    QImageReader::setAllocationLimit(most_megabytes);
    if (auto file = picture_file(*data)) return *std::move(file);
    const auto configured = camera_sensor_view["view_configuration"];
    const auto* const configuration = std::get_if<MessageView>(&configured);
    if (configuration == nullptr) return {{}, QStringLiteral("there is no view_configuration, which has its format")};
    const auto count = [&](std::string_view name) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(as_integer((*configuration)[name]).value_or(0), 0));
    };
    const auto width = count("number_of_pixels_horizontal"), height = count("number_of_pixels_vertical");
    std::string_view name = "CHANNEL_FORMAT_UNKNOWN";
    if (const auto* const formats = configuration->table().find("channel_format"); formats != nullptr)
        configuration->for_each_element(*formats, [&](const Value& each) {
            name = formats->enumeration->name_of(static_cast<std::int32_t>(as_integer(each).value_or(0)));
            return false;
        });
    const auto format = format_of(name);
    const auto shown = QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    if (!format) return {{}, QStringLiteral("the format %1 is not known").arg(shown)};
    if (width == 0 || height == 0) return {{}, QStringLiteral("the number of pixels is not set")};
    if (width > most_pixels || height > most_pixels / width)
        return {{}, QStringLiteral("%1 x %2 pixels are more than %3").arg(width).arg(height).arg(most_pixels)};
    const auto expected = width * height * format->pixel_bytes();
    if (data->size() != expected)
        return {{},
                QStringLiteral("image_data has %1 bytes, expected %2 for %3 x %4 in %5")
                    .arg(data->size())
                    .arg(expected)
                    .arg(width)
                    .arg(height)
                    .arg(shown)};
    auto image = decoded(*format, *data, static_cast<int>(width), static_cast<int>(height));
    if (image.isNull()) return {{}, QStringLiteral("there is not enough memory for the picture")};
    constexpr std::int64_t right_to_left = 2, bottom_to_top = 3;
    const auto order = as_integer((*configuration)["pixel_order"]).value_or(0);
    if (order == right_to_left || order == bottom_to_top)
        image = image.mirrored(order == right_to_left, order == bottom_to_top);
    return {image, QStringLiteral("%1 x %2, %3").arg(width).arg(height).arg(shown.mid(15))};
}

}  // namespace ositrace::gui
