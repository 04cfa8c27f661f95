// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/record_cursor.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "formats/core/too_few_bytes.hpp"
#include "formats/mcap/covered_records.hpp"
#include "formats/mcap/plausible_record.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

namespace {

constexpr auto footer_record_bytes = record_prefix_bytes + mcap::footer_bytes;
constexpr auto file_end_bytes = footer_record_bytes + mcap::magic.size();
/// How far away the record after a candidate may be.
constexpr std::uint64_t max_lookahead_bytes = std::uint64_t{64} << 20;
/// Places that are searched before their bytes are released.
constexpr std::size_t search_step_bytes = std::size_t{64} << 10;

}  // namespace

Error passed_over(Opcode opcode, std::uint64_t bytes)
{
    return {Cause::malformed,
            "an unknown record " + name_of(opcode) + " of " + std::to_string(bytes) + " bytes was passed over"};
}

Error wrong_chunk_length(std::uint64_t stated, std::uint64_t right)
{
    return {Cause::malformed, "the length of a Chunk record is " + std::to_string(stated) + ", expected " +
                                  std::to_string(right) + ", which leads to the next record"};
}

RecordCursor::RecordCursor(std::unique_ptr<ByteSource> source, const McapLimits& limits)
    : input_(std::in_place, std::move(source)), limits_(limits)
{
    input_->keep_crc();
}

RecordCursor::RecordCursor(std::shared_ptr<const RandomAccess> file, const McapLimits& limits)
    : file_(std::move(file)), input_(std::in_place, std::make_unique<SeekableSource>(file_)), limits_(limits)
{
    input_->keep_crc();
}

RecordCursor::RecordCursor(std::shared_ptr<const RandomAccess> file, std::uint64_t begin, std::uint64_t end,
                           const McapLimits& limits)
    : file_(std::move(file)),
      input_(std::in_place, std::make_unique<SeekableSource>(file_, begin, end), begin),
      limits_(limits),
      range_end_(end),
      skips_(true)
{
}

