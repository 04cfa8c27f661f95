// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_reader.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/plausible_record.hpp"
#include "lib/mcap/mcap_index.hpp"
#include "lib/mcap/mcap_observer.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

/// Messages outside of chunks that go into one batch.
constexpr std::size_t max_batch_frames = 4096;
/// Records between two chunks that are read together with a chunk.
constexpr std::uint64_t max_after_chunk = std::uint64_t{1} << 20;

/// Of an attachment; found before the attachment is written to an output.
std::optional<Error> damage_of(const Attachment& attachment)
try {
    attachment.read([](Bytes) {});
    return std::nullopt;
} catch (const Error& error) {
    if (error.cause() == Cause::io) throw;
    return error;
}

/// Chunks that are unpacked ahead need not be taken before these are read.
bool passes_chunks(Opcode opcode) { return opcode == Opcode::chunk || opcode == Opcode::message_index; }

}  // namespace

McapReader::McapReader(std::unique_ptr<ByteSource> source, const OpenOptions& options)
    : McapReader(RecordCursor(std::move(source), McapLimits(options.max_message_bytes)), options, nullptr)
{
}

McapReader::McapReader(const std::shared_ptr<const RandomAccess>& file, const OpenOptions& options)
    : McapReader(RecordCursor(file, McapLimits(options.max_message_bytes)), options, file)
{
    queue_.emplace(unpacking_threads(options.threads));
    channels_.prefer(summary_channel_records(*file));
    if (!salvages_) {
        wants_data_crc_ = may_state_data_crc(*file);
        return;
    }
    auto stated = stated_by_summary(*file);
    channels_.fall_back_on(std::move(stated.declared));
    repair_.know_chunks(std::move(stated.chunks));
    // For its warnings; an observer reports what is wrong with a summary.
    if (observer_ == nullptr && on_warning_) static_cast<void>(read_mcap_summary(file, options));
}

McapReader::McapReader(RecordCursor cursor, const OpenOptions& options, std::shared_ptr<const RandomAccess> file)
    : file_(std::move(file)),
      cursor_(std::move(cursor)),
      limits_(options.max_message_bytes),
      channels_(options),
      repair_(cursor_, channels_, limits_),
      salvages_(options.skip_bad_frames),
      observer_(options.mcap_observer),
      on_warning_(options.on_warning),
      attachments_(file_ != nullptr),
      stated_messages_(source().name(), observer_ != nullptr),
      decoder_(limits_.chunk_bytes)
{
    if (salvages_) cursor_.repair();
    if (observer_ != nullptr) observer_->begin(0);
}

void McapReader::check_only() noexcept
{
    checks_only_ = true;
    channels_.check_only();
}

void McapReader::read_fronts_only() noexcept
{
    fronts_only_ = true;
    wants_data_crc_ = false;
    cursor_.skip_unread();
    cursor_.drop_crc();
}

bool McapReader::read(McapBatch& batch, const std::stop_token& stop)
{
    batch.clear();
    if (failure_) std::rethrow_exception(failure_);
    if (problem_) return resync(batch, stop);
    try {
        for (;;) switch (step(batch, stop)) {
            case Step::full: return true;
            case Step::end: return !batch.empty();
            default: break;
            }
    } catch (const Error& error) {
        const auto located = begun_ && error.cause() != Cause::io ? error.within({.frame = frames_}) : error;
        // What was read before the damage is returned first.
        if (!salvages_ || error.cause() == Cause::io)
            failure_ = std::make_exception_ptr(located);
        else
            problem_ = located;
        if (!batch.empty()) return true;
        if (problem_) return resync(batch, stop);
        throw Error(located);
    }
}

/// Continues at the next record after damage, and reports what is left out.
bool McapReader::resync(McapBatch& batch, const std::stop_token& stop)
{
    begun_ = true;
    searched_ = true;
    const bool in_summary = cursor_.in_summary();
    if (in_summary) summary_is_whole_ = false;
    // Message indexes that follow a chunk of a wrong length are its own, not those of the chunk before it.
    if (!in_summary && cursor_.opcode() == Opcode::chunk) stated_messages_.begin_chunk(cursor_.offset(), 0);
    stated_messages_.lose_last(frames_);
    if (!cursor_.search([this](std::uint16_t id) { return channels_.could_find(id); }, stop)) return false;
    damaged_ = true;
    const auto from = cursor_.lost_from();
    const auto lost = in_summary && !cursor_.goes_on_after_end() ? 0 : cursor_.input().offset() - from;
    skip(from, lost, *std::exchange(problem_, std::nullopt), batch, cursor_.at_end() ? take_unconfirmed() : 0);
    if (cursor_.at_end()) {
        compare_with_indexes(batch);
        report_undeclared(batch);
        if (stated_messages_.statistics_agree()) compare_with_statistics(true, batch);
    }
    return true;
}

