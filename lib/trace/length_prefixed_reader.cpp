// SPDX-License-Identifier: MPL-2.0
#include "lib/trace/length_prefixed_reader.hpp"

#include <algorithm>
#include <utility>

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

constexpr std::size_t max_batch_frames = 4096;

}  // namespace

LengthPrefixedReader::LengthPrefixedReader(std::unique_ptr<ByteSource> source, LengthPrefixedReaderOptions options)
    : input_(std::move(source), options.offset), options_(options), next_index_(options.first_index)
{
}

bool LengthPrefixedReader::read(FrameBatch& batch, const std::stop_token& stop)
{
    batch = {};
    batch.first_index = next_index_;
    for (;;) {
        collect_empty(batch);
        if (batch.records.empty()) collect(batch);
        if (!batch.records.empty()) break;
        if (!problem_ && advance(stop) == Step::end) return false;
        if (!problem_) continue;
        if (!options_.skip_bad_frames) throw *problem_;
        pass_over(batch, stop);
        return batch.skipped.has_value();
    }
    next_index_ += batch.records.size();
    return true;
}

/// Takes the complete records at the position.
void LengthPrefixedReader::collect(FrameBatch& batch)
{
    while (batch.records.size() < max_batch_frames) {
        const auto bytes = input_.buffered();
        const auto length = length_prefix::length_at(bytes);
        if (!length || *length == 0 || *length > options_.max_message_bytes || bytes.size() - prefix_bytes < *length)
            return;
        if (batch.records.empty()) batch.owner = input_.owner();
        batch.records.push_back({bytes.subspan(prefix_bytes, *length), input_.offset()});
        input_.consume(prefix_bytes + *length);
    }
}

void LengthPrefixedReader::collect_empty(FrameBatch& batch)
{
    for (; empty_frames_ != 0 && batch.records.size() < max_batch_frames; --empty_frames_)
        batch.records.push_back({{}, input_.offset() - empty_frames_ * prefix_bytes});
}

/// Makes the record at the position complete, or finds a problem with it.
LengthPrefixedReader::Step LengthPrefixedReader::advance(const std::stop_token& stop)
{
    if (zeros_ != 0) return count_zeros(stop);
    auto bytes = input_.ensure(prefix_bytes, stop);
    if (bytes.size() < prefix_bytes) {
        if (bytes.empty() || stop.stop_requested()) return Step::end;
        problem_ = located(length_prefix::truncated_prefix(bytes.size()));
        return Step::ready;
    }
    const auto length = load_le32(bytes.data());
    if (length == 0) return count_zeros(stop);
    try {
        length_prefix::check_length(length, options_.max_message_bytes, remaining());
    } catch (const Error& error) {
        problem_ = located(error);
        return Step::ready;
    }
    bytes = input_.ensure(prefix_bytes + length, stop, prefix_bytes);
    if (bytes.size() >= prefix_bytes + length) return Step::ready;
    if (stop.stop_requested()) return Step::end;
    problem_ = located(length_prefix::truncated_payload(bytes.size() - prefix_bytes, length));
    return Step::ready;
}

/// A zero length is an empty message, unless nothing but zeros follows. The zeros are counted, not kept: there may be
/// gigabytes.
LengthPrefixedReader::Step LengthPrefixedReader::count_zeros(const std::stop_token& stop)
{
    for (;;) {
        const auto bytes = input_.buffered();
        const auto zeros = length_prefix::leading_zeros(bytes);
        const auto whole = zeros / prefix_bytes * prefix_bytes;
        input_.consume(whole);
        zeros_ += whole;
        if (zeros < bytes.size()) break;
        const auto rest = input_.ensure(prefix_bytes, stop);
        if (rest.size() >= prefix_bytes) continue;
        if (stop.stop_requested()) return Step::end;
        const auto tail = zeros_ + rest.size();
        if (length_prefix::leading_zeros(rest) == rest.size() && tail >= length_prefix::min_zero_tail_bytes) {
            problem_ = length_prefix::zero_tail(tail).within(
                {.file = source().name(), .frame = next_index_, .offset = input_.offset() - zeros_});
            return Step::ready;
        }
        break;
    }
    empty_frames_ = std::exchange(zeros_, 0) / prefix_bytes;
    return Step::ready;
}

std::optional<std::uint64_t> LengthPrefixedReader::remaining() const
{
    const auto end = source().end();
    if (!end) return std::nullopt;
    const auto behind_prefix = input_.offset() + prefix_bytes;
    return *end - std::min(*end, behind_prefix);
}

Error LengthPrefixedReader::located(const Error& error) const
{
    return error.within({.file = source().name(), .frame = next_index_, .offset = input_.offset()});
}

namespace {

/// How far to read ahead for the records behind a candidate.
constexpr std::uint64_t max_lookahead_bytes = std::uint64_t{64} << 20;
/// Candidates looked at before they are let go.
constexpr std::size_t search_step_bytes = std::size_t{64} << 10;

}  // namespace

/// Looks for the next place where a record could begin, and stands there (or at the end).
void LengthPrefixedReader::pass_over(FrameBatch& batch, const std::stop_token& stop)
{
    zeros_ = 0;
    const auto look = [&](std::uint64_t offset, std::size_t count) -> std::optional<Bytes> {
        const auto wanted = offset - input_.offset() + count;
        if (wanted > max_lookahead_bytes) return std::nullopt;
        const auto bytes = input_.ensure(wanted, stop, wanted);
        const auto first = std::min<std::size_t>(offset - input_.offset(), bytes.size());
        return bytes.subspan(first, std::min(count, bytes.size() - first));
    };
    std::size_t candidate = 1;
    while (input_.ensure(candidate + prefix_bytes, stop, WindowedInput::window_bytes).size() >=
           candidate + prefix_bytes) {
        if (length_prefix::could_begin_at(input_.offset() + candidate, options_.max_message_bytes, look, plausible_))
            break;
        if (++candidate < search_step_bytes) continue;
        input_.consume(std::exchange(candidate, 0));
    }
    if (stop.stop_requested()) return;
    const auto here = input_.buffered().size();
    input_.consume(here < candidate + prefix_bytes ? here : candidate);
    const auto begin = problem_->where().offset.value_or(0);
    batch.skipped = SkippedBytes{next_index_, begin, input_.offset() - begin, *problem_};
    problem_.reset();
}

}  // namespace ositrace
