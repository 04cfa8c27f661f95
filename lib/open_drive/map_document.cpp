// SPDX-License-Identifier: MPL-2.0
// Where the OpenDRIVE document of a trace is.
#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/trace_map.hpp>

#include "formats/core/message_limit.hpp"
#include "lib/io/file_source.hpp"
#include "lib/open_drive/first_truth.hpp"
#include "lib/open_drive/map_document.hpp"
#include "lib/open_drive/map_message.hpp"
#include "lib/open_drive/open_drive_stream.hpp"
#include "lib/open_drive/placed_map.hpp"

namespace ositrace {

namespace {

constexpr std::string_view map_extension = ".xodr";

/// Of the first message of the first map channel that has one; its text may be empty.
std::optional<MapDocument> map_in_channel(const Trace& trace)
{
    const auto& channels = trace.info().channels;
    for (std::uint32_t i = 0; i < channels.size(); ++i) {
        if (!is_map_channel(channels[i]) || trace.frame_count(i) == 0) continue;
        auto message = read_map_message(trace.frame(i, trace.first_frame(i)).bytes);
        return MapDocument{MapOrigin::channel, channels[i].topic, std::move(message.xml), std::move(message.reference)};
    }
    return std::nullopt;
}

std::optional<MapDocument> map_in_attachment(const Trace& trace, std::size_t max_bytes)
{
    for (const auto& attachment : trace.info().attachments) {
        if (!has_map_name(attachment.name)) continue;
        if (attachment.bytes > max_bytes)
            throw Error(Cause::limit,
                        "the map in the attachment " + attachment.name + exceeds_limit(attachment.bytes, max_bytes));
        MapDocument document{MapOrigin::attachment, attachment.name, {}, attachment.name};
        attachment.read([&](Bytes piece) { document.xml += text_of(piece); });
        return document;
    }
    return std::nullopt;
}

MapDocument document_in_file(const std::filesystem::path& file, MapOrigin origin, std::size_t max_bytes)
try {
    const auto source = FileSource::open(file);
    auto text = whole_text(*source, max_bytes, {});
    const auto name = file.filename().string();
    return {origin, name, std::move(text), name};
} catch (const Error& error) {
    throw error.within({.file = file});
}

bool is_file(const std::filesystem::path& file)
{
    std::error_code none;
    return std::filesystem::is_regular_file(file, none);
}

/// Empty where there is none. `drive.osi.zst` has the stem `drive`.
std::filesystem::path map_with_stem(const std::filesystem::path& trace)
{
    auto map = trace;
    while (map.has_extension() && map.extension() != map.filename()) {
        map.replace_extension();
        auto candidate = map;
        candidate += map_extension;
        if (is_file(candidate)) return candidate;
    }
    return {};
}

}  // namespace

bool has_map_name(std::string_view name)
{
    return name.size() > map_extension.size() &&
           std::ranges::equal(name.substr(name.size() - map_extension.size()), map_extension, {},
                              [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
}

std::filesystem::path map_with_reference(const std::filesystem::path& trace, const std::filesystem::path& reference)
{
    if (!reference.has_filename()) return {};
    auto named = trace.parent_path() / reference.filename();
    if (!has_map_name(named.string())) named += map_extension;
    return is_file(named) ? named : std::filesystem::path();
}

MapDocument map_document(const std::filesystem::path& file, std::size_t max_bytes)
{
    return document_in_file(file, MapOrigin::given, max_bytes);
}

std::optional<MapDocument> map_document_beside(const std::filesystem::path& trace, const MapFrame& frame,
                                               std::size_t max_bytes)
{
    if (const auto map = map_with_reference(trace, frame.reference); !map.empty())
        return document_in_file(map, MapOrigin::reference, max_bytes);
    if (const auto map = map_with_stem(trace); !map.empty()) return document_in_file(map, MapOrigin::stem, max_bytes);
    return std::nullopt;
}

std::optional<MapDocument> find_map_document(const Trace& trace, const MapSearch& search)
try {
    if (!search.file.empty()) return map_document(search.file, search.max_bytes);
    auto in_channel = map_in_channel(trace);
    if (in_channel && !in_channel->xml.empty()) return in_channel;
    if (auto found = map_in_attachment(trace, search.max_bytes)) return found;
    const auto& file = trace.info().file;
    if (file.empty() || trace.info().container.map) return std::nullopt;
    if (auto found = map_document_beside(file, first_truth_of(trace).frame, search.max_bytes)) return found;
    if (in_channel)
        throw Error(Cause::missing, "the message in the channel '" + in_channel->name + "' contains no map");
    return std::nullopt;
} catch (const Error& error) {
    throw error.within({.file = trace.info().file});
}

}  // namespace ositrace