McapReader::Step McapReader::step(McapBatch& batch, const std::stop_token& stop)
{
    const bool waits = queue_ && !queue_->empty();
    if (waits && (!goes_ahead_ || queue_->full())) return take_chunk(batch);
    auto next = Step::due;
    try {
        next = read_next(batch, stop);
    } catch (const Error& error) {
        if (waits) return take_chunk(batch);  // the error is found again when its turn has come
        if (!salvages_ && ends_after_damaged_summary(error, batch, stop)) return batch.empty() ? Step::end : Step::full;
        const bool no_end = cursor_.lacks_data_end();
        const bool goes_on = no_end || cursor_.begins_again() || error.damage() == Damage::after_data_end;
        if (!salvages_ || !goes_on) throw;
        const auto located = error.within({.frame = frames_});
        if (const auto wrong = cursor_.in_summary() ? repair_.opcode(stop) : std::nullopt) {
            skip(cursor_.offset(), 0, wrong->problem.within(frame_at(cursor_.offset())), batch, 0);
            cursor_.drop_crc();
            cursor_.take_as(wrong->right);
            return read_summary_record(stop);
        }
        if (cursor_.begins_again()) {
            begin_part(located, batch);
            return Step::full;
        }
        if (no_end) {
            damaged_ = true;
            cursor_.begin_summary();
            compare_with_indexes(batch);
            add_new_channels(batch);
            if (!searched_) skip(cursor_.offset(), 0, located, batch, take_unconfirmed());
            return Step::more;
        }
        // The data continue after a DataEnd record, which therefore does not end them.
        declare_stated();
        cursor_.resume_data();
        resumed_ = true;
        skip(cursor_.offset(), 0, located, batch, 0);
        return Step::full;
    }
    return next == Step::due ? take_chunk(batch) : next;
}

/// The messages are complete, so a damaged summary is no error.
bool McapReader::ends_after_damaged_summary(const Error& error, McapBatch& batch, const std::stop_token& stop)
{
    const bool is_of_record = error.damage() == Damage::other || error.damage() == Damage::after_data_end;
    if (!cursor_.in_summary() || !is_of_record || error.cause() == Cause::io || !cursor_.skip_to_footer(stop))
        return false;
    if (stated_messages_.statistics_agree()) compare_with_statistics(false, batch);
    add_new_channels(batch);
    warn_of_summary(error);
    return true;
}

void McapReader::warn_of_summary(const Error& error)
{
    if (on_warning_)
        on_warning_(Error(error.cause(), error.where(),
                          "the summary is damaged, the messages are complete (" + error.reason() + ")",
                          Damage::bad_summary_crc));
}

/// Another file follows, as if two were written into one: it has its own schemas and channels.
void McapReader::begin_part(const Error& problem, McapBatch& batch)
{
    report_undeclared(batch);
    skip(cursor_.offset(), 0, problem, batch, 0);
    cursor_.begin_again();
    channels_.begin_file();
    begun_ = false;
    first_frame_ = frames_;
    lost_frames_ = 0;
    stated_messages_ = StatedMessages(source().name(), observer_ != nullptr);
    summary_problem_.reset();
    summary_is_whole_ = true;
    stated_.clear();
    resumed_ = false;
    if (observer_ != nullptr) observer_->begin(cursor_.first());
}

McapReader::Step McapReader::read_next(McapBatch& batch, const std::stop_token& stop)
{
    const bool some = !batch.frames.empty();
    // What is there is returned before anything is waited for.
    if (some && (batch.frames.size() >= max_batch_frames || !(fronts_only_ || cursor_.has_message())))
        return Step::full;
    if (!begun_) {
        auto header = cursor_.read_header(stop);
        if (!header) return Step::end;
        if (frames_ == 0) header_ = std::move(*header);
        begun_ = true;
        auto wrong = repair_.length_before_chunk();
        if (!wrong) wrong = repair_.length(*cursor_.record(stop));
        if (wrong) apply(*wrong, batch);
        pass_checked(stop);
    }
    auto unknown = std::exchange(unknown_, std::nullopt);
    const bool found = cursor_.look(stop);
    if (stop.stop_requested() && !found) {
        unknown_ = std::move(unknown);
        return Step::end;
    }
    if (unknown && on_warning_) on_warning_(*unknown);
    const bool waits = queue_ && !queue_->empty();
    if (waits && (!found || cursor_.in_summary() || !passes_chunks(cursor_.opcode()))) return Step::due;
    if (const auto wrong = found && !cursor_.in_summary() ? repair_.length_before_chunk() : std::nullopt) {
        if (waits) return Step::due;
        apply(*wrong, batch);
    }
    if (!found || cursor_.opcode() == Opcode::chunk || cursor_.opcode() == Opcode::data_end)
        compare_with_indexes(batch);
    if (!found) {
        report_undeclared(batch);
        return Step::end;
    }
    if (some && cursor_.opcode() != Opcode::message) return Step::full;
    if (cursor_.opcode() == Opcode::footer) return finish(batch, stop);
    return cursor_.in_summary() ? read_summary_record(stop) : read_record(batch, stop);
}

