// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_reader.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/mcap/plausible_record.hpp"
#include "lib/mcap/chunk_salvage.hpp"
#include "lib/mcap/mcap_summary.hpp"
#include "lib/mcap/tail_channels.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// Messages outside of chunks that go into one batch.
constexpr std::size_t max_batch_frames = 4096;
/// Records between two chunks that are read together with a chunk.
constexpr std::size_t max_behind_chunk = std::size_t{1} << 20;

std::uint64_t limit_of(Opcode opcode, std::size_t max_message_bytes, std::size_t max_chunk)
{
    if (opcode == Opcode::chunk) return std::uint64_t{max_chunk} + max_mcap_record_bytes;
    if (opcode == Opcode::message) return std::uint64_t{max_message_bytes} + mcap::message_front_bytes;
    return max_mcap_record_bytes;
}

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

}  // namespace

Nanoseconds mcap_time(std::uint64_t time, std::string_view field)
{
    if (time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(Cause::limit, {.field = std::string(field)}, std::to_string(time) + " ns do not fit into a signed 64-bit number");
    return Nanoseconds(static_cast<std::int64_t>(time));
}

MetadataRecord mcap_metadata(const mcap::Metadata& record)
{
    MetadataRecord result;
    result.name = record.name;
    for (const auto& [key, value] : record.entries) result.entries.insert_or_assign(std::string(key), std::string(value));
    return result;
}

Frame mcap_frame(Bytes content, const McapChannels& channels, std::size_t max_message_bytes)
{
    const auto message = mcap::parse_message(content);
    const auto place = channels.place_of(message.channel_id);
    if (!place)
        throw Error(Cause::malformed, {.offset = 0}, "a message of the channel " + std::to_string(message.channel_id) + ", which was not declared before");
    if (message.data.size() > max_message_bytes)
        throw Error(Cause::limit, "a message of " + std::to_string(message.data.size()) + " bytes exceeds the limit of "
                                      + std::to_string(max_message_bytes) + " (--max-message raises it)");
    Frame frame;
    frame.bytes = message.data;
    frame.channel = *place;
    frame.log_time = mcap_time(message.log_time, "log_time");
    frame.publish_time = mcap_time(message.publish_time, "publish_time");
    frame.sequence = message.sequence;
    return frame;
}

McapReader::McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options) : McapReader(std::move(source), options, nullptr, false)
{
}

McapReader::McapReader(const std::shared_ptr<const SeekableFile>& file, const OpenOptions& options)
    : McapReader(std::make_unique<SeekableSource>(file), options,
                 // Behind damage the next record is searched for byte by byte.
                 options.skip_bad_frames ? nullptr
                                         : std::make_unique<ChunksAhead>(file, max_chunk_bytes(options.max_message_bytes),
                                                                         unpacking_threads(options.threads)),
                 true)
{
    if (!skip_bad_frames_) return;
    if (auto summary = read_mcap_summary(file, options)) channels_ = std::move(summary->index.channels);
    else if (auto channels = read_tail_channels(*file, options)) channels_ = std::move(*channels);
}

McapReader::McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options, std::unique_ptr<ChunksAhead> chunks, bool stays)
    : input_(std::move(source)),
      chunks_(std::move(chunks)),
      channels_(options),
      decoder_(max_chunk_bytes(options.max_message_bytes)),
      max_message_bytes_(options.max_message_bytes),
      max_chunk_bytes_(max_chunk_bytes(options.max_message_bytes)),
      skip_bad_frames_(options.skip_bad_frames),
      is_whole_(options.skip_bad_frames ? options.is_whole : nullptr),
      attachments_(stays)
{
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
        if (!begun_ && !read_header(stop)) return false;
        for (auto step = Step::more; step != Step::full;) {
            step = next_step(batch, stop);
            if (step == Step::end) return !batch.empty();
        }
    } catch (const Error& error) {
        // What stands before the break goes out first.
        if (skip_bad_frames_ && error.cause() != Cause::io) problem_ = error;
        else failure_ = std::current_exception();
        if (!batch.empty()) return true;
        if (problem_) return pass_damage(batch, stop);
        throw;
    }
    return true;
}

