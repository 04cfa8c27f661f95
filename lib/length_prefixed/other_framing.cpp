// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/other_framing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/core/too_few_bytes.hpp"
#include "formats/framing/length_prefix.hpp"
#include "formats/protobuf/field_reader.hpp"
#include "formats/protobuf/wire.hpp"
#include "formats/text/text_output.hpp"
#include "lib/io/random_access.hpp"
#include "lib/trace/frame_verifier.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

enum class Framing : std::uint8_t { varint, length, text, single };

struct FramingRow {
    Framing framing;
    std::string_view what;
    std::size_t length_bytes = 0;  ///< of Framing::length
    bool most_first = false;       ///< its most significant byte comes first
};

/// In the order in which they are tried.
constexpr std::array framings{
    FramingRow{Framing::varint, "its messages have varints as lengths, as Java's writeDelimitedTo() writes them"},
    FramingRow{Framing::length, "the lengths of its messages have the most significant byte first", 4, true},
    FramingRow{Framing::length, "the lengths of its messages have 8 bytes", 8, false},
    FramingRow{Framing::length, "the lengths of its messages have 8 bytes, the most significant one first", 8, true},
    FramingRow{Framing::length, "the lengths of its messages have 2 bytes", 2, false},
    FramingRow{Framing::length, "the lengths of its messages have 2 bytes, the most significant one first", 2, true},
    FramingRow{Framing::text, "its messages are separated by "},
    FramingRow{Framing::single, "it is one message without a length"},
};

/// Between messages before OSI 3.2.
constexpr std::string_view old_separator = "$$__$$";

/// Before a message.
struct Head {
    std::uint64_t length = 0;  ///< of the message, where it is stated
    std::size_t bytes = 0;     ///< of the head itself
};

/// nullopt: the bytes are not a head.
std::optional<Head> head_of(Bytes bytes, const FramingRow& row)
{
    Head head;
    if (row.framing == Framing::varint) {
        const auto* const end = wire::read_varint(bytes.data(), bytes.data() + bytes.size(), head.length);
        if (end == nullptr) return std::nullopt;
        head.bytes = static_cast<std::size_t>(end - bytes.data());
    } else if (row.framing == Framing::length) {
        if (bytes.size() < row.length_bytes) return std::nullopt;
        head.bytes = row.length_bytes;
        for (std::size_t i = 0; i != head.bytes; ++i) {
            const auto shift = 8 * (row.most_first ? head.bytes - 1 - i : i);
            head.length |= std::to_integer<std::uint64_t>(bytes[i]) << shift;
        }
    }
    return head;
}

Bytes first_of(Bytes bytes, std::uint64_t count)
{
    return bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), count)));
}

bool could_begin(Bytes front, const Schema& schema)
{
    if (claimed_by_identifier(front)) return true;
    return std::ranges::any_of(message_types(), [&](const MessageTypeRow& row) {
        const auto* const table = schema.find(row.full_name);
        return table != nullptr && plausible_start(first_of(front, length_prefix::judged_bytes), *table, {});
    });
}

/// Where text between messages is looked for: between two fields.
constexpr std::size_t longest_text = 64;
using FieldFront = std::array<std::byte, longest_text + length_prefix::judged_bytes>;

/// The field at the front of these bytes of a message: how many bytes it has, with its tag. nullopt: none is there.
std::optional<std::uint64_t> field_bytes(Bytes front)
{
    const auto* const end = front.data() + front.size();
    std::uint32_t tag = 0;
    std::uint64_t value = 0;
    const auto* at = wire::read_tag(front.data(), end, tag);
    if (at == nullptr) return std::nullopt;
    const auto type = wire::wire_type_of(tag);
    if (type == wire::varint || type == wire::length_delimited) at = wire::read_varint(at, end, value);
    if (at == nullptr) return std::nullopt;
    const auto head = static_cast<std::uint64_t>(at - front.data());
    switch (type) {
    case wire::varint: return head;
    case wire::fixed64: return head + 8;
    case wire::length_delimited:
        return value > max_encodable_bytes ? std::nullopt : std::optional<std::uint64_t>(head + value);
    case wire::fixed32: return head + 4;
    default: return std::nullopt;
    }
}

/// Is this a field as OSI messages have it?
bool is_known_field(Bytes front, std::uint64_t bytes, const Schema& schema)
{
    return could_begin(first_of(front, bytes), schema);
}

/// The first field of a message: its version, or its time where it has none. No message has either twice.
enum class FirstField : std::uint8_t { none, version, time };

