// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/mcap/mcap_summary.hpp"
#include "lib/mcap/record_search.hpp"
#include "lib/mcap/tail_channels.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// Messages outside of chunks that go into one batch.
constexpr std::size_t max_batch_frames = 4096;
/// Records between two chunks that are read together with a chunk.
constexpr std::size_t max_behind_chunk = std::size_t{1} << 20;

bool is_wanted(Opcode opcode)
{
    switch (opcode) {
    case Opcode::schema:
    case Opcode::channel:
    case Opcode::message:
    case Opcode::chunk:
    case Opcode::metadata:
    case Opcode::data_end: return true;
    default: return false;
    }
}

/// Known before somebody writes it on.
std::optional<Error> damage_of(const Attachment& attachment)
try {
    attachment.read([](Bytes) {});
    return std::nullopt;
} catch (const Error& error) {
    if (error.cause() == Cause::io) throw;
    return error;
}

}  // namespace

McapReader::McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options)
    : McapReader(std::move(source), options, nullptr, false)
{
}

McapReader::McapReader(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options)
    : McapReader(std::make_unique<SeekableSource>(file), options,
                 // Behind damage the next record is searched for byte by byte.
                 options.skip_bad_frames
                     ? nullptr
                     : std::make_unique<ChunksAhead>(file, max_chunk_bytes(options.max_message_bytes),
                                                     unpacking_threads(options.threads)),
                 true)
{
    if (!skip_bad_frames_) return;
    if (auto summary = read_mcap_summary(file, options))
        records_.filler().channels().fall_back_on(std::move(summary->index.channels));
    else if (auto channels = read_tail_channels(*file, options))
        records_.filler().channels().fall_back_on(std::move(*channels));
}

McapReader::McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options,
                       std::unique_ptr<ChunksAhead> chunks, bool stays)
    : input_(std::move(source)),
      chunks_(std::move(chunks)),
      limits_{options.max_message_bytes, max_chunk_bytes(options.max_message_bytes)},
      skip_bad_frames_(options.skip_bad_frames),
      records_(input_, options, limits_),
      lengths_(input_, limits_, records_.salvages()),
      attachments_(stays)
{
    input_.keep_crc();
}

Location McapReader::here() const
{
    return {.file = source().name(), .frame = records_.filler().frames(), .offset = input_.offset()};
}

Error McapReader::located(const Error& error, std::uint64_t offset) const
{
    return error.within({.file = source().name(), .offset = offset});
}

bool McapReader::read(McapBatch& batch, const std::stop_token& stop)
{
    batch = {};
    if (failure_) std::rethrow_exception(failure_);
    if (problem_) return pass_damage(batch, stop);
    try {
        if (!begun_ && !begin(stop)) return false;
        for (auto step = Step::more; step != Step::full;) {
            step = next_step(batch, stop);
            if (step == Step::end) return !batch.empty();
        }
    } catch (const Error& error) {
        // What stands before the break goes out first.
        if (skip_bad_frames_ && error.cause() != Cause::io)
            problem_ = error;
        else
            failure_ = std::current_exception();
        if (!batch.empty()) return true;
        if (problem_) return pass_damage(batch, stop);
        throw;
    }
    return true;
}

bool McapReader::begin(const std::stop_token& stop)
try {
    auto header = read_mcap_header(input_, stop);
    if (!header) return false;
    header_ = std::move(*header);
    begun_ = true;
    return true;
} catch (const Error& error) {
    throw located(error, 0);
}

/// What stands behind chunks that were begun is looked at ahead, as far as it need not be handed out.
McapReader::Step McapReader::next_step(McapBatch& batch, const std::stop_token& stop)
{
    if (!chunks_ || chunks_->empty()) return step(batch, stop);
    if (!goes_ahead_ || chunks_->full()) return take_begun(batch);
    auto found = Step::due;
    try {
        found = step(batch, stop);
    } catch (const Error&) {
        // It is found again when its turn has come.
    }
    if (found == Step::more || stop.stop_requested()) return found == Step::more ? Step::more : Step::end;
    return take_begun(batch);
}

McapReader::Step McapReader::take_begun(McapBatch& batch)
{
    const auto offset = chunks_->offset();
    try {
        records_.add_chunk(chunks_->take(), batch);
    } catch (const Error& error) {
        chunks_->clear();
        throw records_.damaged_chunk(error, offset);
    }
    return batch.empty() ? Step::more : Step::full;
}

/// `input_` stands at the record, and has looked at its front.
McapReader::Step McapReader::begin_chunk(const mcap::RecordPrefix& prefix, const std::stop_token& stop)
{
    const auto front = input_.buffered().subspan(record_prefix_bytes);
    input_.drop_crc();  // what chunks hold has CRCs of its own, and is read elsewhere
    chunks_->begin(input_.offset(), prefix.length, mcap::chunk_unpacked_bytes(front));
    input_.skip(record_prefix_bytes + prefix.length, stop);
    return Step::more;
}

