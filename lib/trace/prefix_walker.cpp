// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/prefix_walker.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// From this distance on, reading a piece alone is cheaper than reading all that lies between.
constexpr std::uint64_t far_bytes = SmallReads::window_bytes / 2;

}  // namespace

SmallReads::SmallReads(const SeekableFile& file)
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

PrefixWalker::PrefixWalker(const SeekableFile& file, PrefixWalkerOptions options)
    : file_(file), options_(std::move(options)), reads_(file)
{
}

std::optional<FramePlace> PrefixWalker::next()
{
    while (offset_ < file_.size()) {
        try {
            const FramePlace place{frame_, offset_, checked_length(), std::exchange(behind_gap_, false)};
            ++frame_;
            offset_ += prefix_bytes + place.length;
            return place;
        } catch (const Error& error) {
            if (!error.where().file.empty()) throw;  // of reading, not of the framing
            const auto problem = error.within({.file = file_.name(), .frame = frame_, .offset = offset_});
            if (!options_.skip_bad_frames) throw problem;
            if (!pass_over(problem)) break;
        }
    }
    return std::nullopt;
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

/// A zero length is an empty message, unless nothing but zeros follows.
void PrefixWalker::check_zeros()
{
    if (offset_ + prefix_bytes <= zeros_end_) return;
    auto end = offset_;
    for (;;) {
        const auto bytes = reads_.at(end, std::min<std::uint64_t>(SmallReads::window_bytes, file_.size() - end));
        const auto zeros = length_prefix::leading_zeros(bytes);
        end += zeros;
        if (zeros < bytes.size()) break;
        if (end < file_.size()) continue;
        if (end - offset_ >= length_prefix::min_zero_tail_bytes) throw length_prefix::zero_tail(end - offset_);
        break;
    }
    zeros_end_ = end;
}

/// Stands at the next place where a record could begin; false when there is none.
bool PrefixWalker::pass_over(const Error& problem)
{
    SmallReads links(file_);  // apart from reads_, which holds the candidates
    const auto look = [&](std::uint64_t offset, std::size_t count) -> std::optional<Bytes> {
        return offset > file_.size() ? Bytes{} : links.at(offset, count);
    };
    const auto begin = offset_;
    const bool zeros_to_the_end = problem.cause() == Cause::malformed;
    offset_ = zeros_to_the_end ? file_.size() : offset_ + 1;
    for (; offset_ < file_.size(); ++offset_) {
        const auto length = length_prefix::length_at(reads_.at(offset_, prefix_bytes)).value_or(0);
        if (length == 0 || length > options_.max_message_bytes) continue;
        if (length_prefix::could_begin_at(offset_, options_.max_message_bytes, look, options_.plausible)) break;
    }
    behind_gap_ = true;
    if (options_.on_skip) options_.on_skip({frame_, begin, offset_ - begin, problem});
    return offset_ < file_.size();
}

}  // namespace ositrace
