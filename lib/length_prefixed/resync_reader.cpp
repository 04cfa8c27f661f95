// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/resync_reader.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <ositrace/count_text.hpp>

#include "formats/framing/trailing_length.hpp"
#include "lib/length_prefixed/swallowed_frame.hpp"

namespace ositrace {

using length_prefix::judged_bytes;
using length_prefix::min_damage_zeros;
using length_prefix::prefix_bytes;

namespace {

/// The first look at a candidate rejects most; the second saves reading a long one in vain.
constexpr std::size_t second_look_bytes = std::size_t{64} << 10;
/// The search keeps this much of what it has passed, in case it was one message with a wrong length.
constexpr std::uint64_t kept_bytes = std::uint64_t{32} << 20;
/// Candidates may cost this many bytes per byte of the input, and at least: a hostile file must not cost
/// quadratic time.
constexpr std::uint64_t spent_per_byte = 16, min_spent = std::uint64_t{1} << 25;
/// Holes of a sparse file from this size on are skipped.
constexpr std::uint64_t min_hole_bytes = std::uint64_t{1} << 20;
/// A length beyond this many times the largest so far is verified.
constexpr std::uint64_t usual_growth = 4;
/// A larger frame is not kept in memory to learn from it.
constexpr std::size_t max_learned_bytes = std::size_t{16} << 20;

/// Of a payload that cannot be read: at its frame, not at the byte.
Error at_frame(const Error& problem) { return {Cause::malformed, {.field = problem.where().field}, problem.reason()}; }

}  // namespace

ResyncReader::ResyncReader(WindowedInput input, std::shared_ptr<FrameVerifier> verifier, ResyncOptions options)
    : input_(std::move(input)), verifier_(std::move(verifier)), options_(options), next_index_(options.first_index)
{
}

bool ResyncReader::read(FrameBatch& batch, const std::stop_token& stop)
{
    if (waiting_) {
        batch = *std::exchange(waiting_, std::nullopt);
        return true;
    }
    batch = {};
    batch.first_index = next_index_;
    stop_ = stop;
    do {
        if (options_.keep_empty) hand_out_empty_frames(batch);
        if (batch.records.empty()) collect(batch);
        if (batch.records.empty() && !step(batch)) return false;
    } while (batch.records.empty() && !batch.skipped);
    next_index_ += batch.records.size();
    if (batch.skipped && !batch.records.empty() && batch.records.front().offset < batch.skipped->offset) {
        // What is skipped comes before the records of a batch: these are empty messages before the damage.
        const auto after =
            std::ranges::lower_bound(batch.records, batch.skipped->offset, {}, &FrameBatch::Record::offset);
        waiting_.emplace(batch);
        waiting_->records.erase(waiting_->records.begin(), waiting_->records.begin() + (after - batch.records.begin()));
        waiting_->first_index = next_index_ - waiting_->records.size();
        batch.records.erase(after, batch.records.end());
        batch.skipped.reset();
    }
    return true;
}

/// The frames that are buffered and followed by the beginning of another one.
void ResyncReader::collect(FrameBatch& batch)
{
    while (batch.records.size() < max_batch_frames) {
        const auto bytes = input_.buffered();
        const auto length = length_prefix::length_at(bytes);
        if (!length || *length == 0 || *length > options_.max_message_bytes || bytes.size() - prefix_bytes < *length)
            return;
        if (length_prefix::may_hold_frames(bytes.subspan(prefix_bytes, *length))) return;
        const bool believed = input_.offset() < believed_until_;
        if (!believed && (is_unusual(*length) || !neighbour_in(bytes.subspan(prefix_bytes + *length)))) return;
        hand_out(batch, *length);
    }
}

/// One frame or one skip at the position; false at the end or when a stop was requested.
bool ResyncReader::step(FrameBatch& batch)
{
    const auto here = input_.offset();
    auto bytes = input_.ensure(prefix_bytes, stop_);
    if (bytes.size() < prefix_bytes && (bytes.empty() || stop_.stop_requested())) return false;
    const auto length = length_prefix::length_at(bytes).value_or(0);
    const auto end = here + prefix_bytes + length;
    try {
        if (bytes.size() < prefix_bytes) throw length_prefix::truncated_prefix(bytes.size());
        if (length == 0) return step_over_zeros(batch);
        const auto source_end = source().end();
        length_prefix::check_length(
            length, options_.max_message_bytes,
            source_end ? std::optional(*source_end - std::min(*source_end, here + prefix_bytes)) : std::nullopt);
        bytes = input_.ensure(prefix_bytes + length, stop_, prefix_bytes + judged_bytes);
        if (bytes.size() < prefix_bytes + length) {
            if (stop_.stop_requested()) return false;
            throw length_prefix::truncated_payload(bytes.size() - prefix_bytes, length);
        }
    } catch (const Error& error) {
        if (!is_damage(error) || !error.where().file.empty()) throw;
        resync(batch, length, error, false);
        return !stop_.stop_requested();
    }
    const auto payload = [&] { return input_.buffered().subspan(prefix_bytes, length); };
    if (const auto right = length_before_frames_in(payload())) {
        const auto why = length_covers_frames(length, *right);
        const auto first = payload().first(*right);
        if (judge_->problem_of(first) || judge_->has_bytes_after(first)) {
            resync(batch, length, why, false);  // there are frames in it, too
        } else {
            lose(batch, here, here, why, 0);
            hand_out(batch, static_cast<std::uint32_t>(*right));
        }
        return !stop_.stop_requested();
    }
    if (here < believed_until_ || (options_.live && verifier_->is_surely(payload()))) {
        hand_out(batch, length);
        return true;
    }
    const auto neighbour = neighbour_at(end);
    if (stop_.stop_requested()) return false;
    if (neighbour == Neighbour::frame && !is_unusual(length)) {
        hand_out(batch, length);
        return true;
    }
    if (const auto problem = verifier_->problem_of(payload())) {
        resync(batch, length, at_frame(*problem), true);
    } else if (verifier_->has_bytes_after(payload())) {
        resync(
            batch, length,
            Error(Cause::malformed, "the length " + std::to_string(length) + " is wrong: the message ends before it"),
            false);
    } else if (const auto right = neighbour == Neighbour::none ? shorter_length(length) : length; right != length) {
        lose(batch, here, here,
             Error(Cause::malformed, "the length " + std::to_string(length) + " is wrong: the message ends after " +
                                         std::to_string(right) + " bytes"),
             0);
        hand_out(batch, right);
    } else if (neighbour != Neighbour::none) {
        verifier_->accept(payload());
        hand_out(batch, length);
    } else if (learn_last(); search(here + 1, end) == end) {
        hand_out(batch, length);
    } else {
        resync(batch, length,
               Error(Cause::malformed, "the length " + std::to_string(length) + " is wrong: other frames are inside"),
               false);
    }
    return !stop_.stop_requested();
}

std::optional<std::size_t> ResyncReader::length_before_frames_in(Bytes payload)
{
    if (!length_prefix::may_hold_frames(payload)) return std::nullopt;
    if (!judge_) judge_.emplace(verifier_->channel());
    return length_before_frames(payload, *judge_);
}

/// Zero lengths are empty messages where few of them are followed by a frame.
bool ResyncReader::step_over_zeros(FrameBatch& batch)
{
    const auto here = input_.offset();
    std::uint64_t zeros = 0;
    for (bool zeros_only = true; zeros_only;) {
        // There may be gigabytes. The last zeros may be the first bytes of a length.
        if (zeros > min_damage_zeros)
            input_.consume((here + zeros - input_.offset()) / prefix_bytes * prefix_bytes - prefix_bytes);
        const auto bytes = buffered_at(here + zeros, 1);
        const auto more = length_prefix::leading_zeros(bytes);
        zeros += more;
        zeros_only = more != 0 && more == bytes.size();
        if (const auto hole = source().zeros_ahead(); zeros_only && zeros > min_damage_zeros && hole > min_hole_bytes) {
            zeros += (hole - min_hole_bytes / 2) / prefix_bytes * prefix_bytes;
            input_.skip((here + zeros - input_.offset()) / prefix_bytes * prefix_bytes, stop_);
            zeros = input_.offset() - here;
        }
    }
    if (stop_.stop_requested()) return false;
    const bool tail = at(here + zeros, 1).empty();
    const auto whole = zeros / prefix_bytes * prefix_bytes;
    if (tail ? options_.keep_empty
             : empty_messages_are_legal(zeros) && neighbour_at(here + whole) == Neighbour::frame) {
        input_.consume(here + whole - input_.offset());
        empty_frames_ = whole / prefix_bytes;
        empty_frames_begin_ = here;
        return true;
    }
    const bool flat = verifier_->channel().format.encoding == Encoding::flatbuffers;
    if (tail) {
        lose(batch, here, here + zeros, length_prefix::zero_tail(zeros), frames_in(zeros, no_limit));
    } else if (input_.offset() != here) {
        const auto next = search(std::max(input_.offset(), here + zeros - (prefix_bytes - 1)), no_limit);
        if (!stop_.stop_requested())
            lose(batch, here, next, length_prefix::zeros_between_frames(zeros), frames_in(next - here, next));
    } else {
        resync(batch, 0,
               flat && zeros < min_damage_zeros ? length_prefix::empty_flatbuffer()
                                                : Error(Cause::malformed, count_text(zeros, "zero byte")),
               false);
    }
    return !stop_.stop_requested();
}

/// Of a whole message that no frame follows: where it ends, if other bytes than padding are after that.
std::uint32_t ResyncReader::shorter_length(std::uint32_t length)
{
    const auto payload = [&] { return input_.buffered().subspan(prefix_bytes, length); };
    const auto end = static_cast<std::uint32_t>(verifier_->end_of(payload()));
    for (auto right = end; right < length; ++right)
        if (neighbour_at(input_.offset() + prefix_bytes + right) == Neighbour::frame) return right;
    const auto padded =
        end + std::min<std::size_t>(length_prefix::leading_zeros(payload().subspan(end)), (0 - end) % 4);
    return padded + length_prefix::leading_zeros(payload().subspan(padded)) == length
               ? length
               : static_cast<std::uint32_t>(padded);
}

void ResyncReader::resync(FrameBatch& batch, std::uint32_t length, const Error& why, bool length_is_possible)
{
    const auto here = input_.offset();
    learn_last();
    const auto next = search(here + 1, no_limit);
    if (stop_.stop_requested()) return;
    if (input_.offset() == here) {
        if (length_is_possible && leads_to(next, length)) {
            believed_until_ = next;
            return;
        }
        const bool is_cut_off = at(next, 1).empty() && prefix_bytes + length > next - here;
        if (!is_cut_off && is_message_up_to(next)) {
            const auto right = static_cast<std::uint32_t>(next - here - prefix_bytes);
            lose(batch, here, here,
                 Error(Cause::malformed, "the length " + std::to_string(length) + " is wrong: " +
                                             std::to_string(right) + " bytes up to the next frame are a whole message"),
                 0);
            hand_out(batch, right);
            return;
        }
    }
    const bool cut_off = why.cause() == Cause::truncated && next - here < prefix_bytes + length &&
                         length <= usual_growth * largest_ && at(next, 1).empty();
    lose(batch, here, next, why,
         cut_off ? 1 + std::max((next - here) / (prefix_bytes + largest_), fronts_in(here + 1, next))
                 : frames_in(next - here, next));
}

/// The number of places where a frame seems to begin, as far as the bytes are still buffered.
std::uint64_t ResyncReader::fronts_in(std::uint64_t from, std::uint64_t to)
{
    std::uint64_t count = 0;
    for (auto offset = std::max(from, input_.offset()); offset + prefix_bytes < to; ++offset) {
        const auto bytes = at(offset, prefix_bytes + judged_bytes);
        if (bytes.size() < prefix_bytes) break;
        const auto length = load_le32(bytes.data());
        const auto front = bytes.subspan(prefix_bytes, std::min<std::size_t>(length, bytes.size() - prefix_bytes));
        if (is_familiar(front, length) && verifier_->could_begin(front)) ++count;
    }
    return count;
}

/// Do frames with possible lengths, from the one at the position on, lead exactly to `next`?
bool ResyncReader::leads_to(std::uint64_t next, std::uint32_t length)
{
    auto offset = input_.offset();
    while (length != 0 && length <= options_.max_message_bytes && offset + prefix_bytes + length < next) {
        offset += prefix_bytes + length;
        length = length_prefix::length_at(at(offset, prefix_bytes)).value_or(0);
    }
    return length != 0 && offset + prefix_bytes + length == next;
}

/// Is everything from the position on one message, which has the header that the last one or the next one has?
bool ResyncReader::is_message_up_to(std::uint64_t next)
{
    const auto here = input_.offset();
    if (next - here <= prefix_bytes || next - here - prefix_bytes > options_.max_message_bytes) return false;
    const auto prefix = at(next, prefix_bytes);
    const auto next_length = length_prefix::length_at(prefix).value_or(0);
    const auto bytes = at(next, prefix_bytes + next_length);
    const auto whole = input_.buffered().subspan(prefix_bytes, next - here - prefix_bytes);
    const bool has_header =
        verifier_->has_header_of_last(whole) ||
        (bytes.size() > prefix_bytes && verifier_->has_header_of(bytes.subspan(prefix_bytes), whole));
    return has_header && verifier_->is_surely(whole) && !verifier_->has_bytes_after(whole);
}

void ResyncReader::hand_out(FrameBatch& batch, std::uint32_t length)
{
    hand_out_empty_frames(batch);
    const auto payload = input_.buffered().subspan(prefix_bytes, length);
    if (!batch.owner) batch.owner = input_.owner();
    batch.records.push_back({payload, input_.offset()});
    note(payload);
    last_ = {};
    if (length <= max_learned_bytes) last_ = {batch.owner, payload};
    input_.consume(prefix_bytes + length);
}

/// Before a search: what messages have in common that were handed out unread.
void ResyncReader::learn_last()
{
    const auto last = std::exchange(last_, {});
    if (!last.payload.empty() && !verifier_->problem_of(last.payload)) verifier_->accept(last.payload);
}

void ResyncReader::hand_out_empty_frames(FrameBatch& batch)
{
    // Beyond the limit where they precede a frame: then they are fewer than `min_damage_zeros`.
    for (; empty_frames_ != 0 && batch.records.size() < max_batch_frames + min_damage_zeros; --empty_frames_) {
        batch.records.push_back({{}, empty_frames_begin_});
        empty_frames_begin_ += prefix_bytes;
    }
}

void ResyncReader::lose(FrameBatch& batch, std::uint64_t from, std::uint64_t to, const Error& why, std::uint64_t frames)
{
    if (empty_frames_ != 0 && at(to, 1).empty()) {  // empty messages that no frame follows are damage
        from = empty_frames_begin_;
        frames += std::exchange(empty_frames_, 0);
    }
    hand_out_empty_frames(batch);
    const auto index = next_index_ + batch.records.size();
    const auto error = why.within({.file = source().name(), .frame = index, .offset = from});
    batch.skipped = SkippedBytes{index, from, to - from, error, 0, frames};
    input_.consume(to - input_.offset());
}

void ResyncReader::note(Bytes payload)
{
    const auto length = static_cast<std::uint32_t>(payload.size());
    smallest_ = std::min(smallest_, length);
    largest_ = std::max(largest_, length);
    last_length_ = length;
    const bool flat = verifier_->channel().format.encoding == Encoding::flatbuffers;
    const auto common = flat ? payload.subspan(std::min<std::size_t>(4, length)) : payload.first(std::min(length, 3u));
    signature_.size = std::min(common.size(), signature_.bytes.size());
    std::copy_n(common.begin(), signature_.size, signature_.bytes.begin());
}

/// A frame that is a quarter longer than the last one, or as long as two of the smallest so far, is verified: a wrong
/// length may lead to the end of a later frame.
bool ResyncReader::is_unusual(std::uint32_t length) const
{
    return length > last_length_ + last_length_ / 4 || length >= prefix_bytes + 2 * std::uint64_t{smallest_};
}

/// Does it begin as the last one did, and has it a usual length? A candidate that has not is verified.
bool ResyncReader::is_familiar(Bytes front, std::uint32_t length) const
{
    const bool flat = verifier_->channel().format.encoding == Encoding::flatbuffers;
    const auto common = flat ? front.subspan(std::min<std::size_t>(4, front.size())) : front;
    return signature_.size >= 3 && common.size() >= signature_.size && length <= usual_growth * largest_ &&
           std::equal(signature_.bytes.begin(), signature_.bytes.begin() + static_cast<std::ptrdiff_t>(signature_.size),
                      common.begin());
}

bool ResyncReader::empty_messages_are_legal(std::uint64_t zeros) const
{
    if (options_.keep_empty) return true;
    return zeros / prefix_bytes * prefix_bytes < min_damage_zeros &&
           verifier_->channel().format.encoding != Encoding::flatbuffers;
}

/// `count` bytes at `offset`, which is not before the position; fewer only at the end. Valid until the next call.
Bytes ResyncReader::at(std::uint64_t offset, std::size_t count)
{
    const auto first = static_cast<std::size_t>(offset - input_.offset());
    // More is read at once where the search grows, so that what is kept is not copied for every byte.
    const auto extra = std::clamp<std::size_t>(first, WindowedInput::window_bytes, kept_bytes);
    const auto bytes = input_.ensure(first + count, stop_, extra);
    const auto skipped = std::min(first, bytes.size());
    return bytes.subspan(skipped, std::min(count, bytes.size() - skipped));
}

/// As at(), and what else is buffered there.
Bytes ResyncReader::buffered_at(std::uint64_t offset, std::size_t count)
{
    static_cast<void>(at(offset, count));
    const auto bytes = input_.buffered();
    return bytes.subspan(std::min<std::size_t>(offset - input_.offset(), bytes.size()));
}

/// Is it known that the input ends before this offset?
bool ResyncReader::ends_before(std::uint64_t offset) const
{
    const auto end = source().end();
    return end && *end < offset;
}

/// Of what is buffered after a frame: does a familiar frame begin there?
bool ResyncReader::neighbour_in(Bytes rest) const
{
    const auto length = length_prefix::length_at(rest).value_or(0);
    if (length == 0 || length > options_.max_message_bytes) return false;
    const auto judged = std::min<std::size_t>(length, judged_bytes);
    if (rest.size() - prefix_bytes < judged) return false;
    const auto front = rest.subspan(prefix_bytes, judged);
    return is_familiar(front, length) && verifier_->could_begin(front);
}

/// What follows a frame that ends at `offset`: a frame (one that is cut off counts, if it begins as usual), the end of
/// the input, or empty messages and a frame.
ResyncReader::Neighbour ResyncReader::neighbour_at(std::uint64_t offset)
{
    auto prefix = at(offset, prefix_bytes);
    if (prefix.empty()) return ends_before(offset) ? Neighbour::none : Neighbour::frame;
    auto length = length_prefix::length_at(prefix);
    auto found = Neighbour::frame;
    if (length && *length == 0) {
        const auto zeros = length_prefix::leading_zeros(at(offset, min_damage_zeros + prefix_bytes));
        if (!empty_messages_are_legal(zeros)) return Neighbour::none;
        offset += zeros / prefix_bytes * prefix_bytes;
        length = length_prefix::length_at(at(offset, prefix_bytes));
        found = Neighbour::empty_messages;
    }
    if (!length || *length == 0 || *length > options_.max_message_bytes) return Neighbour::none;
    const auto front = at(offset + prefix_bytes, std::min<std::size_t>(*length, judged_bytes));
    if (!verifier_->could_begin(front)) return Neighbour::none;
    if (is_familiar(front, *length)) return found;
    if (ends_before(offset + prefix_bytes + *length)) return Neighbour::none;
    const auto payload = at(offset + prefix_bytes, *length);
    return payload.size() == *length && verifier_->is_surely(payload) ? found : Neighbour::none;
}

/// The first offset of [from, to) where a frame surely begins; `to`, or the end of the input, where none does.
std::uint64_t ResyncReader::search(std::uint64_t from, std::uint64_t to)
{
    for (auto offset = from; offset < to;) {
        if (stop_.stop_requested()) return offset;
        if (to == no_limit && offset - input_.offset() > kept_bytes) input_.consume(offset - input_.offset());
        const auto bytes = buffered_at(offset, prefix_bytes + judged_bytes);
        if (bytes.size() < prefix_bytes) return to == no_limit ? offset + bytes.size() : to;
        const auto seen_at_once =
            bytes.size() < prefix_bytes + judged_bytes ? prefix_bytes : prefix_bytes + judged_bytes;
        const auto count = std::min<std::uint64_t>(bytes.size() - seen_at_once + 1, to - offset);
        const auto max_length = max_length_at(offset);
        std::size_t i = 0;
        for (bool candidate = false; i < count && !candidate; ++i) {
            const auto rest = bytes.subspan(i);
            const auto length = load_le32(rest.data());
            if (length == 0) {
                i += std::max(length_prefix::leading_zeros(rest), prefix_bytes) - prefix_bytes;
                continue;
            }
            if (length > max_length || !may_spend(offset + i)) continue;
            const auto front =
                rest.subspan(prefix_bytes, std::min<std::size_t>({length, judged_bytes, rest.size() - prefix_bytes}));
            if (!front.empty() && !verifier_->could_begin(front)) continue;
            if (is_frame(offset + i, length)) return offset + i;
            candidate = true;  // the bytes may have moved
        }
        offset += std::min<std::uint64_t>(i, count);
    }
    return to;
}

/// Is what is found at an offset surely a frame?
bool ResyncReader::is_frame(std::uint64_t offset, std::uint32_t length)
{
    const auto begin = offset + prefix_bytes, end = begin + length;
    if (ends_before(end)) return false;
    for (const auto look : {judged_bytes, second_look_bytes}) {
        const auto front = at(begin, std::min<std::size_t>(length, look));
        if (!verifier_->could_begin(front)) return false;
        spent_bytes_ += front.size();
    }
    const auto payload = at(begin, length);
    if (payload.size() < length) return false;
    const bool complete = verifier_->is_complete(payload);
    spent_bytes_ += verifier_->bytes_read();
    if (!complete) return false;
    const bool alone = !verifier_->has_unusual_fields() && verifier_->has_version_and_time(payload);
    return alone || neighbour_at(end) != Neighbour::none;
}

/// False where the candidates so far have cost too much.
bool ResyncReader::may_spend(std::uint64_t offset) const
{
    return spent_bytes_ <= std::max(min_spent, spent_per_byte * offset);
}

/// A longer frame than this cannot begin at `offset` or after it.
std::uint64_t ResyncReader::max_length_at(std::uint64_t offset) const
{
    const auto end = source().end();
    const auto left = end ? *end - std::min(*end, offset + prefix_bytes) : no_limit;
    return std::min<std::uint64_t>(left, options_.max_message_bytes);
}

/// At most so many frames were in bytes that were skipped, by the smallest frame seen so far and the one at `next`, and
/// two pieces at the ends.
std::uint64_t ResyncReader::frames_in(std::uint64_t bytes, std::uint64_t next)
{
    if (bytes == 0) return 0;
    auto smallest = smallest_;
    if (next != no_limit)
        if (const auto length = length_prefix::length_at(at(next, prefix_bytes)); length && *length != 0)
            smallest = std::min(smallest, *length);
    return 2 + bytes / (prefix_bytes + std::uint64_t{smallest});
}

}  // namespace ositrace