McapReader::Step McapReader::read_record(McapBatch& batch, const std::stop_token& stop)
try {
    const auto opcode = cursor_.opcode();
    switch (opcode) {
    case Opcode::chunk: return read_chunk(batch, stop);
    case Opcode::message: return read_message(batch, stop);
    case Opcode::attachment: return read_attachment(batch, stop);
    case Opcode::schema:
    case Opcode::channel:
    case Opcode::message_index:
    case Opcode::metadata:
    case Opcode::statistics:  // of a summary that follows no DataEnd
    case Opcode::data_end: break;
    case Opcode::chunk_index:
        if (observer_ != nullptr) break;
        [[fallthrough]];
    default:
        if (const auto wrong = repair_.opcode(stop)) {
            if (wrong->is_sure) {
                apply(*wrong, batch);
                repaired_opcode_ = cursor_.offset();
                batch.in_place = false;
                return read_record(batch, stop);
            }
            if (on_warning_) on_warning_(wrong->problem.within(cursor_.here()));
        } else if (mcap::is_reserved(opcode)) {
            note_unknown();
        }
        if (mcap::is_undefined(opcode)) ++batch.application_records;
        pass_checked(stop);
        return Step::more;
    }
    auto record = cursor_.record(stop);
    if (!record) return Step::end;
    if (const auto wrong = opcode != Opcode::data_end ? repair_.length(*record) : std::nullopt) {
        if (queue_ && !queue_->empty()) return Step::due;
        apply(*wrong, batch);
        record = cursor_.record(stop);  // it is in memory
    }
    observe(*record, resumed_);
    if (opcode == Opcode::statistics) stated_messages_.add_statistics(*record);
    if (opcode == Opcode::message_index) stated_messages_.add_index(*record);
    if (opcode == Opcode::metadata) batch.metadata.push_back(mcap_metadata(mcap::parse_metadata(record->content)));
    if (opcode == Opcode::data_end) {
        add_new_channels(batch);
        check_data_crc(*record, batch);
    }
    declare_or_lose(*record, record->offset);
    report_restored(frame_at(record->offset), batch);
    pass_checked(stop);
    searched_ = false;
    return Step::more;
} catch (const Error& error) {
    if (!error.where().file.empty()) throw;
    const bool is_message = cursor_.opcode() == Opcode::message;
    throw error.within({.file = source().name(),
                        .frame = is_message ? std::optional(frames_) : std::nullopt,
                        .offset = error.where().offset ? cursor_.content_offset() : cursor_.offset()});
}

void McapReader::note_unknown() { unknown_ = passed_over(cursor_.opcode(), cursor_.length()).within(cursor_.here()); }

/// Its length may be wrong if no record follows it.
void McapReader::pass_checked(const std::stop_token& stop)
{
    if (salvages_ && !cursor_.in_summary() && cursor_.opcode() != Opcode::data_end) cursor_.check_next(stop);
    cursor_.pass();
}

McapReader::Step McapReader::read_message(McapBatch& batch, const std::stop_token& stop)
{
    add_new_channels(batch);
    mcap::RawRecord message{Opcode::message, cursor_.offset(), {}};
    if (fronts_only_) {
        limits_.check({Opcode::message, cursor_.length()});
        const auto front = cursor_.front(mcap::message_front_bytes, stop);
        if (!front) return Step::end;
        message.content = *front;
        if (checks_only_) {
            pass_message(message);
            return Step::more;
        }
    } else {
        const auto record = cursor_.record(stop);
        if (!record) return Step::end;
        message = *record;
        if (checks_only_) {
            pass_message(message);
            return Step::more;
        }
        if (salvages_ && cursor_.record_follows(stop) && lose_undeclared(message, message.offset)) {
            batch.in_place = false;
            observe(message, false);
            cursor_.pass();
            searched_ = false;
            return Step::more;
        }
        if (const auto wrong = confirms_messages() ? std::nullopt : repair_.length(message)) {
            apply(*wrong, batch);
            batch.in_place = false;
            message = *cursor_.record(stop);  // it is in memory
        }
        // After a chunk a message index is expected, whose opcode differs in a bit.
        if (salvages_) repair_.check_message(message, searched_ || chunk_end_ == message.offset);
    }
    observe(message, false);
    const auto place = frame_at(message.offset);
    add_frame(message, message.offset, cursor_.owner(), batch);
    report_restored(place, batch);
    ++unconfirmed_;
    add_new_channels(batch);  // it may be one of the summary
    batch.end = cursor_.end();
    cursor_.pass();
    searched_ = false;
    return Step::more;
}

