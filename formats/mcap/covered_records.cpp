// SPDX-License-Identifier: MPL-2.0
#include "formats/mcap/covered_records.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>
#include <vector>

#include "formats/framing/trailing_length.hpp"

namespace ositrace::mcap {

namespace {

constexpr std::uint64_t enough_bytes = std::uint64_t{64} << 20;
/// The shortest record that can follow another one: DataEnd.
constexpr std::size_t least_record_bytes = record_prefix_bytes + 4;
/// Places that are tried as the first of the trailing records.
constexpr std::size_t most_tries = 16;
constexpr std::uint64_t longest_compression_name = 16;

/// Adds up the lengths in a record. Once it needs bytes that are not there, it knows nothing.
class FieldLengths {
public:
    explicit FieldLengths(Bytes front) noexcept : front_(front) {}

    FieldLengths& skip(std::uint64_t bytes) noexcept
    {
        if (__builtin_add_overflow(at_, bytes, &at_)) fail();
        return *this;
    }
    /// A text or a list, after its length.
    FieldLengths& text() noexcept { return skip(number<std::uint32_t>()); }
    FieldLengths& data() noexcept { return skip(number<std::uint64_t>()); }
    [[nodiscard]] std::optional<std::uint64_t> end() const noexcept
    {
        return known_ ? std::optional(at_) : std::nullopt;
    }

private:
    template <class T>
    std::uint64_t number() noexcept
    {
        if (!known_ || at_ > front_.size() || front_.size() - at_ < sizeof(T)) {
            fail();
            return 0;
        }
        const auto value = load<T>(front_.data() + at_);
        at_ += sizeof(T);
        return value;
    }
    void fail() noexcept
    {
        known_ = false;
        at_ = 0;
    }