FirstField first_field_at(Bytes front, const Schema& schema)
{
    constexpr std::byte version{1 << 3 | wire::length_delimited}, time{2 << 3 | wire::length_delimited};
    const auto bytes = field_bytes(front);
    if (!bytes || (front.front() != version && front.front() != time) || !is_known_field(front, *bytes, schema))
        return FirstField::none;
    return front.front() == version ? FirstField::version : FirstField::time;
}

bool is_text(std::byte each)
{
    return (each >= std::byte{' '} && each <= std::byte{'~'}) || (each >= std::byte{'\t'} && each <= std::byte{'\r'});
}

/// The text before the first message, mostly none. nullopt: no message begins there.
std::optional<std::string> text_before(Bytes front, const Schema& schema)
{
    for (std::size_t size = 0; size < std::min(longest_text + 1, front.size()); ++size) {
        if (first_field_at(front.subspan(size), schema) != FirstField::none)
            return std::string(text_of(front.first(size)));
        if (!is_text(front[size])) break;
    }
    return std::nullopt;
}

/// Steps over the fields of a message whose end nothing states.
class FieldWalk {
public:
    explicit FieldWalk(const Schema& schema) : schema_(&schema) {}

    /// Does the next message begin here, and not the next field of this one?
    [[nodiscard]] bool is_next_message(Bytes front) const
    {
        const auto header = first_field_at(front, *schema_);
        return header == FirstField::version || (header == FirstField::time && has_time_);
    }
    /// The front of a field is stepped over.
    void pass(Bytes front) { has_time_ = has_time_ || first_field_at(front, *schema_) == FirstField::time; }

private:
    const Schema* schema_;
    bool has_time_ = false;
};

struct Message {
    std::uint64_t begin, end;
    std::uint64_t next;  ///< where the next one begins, with its head
    [[nodiscard]] std::uint64_t length() const noexcept { return end - begin; }
};

/// Steps from message to message.
class MessageWalk {
public:
    /// `text`: between the messages, of Framing::text.
    MessageWalk(std::shared_ptr<const RandomAccess> file, const FramingRow& row, std::string text,
                std::shared_ptr<const Schema> schema, std::uint64_t max_message_bytes)
        : file_(std::move(file)),
          row_(&row),
          text_(std::move(text)),
          schema_(std::move(schema)),
          max_message_bytes_(max_message_bytes)
    {
        FieldFront front;
        if (row.framing == Framing::text)
            at_ = text_before(Bytes(front).first(file_->read_at(0, front, 0)), *schema_).value_or("").size();
    }

    /// nullopt at the end. Throws Error with file, frame and byte; the next call then returns nullopt.
    std::optional<Message> next()
    {
        const auto begin = std::exchange(at_, file_->size());
        if (begin == file_->size()) return std::nullopt;
        const auto message = message_at(begin);
        if (message.length() > max_message_bytes_)
            fail(Cause::limit, begin,
                 "a message of " + std::to_string(message.length()) + " bytes" +
                     exceeds_limit(message.length(), max_message_bytes_));
        at_ = message.next;
        ++frame_;
        return message;
    }
    [[nodiscard]] const RandomAccess& file() const noexcept { return *file_; }
    /// Is the end of a message stated?
    [[nodiscard]] bool has_lengths() const noexcept { return row_->framing != Framing::text; }
    [[nodiscard]] bool is_one_message() const noexcept { return row_->framing == Framing::single; }

private:
    [[noreturn]] void fail(Cause cause, std::uint64_t offset, const std::string& why) const
    {
        throw Error(cause, {.file = file_->name(), .frame = frame_, .offset = offset, .field = {}}, why);
    }

    Message message_at(std::uint64_t begin)
    {
        if (row_->framing == Framing::single) return {begin, file_->size(), file_->size()};
        if (row_->framing == Framing::text) return message_before_text(begin);
        std::array<std::byte, wire::max_varint_bytes> front;
        const auto head = head_of(Bytes(front).first(file_->read_at(begin, front, 0)), *row_);
        if (!head) fail(Cause::malformed, begin, "expected the length of a message");
        const auto left = file_->size() - begin - head->bytes;
        if (head->length > left)
            fail(Cause::truncated, begin,
                 "the file is truncated: the message needs " + too_few_bytes(head->length, left));
        const auto end = begin + head->bytes + head->length;
        return {begin + head->bytes, end, end};
    }