bool McapReader::read_header(const std::stop_token& stop)
{
    constexpr auto front_bytes = mcap::magic.size() + record_prefix_bytes;
    auto bytes = input_.ensure(front_bytes, stop);
    if (stop.stop_requested()) return false;
    try {
        mcap::check_magic(bytes);
        if (bytes.size() < front_bytes) throw Error(Cause::truncated, {.offset = bytes.size()}, "ends behind its magic, expected a Header record");
        const auto [opcode, length] = mcap::prefix_at(bytes.subspan(mcap::magic.size()));
        if (opcode != Opcode::header || length > max_mcap_record_bytes)
            throw Error(Cause::malformed, {.offset = mcap::magic.size()},
                        "begins with a record " + name_of(opcode) + " of " + std::to_string(length) + " bytes, expected a Header");
        const auto end = front_bytes + static_cast<std::size_t>(length);
        bytes = input_.ensure(end, stop);
        if (stop.stop_requested()) return false;
        if (bytes.size() < end) throw Error(Cause::truncated, {.offset = mcap::magic.size()}, "ends in its Header");
        const auto header = mcap::parse_header(bytes.subspan(front_bytes, static_cast<std::size_t>(length)));
        profile_ = header.profile;
        library_ = header.library;
        input_.consume(end);
    } catch (const Error& error) {
        throw located(error, 0);
    }
    begun_ = true;
    return true;
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
    const auto before = frames_;
    try {
        take_records(chunks_->take(), batch);
    } catch (const Error& error) {
        chunks_->clear();
        throw damaged_chunk(error, offset, before, batch);
    }
    add_new_channels(batch);
    return batch.empty() ? Step::more : Step::full;
}

/// `input_` stands at the record, and has looked at its front.
McapReader::Step McapReader::begin_chunk(const mcap::RecordPrefix& prefix, const std::stop_token& stop)
{
    const auto front = input_.buffered().subspan(record_prefix_bytes);
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
    if (some && (batch.frames.size() >= max_batch_frames || input_.buffered().size() < record_prefix_bytes)) return Step::full;
    record_offset_ = input_.offset();
    const auto bytes = input_.ensure(record_prefix_bytes, stop);
    if (bytes.size() < record_prefix_bytes) return stop.stop_requested() ? Step::end : at_end(bytes.size());
    const auto prefix = mcap::prefix_at(bytes);
    if (some && (prefix.opcode != Opcode::message || bytes.size() - record_prefix_bytes < prefix.length)) return Step::full;
    return take_record(prefix, batch, stop);
}

McapReader::Step McapReader::at_end(std::size_t left) const
{
    if (data_ended_ && left == 0 && to_pass_ == 0) return Step::end;
    throw Error(Cause::truncated, {.file = source().name(), .frame = frames_, .offset = input_.offset()},
                data_ended_ ? "the file ends in its summary, the messages are complete"
                            : "the file ends in its data section, expected a DataEnd record; "
                                  + (left == 0 ? "the writer was interrupted" : std::to_string(left) + " bytes of a record are left"));
}