std::optional<McapHeader> RecordCursor::read_header(const std::stop_token& stop)
try {
    constexpr auto front_bytes = mcap::magic.size() + record_prefix_bytes;
    auto bytes = input_->ensure(front_bytes, stop);
    if (stop.stop_requested()) return std::nullopt;
    mcap::check_magic(bytes);
    if (bytes.size() < front_bytes)
        throw Error(Cause::truncated, {.offset = first_ + bytes.size()},
                    "the file is truncated: it ends after its magic, expected a Header record");
    const auto [opcode, length] = mcap::prefix_at(bytes.subspan(mcap::magic.size()));
    if (opcode != Opcode::header || length > McapLimits::record_bytes)
        throw Error(
            Cause::malformed, {.offset = first_ + mcap::magic.size()},
            "begins with a record " + name_of(opcode) + " of " + std::to_string(length) + " bytes, expected a Header");
    const auto end = front_bytes + static_cast<std::size_t>(length);
    bytes = input_->ensure(end, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (bytes.size() < end)
        throw Error(Cause::truncated, {.offset = first_ + mcap::magic.size()},
                    "the file is truncated: it ends in its Header");
    const auto header = mcap::parse_header(bytes.subspan(front_bytes, static_cast<std::size_t>(length)));
    McapHeader result{std::string(header.profile), std::string(header.library)};
    input_->consume(mcap::magic.size());
    prefix_ = {opcode, length};
    offset_ = first_ + mcap::magic.size();
    return result;
} catch (const Error& error) {
    throw error.within({.file = source().name(), .offset = 0});
}

bool RecordCursor::look(const std::stop_token& stop)
{
    if (!pass_left(stop)) return false;
    if (std::exchange(begins_crc_, false)) input_->keep_crc();
    offset_ = input_->offset();
    if (section_ == Section::end) return read_to_end(stop);
    if (range_end_ && offset_ >= *range_end_) return false;
    const auto front = input_->ensure(record_prefix_bytes, stop);
    if (front.size() < record_prefix_bytes || bytes_left() < record_prefix_bytes) {
        if (stop.stop_requested()) return false;
        throw truncated(static_cast<std::size_t>(std::min<std::uint64_t>(front.size(), bytes_left())));
    }
    prefix_ = mcap::prefix_at(front);
    wrong_length_.reset();
    next_is_bad_ = false;
    lacks_data_end_ = false;
    if (section_ == Section::data && expects_data_end_ && !range_end_ && mcap::holds_summary(prefix_.opcode)) {
        lacks_data_end_ = could_be_summary(stop);
        throw Error(Cause::malformed, here(),
                    "found a record " + name_of(prefix_.opcode) + ", expected a DataEnd record before the summary");
    }
    if (prefix_.opcode == Opcode::footer && !range_end_) return check_footer(stop);
    try {
        check_record(stop);
    } catch (const Error& error) {
        throw error.where().file.empty() ? error.within(here()) : error;
    }
    return true;
}

/// The order of the records, and their lengths.
void RecordCursor::check_record(const std::stop_token& stop)
{
    mcap::check_opcode(prefix_.opcode);
    if (section_ == Section::summary) {
        mcap::check_after_data_end(prefix_.opcode);
        if (prefix_.length > bytes_left() - record_prefix_bytes) throw truncated(0);
        return;
    }
    const bool is_chunk = prefix_.opcode == Opcode::chunk;
    if (repairs_ && is_chunk) repair_length(stop);
    if (const auto left = bytes_left() - record_prefix_bytes; prefix_.length > left) {
        if (!range_end_ && !source().end()) limits_.check(prefix_);  // a pipe: how much is left is unknown
        // A chunk that states the same length twice was cut off.
        const auto inside = repairs_ && is_chunk ? front(mcap::plausible_record_bytes, stop) : std::nullopt;
        if (!inside || mcap::chunk_length(*inside) != prefix_.length) throw cut_off(prefix_, left);
    }
    if (!is_chunk || prefix_.length < mcap::plausible_record_bytes) return;
    const auto content = front(mcap::plausible_record_bytes, stop);
    if (!content || content->size() < mcap::plausible_record_bytes) return;
    if (!agrees(prefix_, *content) && !(repairs_ && record_follows(prefix_.length, stop)))
        throw Error(Cause::malformed, "the lengths in a Chunk record contradict its own length of " +
                                          std::to_string(prefix_.length) + " bytes");
    if (!repairs_) check_chunk_end(*content, stop);
}

/// Bytes after the fields of a chunk may be those of a later version, or other records.
void RecordCursor::check_chunk_end(Bytes front, const std::stop_token& stop)
{
    const auto own = mcap::chunk_length(front);
    if (own && *own < prefix_.length && covers_records(prefix_.length - *own, stop))
        throw wrong_chunk_length(prefix_.length, *own);
}

bool RecordCursor::covers_records(std::uint64_t bytes, const std::stop_token& stop)
{
    const auto begin = end() - bytes;
    std::vector<std::byte> front;
    const auto at = [&](std::uint64_t place, std::size_t count) {
        if (!file_) {
            const auto before = static_cast<std::size_t>(begin + place - input_->offset());
            const auto there = input_->ensure(before + count, stop);
            return there.subspan(std::min(before, there.size()),
                                 std::min(count, there.size() - std::min(before, there.size())));
        }
        front.resize(count);
        return Bytes(front).first(file_->read_at(begin + place, front, 0));
    };
    if (mcap::are_exact_records(bytes, at)) return true;
    return repairs_ && mcap::begins_exact_record(at) && !record_follows(stop);
}

/// A chunk states its length twice. If the two differ, the one is right after which a record begins.
void RecordCursor::repair_length(const std::stop_token& stop)
{
    const auto bytes = input_->ensure(record_prefix_bytes + mcap::plausible_record_bytes, stop);
    const auto inside = mcap::chunk_length(bytes.subspan(record_prefix_bytes));
    if (!inside || *inside == prefix_.length || !record_follows(*inside, stop)) return;
    // Bytes after the fields may be those of a later version.
    const bool may_be_right = *inside < prefix_.length && record_follows(stop);
    if (!may_be_right || covers_records(prefix_.length - *inside, stop))
        wrong_length_ = std::exchange(prefix_.length, *inside);
}

/// A Footer is followed by the magic and by nothing else.
bool RecordCursor::check_footer(const std::stop_token& stop)
{
    if (!ends_file(stop)) {
        const auto left = input_->buffered().size();
        if (stop.stop_requested()) return false;
        if (left < footer_record_bytes + mcap::magic.size()) {
            section_ = Section::summary;
            throw truncated(left);
        }
        throw Error(Cause::malformed, {.file = source().name(), .offset = offset_ + footer_record_bytes},
                    "does not end with the magic of MCAP");
    }
    section_ = Section::summary;
    prefix_.length = mcap::footer_bytes;
    return true;
}

bool RecordCursor::ends_file(const std::stop_token& stop)
{
    const auto bytes = input_->ensure(footer_record_bytes + mcap::magic.size(), stop);
    return bytes.size() >= footer_record_bytes + mcap::magic.size() &&
           text_of(bytes.subspan(footer_record_bytes, mcap::magic.size())) == mcap::magic;
}

/// Any record may have lost or won a bit of its opcode: does this one look like a record of the summary?
bool RecordCursor::could_be_summary(const std::stop_token& stop)
{
    if (!repairs_) return true;
    if (prefix_.opcode == Opcode::footer) return prefix_.length == mcap::footer_bytes && ends_file(stop);
    const auto content = front(mcap::plausible_record_bytes, stop);
    return content && mcap::plausible_summary(prefix_, *content) && record_follows(stop);
}

/// Nothing is used after the Footer, but the writer of a pipe expects that it is read to its end.
bool RecordCursor::read_to_end(const std::stop_token& stop)
{
    begins_again_ = false;
    if (repairs_ && !input_->ensure(mcap::magic.size(), stop).empty() && !stop.stop_requested()) {
        begins_again_ = text_of(input_->buffered()).starts_with(mcap::magic);
        goes_on_after_end_ = !begins_again_;
        section_ = Section::summary;
        throw Error(Cause::malformed, here(),
                    begins_again_ ? "another MCAP file follows" : "the file goes on after its end");
    }
    std::uint64_t count = 0;
    for (auto bytes = input_->ensure(1, stop); !bytes.empty(); bytes = input_->ensure(1, stop)) {
        count += bytes.size();
        input_->consume(bytes.size());
    }
    if (count != 0 && !stop.stop_requested())
        throw Error(Cause::malformed, here(),
                    byte_count(count) + (count == 1 ? " follows" : " follow") + " the end of the trace");
    return false;
}

bool RecordCursor::skip_to_footer(const std::stop_token& stop)
{
    left_ = 0;
    for (auto bytes = input_->ensure(1, stop); !bytes.empty(); bytes = input_->ensure(1, stop)) consume(bytes.size());
    if (stop.stop_requested() || tail_.size() < file_end_bytes) return false;
    const auto [opcode, length] = mcap::prefix_at(tail_);
    if (opcode != Opcode::footer || length != mcap::footer_bytes ||
        text_of(Bytes(tail_).last(mcap::magic.size())) != mcap::magic)
        return false;
    if (magic_at_ && *magic_at_ + mcap::magic.size() != input_->offset()) return false;  // another file follows
    section_ = Section::end;
    const auto footer = mcap::parse_footer(Bytes(tail_).subspan(record_prefix_bytes, mcap::footer_bytes));
    return first_ + footer.summary_start == data_end_;
}

/// Of the input.
void RecordCursor::consume(std::size_t count)
{
    if (section_ == Section::summary) {
        const auto all = input_->buffered().first(count);
        if (const auto found = text_of(all).find(mcap::magic); !magic_at_ && found != std::string_view::npos)
            magic_at_ = input_->offset() + found;
        const auto bytes = all.last(std::min(count, file_end_bytes));
        tail_.insert(tail_.end(), bytes.begin(), bytes.end());
        if (tail_.size() > file_end_bytes) tail_.erase(tail_.begin(), tail_.end() - file_end_bytes);
    }
    input_->consume(count);
}

void RecordCursor::begin_again() noexcept
{
    first_ = input_->offset();
    begins_again_ = false;
    section_ = Section::data;
    expects_data_end_ = true;
    input_->keep_crc();
}

std::uint64_t RecordCursor::bytes_left() const
{
    const auto end = range_end_ ? range_end_ : source().end();
    return end ? *end - std::min(*end, offset_) : ~std::uint64_t{0} - offset_;
}

Error RecordCursor::truncated(std::size_t left) const
{
    if (section_ == Section::summary)
        return {Cause::truncated, here(), "the file is truncated: it ends in its summary, the messages are complete"};
    return {
        Cause::truncated, here(),
        "the file is truncated: it ends in its data section, expected a DataEnd record; " +
            (left == 0 ? "the writer was interrupted" : byte_count(left) + " of a record " + is_or_are(left) + " left"),
        Damage::no_data_end};
}

Error RecordCursor::cut_off(const mcap::RecordPrefix& prefix, std::uint64_t left) const
{
    return {Cause::truncated, here(),
            "the file is truncated: it ends in a record " + name_of(prefix.opcode) + ": it announces " +
                too_few_bytes(prefix.length, left)};
}

std::optional<Bytes> RecordCursor::front(std::size_t count, const std::stop_token& stop)
{
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(count, prefix_.length));
    const auto bytes = input_->ensure(record_prefix_bytes + wanted, stop).subspan(record_prefix_bytes);
    if (bytes.size() < wanted && stop.stop_requested()) return std::nullopt;
    return bytes.first(std::min(bytes.size(), wanted));
}