    /// It ends after the field that the text follows, and then a message or the end of the file.
    Message message_before_text(std::uint64_t begin)
    {
        FieldFront front;
        FieldWalk fields(*schema_);
        for (auto at = begin; at - begin <= max_message_bytes_;) {
            const auto there = Bytes(front).first(file_->read_at(at, front, 0));
            if (at != begin && is_text_at(there, fields))
                return {begin, at, std::min(file_->size(), at + text_.size())};
            const auto count = field_bytes(there);
            if (!count) fail(Cause::malformed, at, "expected a field, or the text after a message");
            if (*count > file_->size() - at)
                fail(Cause::truncated, at,
                     "the file is truncated: the field needs " + too_few_bytes(*count, file_->size() - at));
            fields.pass(there);
            at += *count;
        }
        return {begin, file_->size(), file_->size()};  // exceeds the limit
    }
    [[nodiscard]] bool is_text_at(Bytes there, const FieldWalk& fields) const
    {
        if (there.empty()) return true;
        if (!text_of(there).starts_with(text_)) return false;
        return there.size() == text_.size() || fields.is_next_message(there.subspan(text_.size()));
    }

    std::shared_ptr<const RandomAccess> file_;
    const FramingRow* row_;
    std::string text_;
    std::shared_ptr<const Schema> schema_;
    std::uint64_t max_message_bytes_;
    std::uint64_t at_ = 0;
    std::uint64_t frame_ = 0;
};

/// A second version or time is that of another message. (A reader of Protobuf merges the two.)
bool has_one_head(Bytes message, const Channel& channel)
{
    if (!channel.type || channel.format.encoding != Encoding::protobuf) return true;
    const auto& row = row_of(*channel.type);
    int versions = 0, times = 0;
    for (wire::FieldReader reader(message); reader.next();) {
        versions += reader.number() == row.version_field;
        times += reader.number() == row.timestamp_field;
    }
    return versions < 2 && times < 2;
}

/// Are the first messages of this walk OSI? A message that is cut or damaged may follow some that are whole.
bool gives_messages(MessageWalk walk, const Schema& schema, const OpenOptions& options)
try {
    constexpr std::size_t chained = 64, enough = 3, enough_bytes = std::size_t{1} << 20;
    std::vector<std::vector<std::byte>> payloads;
    std::size_t whole = 0, bytes = 0;
    try {
        for (; whole != chained; ++whole) {
            const auto message = walk.next();
            if (!message) break;
            std::array<std::byte, length_prefix::judged_bytes> front;
            const auto judged = std::min<std::uint64_t>(front.size(), message->length());
            static_cast<void>(walk.file().read_at(message->begin, std::span(front).first(judged)));
            if (!could_begin(Bytes(front).first(judged), schema)) return false;
            if (payloads.size() == recognition_payloads || bytes >= enough_bytes) continue;
            auto& payload = payloads.emplace_back(message->length());
            static_cast<void>(walk.file().read_at(message->begin, payload));
            bytes += payload.size();
        }
    } catch (const Error& error) {
        if (!is_damage(error) && error.cause() != Cause::limit) throw;
        if (whole < enough) return false;
    }
    auto quiet = options;
    quiet.on_warning = nullptr;
    const std::vector<Bytes> views(payloads.begin(), payloads.end());
    if (views.empty()) return false;
    FrameVerifier verifier(recognize_channel(walk.file().name(), views, quiet));
    if (walk.is_one_message() && !has_one_head(views.front(), verifier.channel())) return false;
    if (!walk.has_lengths() && !std::ranges::all_of(views, [&](Bytes each) { return verifier.is_whole(each); }))
        return false;  // a part of a message may look like one with unknown fields
    return verifier.accept_all(views);
} catch (const Error& error) {
    if (error.cause() == Cause::io) throw;
    return error.cause() == Cause::ambiguous;  // between types
}

/// The same messages, each after a length.
class WithLengths final : public ByteSource {
public:
    /// `on_skip`: null: damage is an error.
    WithLengths(MessageWalk walk, std::function<void(const SkippedBytes&)> on_skip)
        : walk_(std::move(walk)), on_skip_(std::move(on_skip))
    {
    }

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        if (stop.stop_requested()) return 0;
        if (given_ == prefix_.size() && at_ == message_.end && !next()) return 0;
        if (given_ != prefix_.size()) {
            const auto count = std::min(into.size(), prefix_.size() - given_);
            std::copy_n(prefix_.begin() + static_cast<std::ptrdiff_t>(given_), count, into.begin());
            given_ += count;
            return count;
        }
        const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), message_.end - at_));
        read_exactly(walk_.file(), at_, into.first(count));
        at_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return walk_.file().name(); }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return at_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return walk_.file().size(); }