/// It was read before, through an index: is its channel declared?
void McapReader::pass_message(const mcap::RawRecord& record)
{
    const auto channel = mcap::parse_message(record.content).channel_id;
    if (!channels_.is_declared(channel)) throw undeclared_channel(channel);
    ++frames_;
    cursor_.pass();
}

/// Counts a message of a channel that is declared nowhere. False: it is.
bool McapReader::lose_undeclared(const mcap::RawRecord& record, std::uint64_t offset)
{
    if (!salvages_ || record.content.size() < mcap::message_front_bytes) return false;
    const auto id = mcap::parse_message(record.content).channel_id;
    if (channels_.find(id)) return false;
    undeclared_.add_message(id, record_prefix_bytes + record.content.size(), frame_at(offset));
    return true;
}

void McapReader::report_undeclared(McapBatch& batch)
{
    for (const auto& lost : undeclared_.take()) report(lost, batch);
}

/// What is declared in the summary only, before the messages that need it. Other damage explains it.
void McapReader::report_restored(const Location& place, McapBatch& batch)
{
    for (const auto& what : channels_.take_restored())
        if (!damaged_)
            skip(*place.offset, 0,
                 {Cause::malformed, place, what + " was not declared before, and is taken from the summary"}, batch, 0);
}

/// In a file whose data section has a checksum, that is wrong where the length of a message is.
bool McapReader::confirms_messages() const noexcept { return file_ && !salvages_ && wants_data_crc_; }

/// To the current record.
void McapReader::apply(const Repair& repair, McapBatch& batch)
{
    const auto problem = repair.problem.within(frame_at(cursor_.offset()));
    if (!salvages_) throw Error(problem);
    skip(cursor_.offset(), 0, problem, batch, 0);
    damaged_ = true;
    cursor_.drop_crc();
    cursor_.take_as(repair.right);
}

McapReader::Step McapReader::read_attachment(McapBatch& batch, const std::stop_token& stop)
{
    const auto offset = cursor_.offset();
    auto length = cursor_.length();
    auto taken = attachments_.take(cursor_.input(), length, stop);
    if (!taken) return Step::end;
    if (taken->after != 0 && cursor_.covers_records(taken->after, stop)) {
        const auto right = length - taken->after;
        apply({length_covers_records(Opcode::attachment, length, right), {Opcode::attachment, right}}, batch);
        length = right;
        taken->left -= taken->after;
    }
    cursor_.pass_rest(taken->left);
    observe({Opcode::attachment, offset, {}}, false);
    if (const auto problem = !salvages_ ? std::nullopt : damage_of(taken->attachment)) {
        cursor_.drop_crc();
        skip(offset, record_prefix_bytes + length, *problem, batch, 0);
        return Step::full;
    }
    batch.attachments.push_back(std::move(taken->attachment));
    return Step::more;
}

/// The summary may declare channels that have no messages and are declared nowhere else.
McapReader::Step McapReader::read_summary_record(const std::stop_token& stop)
{
    const auto opcode = cursor_.opcode();
    const bool declares = opcode == Opcode::schema || opcode == Opcode::channel;
    const bool is_statistics = opcode == Opcode::statistics;
    if (declares || is_statistics || mcap::holds_summary(opcode)) try {
            const auto record = cursor_.record(stop);
            if (!record) return Step::end;
            observe(*record, true);
            if (is_statistics) stated_messages_.add_statistics(*record);
            if (opcode == Opcode::chunk_index)
                stated_messages_.add(mcap::parse_chunk_index(record->content), cursor_.first());
            const bool known = opcode == Opcode::schema    ? channels_.knows(mcap::parse_schema(record->content))
                               : opcode == Opcode::channel ? channels_.knows(mcap::parse_channel(record->content))
                                                           : true;
            if (!known) stated_.emplace_back(opcode, std::vector(record->content.begin(), record->content.end()));
            check_covers_no_records(*record);
        } catch (const Error& error) {
            if (error.cause() == Cause::truncated || error.cause() == Cause::io) throw error.within({.frame = frames_});
            if (!summary_problem_)
                summary_problem_ = error.moved_to({.file = source().name(), .offset = cursor_.offset()});
        }
    if (mcap::is_reserved(opcode)) note_unknown();
    if (mcap::is_undefined(opcode)) ++summary_application_records_;
    cursor_.pass();
    return Step::more;
}

