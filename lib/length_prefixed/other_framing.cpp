// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/other_framing.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/framing/length_prefix.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/io/random_access.hpp"
#include "lib/trace/frame_verifier.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

enum class Framing : std::uint8_t { varint, big_endian, separator, single };

struct FramingRow {
    Framing framing;
    std::string_view what;
};

/// In the order in which they are tried.
constexpr std::array framings{
    FramingRow{Framing::varint, "its messages have varints as lengths, as Java's writeDelimitedTo() writes them"},
    FramingRow{Framing::big_endian, "the lengths of its messages have the most significant byte first"},
    FramingRow{Framing::separator, "its messages are separated by '$$__$$', as before OSI 3.2"},
    FramingRow{Framing::single, "it is one message without a length"},
};

constexpr std::string_view separator = "$$__$$";

/// Before a message.
struct Head {
    std::uint64_t length = 0;  ///< of the message, where it is stated
    std::size_t bytes = 0;     ///< of the head itself
};

/// nullopt: the bytes are not a head.
std::optional<Head> head_of(Bytes bytes, Framing framing)
{
    Head head;
    if (framing == Framing::varint) {
        const auto* const end = wire::read_varint(bytes.data(), bytes.data() + bytes.size(), head.length);
        if (end == nullptr) return std::nullopt;
        head.bytes = static_cast<std::size_t>(end - bytes.data());
    } else if (framing == Framing::big_endian) {
        if (bytes.size() < prefix_bytes) return std::nullopt;
        for (std::size_t i = 0; i != prefix_bytes; ++i)
            head.length = head.length << 8 | std::to_integer<std::uint64_t>(bytes[i]);
        head.bytes = prefix_bytes;
    }
    return head;
}

struct Message {
    std::uint64_t begin, end;
    std::uint64_t next;  ///< where the next one begins, with its head
    [[nodiscard]] std::uint64_t length() const noexcept { return end - begin; }
};

/// Steps from message to message.
class MessageWalk {
public:
    MessageWalk(std::shared_ptr<const RandomAccess> file, Framing framing, std::uint64_t max_message_bytes)
        : file_(std::move(file)), framing_(framing), max_message_bytes_(max_message_bytes)
    {
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

private:
    [[noreturn]] void fail(Cause cause, std::uint64_t offset, const std::string& why) const
    {
        throw Error(cause, {.file = file_->name(), .frame = frame_, .offset = offset, .field = {}}, why);
    }

    Message message_at(std::uint64_t begin)
    {
        if (framing_ == Framing::single) return {begin, file_->size(), file_->size()};
        if (framing_ == Framing::separator) {
            const auto end = separator_after(begin);
            return {begin, end, std::min(file_->size(), end + separator.size())};
        }
        std::array<std::byte, wire::max_varint_bytes> front;
        const auto head = head_of(Bytes(front).first(file_->read_at(begin, front, 0)), framing_);
        if (!head) fail(Cause::malformed, begin, "expected the length of a message");
        const auto left = file_->size() - begin - head->bytes;
        if (head->length > left)
            fail(Cause::truncated, begin,
                 "the file is truncated: the message needs " + std::to_string(head->length) + " bytes, " +
                     std::to_string(left) + " are left");
        const auto end = begin + head->bytes + head->length;
        return {begin + head->bytes, end, end};
    }

    std::uint64_t separator_after(std::uint64_t begin) const
    {
        std::array<std::byte, std::size_t{64} << 10> window;
        for (auto at = begin; at - begin <= max_message_bytes_;) {
            const auto count = file_->read_at(at, window, 0);
            const auto found = text_of(Bytes(window).first(count)).find(separator);
            if (found != std::string_view::npos) return at + found;
            if (count < window.size()) break;
            at += count - (separator.size() - 1);
        }
        return file_->size();
    }

    std::shared_ptr<const RandomAccess> file_;
    Framing framing_;
    std::uint64_t max_message_bytes_;
    std::uint64_t at_ = 0;
    std::uint64_t frame_ = 0;
};

bool could_begin(Bytes front, const Schema& schema)
{
    if (claimed_by_identifier(front)) return true;
    return std::ranges::any_of(message_types(), [&](const MessageTypeRow& row) {
        const auto* const table = schema.find(row.full_name);
        return table != nullptr && plausible_start(front, *table, {});
    });
}

/// Are the first messages of this walk OSI? A message that is cut or damaged may follow some that are whole.
bool gives_messages(MessageWalk walk, Framing framing, const Schema& schema, const OpenOptions& options)
try {
    constexpr std::size_t chained = 64, enough = 3, enough_bytes = std::size_t{1} << 20;
    std::vector<std::vector<std::byte>> payloads;
    std::size_t whole = 0, bytes = 0;
    try {
        for (; whole != chained; ++whole) {
            const auto message = walk.next();
            if (!message) break;
            if (framing == Framing::separator && message->end == walk.file().size() && whole == 0) return false;
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
    return FrameVerifier(recognize_channel(walk.file().name(), views, quiet)).accept_all(views);
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

Bytes first_of(Bytes bytes, std::uint64_t count)
{
    return bytes.first(static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), count)));
}

bool is_possible(Bytes front, Framing framing, const Schema& schema, const OpenOptions& options)
{
    const auto head = head_of(front, framing);
    if (!head) return false;
    if (head->bytes == 0) return could_begin(first_of(front, text_of(front).find(separator)), schema);
    return head->length != 0 && head->length <= options.max_message_bytes &&
           could_begin(first_of(front.subspan(head->bytes), head->length), schema);
}

bool has_length(Bytes front, const std::optional<std::uint64_t>& end, const Schema& schema, const OpenOptions& options)
{
    const auto length = length_prefix::length_at(front);
    return !length || *length == 0 ||
           (*length <= options.max_message_bytes && (!end || prefix_bytes + std::uint64_t{*length} <= *end) &&
            could_begin(first_of(front.subspan(prefix_bytes), *length), schema));
}

}  // namespace

std::unique_ptr<ByteSource> with_lengths(std::unique_ptr<ByteSource> source, Bytes front, const OpenOptions& options)
{
    const auto schema = options.schema ? options.schema : Schema::built_in();
    const auto is_candidate = [&](const FramingRow& row) { return is_possible(front, row.framing, *schema, options); };
    if (options.follow || options.live || has_length(front, source->end(), *schema, options) ||
        std::ranges::none_of(framings, is_candidate))
        return source;
    auto file = source->random_access();
    if (!file) {
        file = unpacked_file(*source, options.stop);
        source = std::make_unique<SeekableSource>(file);
    }
    for (const auto& row : framings) {
        const MessageWalk walk(file, row.framing, std::min(options.max_message_bytes, max_encodable_bytes));
        if (!is_candidate(row) || !gives_messages(walk, row.framing, *schema, options)) continue;
        if (options.on_warning)
            options.on_warning(Error(Cause::malformed, {.file = file->name()},
                                     "not a trace of the OSI standard, which has a length of 4 bytes before each "
                                     "message: " +
                                         std::string(row.what) +
                                         ". It is read; byte offsets are those of a standard trace",
                                     Damage::other_framing));
        auto on_skip = options.on_skip ? options.on_skip : [](const SkippedBytes&) {};
        return std::make_unique<WithLengths>(walk, options.skip_bad_frames ? std::move(on_skip) : nullptr);
    }
    return source;
}

}  // namespace ositrace