std::optional<mcap::RawRecord> RecordCursor::record(const std::stop_token& stop, std::size_t after)
{
    try {
        limits_.check(prefix_);
    } catch (const Error& error) {
        throw error.within(here());
    }
    const auto end = record_prefix_bytes + static_cast<std::size_t>(prefix_.length);
    const auto bytes = input_->ensure(end, stop, after + record_prefix_bytes);
    if (bytes.size() < end) {
        if (stop.stop_requested()) return std::nullopt;
        throw section_ == Section::summary ? truncated(bytes.size())
                                           : cut_off(prefix_, bytes.size() - record_prefix_bytes);
    }
    return mcap::RawRecord{prefix_.opcode, offset_, bytes.subspan(record_prefix_bytes, end - record_prefix_bytes)};
}

bool RecordCursor::record_follows(std::uint64_t length, const std::stop_token& stop)
{
    const auto passed = input_->offset() - offset_;  // of an attachment, whose data were taken
    if (length > limits_.chunk_bytes + McapLimits::record_bytes + passed) return false;
    const auto end = record_prefix_bytes + length + record_prefix_bytes;
    if (bytes_left() < end || end < passed + record_prefix_bytes) return false;
    const auto needed = static_cast<std::size_t>(end - passed);
    const auto bytes = input_->ensure(needed, stop);
    return bytes.size() >= needed && mcap::plausible_prefix(bytes.subspan(needed - record_prefix_bytes));
}

