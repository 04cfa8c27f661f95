// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/length_prefixed_stream.hpp"

#include <utility>

#include "formats/framing/length_prefix.hpp"
#include "lib/length_prefixed/swallowed_frame.hpp"
#include "lib/system/processors.hpp"
#include "lib/trace/unfinished.hpp"

namespace ositrace {

namespace {

/// Read ahead: a few windows, or one large frame.
constexpr std::size_t read_ahead_bytes = std::size_t{1} << 20;
/// The reading thread continues below this: it is not woken for every window.
constexpr std::size_t read_on_bytes = read_ahead_bytes / 2;

std::size_t memory_of(const FrameBatch& batch)
{
    if (batch.records.empty()) return 0;
    const auto& last = batch.records.back();
    return last.offset + last.bytes.size() - batch.records.front().offset + batch.records.size() * sizeof last;
}

}  // namespace

LengthPrefixedStream::LengthPrefixedStream(std::unique_ptr<FrameBatchReader> reader, TraceInfo info, bool allows_empty,
                                           FirstBatches first, std::function<void(const SkippedBytes&)> on_skip,
                                           std::function<void(const SkippedBytes&)> on_unfinished)
    : info_(std::move(info)),
      allows_empty_(allows_empty),
      on_skip_(std::move(on_skip)),
      on_unfinished_(std::move(on_unfinished)),
      first_(std::move(first)),
      reader_(std::move(reader)),
      on_this_thread_(usable_processors() == 1)
{
}

bool LengthPrefixedStream::read(Frame& frame, std::stop_token stop)
{
    while (place_ == batch_.records.size())
        if (!next_batch(stop)) return false;
    const auto& record = batch_.records[place_];
    if (record.bytes.empty() && !allows_empty_)
        throw length_prefix::empty_flatbuffer().within(
            {.file = reader_->source().name(), .frame = batch_.first_index + place_, .offset = record.offset});
    if (record.may_hold_frames) check_holds_one(record);
    frame = Frame{};
    frame.bytes = record.bytes;
    frame.owner = batch_.owner;
    frame.index = batch_.first_index + place_;
    frame.offset = record.offset;
    frame.payload_offset = record.offset + length_prefix::prefix_bytes;
    ++place_;
    return true;
}

void LengthPrefixedStream::check_holds_one(const FrameBatch::Record& record)
{
    if (!verifier_) verifier_.emplace(info_.channels.front());
    if (const auto right = length_before_frames(record.bytes, *verifier_))
        throw length_covers_frames(record.bytes.size(), *right)
            .within({.file = reader_->source().name(), .frame = batch_.first_index + place_, .offset = record.offset});
}

bool LengthPrefixedStream::next_batch(const std::stop_token& stop)
{
    batch_ = {};  // frees its memory before the next one is read
    place_ = 0;
    auto next = read_batch(stop);
    if (!next) {
        if (on_unfinished_ && stop.stop_requested()) report_unfinished();
        return false;
    }
    batch_ = std::move(*next);
    frames_ = batch_.first_index + batch_.records.size();
    if (!batch_.records.empty()) {
        const auto& last = batch_.records.back();
        end_ = last.offset + length_prefix::prefix_bytes + last.bytes.size();
    }
    if (batch_.skipped && on_skip_) on_skip_(*batch_.skipped);
    return true;
}

void LengthPrefixedStream::report_unfinished()
{
    ahead_.reset();  // its thread uses the reader
    const auto read = reader_->source().bytes_consumed();
    if (read > end_) on_unfinished_(unfinished(reader_->source().name(), frames_, end_, read - end_));
    on_unfinished_ = nullptr;
}

std::optional<FrameBatch> LengthPrefixedStream::read_batch(const std::stop_token& stop)
{
    if (stop.stop_requested()) return std::nullopt;
    if (!first_.batches.empty()) {
        auto next = std::move(first_.batches.front());
        first_.batches.pop_front();
        return next;
    }
    if (first_.failure) std::rethrow_exception(first_.failure);
    if (on_this_thread_) return read_here(stop);
    if (!ahead_) ahead_.emplace(batches_of<FrameBatch>(*reader_), memory_of, read_ahead_bytes, read_on_bytes);
    return ahead_->take_or_produce(stop);
}

std::optional<FrameBatch> LengthPrefixedStream::read_here(const std::stop_token& stop)
try {
    return batches_of<FrameBatch>(*reader_)(stop);
} catch (...) {
    first_.failure = std::current_exception();  // of every later read(), too
    throw;
}

}  // namespace ositrace
