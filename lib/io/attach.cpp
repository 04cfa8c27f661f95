// SPDX-License-Identifier: MPL-2.0
#include <ositrace/attach.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lib/io/input_file.hpp"

namespace ositrace {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

struct MediaTypeRow {
    std::string_view extension, media_type;
};

constexpr std::array media_types{
    MediaTypeRow{".xodr", "application/xml"},  MediaTypeRow{".xosc", "application/xml"},
    MediaTypeRow{".xml", "application/xml"},   MediaTypeRow{".json", "application/json"},
    MediaTypeRow{".yaml", "application/yaml"}, MediaTypeRow{".txt", "text/plain"},
    MediaTypeRow{".csv", "text/csv"},
};

std::string_view media_type_of(const std::filesystem::path& file)
{
    const auto row = std::ranges::find(media_types, file.extension().string(), &MediaTypeRow::extension);
    return row == media_types.end() ? "application/octet-stream" : row->media_type;
}

void read_file(const std::filesystem::path& file, const std::function<void(Bytes)>& take)
{
    const auto handle = open_for_reading(file);
    std::vector<std::byte> piece(piece_bytes);
    while (const auto count = read_next(handle, piece, file)) take(Bytes(piece).first(count));
}

}  // namespace

Attachment attachment_of(const std::filesystem::path& file)
{
    const auto status = status_of(open_for_reading(file), file);
    Attachment attachment;
    attachment.name = file.filename().string();
    attachment.media_type = media_type_of(file);
    attachment.create_time = std::chrono::seconds(status.changed.seconds) + Nanoseconds(status.changed.nanoseconds);
    attachment.bytes = status.bytes;
    attachment.read = [file](const std::function<void(Bytes)>& take) { read_file(file, take); };
    return attachment;
}

}  // namespace ositrace