/// What is wrong with a record by itself, the reader says.
void McapReader::observe(const mcap::RawRecord& record, bool in_summary)
try {
    if (observer_ != nullptr) observer_->record(record, in_summary);
} catch (const Error&) {
}

/// At the Footer.
McapReader::Step McapReader::finish(McapBatch& batch, const std::stop_token& stop)
{
    report_undeclared(batch);
    const auto record = cursor_.record(stop);
    const auto footer = mcap::parse_footer(record->content);
    const auto before_crc =
        cursor_.input().buffered().first(record_prefix_bytes + mcap::footer_bytes - sizeof(std::uint32_t));
    const auto crc = cursor_.crc();
    const auto found = crc ? crc32(before_crc, *crc) : 0;
    const auto start = footer.summary_start == 0 ? record->offset : cursor_.first() + footer.summary_start;
    const bool confirmed =
        footer.summary_crc == 0 || start != cursor_.data_end() || (crc && found == footer.summary_crc);
    const Error wrong_crc(Cause::malformed, {.file = source().name(), .offset = start},
                          "the summary is damaged: the CRC of its bytes is " + std::to_string(found) + ", expected " +
                              std::to_string(footer.summary_crc),
                          Damage::bad_summary_crc);
    if (observer_ == nullptr) {
        const bool contradicts = summary_problem_ && summary_problem_->damage() != Damage::other;
        if (!salvages_ && confirmed && contradicts) throw *summary_problem_;
        // The messages are complete: only those who look for damage report this.
        if (salvages_ && file_) {
            // There was a warning.
        } else if (!confirmed && crc && on_warning_) {
            on_warning_(wrong_crc);
        } else if (summary_problem_) {
            warn_of_summary(*summary_problem_);
        }
    } else if (start > record->offset) {
        skip(record->offset, 0,
             {Cause::malformed, frame_at(record->offset), "the Footer record states that the summary begins after it"},
             batch, 0);
    } else if (!confirmed && crc) {
        skip(start, 0, wrong_crc, batch, 0);
    } else if (summary_problem_) {
        skip(*summary_problem_->where().offset, 0, *summary_problem_, batch, 0);
    }
    if (const auto kept = take_unconfirmed(); kept != 0)  // the DataEnd record is lost, and its checksum with it
        skip(record->offset, 0, unconfirmed_at(record->offset), batch, kept);
    if (const auto wrong = stated_messages_.wrong_index(frame_at(record->offset), damaged_)) report(*wrong, batch);
    if ((confirmed && summary_is_whole_) || stated_messages_.statistics_agree())
        compare_with_statistics(start != cursor_.data_end() && !resumed_, batch);
    if (confirmed && !summary_problem_) {
        channels_.begin_summary();
        declare_stated();
        batch.late_channel_keys = channels_.late_keys();
    }
    add_new_channels(batch);
    batch.application_records += std::exchange(summary_application_records_, 0);
    if (observer_ != nullptr) observer_->finish();
    cursor_.pass();
    return batch.empty() ? Step::more : Step::full;
}

McapReader::Step McapReader::read_chunk(McapBatch& batch, const std::stop_token& stop)
{
    const auto offset = cursor_.offset(), end = cursor_.end();
    stated_messages_.begin_chunk(offset, end - offset);
    const auto known = known_at_ ? known_at_(offset) : std::nullopt;
    if (known && known->length == end - offset) {
        if (!queue_->empty()) return Step::due;
        batch.chunk = {offset, end - offset, 0, true};
        frames_ += known->messages;
        stated_messages_.found(offset, {.count = known->messages}, false, frames_);
        known->declared ? channels_.pass(*known->declared) : channels_.trust_declarations();
        pass_apart();
        data_crc_.add_chunk(known->record_crc);
        return Step::full;
    }
    // What was between the last two chunks is read with this one.
    if (chunk_end_ != 0)
        after_chunk_ = static_cast<std::size_t>(std::min(offset - std::min(offset, chunk_end_), max_after_chunk));
    chunk_end_ = end;
    const bool unpacked_ahead = queue_ && unpacked_here_ != offset && repaired_opcode_ != offset &&
                                !cursor_.wrong_length() && !cursor_.is_cut();
    if (unpacked_ahead) return begin_chunk(stop);
    if (queue_ && !queue_->empty()) return Step::due;
    return unpack_here(batch, stop);
}

