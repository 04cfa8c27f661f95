// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/salvage.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

/// Candidates that are none may cost this many bytes, per byte of the file and at least: a hostile file must not cost
/// quadratic time. Lone candidates, which nothing follows, are given up first.
constexpr std::uint64_t waste_per_byte = 32, lone_waste_per_byte = 8, min_waste = std::uint64_t{1} << 28;

}  // namespace

std::uint64_t Salvage::Record::end() const noexcept { return offset + prefix_bytes + length; }

Salvage::Salvage(std::shared_ptr<const SeekableFile> file, TraceInfo info, IntactFrame known,
                 std::size_t max_message_bytes, std::function<void(const LostBytes&)> on_loss)
    : file_(std::move(file)),
      info_(std::move(info)),
      max_message_bytes_(max_message_bytes),
      on_loss_(std::move(on_loss)),
      known_(std::move(known)),
      verifier_(*known_.verifier),
      reads_(*file_)
{
    if (known_.offset != 0) known_.payload = nullptr;  // others are verified before it
}

bool Salvage::read(Frame& frame, std::stop_token stop)
{
    while (!stop.stop_requested()) {
        const std::uint64_t at = position_;
        if (empty_frames_ == 0 && at == file_->size()) {
            report_loss(std::nullopt);
            return false;
        }
        if (empty_frames_ != 0) {
            --empty_frames_;
            give(frame, {at, 0, std::nullopt}, nullptr);
            return true;
        }
        const auto record = repaired_ ? *std::exchange(repaired_, std::nullopt) : record_at(at);
        if (record.problem) {
            pass_over(record, *record.problem, stop);
        } else if (record.length == 0) {
            take_zeros();
        } else {
            const bool known = record.offset == 0 && known_.payload;
            auto payload = known ? std::exchange(known_.payload, nullptr) : load(record);
            const Bytes bytes{payload->data(), record.length};
            if (const auto problem = known ? std::nullopt : verifier_.problem_of(bytes)) {
                wasted_bytes_ += record.length;
                pass_over(record, *problem, stop);
                continue;
            }
            verifier_.accept(bytes);
            give(frame, record, std::move(payload));
            return true;
        }
    }
    return false;
}

Salvage::Record Salvage::record_at(std::uint64_t offset)
{
    Record record{offset, 0, std::nullopt};
    const auto prefix = reads_.at(offset, prefix_bytes);
    const auto length = length_prefix::length_at(prefix);
    try {
        if (!length) throw length_prefix::truncated_prefix(prefix.size());
        record.length = *length;
        length_prefix::check_length(*length, max_message_bytes_, file_->size() - offset - prefix_bytes);
    } catch (const Error& error) {
        record.problem = error.reason();
    }
    return record;
}

std::shared_ptr<Block> Salvage::load(const Record& record)
{
    auto payload = buffers_.take(record.length);
    static_cast<void>(file_->read_at(record.offset + prefix_bytes, {payload->data(), record.length}));
    return payload;
}

std::uint64_t Salvage::zeros_at(std::uint64_t offset) const
{
    std::vector<std::byte> window(std::size_t{1} << 20);
    for (std::uint64_t count = 0;;) {
        const auto read = file_->read_at(offset + count, window);
        const auto zeros = length_prefix::leading_zeros(std::span(window).first(read));
        count += zeros;
        if (zeros < window.size()) return count;
    }
}

/// Zero lengths are empty messages where a frame follows them, or the end of the file soon; else something wrote zeros
/// over the file.
void Salvage::take_zeros()
{
    const std::uint64_t at = position_;
    const auto zeros = zeros_at(at);
    const auto whole = zeros / prefix_bytes * prefix_bytes;
    const bool at_end = at + zeros == file_->size();
    const auto reason = std::to_string(zeros) + " zero bytes";
    if (at_end && zeros >= length_prefix::min_zero_tail_bytes)
        return lose(at, at + zeros, reason + " up to the end of the file");
    if (at_end || is_surely(at + whole)) {
        empty_frames_ = whole / prefix_bytes;
        return;
    }
    pass_over({at, static_cast<std::uint32_t>(std::min<std::uint64_t>(whole - prefix_bytes, UINT32_MAX)), std::nullopt},
              reason, {});
}

