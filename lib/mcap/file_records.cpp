// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/file_records.hpp"

#include <algorithm>
#include <string>

#include <ositrace/error.hpp>

namespace ositrace {

using mcap::record_prefix_bytes;

namespace {

/// Small records are read many at once, and not much is read for nothing between large ones.
constexpr std::size_t window_capacity = std::size_t{16} << 10;

}  // namespace

void read_exactly(const SeekableFile& file, std::uint64_t offset, std::span<std::byte> into)
{
    const auto got = file.read_at(offset, into);
    if (got != into.size())
        throw Error(Cause::truncated, {.file = file.name(), .offset = offset},
                    "the file ends " + std::to_string(into.size() - got) + " bytes too early");
}

bool FileRecords::next()
{
    position_ = next_;
    if (position_ >= end_) return false;
    const auto front = window(position_, record_prefix_bytes);
    if (front.size() < record_prefix_bytes)
        throw Error(Cause::truncated, {.file = file_.name(), .offset = position_},
                    "the file ends in its data section, expected a DataEnd record; " + std::to_string(front.size()) +
                        " bytes of a record are left");
    prefix_ = mcap::prefix_at(front);
    try {
        mcap::check_opcode(prefix_.opcode);
    } catch (const Error& error) {
        throw error.within({.file = file_.name(), .offset = position_});
    }
    const auto left = end_ - content_offset();
    if (prefix_.length > left)
        throw Error(Cause::truncated, {.file = file_.name(), .offset = position_},
                    "the file ends in a " + name_of(prefix_.opcode) + " record: it announces " +
                        std::to_string(prefix_.length) + " bytes, and " + std::to_string(left) + " are left");
    next_ = end();
    return true;
}

Bytes FileRecords::front(std::size_t count)
{
    return window(content_offset(), static_cast<std::size_t>(std::min<std::uint64_t>(count, prefix_.length)));
}

Bytes FileRecords::content(std::uint64_t limit)
{
    if (prefix_.length > limit)
        throw Error(Cause::limit, {.file = file_.name(), .offset = position_},
                    name_of(prefix_.opcode) + " record of " + std::to_string(prefix_.length) +
                        " bytes exceeds the limit of " + std::to_string(limit));
    return window(content_offset(), static_cast<std::size_t>(prefix_.length));
}

Bytes FileRecords::window(std::uint64_t offset, std::size_t count)
{
    if (offset < window_offset_ || offset + count > window_offset_ + window_bytes_) {
        window_.resize(std::max(window_.size(), std::max(count, window_capacity)));
        const auto wanted =
            static_cast<std::size_t>(std::min<std::uint64_t>(std::max(count, window_capacity), end_ - offset));
        window_offset_ = offset;
        window_bytes_ = file_.read_at(offset, std::span(window_).first(wanted), std::min(count, wanted));
    }
    const auto from = static_cast<std::size_t>(offset - window_offset_);
    return Bytes(window_).subspan(from, std::min(count, window_bytes_ - from));
}

}  // namespace ositrace