private:
    bool next()
    {
        try {
            const auto message = walk_.next();
            if (!message) return false;
            message_ = *message;
        } catch (const Error& error) {
            if (!on_skip_ || !is_damage(error)) throw;
            const auto from = error.where().offset.value_or(message_.next);
            on_skip_({error.where().frame, from, walk_.file().size() - from, error});
            return false;
        }
        at_ = message_.begin;
        store_le32(prefix_.data(), static_cast<std::uint32_t>(message_.length()));
        given_ = 0;
        return true;
    }

    MessageWalk walk_;
    std::function<void(const SkippedBytes&)> on_skip_;
    Message message_{};
    std::array<std::byte, prefix_bytes> prefix_{};
    std::size_t given_ = prefix_bytes;
    std::atomic<std::uint64_t> at_ = 0;
};

bool is_possible(Bytes front, const FramingRow& row, const Schema& schema, const OpenOptions& options)
{
    if (row.framing == Framing::text) return text_before(front, schema).has_value();
    const auto head = head_of(front, row);
    if (!head) return false;
    if (row.framing == Framing::single) return could_begin(front, schema);
    return head->length != 0 && head->length <= options.max_message_bytes &&
           could_begin(first_of(front.subspan(head->bytes), head->length), schema);
}

/// Lengths of 0 are those of empty messages.
bool has_length(Bytes front, const std::optional<std::uint64_t>& end, const Schema& schema, const OpenOptions& options)
{
    for (std::uint64_t at = 0;; at += prefix_bytes) {
        const auto rest = front.subspan(at);
        const auto length = length_prefix::length_at(rest);
        if (!length) return true;
        if (*length != 0)
            return *length <= options.max_message_bytes && (!end || at + prefix_bytes + *length <= *end) &&
                   could_begin(first_of(rest.subspan(prefix_bytes), *length), schema);
    }
}

/// What may follow the only message.
bool is_known_text(std::string_view text)
{
    return text == old_separator || (!text.empty() && text.find_first_not_of(" \t\r\n") == text.npos);
}

/// Texts that may end a message here, before another one or at the end of the file.
std::vector<std::string> texts_at(Bytes there, bool is_end_of_file, const FieldWalk& fields)
{
    std::vector<std::string> texts;
    if (is_end_of_file && is_known_text(text_of(there))) texts.emplace_back(text_of(there));
    for (std::size_t size = 0; size < std::min(longest_text + 1, there.size()); ++size) {
        if (fields.is_next_message(there.subspan(size))) texts.emplace_back(text_of(there.first(size)));
        if (!is_text(there[size])) break;
    }
    return texts;
}

/// The text between the messages, and before the first one if it is there; it may be empty. `is_right`: do messages
/// with this text between them fill the file? nullopt: there is none. The last place first: the last field may be text,
/// too. But a text may begin like a field, so that it is some places before the first one without a field.
std::optional<std::string> text_between(const RandomAccess& file, const Schema& schema,
                                        const std::function<bool(const std::string& text)>& is_right)
{
    constexpr int most_fields = 1 << 16;
    constexpr std::size_t looked_back = 16;
    FieldFront front;
    FieldWalk fields(schema);
    std::deque<std::vector<std::string>> texts;  // of the last places
    const auto before = text_before(Bytes(front).first(file.read_at(0, front, 0)), schema);
    if (!before) return std::nullopt;
    const std::uint64_t begin = before->size();
    auto at = begin;
    for (int field = 0; field != most_fields; ++field) {
        const auto there = Bytes(front).first(file.read_at(at, front, 0));
        if (at != begin) {
            texts.push_back(texts_at(there, at + there.size() == file.size(), fields));
            if (texts.size() > looked_back) texts.pop_front();
            if (fields.is_next_message(there)) break;
        }
        const auto count = field_bytes(there);
        if (!count || *count > file.size() - at || !is_known_field(there, *count, schema)) break;
        fields.pass(there);
        at += *count;
    }
    for (auto there = texts.rbegin(); there != texts.rend(); ++there)
        for (const auto& text : *there)
            if ((before->empty() || text == *before) && is_right(text)) return text;
    return std::nullopt;
}

std::string what_is(const FramingRow& row, std::string_view text)
{
    if (row.framing != Framing::text) return std::string(row.what);
    if (text.empty()) return "its messages follow each other without a length";
    ByteBuffer quoted;
    text::Output out(quoted);
    text::put_c_quoted(text, out);
    return std::string(row.what) + std::string(text_of(quoted.bytes())) +
           (text == old_separator ? ", as before OSI 3.2" : "");
}