    Bytes front_;
    std::uint64_t at_ = 0;
    bool known_ = true;
};

bool is_time(std::uint64_t time) noexcept
{
    return time <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}

bool is_message(Bytes front) noexcept
{
    return front.size() >= message_front_bytes && is_time(load_le64(front.data() + 6)) &&
           is_time(load_le64(front.data() + 14));
}

bool is_multiple(Bytes front, std::size_t at, std::uint32_t of) noexcept
{
    return front.size() >= at + 4 && load_le32(front.data() + at) % of == 0;
}

/// What the lengths leave open.
bool is_sound(Opcode opcode, Bytes front) noexcept
{
    switch (opcode) {
    case Opcode::schema: return load<std::uint16_t>(front.data()) != 0;
    case Opcode::chunk: return load_le32(front.data() + 28) <= longest_compression_name;
    case Opcode::message_index: return is_multiple(front, 2, message_index_entry_bytes);
    case Opcode::chunk_index: return is_multiple(front, 32, 10);
    case Opcode::statistics: return is_multiple(front, 42, 10);
    default: return true;
    }
}

/// The records of `data` from `first` on.
BytesAt from(Bytes data, std::size_t first)
{
    return [rest = data.subspan(first)](std::uint64_t place, std::size_t bytes) {
        if (place >= rest.size()) return Bytes{};
        return rest.subspan(static_cast<std::size_t>(place),
                            std::min(bytes, rest.size() - static_cast<std::size_t>(place)));
    };
}

std::optional<RecordPrefix> exact_record_at(std::uint64_t place, const BytesAt& at)
{
    const auto front = at(place, record_prefix_bytes + record_front_bytes);
    if (front.size() < record_prefix_bytes) return std::nullopt;
    const auto prefix = prefix_at(front);
    auto content = front.subspan(record_prefix_bytes);
    if (prefix.length < content.size()) content = content.first(static_cast<std::size_t>(prefix.length));
    return is_exact_record(prefix, content) ? std::optional(prefix) : std::nullopt;
}

/// Is each Message one of a channel that is declared, or by a record here?
bool know_channels(Bytes records, const std::function<bool(std::uint16_t)>& knows_channel)
{
    std::set<std::uint16_t> declared;
    RecordWalker walker(records);
    for (RawRecord record; walker.next(record);) {
        const auto id = record.content.size() >= 2 ? load<std::uint16_t>(record.content.data()) : std::uint16_t{};
        if (record.opcode == Opcode::channel) declared.insert(id);
        if (record.opcode == Opcode::message && !declared.contains(id) && !knows_channel(id)) return false;
    }
    return true;
}

}  // namespace

std::optional<std::uint64_t> known_fields_bytes(Opcode opcode, Bytes front) noexcept
{
    FieldLengths lengths(front);
    switch (opcode) {
    case Opcode::header: return lengths.text().text().end();
    case Opcode::schema: return lengths.skip(2).text().text().text().end();
    case Opcode::channel: return lengths.skip(4).text().text().text().end();
    case Opcode::chunk: return lengths.skip(28).text().data().end();
    case Opcode::message_index: return lengths.skip(2).text().end();
    case Opcode::chunk_index: return lengths.skip(32).text().skip(8).text().skip(16).end();
    case Opcode::attachment: return lengths.skip(16).text().text().data().skip(4).end();
    case Opcode::attachment_index: return lengths.skip(40).text().text().end();
    case Opcode::statistics: return lengths.skip(42).text().end();
    case Opcode::metadata: return lengths.text().text().end();
    case Opcode::metadata_index: return lengths.skip(16).text().end();
    case Opcode::summary_offset: return lengths.skip(17).end();
    case Opcode::data_end: return lengths.skip(4).end();
    default: return std::nullopt;
    }
}

bool is_exact_record(const RecordPrefix& prefix, Bytes front) noexcept
{
    if (prefix.opcode == Opcode::message) return is_message(front);
    return known_fields_bytes(prefix.opcode, front) == prefix.length && is_sound(prefix.opcode, front);
}

std::optional<Opcode> opcode_by_content(const RecordPrefix& prefix, Bytes front, bool in_summary) noexcept
{
    for (auto bit = 1u; bit <= 0x80; bit <<= 1) {
        const auto meant = static_cast<Opcode>(static_cast<unsigned>(prefix.opcode) ^ bit);
        const bool belongs_here =
            in_summary ? holds_summary(meant) : holds_data(meant) || meant == Opcode::message_index;
        const bool declares = meant == Opcode::schema || meant == Opcode::channel;
        if ((belongs_here || declares) && is_exact_record({meant, prefix.length}, front)) return meant;
    }
    return std::nullopt;
}

bool are_exact_records(std::uint64_t length, const BytesAt& at)
{
    std::uint64_t place = 0;
    while (place < length && place < enough_bytes) {
        const auto prefix = exact_record_at(place, at);
        if (!prefix || length - place < record_prefix_bytes || prefix->length > length - place - record_prefix_bytes)
            return false;
        place += record_prefix_bytes + prefix->length;
    }
    return place != 0;
}

bool begins_exact_record(const BytesAt& at) { return exact_record_at(0, at).has_value(); }

std::optional<std::size_t> length_before_records(const RawRecord& record)
{
    const auto& content = record.content;
    const auto own = known_fields_bytes(record.opcode, content);
    if (!own || *own >= content.size()) return std::nullopt;
    const auto length = static_cast<std::size_t>(*own);
    return are_exact_records(content.size() - length, from(content, length)) ? std::optional(length) : std::nullopt;
}

std::optional<std::size_t> first_trailing_record(Bytes data, const std::function<bool(std::uint16_t)>& knows_channel)
{
    // The lower half of a record's length, 8 bytes before what it counts, is a length prefix of 4 bytes less.
    constexpr std::size_t upper_half = sizeof(std::uint32_t);
    if (data.size() <= least_record_bytes || !length_prefix::may_hold_frames(data.first(data.size() - upper_half)))
        return std::nullopt;
    std::unordered_set<std::uint64_t> ends{data.size()};
    std::vector<std::size_t> begins;  // of records after which others fill the rest
    for (auto place = data.size() - least_record_bytes; place != 0; --place) {
        const auto opcode = static_cast<Opcode>(std::to_integer<std::uint8_t>(data[place]));
        if (opcode < Opcode::schema || opcode > Opcode::data_end) continue;
        const auto length = prefix_at(data.subspan(place)).length;
        const auto left = data.size() - place - record_prefix_bytes;
        if (length > left || !ends.contains(place + record_prefix_bytes + length)) continue;
        if (!exact_record_at(0, from(data, place))) continue;
        ends.insert(place);
        begins.push_back(place);
    }
    const auto tries = std::min(begins.size(), most_tries);
    for (auto first = begins.rbegin(); first != begins.rbegin() + static_cast<std::ptrdiff_t>(tries); ++first)
        if (know_channels(data.subspan(*first), knows_channel)) return *first;
    return std::nullopt;
}

}  // namespace ositrace::mcap