bool McapReader::must_wait(Opcode opcode) const noexcept
{
    if (!chunks_ || chunks_->empty() || data_ended_ || opcode == Opcode::chunk) return false;
    return is_wanted(opcode) || opcode == Opcode::attachment || opcode == Opcode::footer;
}

McapReader::Step McapReader::step(McapBatch& batch, const std::stop_token& stop)
{
    if (footer_seen_) return drain(stop);
    if (to_pass_ != 0) return pass_over(stop);
    const bool some = !batch.frames.empty();
    // What is there goes out before anything is waited for.
    if (some && (batch.frames.size() >= max_batch_frames || input_.buffered().size() < record_prefix_bytes))
        return Step::full;
    record_offset_ = input_.offset();
    const auto bytes = input_.ensure(record_prefix_bytes, stop);
    if (bytes.size() < record_prefix_bytes) return stop.stop_requested() ? Step::end : at_end(bytes.size());
    const auto prefix = mcap::prefix_at(bytes);
    if (some && (prefix.opcode != Opcode::message || bytes.size() - record_prefix_bytes < prefix.length))
        return Step::full;
    return take_record(prefix, batch, stop);
}

McapReader::Step McapReader::at_end(std::size_t left) const
{
    if (data_ended_ && left == 0 && to_pass_ == 0) return Step::end;
    throw Error(Cause::truncated, here(),
                data_ended_ ? "the file ends in its summary, the messages are complete"
                            : "the file ends in its data section, expected a DataEnd record; " +
                                  (left == 0 ? "the writer was interrupted"
                                             : std::to_string(left) + " bytes of a record are left"));
}

McapReader::Step McapReader::take_record(const mcap::RecordPrefix& stated, McapBatch& batch,
                                         const std::stop_token& stop)
{
    if (data_ended_ && mcap::holds_data(stated.opcode)) return go_on_with_data(stated.opcode, batch);
    const auto prefix = data_ended_ ? stated : lengths_.repaired(stated, stop);
    if (must_wait(prefix.opcode)) return Step::due;
    if (prefix.opcode == Opcode::footer) return take_footer(batch, stop);
    if (prefix.opcode == Opcode::attachment && !data_ended_) return take_attachment(prefix.length, batch, stop);
    const bool declares = prefix.opcode == Opcode::schema || prefix.opcode == Opcode::channel;
    if (data_ended_ && declares && prefix.length <= limits_.of(prefix.opcode)) return take_stated(prefix, stop);
    if (data_ended_ || !is_wanted(prefix.opcode)) {
        if (!data_ended_) check_length(prefix, false, stop);
        if (mcap::is_undefined(prefix.opcode)) ++batch.application_records;
        input_.consume(record_prefix_bytes);
        to_pass_ = prefix.length;
        return Step::more;
    }
    check_length(prefix, true, stop);
    if (chunks_ && prefix.opcode == Opcode::chunk) return begin_chunk(prefix, stop);
    return take_wanted(prefix, batch, stop);
}

/// A DataEnd record does not end the data where they go on.
McapReader::Step McapReader::go_on_with_data(Opcode opcode, McapBatch& batch)
try {
    mcap::check_behind_data_end(opcode);
    return Step::more;
} catch (const Error& error) {
    const auto problem = error.within(here());
    if (!skip_bad_frames_) throw problem;
    data_ended_ = false;
    input_.drop_crc();
    records_.go_on_with_data();
    batch.skipped = SkippedBytes{records_.filler().frames(), input_.offset(), 0, problem};
    return Step::full;
}

McapReader::Step McapReader::take_footer(McapBatch& batch, const std::stop_token& stop)
{
    constexpr auto rest_bytes = record_prefix_bytes + mcap::footer_bytes + mcap::magic.size();
    data_ended_ = true;
    if (const auto left = input_.ensure(rest_bytes, stop).size(); left < rest_bytes)
        return stop.stop_requested() ? Step::end : at_end(left);
    footer_seen_ = true;
    const auto closing = input_.buffered().subspan(rest_bytes - mcap::magic.size(), mcap::magic.size());
    try {
        mcap::check_closing_magic(closing);
    } catch (const Error& error) {
        auto place = here();
        *place.offset += rest_bytes - closing.size();
        throw error.within(place);
    }
    records_.take_stated(input_.buffered().first(rest_bytes - mcap::magic.size()), batch);
    input_.consume(rest_bytes);
    record_offset_ = input_.offset();
    return Step::more;
}