McapReader::Step McapReader::take_record(const mcap::RecordPrefix& stated, McapBatch& batch, const std::stop_token& stop)
{
    const auto offset = input_.offset();
    const auto prefix = is_whole_ && stated.opcode == Opcode::chunk && !data_ended_ ? repaired(stated, stop) : stated;
    if (must_wait(prefix.opcode)) return Step::due;
    if (prefix.opcode == Opcode::footer) {
        constexpr auto rest_bytes = record_prefix_bytes + mcap::footer_bytes + mcap::magic.size();
        data_ended_ = true;
        if (const auto left = input_.ensure(rest_bytes, stop).size(); left < rest_bytes)
            return stop.stop_requested() ? Step::end : at_end(left);
        footer_seen_ = true;
        return Step::more;
    }
    if (prefix.opcode == Opcode::attachment && !data_ended_) return take_attachment(prefix.length, batch, stop);
    if (data_ended_ || !is_wanted(prefix.opcode)) {
        if (!data_ended_) check_prefix(prefix, stop);
        input_.consume(record_prefix_bytes);
        to_pass_ = prefix.length;
        return Step::more;
    }
    if (const auto limit = limit_of(prefix.opcode, max_message_bytes_, max_chunk_bytes_); prefix.length > limit)
        throw located(Error(Cause::limit, name_of(prefix.opcode) + " record of " + std::to_string(prefix.length)
                                              + " bytes exceeds the limit of " + std::to_string(limit)), offset);
    const auto end = record_prefix_bytes + static_cast<std::size_t>(prefix.length);
    check_prefix(prefix, stop);
    if (chunks_ && prefix.opcode == Opcode::chunk) return begin_chunk(prefix, stop);
    const auto bytes = input_.ensure(end, stop, prefix.opcode == Opcode::chunk ? behind_chunk_ + record_prefix_bytes : record_prefix_bytes);
    if (bytes.size() < end) {
        if (stop.stop_requested()) return Step::end;
        const Error problem(Cause::truncated, {.file = source().name(), .frame = frames_, .offset = offset},
                            "the file ends in a " + name_of(prefix.opcode) + " record: it announces " + std::to_string(prefix.length)
                                + " bytes, and " + std::to_string(bytes.size() - record_prefix_bytes) + " are left");
        if (is_whole_ && prefix.opcode == Opcode::chunk) return take_cut_chunk(bytes, problem, batch);
        throw problem;
    }
    handle({prefix.opcode, offset, bytes.subspan(record_prefix_bytes, end - record_prefix_bytes)}, batch);
    input_.consume(end);
    searched_ = false;
    return prefix.opcode == Opcode::chunk && !batch.empty() ? Step::full : Step::more;
}

/// A chunk states its length twice. Where the two disagree, that one is right behind which a record begins.
mcap::RecordPrefix McapReader::repaired(mcap::RecordPrefix prefix, const std::stop_token& stop)
{
    const auto inside = chunk_length_inside(stop);
    if (inside && *inside != prefix.length && record_follows(*inside, stop)) prefix.length = *inside;
    return prefix;
}

std::optional<std::uint64_t> McapReader::chunk_length_inside(const std::stop_token& stop)
{
    const auto front = input_.ensure(record_prefix_bytes + mcap::plausible_record_bytes, stop);
    return front.size() < record_prefix_bytes ? std::nullopt : mcap::chunk_length(front.subspan(record_prefix_bytes));
}

bool McapReader::record_follows(std::uint64_t length, const std::stop_token& stop)
{
    if (length > limit_of(Opcode::chunk, max_message_bytes_, max_chunk_bytes_)) return false;
    const auto needed = record_prefix_bytes + static_cast<std::size_t>(length) + record_prefix_bytes;
    const auto end = source().end();
    if (end && *end - std::min(*end, input_.offset()) < needed) return false;
    const auto bytes = input_.ensure(needed, stop);
    return bytes.size() >= needed && mcap::plausible_prefix(bytes.subspan(needed - record_prefix_bytes));
}

/// Behind it there is nothing.
McapReader::Step McapReader::take_cut_chunk(Bytes bytes, const Error& problem, McapBatch& batch)
{
    salvage({Opcode::chunk, input_.offset(), bytes.subspan(record_prefix_bytes)}, problem, batch);
    add_new_channels(batch);
    input_.consume(bytes.size());
    data_ended_ = true;
    return Step::full;
}

/// Before much is read for a length that is wrong.
void McapReader::check_prefix(const mcap::RecordPrefix& prefix, const std::stop_token& stop)
{
    const auto end = source().end();
    const auto left = end ? *end - std::min(*end, input_.offset() + record_prefix_bytes) : ~std::uint64_t{0};
    const bool salvaged = is_whole_ && prefix.opcode == Opcode::chunk;
    if (prefix.length > left && !(salvaged && chunk_length_inside(stop) == prefix.length))
        throw Error(Cause::truncated, {.file = source().name(), .frame = frames_, .offset = input_.offset()},
                    "the file ends in a " + name_of(prefix.opcode) + " record: it announces " + std::to_string(prefix.length) + " bytes, and "
                        + std::to_string(left) + " are left");
    if (prefix.opcode != Opcode::chunk || prefix.length < mcap::plausible_record_bytes) return;
    const auto front = input_.ensure(record_prefix_bytes + mcap::plausible_record_bytes, stop);
    if (front.size() < record_prefix_bytes + mcap::plausible_record_bytes) return;
    if (!agrees(prefix, front.subspan(record_prefix_bytes, mcap::plausible_record_bytes)) && !(salvaged && record_follows(prefix.length, stop)))
        throw Error(Cause::malformed, {.file = source().name(), .frame = frames_, .offset = input_.offset()},
                    "the lengths in a Chunk record disagree with its own of " + std::to_string(prefix.length) + " bytes");
}