constexpr std::string_view no_standard =
    "not a trace of the OSI standard, which has a length of 4 bytes before each message: ";

/// What the first bytes look like, if they hold a version or a time as a message begins with it. Of several lengths the
/// shortest: the others have its bytes in another order, or more of them. Empty: a damaged or cut trace of the
/// standard, whose message begins where it does with a length of the other byte order. `may_be_standard`: such a one.
std::string what_it_seems(Bytes front, bool may_be_standard, const Schema& schema, const OpenOptions& options)
{
    const FramingRow* found = nullptr;
    std::uint64_t shortest = 0;
    for (const auto& row : framings) {
        const auto head = head_of(front, row);
        if (!head || !is_possible(front, row, schema, options)) continue;
        if (may_be_standard && (head->bytes != prefix_bytes || row.framing != Framing::length ||
                                head->length >= length_prefix::length_at(front)))
            continue;
        if (row.framing == Framing::text && found == nullptr) return "its messages have no lengths";
        if (first_field_at(front.subspan(head->bytes), schema) == FirstField::none) continue;
        if (found != nullptr && (head->length >= shortest || head->bytes == 0)) continue;
        found = &row;
        shortest = head->length;
    }
    return found == nullptr ? std::string() : std::string(found->what);
}

/// A damaged length may be any, also one of the other byte order. `why`: such messages cannot be read.
FramingProblem problem_of(Bytes front, const Schema& schema, const OpenOptions& options, std::string_view why)
{
    const bool may_be_standard =
        length_prefix::length_at(front) && first_field_at(front.subspan(prefix_bytes), schema) != FirstField::none;
    const auto what = what_it_seems(front, may_be_standard, schema, options);
    if (what.empty()) return {};
    const auto so_far = may_be_standard ? "the length of the first message is damaged, or "
                                        : std::string(no_standard) + "it looks as if ";
    return {so_far + what + std::string(why), may_be_standard};
}

}  // namespace

Error error_of(Cause cause, const std::filesystem::path& file, const FramingProblem& problem)
{
    return Error(cause, {.file = file, .frame = 0, .offset = 0, .field = {}}, problem.text,
                 problem.may_be_standard ? Damage::first_frame : Damage::other);
}

OtherFraming with_lengths(std::unique_ptr<ByteSource> source, Bytes front, const OpenOptions& options)
{
    const auto schema = options.schema ? options.schema : Schema::built_in();
    const auto is_candidate = [&](const FramingRow& row) { return is_possible(front, row, *schema, options); };
    if (has_length(front, source->end(), *schema, options) || std::ranges::none_of(framings, is_candidate))
        return {std::move(source)};
    if (options.follow || options.live) {
        auto problem = problem_of(front, *schema, options,
                                  "; such messages are not read while they arrive: store them in a file first, with "
                                  "'osiconvert convert'");
        // A length that is none would be waited for.
        if (!problem.text.empty() && !options.skip_bad_frames)
            throw error_of(Cause::malformed, source->name(), problem);
        return {std::move(source), std::move(problem)};
    }
    auto file = source->random_access();
    if (!file) {
        file = unpacked_file(*source, options.stop);
        source = std::make_unique<SeekableSource>(file);
    }
    const auto walk_with = [&](const FramingRow& row, const std::string& text) {
        return MessageWalk(file, row, text, schema, std::min(options.max_message_bytes, max_encodable_bytes));
    };
    for (const auto& row : framings) {
        if (!is_candidate(row)) continue;
        const auto is_right = [&](const std::string& text) {
            return gives_messages(walk_with(row, text), *schema, options);
        };
        const auto text = row.framing == Framing::text ? text_between(*file, *schema, is_right)
                          : is_right({})               ? std::optional<std::string>("")
                                                       : std::nullopt;
        if (!text) continue;
        if (options.on_warning)
            options.on_warning(Error(Cause::malformed, {.file = file->name()},
                                     std::string(no_standard) + what_is(row, *text) +
                                         ". It is read; byte offsets are those of a standard trace",
                                     Damage::other_framing));
        auto on_skip = options.on_skip ? options.on_skip : [](const SkippedBytes&) {};
        return {std::make_unique<WithLengths>(walk_with(row, *text),
                                              options.skip_bad_frames ? std::move(on_skip) : nullptr)};
    }
    return {std::move(source),
            problem_of(front, *schema, options, ", and the file is damaged or cut off near its beginning")};
}

}  // namespace ositrace
