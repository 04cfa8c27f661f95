// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/prefix_walker.hpp"

#include <algorithm>

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// From this distance on, reading a piece alone is cheaper than reading everything between.
constexpr std::uint64_t far_bytes = SmallReads::window_bytes / 2;

}  // namespace

SmallReads::SmallReads(const RandomAccess& file)
    : file_(file), window_(std::make_unique_for_overwrite<std::byte[]>(window_bytes))
{
}

Bytes SmallReads::at(std::uint64_t offset, std::size_t count)
{
    const bool inside = offset >= offset_ && offset + count <= offset_ + size_;
    if (!inside) {
        const bool close = offset >= offset_ && offset - (offset_ + size_) < far_bytes;
        const bool overlaps = offset >= offset_ && offset <= offset_ + size_;
        size_ = file_.read_at(offset, {window_.get(), close || overlaps ? window_bytes : count}, count);
        offset_ = offset;
    }
    const auto first = static_cast<std::size_t>(offset - offset_);
    return {window_.get() + first, std::min(count, size_ - first)};
}

Bytes SmallReads::buffered_at(std::uint64_t offset, std::size_t count)
{
    static_cast<void>(at(offset, count));
    const auto first = static_cast<std::size_t>(offset - offset_);
    return {window_.get() + first, size_ - first};
}

PrefixWalker::PrefixWalker(const RandomAccess& file, PrefixWalkerOptions options)
    : file_(file), options_(options), reads_(file)
{
}

std::optional<FramePlace> PrefixWalker::next()
try {
    if (offset_ == file_.size()) return std::nullopt;
    const FramePlace place{frame_, offset_, checked_length()};
    ++frame_;
    offset_ += prefix_bytes + place.length;
    return place;
} catch (const Error& error) {
    if (!error.where().file.empty()) throw;  // of reading, not of the framing
    throw error.within({.file = file_.name(), .frame = frame_, .offset = offset_});
}

std::uint32_t PrefixWalker::checked_length()
{
    const auto bytes = reads_.at(offset_, prefix_bytes);
    const auto length = length_prefix::length_at(bytes);
    if (!length) throw length_prefix::truncated_prefix(bytes.size());
    if (*length == 0) check_zeros();
    length_prefix::check_length(*length, options_.max_message_bytes, file_.size() - offset_ - prefix_bytes);
    return *length;
}

/// A zero length is an empty message, unless too many follow each other or nothing follows.
void PrefixWalker::check_zeros()
{
    if (options_.keep_empty || offset_ + prefix_bytes <= zeros_end_) return;
    auto end = offset_;
    for (bool zeros_only = true; zeros_only && end < file_.size();) {
        const auto bytes = reads_.at(end, std::min<std::uint64_t>(SmallReads::window_bytes, file_.size() - end));
        const auto zeros = length_prefix::leading_zeros(bytes);
        end += zeros;
        zeros_only = zeros == bytes.size();
        if (zeros_only) end = file_.zeros_end(end);
    }
    const auto zeros = end - offset_;
    if (end == file_.size()) throw length_prefix::zero_tail(zeros);
    if (zeros / prefix_bytes * prefix_bytes >= length_prefix::min_damage_zeros)
        throw length_prefix::zeros_between_frames(zeros);
    if (options_.flatbuffers) throw length_prefix::empty_flatbuffer();
    zeros_end_ = end;
}

}  // namespace ositrace