McapReader::Step McapReader::begin_chunk(const std::stop_token& stop)
{
    const mcap::RecordPrefix prefix{Opcode::chunk, cursor_.length()};
    const auto front = cursor_.front(mcap::plausible_record_bytes, stop);
    if (!front) return Step::end;
    const auto unpacked = mcap::chunk_unpacked_bytes(*front);
    if (salvages_) {
        const auto record = cursor_.record(stop, after_chunk_);
        if (!record) return Step::end;
        observe(*record, false);
        queue_->add(record->offset, prefix.length, unpacked,
                    [this, chunk = *record, owner = cursor_.owner()] { return unpack(chunk, owner); });
    } else {
        limits_.check(prefix);
        queue_->add(cursor_.offset(), prefix.length, unpacked,
                    [this, offset = cursor_.offset(), prefix] { return read_and_unpack(offset, prefix); });
    }
    salvages_ ? cursor_.pass() : pass_apart();
    searched_ = false;
    return Step::more;
}

/// The current chunk, which is read elsewhere.
void McapReader::pass_apart()
{
    data_crc_.pass_chunk(cursor_.offset(), cursor_.end() - cursor_.offset(), cursor_.crc());
    cursor_.pass_apart();
}

McapReader::Step McapReader::take_chunk(McapBatch& batch)
{
    const auto offset = queue_->front();
    try {
        const auto chunk = queue_->take();
        if (!salvages_) data_crc_.add_chunk(chunk.record_crc);
        add_chunk(chunk, batch);
    } catch (const Error& error) {
        queue_->clear();
        if (!salvages_ || error.cause() == Cause::io) throw chunk_problem(error, offset);
        cursor_.go_back(offset);
        stated_messages_.go_back(offset);
        if (observer_ != nullptr) observer_->go_back(offset);
        unpacked_here_ = offset;
    }
    return batch.empty() ? Step::more : Step::full;
}

/// A chunk of a pipe, or one that is damaged.
McapReader::Step McapReader::unpack_here(McapBatch& batch, const std::stop_token& stop)
{
    std::optional<mcap::RawRecord> record;
    try {
        record = cursor_.record(stop, after_chunk_);
        if (!record) return Step::end;
    } catch (const Error& error) {
        if (!salvages_ || error.cause() != Cause::truncated) throw;
        damaged_ = true;
        const auto cut = cursor_.cut_record();
        save_chunk(cut, error.within({.frame = frames_}), batch);
        batch.skipped.back().kept += take_unconfirmed();
        cursor_.input().consume(cursor_.input().buffered().size());
        cursor_.stop_here();
        return Step::full;
    }
    observe(*record, false);
    const auto place = frame_at(record->offset);
    try {
        add_chunk(unpack(*record, cursor_.owner()), batch);
    } catch (const Error& error) {
        const auto problem = chunk_problem(error, record->offset);
        if (!salvages_ || error.cause() == Cause::io) throw problem;
        cursor_.drop_crc();
        damaged_ = true;
        cursor_.shorten([this](std::uint16_t id) { return channels_.could_find(id); }, stop);
        record = cursor_.record(stop);
        if (!record) return Step::end;
        if (observer_ != nullptr) observer_->unreadable_chunk(record->offset);
        save_chunk(*record, problem, batch);
        stated_messages_.set_damage(std::move(batch.skipped.back()));
        batch.skipped.pop_back();
    }
    if (repaired_opcode_ == record->offset) batch.in_place = false;
    if (const auto wrong = cursor_.wrong_length()) {
        batch.in_place = false;
        skip(record->offset, 0, wrong_chunk_length(*wrong, record->content.size()).within(place), batch, 0);
    }
    cursor_.pass();
    searched_ = false;
    return batch.empty() ? Step::more : Step::full;
}

McapReader::UnpackedChunk McapReader::read_and_unpack(std::uint64_t offset, const mcap::RecordPrefix& prefix)
{
    const auto length = record_prefix_bytes + prefix.length;
    if (auto decoded = decoder_.decode(*file_, offset, length, wants_data_crc_)) {
        UnpackedChunk result;
        result.place = {offset, length, decoded->records.size(), false};
        result.compression = decoded->compression;
        result.has_crc = decoded->stated.uncompressed_crc != 0;
        result.stated = decoded->stated;
        result.record_crc = decoded->record_crc;
        result.records_offset = decoded->records_offset;
        result.records = std::move(decoded->records);
        return result;
    }
    auto block = decoder_.pool().take(static_cast<std::size_t>(length));
    const std::span<std::byte> record(block->data(), static_cast<std::size_t>(length));
    read_exactly(*file_, offset, record);
    auto result = unpack({prefix.opcode, offset, record.subspan(record_prefix_bytes)}, block);
    if (wants_data_crc_ && !result.problem) result.record_crc = chunk_record_crc(record);
    return result;
}

