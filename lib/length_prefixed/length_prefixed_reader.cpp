// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/length_prefixed_reader.hpp"

#include <algorithm>
#include <utility>

#include "lib/length_prefixed/swallowed_frame.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

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
        if (problem_) throw *problem_;
        if (advance(stop) == Step::end) return false;
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
        const auto payload = bytes.subspan(prefix_bytes, *length);
        batch.records.push_back({payload, input_.offset(), may_hold_frames(payload)});
        input_.consume(prefix_bytes + *length);
    }
}

bool LengthPrefixedReader::may_hold_frames(Bytes payload)
{
    if (!scan_) return length_prefix::may_hold_frames(payload);
    const auto scan = *std::exchange(scan_, {});
    return scan.may_hold_frames();
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
    if (length >= WindowedInput::large_bytes) {
        if (!scan_) scan_.emplace(length);
        bytes = input_.ensure(prefix_bytes + length, stop, prefix_bytes, [&](Bytes arrived) {
            scan_->add(arrived.subspan(prefix_bytes, std::min<std::size_t>(arrived.size() - prefix_bytes, length)));
        });
    } else {
        bytes = input_.ensure(prefix_bytes + length, stop, prefix_bytes);
    }
    if (bytes.size() >= prefix_bytes + length) return Step::ready;
    if (stop.stop_requested()) return Step::end;
    problem_ = located(length_prefix::truncated_payload(bytes.size() - prefix_bytes, length));
    return Step::ready;
}

/// A zero length is an empty message, unless too many follow each other or nothing follows. The zeros are counted, not
/// kept: there may be gigabytes.
LengthPrefixedReader::Step LengthPrefixedReader::count_zeros(const std::stop_token& stop)
{
    const auto fail = [this](const Error& error) {
        problem_ = error.within({.file = source().name(), .frame = next_index_, .offset = input_.offset() - zeros_});
        return Step::ready;
    };
    for (;;) {
        const auto bytes = input_.buffered();
        const auto zeros = length_prefix::leading_zeros(bytes);
        const auto whole = zeros / prefix_bytes * prefix_bytes;
        input_.consume(whole);
        zeros_ += whole;
        if (zeros < bytes.size()) break;
        if (const auto hole = source().zeros_ahead() / prefix_bytes * prefix_bytes; hole != 0 && whole == zeros) {
            input_.skip(hole, stop);
            zeros_ += hole;
        }
        const auto rest = input_.ensure(prefix_bytes, stop);
        if (rest.size() >= prefix_bytes) continue;
        if (stop.stop_requested()) return Step::end;
        if (!options_.keep_empty && length_prefix::leading_zeros(rest) == rest.size())
            return fail(length_prefix::zero_tail(zeros_ + rest.size()));
        break;
    }
    if (!options_.keep_empty && zeros_ >= length_prefix::min_damage_zeros)
        return fail(length_prefix::zeros_between_frames(zeros_ + length_prefix::leading_zeros(input_.buffered())));
    empty_frames_ = std::exchange(zeros_, 0) / prefix_bytes;
    return Step::ready;
}

std::optional<std::uint64_t> LengthPrefixedReader::remaining() const
{
    const auto end = source().end();
    if (!end) return std::nullopt;
    return *end - std::min(*end, input_.offset() + prefix_bytes);
}

Error LengthPrefixedReader::located(const Error& error) const
{
    return error.within({.file = source().name(), .frame = next_index_, .offset = input_.offset()});
}

}  // namespace ositrace