namespace {

/// How far the record behind a candidate may be.
constexpr std::uint64_t max_lookahead_bytes = std::uint64_t{64} << 20;
/// Candidates looked at before they are let go.
constexpr std::size_t search_step_bytes = std::size_t{64} << 10;

}  // namespace

/// Looks for the next place where a record could begin, and stands there (or at the end).
bool McapReader::pass_damage(McapBatch& batch, const std::stop_token& stop)
{
    to_pass_ = 0;
    begun_ = true;
    searched_ = true;
    std::size_t place = input_.offset() == record_offset_ ? 1 : 0;
    for (;;) {
        const auto bytes = input_.ensure(place + mcap::plausible_record_bytes, stop, WindowedInput::window_bytes);
        if (bytes.size() < place + record_prefix_bytes || data_ended_) {
            input_.consume(bytes.size());
            data_ended_ = true;  // nothing more is expected
            break;
        }
        if (goes_on_at(place, stop)) {
            input_.consume(place);
            break;
        }
        if (++place < search_step_bytes) continue;
        input_.consume(std::exchange(place, 0));
    }
    if (stop.stop_requested()) return false;
    batch.skipped = SkippedBytes{frames_, record_offset_, input_.offset() - record_offset_, *problem_};
    problem_.reset();
    return true;
}

bool McapReader::goes_on_at(std::size_t place, const std::stop_token& stop)
{
    const auto front = input_.buffered().subspan(place);
    const auto knows_channel = [&](std::uint16_t id) { return channels_.place_of(id).has_value(); };
    const auto likeness = mcap::plausible_record(front.first(std::min(front.size(), mcap::plausible_record_bytes)), knows_channel);
    if (likeness != mcap::Likeness::weak) return likeness == mcap::Likeness::strong;
    const auto end = place + record_prefix_bytes + mcap::prefix_at(front).length;
    if (end > max_lookahead_bytes) return false;
    const auto behind = input_.ensure(static_cast<std::size_t>(end) + record_prefix_bytes, stop, WindowedInput::window_bytes);
    return behind.size() >= end && mcap::plausible_prefix(behind.subspan(static_cast<std::size_t>(end)));
}

void McapReader::handle(const mcap::RawRecord& record, McapBatch& batch)
try {
    switch (record.opcode) {
    case Opcode::schema: channels_.add(mcap::parse_schema(record.content)); break;
    case Opcode::channel: channels_.add(mcap::parse_channel(record.content)); break;
    case Opcode::message:
        add_new_channels(batch);
        check_content(record);
        take_message(record, record.offset, input_.owner(), batch);
        break;
    case Opcode::chunk: handle_chunk(record, batch); break;
    case Opcode::metadata: batch.metadata.push_back(mcap_metadata(mcap::parse_metadata(record.content))); break;
    case Opcode::data_end:
        add_new_channels(batch);
        data_ended_ = true;
        break;
    default: break;
    }
} catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    const Location place{.file = source().name(), .frame = record.opcode == Opcode::message ? std::optional(frames_) : std::nullopt,
                         .offset = error.where().offset ? record.content_offset() : record.offset};
    throw error.within(place);
}

void McapReader::handle_chunk(const mcap::RawRecord& record, McapBatch& batch)
{
    if (chunk_end_ != 0) behind_chunk_ = static_cast<std::size_t>(std::min<std::uint64_t>(record.offset - chunk_end_, max_behind_chunk));
    chunk_end_ = record.end();
    const auto before = frames_;
    try {
        take_records(unpack(record, batch), batch);
    } catch (const Error& error) {
        const auto problem = damaged_chunk(error, record.offset, before, batch);
        if (is_whole_) {
            salvage(record, problem, batch);
            add_new_channels(batch);
            return;
        }
        // Only a chunk that another record follows has the length that it says.
        const auto behind = record_prefix_bytes + record.content.size();
        if (!skip_bad_frames_ || !mcap::plausible_prefix(input_.ensure(behind + record_prefix_bytes, {}).subspan(behind))) throw problem;
        batch.skipped = SkippedBytes{frames_, record.offset, record.end() - record.offset, problem};
    }
    add_new_channels(batch);
}