bool RecordCursor::has_message() const noexcept
{
    const auto bytes = input_->buffered();
    if (left_ != 0 || bytes.size() < record_prefix_bytes) return false;
    const auto [opcode, length] = mcap::prefix_at(bytes);
    return opcode == Opcode::message && length <= bytes.size() - record_prefix_bytes;
}

void RecordCursor::shorten(const std::function<bool(std::uint16_t)>& knows_channel, const std::stop_token& stop)
{
    if (record_follows(stop)) return;
    const auto end = std::min<std::uint64_t>(record_prefix_bytes + prefix_.length, input_->buffered().size());
    const auto bytes = input_->buffered();
    for (auto place = record_prefix_bytes; place + record_prefix_bytes < end; ++place) {
        const auto front = bytes.subspan(place, std::min(bytes.size() - place, mcap::plausible_record_bytes));
        if (mcap::plausible_record(front, knows_channel) != mcap::Likeness::strong) continue;
        const auto [opcode, length] = mcap::prefix_at(front);
        if (opcode == Opcode::chunk && mcap::chunk_length(front.subspan(record_prefix_bytes)) != length) continue;
        prefix_.length = place - record_prefix_bytes;
        return;
    }
}

bool RecordCursor::is_at(std::uint64_t offset, const mcap::RecordPrefix& prefix) const
{
    std::array<std::byte, record_prefix_bytes> front;
    if (!file_ || file_->read_at(offset, front, 0) != front.size()) return false;
    const auto there = mcap::prefix_at(front);
    return there.opcode == prefix.opcode && there.length == prefix.length;
}