void Salvage::give(Frame& frame, const Record& record, std::shared_ptr<Block> payload)
{
    frame = Frame{};
    if (payload) frame.bytes = {payload->data(), record.length};
    frame.owner = std::move(payload);
    frame.index = given_++;
    frame.offset = record.offset;
    const auto time = readable_timestamp(frame.bytes, info_.channels.front());
    report_loss(time);
    if (time) last_time_ = time;
    position_ = record.end();
}

void Salvage::pass_over(const Record& bad, const std::string& reason, const std::stop_token& stop)
{
    const auto next = next_place(bad, stop);
    if (stop.stop_requested()) return;
    if (auto record = repaired(bad, next)) {
        lose(bad.offset, bad.offset,
             "the length " + std::to_string(bad.length) + " is wrong: " + std::to_string(record->length) +
                 " bytes up to the next frame are a whole message");
        repaired_ = std::move(record);
    } else {
        lose(bad.offset, next, reason);
    }
}

/// More than one wrong byte in a length is no damaged length but one that belongs to another content.
std::optional<Salvage::Record> Salvage::repaired(const Record& bad, std::uint64_t next)
{
    if (next - bad.offset <= prefix_bytes || next - bad.offset - prefix_bytes > max_message_bytes_) return std::nullopt;
    const Record record{bad.offset, static_cast<std::uint32_t>(next - bad.offset - prefix_bytes), std::nullopt};
    const auto wrong_bits = record.length ^ bad.length;
    bool one_byte = false;
    for (std::uint32_t byte = 0xff; byte != 0; byte <<= 8)
        one_byte = one_byte || (wrong_bits != 0 && (wrong_bits & ~byte) == 0);
    if (!one_byte) return std::nullopt;
    const auto payload = load(record);
    const Bytes bytes{payload->data(), record.length};
    const bool whole = verifier_.has_header_of_last(bytes) && verifier_.is_surely(bytes);
    return whole ? std::optional(record) : std::nullopt;
}

/// If the length is right and only the content is broken, the next frame stands where it says; else it is looked for.
std::uint64_t Salvage::next_place(const Record& bad, const std::stop_token& stop)
{
    if (!bad.problem && (bad.end() == file_->size() || is_surely(bad.end()))) return bad.end();
    constexpr std::uint64_t bytes_between_stops = 1 << 16;
    for (auto offset = bad.offset + 1; offset + prefix_bytes <= file_->size(); ++offset) {
        if (offset % bytes_between_stops == 0 && stop.stop_requested()) return offset;
        if (is_surely(offset)) return offset;
    }
    return file_->size();
}

/// Looks at little first, and turns most places away by it.
bool Salvage::is_surely(std::uint64_t offset)
{
    if (offset + prefix_bytes > file_->size()) return false;
    const auto length = load_le32(reads_.at(offset, prefix_bytes).data());
    if (length == 0 || length > max_message_bytes_ || length > file_->size() - offset - prefix_bytes) return false;
    const Record record{offset, length, std::nullopt};
    if (!begins_plausibly(offset, length)) return false;
    const auto affordable = (leads_on(record.end()) ? waste_per_byte : lone_waste_per_byte) * file_->size();
    if (wasted_bytes_ > std::max(min_waste, affordable)) return false;
    const bool sure = verifier_.is_surely({load(record)->data(), length});
    if (!sure) wasted_bytes_ += length;
    return sure;
}

/// Does the file end here, or something begin that may be a frame?
bool Salvage::leads_on(std::uint64_t offset)
{
    if (offset == file_->size()) return true;
    const auto length = length_prefix::length_at(reads_.at(offset, prefix_bytes));
    if (!length || *length > max_message_bytes_ || *length > file_->size() - offset - prefix_bytes) return false;
    return *length == 0 || begins_plausibly(offset, *length);
}

bool Salvage::begins_plausibly(std::uint64_t offset, std::uint32_t length)
{
    return ositrace::begins_plausibly(reads_, offset + prefix_bytes, length,
                                      [this](Bytes front) { return verifier_.could_begin(front); });
}

/// Losses that touch are one.
void Salvage::lose(std::uint64_t from, std::uint64_t to, const std::string& reason)
{
    if (loss_)
        loss_->bytes = to - loss_->offset;
    else
        loss_ = LostBytes{given_, from, to - from, last_time_, std::nullopt, reason};
    position_ = to;
}

void Salvage::report_loss(std::optional<Nanoseconds> before)
{
    if (!loss_) return;
    loss_->before = before;
    on_loss_(*std::exchange(loss_, std::nullopt));
}

}  // namespace ositrace