McapReader::UnpackedChunk McapReader::unpack(const mcap::RawRecord& record, const std::shared_ptr<const void>& owner)
{
    UnpackedChunk result;
    result.place = {record.offset, record.end() - record.offset, 0, false};
    try {
        const auto chunk = mcap::parse_chunk(record.content);
        result.compression = chunk_compression_name(chunk.compression);
        result.has_crc = chunk.uncompressed_crc != 0;
        result.stated = stated_by(chunk);
        result.place.unpacked = chunk.uncompressed_size;
        if (chunk.compression.empty())
            result.records_offset =
                record.content_offset() + static_cast<std::uint64_t>(chunk.records.data() - record.content.data());
        result.records = decoder_.decode(chunk, owner);
    } catch (const Error& error) {
        result.problem = error;
    }
    return result;
}

/// All of its messages, or none if it throws.
void McapReader::add_chunk(const UnpackedChunk& chunk, McapBatch& batch)
{
    const auto place = frame_at(chunk.place.offset);
    const auto frames_before = frames_;
    const auto undeclared_before = undeclared_;
    batch.frames.reserve(batch.frames.size() + static_cast<std::size_t>(chunk_messages_.count));  // as the last chunk
    chunk_messages_ = {};
    batch.chunk_compression = chunk.compression;
    if (chunk.problem) throw Error(*chunk.problem);
    try {
        mcap::ChunkWalker walker(chunk.records.bytes);
        for (mcap::RawRecord record; walker.next(record);) {
            const bool is_message = record.opcode == Opcode::message;
            if (!chunk.has_crc && !(is_message && confirms_messages()))
                if (const auto wrong = repair_.length_in_chunk(record)) throw Error(wrong->problem);
            if (observer_ != nullptr) observer_->record_in_chunk(record, chunk.place.offset);
            declare_or_lose(record, chunk.place.offset);
            if (!is_message) continue;
            if (lose_undeclared(record, chunk.place.offset)) {
                chunk_messages_.add(mcap::parse_message(record.content), record.offset);
                batch.in_place = false;
                continue;
            }
            if (salvages_ && !chunk.has_crc) repair_.check_message(record, false);
            add_frame(record, chunk.records_offset != 0 ? chunk.records_offset + record.offset : chunk.place.offset,
                      chunk.records.owner, batch);
        }
        if (const auto problem = stated_messages_.compare_times(chunk.stated, chunk.place.offset, chunk_messages_))
            report({place.frame, chunk.place.offset, 0, problem->within(place)}, batch);
        batch.application_records += walker.application_records();
    } catch (const Error&) {
        frames_ = frames_before;
        undeclared_ = undeclared_before;
        batch.frames.clear();
        throw;
    }
    report_restored(place, batch);
    stated_messages_.found(chunk.place.offset, chunk_messages_, true, frames_);
    if (!chunk.has_crc) unconfirmed_ += frames_ - frames_before;
    if (!batch.frames.empty()) batch.chunk = chunk.place;
    batch.bytes += chunk.records.bytes.size();
    add_new_channels(batch);
}

/// What is whole of a damaged chunk, which may be cut off.
void McapReader::save_chunk(const mcap::RawRecord& record, const Error& problem, McapBatch& batch)
{
    const auto before = frames_;
    const auto salvaged = repair_.salvage(record.content);
    if (!salvaged) throw Error(problem);  // the search looks for messages in it
    const auto& found = *salvaged;
    batch.chunk_compression = chunk_compression_name(found.compression);
    for (const auto& message : found.messages) {
        const bool plain = found.owner == nullptr;
        const auto place = static_cast<std::uint64_t>(message.content.data() - record.content.data());
        add_frame(message, plain ? record.content_offset() + place - record_prefix_bytes : record.offset,
                  plain ? cursor_.owner() : found.owner, batch);
        batch.bytes += message.content.size();
    }
    const auto kept = frames_ - before;
    batch.in_place = false;
    stated_messages_.found(record.offset, {.count = kept}, false, frames_);
    skip(record.offset, kept != 0 ? found.lost_bytes : record.end() - record.offset, problem, batch,
         found.proven ? 0 : kept);
    add_new_channels(batch);
}