/// None of its messages is handed out.
Error McapReader::damaged_chunk(const Error& error, std::uint64_t offset, std::uint64_t frames_before, McapBatch& batch)
{
    batch.frames.clear();
    batch.bytes = 0;
    frames_ = frames_before;
    return {error.cause(), {.file = source().name(), .frame = frames_before, .offset = offset, .field = error.where().field}, error.reason()};
}

UnpackedChunk McapReader::unpack(const mcap::RawRecord& record, McapBatch& batch)
{
    const auto chunk = mcap::parse_chunk(record.content);
    batch.chunk_compression = chunk_compression_name(chunk.compression);
    const auto before_records = static_cast<std::uint64_t>(chunk.records.data() - record.content.data());
    UnpackedChunk result{{}, std::string(chunk.compression), record.offset, record.content_offset() + before_records};
    result.records = decoder_.decode(chunk, chunk.compression.empty() ? input_.owner() : nullptr);
    return result;
}

void McapReader::take_records(const UnpackedChunk& chunk, McapBatch& batch)
{
    const bool plain = chunk.compression.empty();
    batch.chunk_compression = chunk_compression_name(chunk.compression);
    batch.bytes += chunk.records.bytes.size();
    mcap::RecordWalker walker(chunk.records.bytes);
    for (mcap::RawRecord inner; walker.next(inner);) {
        switch (inner.opcode) {
        case Opcode::schema: channels_.add(mcap::parse_schema(inner.content)); break;
        case Opcode::channel: channels_.add(mcap::parse_channel(inner.content)); break;
        case Opcode::message:
            take_message(inner, plain ? chunk.records_offset + inner.offset : chunk.offset, chunk.records.owner, batch);
            break;
        default: break;
        }
    }
}

void McapReader::salvage(const mcap::RawRecord& record, const Error& problem, McapBatch& batch)
{
    const auto before = frames_;
    const auto found = salvage_chunk(record.content, channels_, is_whole_, {max_message_bytes_, max_chunk_bytes_});
    batch.chunk_compression = chunk_compression_name(found.compression);
    for (const auto& message : found.messages) {
        const bool plain = found.owner == nullptr;
        const auto offset = plain ? input_.offset() + static_cast<std::uint64_t>(message.content.data() - input_.buffered().data()) - record_prefix_bytes
                                  : record.offset;
        take_message(message, offset, plain ? input_.owner() : found.owner, batch);
        batch.bytes += message.content.size();
    }
    const auto kept = frames_ - before;
    batch.skipped = SkippedBytes{before, record.offset, kept != 0 ? found.lost_bytes : record.end() - record.offset, problem, found.proven ? 0 : kept};
}

/// A message outside of chunks has no checksum.
void McapReader::check_content(const mcap::RawRecord& record) const
{
    if (!is_whole_) return;
    const auto message = mcap::parse_message(record.content);
    const auto place = channels_.place_of(message.channel_id);
    if (!place || channels_.all()[*place].root == nullptr || is_whole_(channels_.all()[*place], message.data, searched_)) return;
    throw Error(Cause::malformed, "the content of a message is damaged");
}

void McapReader::take_message(const mcap::RawRecord& record, std::uint64_t offset, const std::shared_ptr<const void>& owner, McapBatch& batch)
{
    auto frame = mcap_frame(record.content, channels_, max_message_bytes_);
    frame.owner = owner;
    frame.offset = offset;
    frame.index = frames_++;
    batch.frames.push_back(std::move(frame));
}

void McapReader::add_new_channels(McapBatch& batch)
{
    const auto& all = channels_.all();
    for (; channels_given_ != all.size(); ++channels_given_) batch.channels.push_back(all[channels_given_]);
}

McapReader::Step McapReader::take_attachment(std::uint64_t length, McapBatch& batch, const std::stop_token& stop)
{
    const auto offset = input_.offset();
    try {
        auto taken = attachments_.take(input_, length, stop);
        if (!taken) return Step::end;
        batch.attachments.push_back(std::move(taken->attachment));
        to_pass_ = taken->left;
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
    return Step::end;
}

}  // namespace ositrace