McapReader::Step McapReader::take_wanted(const mcap::RecordPrefix& prefix, McapBatch& batch,
                                         const std::stop_token& stop)
{
    const bool is_chunk = prefix.opcode == Opcode::chunk;
    const auto end = record_prefix_bytes + static_cast<std::size_t>(prefix.length);
    const auto bytes = input_.ensure(end, stop, is_chunk ? behind_chunk_ + record_prefix_bytes : record_prefix_bytes);
    if (bytes.size() < end) {
        if (stop.stop_requested()) return Step::end;
        const auto problem = RecordLengths::cut_off(prefix, bytes.size() - record_prefix_bytes).within(here());
        if (is_chunk && records_.salvages()) return take_cut_chunk(bytes, problem, batch);
        throw problem;
    }
    if (is_chunk) note_chunk(end);
    const mcap::RawRecord record{prefix.opcode, input_.offset(),
                                 bytes.subspan(record_prefix_bytes, end - record_prefix_bytes)};
    data_ended_ = prefix.opcode == Opcode::data_end;
    records_.add(record, searched_, batch);
    input_.consume(end);
    if (data_ended_) input_.keep_crc();  // from here on that of the summary
    searched_ = false;
    return is_chunk && !batch.empty() ? Step::full : Step::more;
}

McapReader::Step McapReader::take_stated(const mcap::RecordPrefix& prefix, const std::stop_token& stop)
{
    const auto end = record_prefix_bytes + static_cast<std::size_t>(prefix.length);
    const auto bytes = input_.ensure(end, stop);
    if (bytes.size() < end) return stop.stop_requested() ? Step::end : at_end(bytes.size());
    records_.add_stated(
        {prefix.opcode, input_.offset(), bytes.subspan(record_prefix_bytes, end - record_prefix_bytes)});
    input_.consume(end);
    return Step::more;
}

/// What stood between the last two chunks will stand behind this one, too.
void McapReader::note_chunk(std::size_t record_bytes)
{
    const auto offset = input_.offset();
    if (chunk_end_ != 0)
        behind_chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset - chunk_end_, max_behind_chunk));
    chunk_end_ = offset + record_bytes;
}

/// Behind it there is nothing.
McapReader::Step McapReader::take_cut_chunk(Bytes bytes, const Error& problem, McapBatch& batch)
{
    records_.add_cut_chunk({Opcode::chunk, input_.offset(), bytes.subspan(record_prefix_bytes)}, problem, batch);
    input_.consume(bytes.size());
    data_ended_ = true;
    return Step::full;
}

void McapReader::check_length(const mcap::RecordPrefix& prefix, bool wanted, const std::stop_token& stop)
try {
    if (wanted) lengths_.check_limit(prefix);
    lengths_.check(prefix, stop);
} catch (const Error& error) {
    throw error.within(here());
}

/// Goes on behind a damaged record, and says how much that leaves out.
bool McapReader::pass_damage(McapBatch& batch, const std::stop_token& stop)
{
    to_pass_ = 0;
    begun_ = true;
    searched_ = true;
    input_.drop_crc();
    if (data_ended_) {
        while (!input_.ensure(1, stop).empty()) input_.consume(input_.buffered().size());
    } else if (!find_record(input_, input_.offset() == record_offset_ ? 1 : 0, records_.filler().channels(), stop)) {
        data_ended_ = !stop.stop_requested();
    }
    if (stop.stop_requested()) return false;
    batch.skipped =
        SkippedBytes{records_.filler().frames(), record_offset_, input_.offset() - record_offset_, *problem_};
    record_offset_ = input_.offset();
    problem_.reset();
    return true;
}

McapReader::Step McapReader::take_attachment(std::uint64_t length, McapBatch& batch, const std::stop_token& stop)
{
    const auto offset = input_.offset();
    try {
        auto taken = attachments_.take(input_, length, stop);
        if (!taken) return Step::end;
        to_pass_ = taken->left;
        if (const auto problem = skip_bad_frames_ ? damage_of(taken->attachment) : std::nullopt) {
            input_.drop_crc();
            batch.skipped = SkippedBytes{records_.filler().frames(), offset, record_prefix_bytes + length, *problem};
            return Step::full;
        }
        batch.attachments.push_back(std::move(taken->attachment));
    } catch (const Error& error) {
        if (error.where().file.empty()) throw located(error, offset);
        throw;
    }
    return Step::more;
}

McapReader::Step McapReader::pass_over(const std::stop_token& stop)
{
    if (chunks_ && !data_ended_) input_.skip(std::exchange(to_pass_, 0), stop);  // its length was checked
    while (to_pass_ != 0) {
        const auto bytes = input_.buffered().empty() ? input_.ensure(1, stop) : input_.buffered();
        if (bytes.empty()) return stop.stop_requested() ? Step::end : at_end(0);
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), to_pass_));
        input_.consume(count);
        to_pass_ -= count;
    }
    return Step::more;
}

/// Behind the Footer nothing is wanted, but who writes into a pipe wants to be read to the end.
McapReader::Step McapReader::drain(const std::stop_token& stop)
{
    while (!input_.ensure(1, stop).empty()) input_.consume(input_.buffered().size());
    if (stop.stop_requested()) return Step::end;
    try {
        mcap::check_nothing_behind(input_.offset() - record_offset_);
    } catch (const Error& error) {
        throw error.within({.file = source().name(), .frame = records_.filler().frames(), .offset = record_offset_});
    }
    return Step::end;
}

}  // namespace ositrace
