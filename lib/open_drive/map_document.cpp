// SPDX-License-Identifier: MPL-2.0
// Where the OpenDRIVE document of a trace is.
#include <algorithm>
#include <cstdint>
#include <vector>

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

/// A map in a trace.
struct MapCandidate {
    MapDocument document;  ///< the text of an attachment is not read yet
    std::uint32_t channel = 0;
    const Attachment* attachment = nullptr;
};

/// Of the first message of each map channel that has one, and of each attachment. The text of a message may be empty.
std::vector<MapCandidate> maps_in(const Trace& trace)
{
    std::vector<MapCandidate> all;
    const auto& info = trace.info();
    for (std::uint32_t i = 0; i < info.channels.size(); ++i) {
        if (!is_map_channel(info.channels[i]) || trace.frame_count(i) == 0) continue;
        auto message = read_map_message(trace.frame(i, trace.first_frame(i)).bytes);
        all.push_back({{MapOrigin::channel,
                        info.channels[i].topic,
                        std::move(message.xml),
                        std::move(message.reference),
                        info.file,
                        {}},
                       i});
    }
    for (const auto& attachment : info.attachments)
        if (has_map_name(attachment.name))
            all.push_back(
                {{MapOrigin::attachment, attachment.name, {}, attachment.name, info.file, {}}, 0, &attachment});
    return all;
}

std::string text_of_attachment(const Attachment& attachment, std::size_t max_bytes)
{
    if (attachment.bytes > max_bytes)
        throw Error(Cause::limit,
                    "the map in the attachment " + attachment.name + exceeds_limit(attachment.bytes, max_bytes));
    std::string text;
    attachment.read([&](Bytes piece) { text += text_of(piece); });
    return text;
}

/// What cannot be read is not the same.
bool is_same_map(const MapCandidate& other, const std::string& xml)
try {
    if (other.attachment == nullptr) return other.document.xml == xml;
    return other.attachment->bytes == xml.size() && text_of_attachment(*other.attachment, xml.size()) == xml;
} catch (const Error&) {
    return false;
}

bool has_text(const MapCandidate& map) { return map.attachment != nullptr || !map.document.xml.empty(); }

/// The maps that are not used, unless they are equal to the one that is.
void note_other_maps(const std::vector<MapCandidate>& all, MapDocument& used)
{
    constexpr std::size_t most_names = 5;
    std::size_t count = 0;
    std::string names;
    for (const auto& other : all) {
        if (!has_text(other) || is_same_map(other, used.xml)) continue;
        if (++count <= most_names) names += (names.empty() ? "" : ", ") + place_in_trace(other.document);
    }
    if (count == 0) return;
    if (count > most_names) names += " and " + std::to_string(count - most_names) + " more";
    used.notes.emplace_back(Cause::ambiguous, Location{.file = used.file},
                            "there are " + std::to_string(count + 1) + " maps: that in the " + place_in_trace(used) +
                                " is used, and not the " + names);
}

/// Messages of a map channel that differ from the first one. They are read up to a limit; beyond it their lengths
/// count.
void note_changes(const Trace& trace, std::uint32_t channel, MapDocument& used)
{
    constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;
    const auto count = trace.frame_count(channel), number = trace.first_frame(channel);
    if (count < 2) return;
    const auto first = trace.frame(channel, number);
    std::uint64_t changed = 0, bytes = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i == number) continue;
        const auto length = trace.frame_bytes(channel, i);
        bool differs = length != first.bytes.size();
        if (!differs && bytes <= most_bytes) {
            bytes += length;
            differs = text_of(trace.frame(channel, i).bytes) != text_of(first.bytes);
        }
        changed += differs ? 1 : 0;
    }
    if (changed != 0)
        used.notes.emplace_back(Cause::ambiguous, Location{.file = used.file},
                                "the map in the " + place_in_trace(used) + " changes: of its " + std::to_string(count) +
                                    " messages the first is used, and " + std::to_string(changed) +
                                    (changed == 1 ? " differs" : " differ"));
}

MapDocument document_in_file(const std::filesystem::path& file, MapOrigin origin, std::size_t max_bytes)
try {
    const auto source = FileSource::open(file);
    auto text = whole_text(*source, max_bytes, {});
    const auto name = file.filename().string();
    return {origin, name, std::move(text), name, file, {}};
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

std::string place_in_trace(const MapDocument& document)
{
    return (document.origin == MapOrigin::channel ? "channel '" : "attachment '") + document.name + '\'';
}

std::filesystem::path map_with_reference(const std::filesystem::path& trace, std::string reference)
{
    if (reference.find('\0') != std::string::npos) return {};  // the file would be that of another name
    std::ranges::replace(reference, '\\', '/');
    const std::filesystem::path named = reference;
    if (!named.has_filename()) return {};
    for (auto candidate : {trace.parent_path() / named, trace.parent_path() / named.filename()}) {
        if (!has_map_name(candidate.string())) candidate += map_extension;
        if (is_file(candidate)) return candidate;
    }
    return {};
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
    auto in_trace = maps_in(trace);
    const auto used = std::ranges::find_if(in_trace, has_text);
    if (used != in_trace.end()) {
        auto document = used->document;
        if (used->attachment != nullptr) document.xml = text_of_attachment(*used->attachment, search.max_bytes);
        note_other_maps(in_trace, document);
        if (used->attachment == nullptr) note_changes(trace, used->channel, document);
        return document;
    }
    const auto& file = trace.info().file;
    if (file.empty() || trace.info().container.map) return std::nullopt;
    if (auto found = map_document_beside(file, first_truth_of(trace).frame, search.max_bytes)) return found;
    if (!in_trace.empty())
        throw Error(Cause::missing,
                    "the message in the " + place_in_trace(in_trace.front().document) + " contains no map");
    return std::nullopt;
} catch (const Error& error) {
    throw error.within({.file = trace.info().file});
}

}  // namespace ositrace