/// Of the chunks whose message indexes were all read.
void McapReader::compare_with_indexes(McapBatch& batch)
{
    for (const auto& damage : stated_messages_.compare_chunks()) report(damage, batch);
}

void McapReader::compare_with_statistics(bool moved, McapBatch& batch)
{
    if (auto damage = stated_messages_.compare_statistics(frames_ - first_frame_, lost_frames_, moved)) {
        damage->frame = frames_;
        report(*damage, batch);
    }
}

/// `offset`: of its record in the file.
void McapReader::add_frame(const mcap::RawRecord& record, std::uint64_t offset,
                           const std::shared_ptr<const void>& owner, McapBatch& batch)
{
    const auto message = mcap::parse_message(record.content);
    auto frame = mcap_frame(message, channels_.find(message.channel_id), limits_.message_bytes);
    chunk_messages_.add(message, record.offset);
    frame.owner = owner;
    frame.offset = offset;
    frame.index = frames_++;
    batch.frames.push_back(std::move(frame));
}

/// The only CRC of messages outside of chunks, and of what is between chunks. Known if all of the data section was read
/// and nothing of it is damaged.
void McapReader::check_data_crc(const mcap::RawRecord& record, McapBatch& batch)
{
    const auto expected = mcap::parse_data_end(record.content).data_section_crc;
    const auto found = data_crc_.up_to(record.offset, cursor_.crc());
    if (expected != 0 && found == expected) unconfirmed_ = 0;
    if (expected != 0 && found && found != expected) {
        const Error problem(Cause::malformed, {.file = source().name(), .offset = record.offset},
                            "the data section is damaged: the CRC of its bytes is " + std::to_string(*found) +
                                ", expected " + std::to_string(expected),
                            Damage::bad_data_crc);
        if (!salvages_) throw problem;
        damaged_ = true;
        return skip(record.offset, 0, problem, batch, take_unconfirmed());
    }
    if (const auto kept = take_unconfirmed(); kept != 0)
        skip(record.offset, 0, unconfirmed_at(record.offset), batch, kept);
}

Error McapReader::unconfirmed_at(std::uint64_t offset) const
{
    return {Cause::malformed, frame_at(offset), "messages outside of chunks have no checksum of their own"};
}

void McapReader::declare(Opcode opcode, Bytes content)
{
    if (opcode == Opcode::schema) channels_.add(mcap::parse_schema(content));
    if (opcode == Opcode::channel) channels_.add(mcap::parse_channel(content));
}

/// Where damage is passed over, a channel whose schema is lost is lost with its messages.
void McapReader::declare_or_lose(const mcap::RawRecord& record, std::uint64_t offset)
try {
    declare(record.opcode, record.content);
} catch (const Error& error) {
    if (!salvages_ || record.opcode != Opcode::channel || error.damage() == Damage::declared_twice) throw;
    const auto channel = mcap::parse_channel(record.content);
    if (channels_.could_find(channel.id)) throw;
    undeclared_.add_channel(channel.id, record_prefix_bytes + record.content.size(), error.moved_to(frame_at(offset)));
}

void McapReader::declare_stated()
try {
    for (const auto& [opcode, content] : std::exchange(stated_, {})) declare(opcode, content);
} catch (const Error&) {
    // The data, which come first, are complete without it.
}

void McapReader::add_new_channels(McapBatch& batch)
{
    const auto& all = channels_.all();
    for (; channels_given_ != all.size(); ++channels_given_) batch.channels.push_back(all[channels_given_]);
}

void McapReader::skip(std::uint64_t offset, std::uint64_t bytes, const Error& problem, McapBatch& batch,
                      std::uint64_t kept)
{
    batch.skipped.push_back({problem.where().frame.value_or(frames_), offset, bytes, problem, kept});
}

/// Ends the reading where nothing is salvaged.
void McapReader::report(const SkippedBytes& damage, McapBatch& batch)
{
    if (!salvages_) throw Error(damage.error);
    lost_frames_ += damage.frames;
    batch.skipped.push_back(damage);
}

/// After damage no checksum covers the messages outside of chunks: they are counted once.
std::uint64_t McapReader::take_unconfirmed() noexcept
{
    return salvages_ && damaged_ ? std::exchange(unconfirmed_, 0) : 0;
}

Error McapReader::chunk_problem(const Error& error, std::uint64_t offset) const
{
    auto place = frame_at(offset);
    place.field = error.where().field;
    return error.moved_to(std::move(place));
}

Location McapReader::frame_at(std::uint64_t offset) const
{
    return {.file = source().name(), .frame = frames_, .offset = offset};
}

}  // namespace ositrace
