// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/ground_truth.hpp"

#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/picture/fields.hpp"

namespace ositrace::picture {

namespace {

/// Calls `visit` with the length and the bytes of every element until it returns false. Returns false then, and for a
/// message without wire bytes.
bool for_each_piece(const MapCache::Content& content, const std::function<bool(Bytes)>& visit)
{
    if (!content.ground_truth.wire_bytes()) return false;
    bool all = true;
    for (const auto field : content.fields) {
        const auto* const row = repeated_messages(content.ground_truth.table(), field);
        if (row == nullptr) continue;
        content.ground_truth.for_each_element(*row, [&](const Value& value) {
            const auto bytes = std::get<MessageView>(value).wire_bytes().value_or(Bytes());
            std::array<std::byte, sizeof(std::uint64_t)> length{};
            store(length.data(), std::uint64_t{bytes.size()} << 8 | row->number % 256);
            all = visit(length) && visit(bytes);
            return all;
        });
        if (!all) return false;
    }
    return true;
}

bool same_content(const Layer& a, const Layer& b)
{
    return a.is_carried == b.is_carried && a.points == b.points && a.boxes == b.boxes && a.lines == b.lines &&
           a.strips == b.strips && a.things == b.things;
}

}  // namespace

bool MapCache::Entry::is_for(const Content& content) const
{
    return schema == content.schema && table == &content.ground_truth.table() && origin == content.origin &&
           host == content.host;
}

bool MapCache::Entry::has_bytes_of(const Content& content) const
try {
    if (owner && owner == content.frame->owner && frame_bytes == content.frame->bytes.data()) return true;
    std::size_t at = 0;
    const bool all = for_each_piece(content, [&](Bytes piece) {
        if (piece.empty()) return true;
        if (piece.size() > bytes.size() - at || std::memcmp(piece.data(), bytes.data() + at, piece.size()) != 0)
            return false;
        at += piece.size();
        return true;
    });
    return all && at == bytes.size();
} catch (const Error&) {
    return false;  // building it reports the error
}

void MapCache::Entry::remember(const Content& content)
try {
    schema = content.schema;
    table = &content.ground_truth.table();
    origin = content.origin;
    host = content.host;
    owner = content.keeps_frame ? content.frame->owner : nullptr;
    frame_bytes = content.frame->bytes.data();
    bytes.clear();
    for_each_piece(content, [&](Bytes piece) {
        bytes.insert(bytes.end(), piece.begin(), piece.end());
        return true;
    });
} catch (const Error&) {
    table = nullptr;  // matches nothing
    bytes = {};
}

const MapPart& MapCache::get(const Content& content, const std::function<MapPart()>& build)
{
    auto& entry = entries_[{content.source, content.path}];
    entry.used = true;
    if (entry.part.layer && entry.is_for(content) && entry.has_bytes_of(content)) return entry.part;
    const auto before = std::exchange(entry.part.layer, nullptr);
    auto part = build();
    if (before && same_content(*before, *part.layer)) {
        part.layer = before;
        part.lines.stand_in(before);
    }
    entry.part = std::move(part);
    entry.remember(content);
    return entry.part;
}

void MapCache::drop_unused()
{
    for (auto entry = entries_.begin(); entry != entries_.end();)
        entry = std::exchange(entry->second.used, false) ? std::next(entry) : entries_.erase(entry);
}

}  // namespace ositrace::picture