void RecordCursor::check_next(const std::stop_token& stop)
{
    auto place = end() - offset_;
    // Any byte may be the opcode of a record of an application: then the record after it decides.
    for (auto next = prefix_; place < McapLimits::record_bytes; place += record_prefix_bytes + next.length) {
        if (bytes_left() < place + record_prefix_bytes) return;
        const auto bytes = input_->ensure(static_cast<std::size_t>(place) + record_prefix_bytes, stop);
        if (bytes.size() < place + record_prefix_bytes) return;
        next = mcap::prefix_at(bytes.subspan(static_cast<std::size_t>(place)));
        const auto left = bytes_left() - place - record_prefix_bytes;
        const bool too_long = next.opcode != Opcode::chunk && next.length > left;  // that of a chunk may be repaired
        next_is_bad_ = next.opcode == Opcode{} || too_long;
        const Location where{.file = source().name(), .offset = offset_ + place};
        try {
            mcap::check_opcode(next.opcode);
        } catch (const Error& error) {
            throw error.within(where);
        }
        if (too_long) throw cut_off(next, left).moved_to(where);
        if (!mcap::is_undefined(next.opcode)) return;
    }
}

void RecordCursor::pass()
{
    left_ = record_prefix_bytes + prefix_.length;
    if (prefix_.opcode == Opcode::footer && !range_end_) {
        input_->consume(footer_record_bytes + mcap::magic.size());
        left_ = 0;
        section_ = Section::end;
        return;
    }
    const auto here = std::min<std::uint64_t>(left_, input_->buffered().size());
    consume(static_cast<std::size_t>(here));
    left_ -= here;
    if (prefix_.opcode != Opcode::data_end || section_ != Section::data) return;
    section_ = Section::summary;
    data_end_ = end();
    input_->keep_crc();  // from here on that of the summary
}

void RecordCursor::pass_apart()
{
    input_->drop_crc();  // of what is at hand, too
    pass();
    begins_crc_ = true;
}

bool RecordCursor::pass_left(const std::stop_token& stop)
{
    if ((skips_ || begins_crc_) && left_ != 0 && section_ == Section::data) {
        input_->skip(std::exchange(left_, 0), stop);  // its length was checked
        return true;
    }
    while (left_ != 0) {
        const auto bytes = input_->buffered().empty() ? input_->ensure(1, stop) : input_->buffered();
        if (bytes.empty()) {
            if (stop.stop_requested()) return false;
            throw truncated(0);
        }
        const auto count = std::min<std::uint64_t>(bytes.size(), left_);
        consume(static_cast<std::size_t>(count));
        left_ -= count;
    }
    return true;
}

bool RecordCursor::search(const std::function<bool(std::uint16_t)>& knows_channel, const std::stop_token& stop)
{
    left_ = 0;
    input_->drop_crc();
    auto place = std::size_t{input_->offset() == offset_};
    while (section_ != Section::end) {
        const auto bytes = input_->ensure(place + mcap::plausible_record_bytes, stop, WindowedInput::window_bytes);
        if (stop.stop_requested()) return false;
        if (bytes.size() < place + record_prefix_bytes) break;
        const bool found = could_begin(place, knows_channel, stop);
        if (found || ++place == search_step_bytes) input_->consume(std::exchange(place, 0));
        if (found) return true;
    }
    while (!input_->ensure(1, stop).empty()) input_->consume(input_->buffered().size());
    if (stop.stop_requested()) return false;
    section_ = Section::end;
    return true;
}

bool RecordCursor::could_begin(std::size_t place, const std::function<bool(std::uint16_t)>& knows_channel,
                               const std::stop_token& stop)
{
    const auto bytes = input_->buffered().subspan(place);
    const auto likeness =
        mcap::plausible_record(bytes.first(std::min(bytes.size(), mcap::plausible_record_bytes)), knows_channel);
    if (likeness != mcap::Likeness::weak) return likeness == mcap::Likeness::strong;
    const auto end = place + record_prefix_bytes + mcap::prefix_at(bytes).length;
    if (end > max_lookahead_bytes) return false;
    const auto following =
        input_->ensure(static_cast<std::size_t>(end) + record_prefix_bytes, stop, WindowedInput::window_bytes);
    return following.size() >= end && mcap::plausible_prefix(following.subspan(static_cast<std::size_t>(end)));
}

void RecordCursor::go_back(std::uint64_t offset)
{
    input_.emplace(std::make_unique<SeekableSource>(file_, offset), offset);
    offset_ = offset;
    left_ = 0;
    section_ = Section::data;
}

void RecordCursor::begin_summary() noexcept
{
    section_ = Section::summary;
    data_end_ = offset_;
    input_->keep_crc();
}

void RecordCursor::resume_data() noexcept
{
    expects_data_end_ = false;
    section_ = Section::data;
    input_->drop_crc();
}

}  // namespace ositrace
