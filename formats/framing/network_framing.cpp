// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_framing.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>

#include "formats/core/message_limit.hpp"

namespace ositrace {

namespace {

/// Initial memory for a payload before any of it has arrived; it doubles as bytes arrive.
constexpr std::size_t first_bytes = std::size_t{64} << 10;

}  // namespace

std::span<std::byte> MessageAssembly::wanted()
{
    if (prefix_bytes_ < prefix_.size()) return std::span(prefix_).subspan(prefix_bytes_);
    if (granted_ == payload_.size())
        granted_ = std::min(length(), std::max({first_bytes, 2 * granted_, memory_bytes_}));
    const auto count = granted_ - payload_.size();
    return {payload_.reserve_back(count), count};
}

bool MessageAssembly::filled(std::size_t count)
{
    if (prefix_bytes_ == prefix_.size()) {
        payload_.commit_back(count);
        return payload_.size() == length();
    }
    prefix_bytes_ += count;
    if (prefix_bytes_ < prefix_.size()) return false;
    if (length() > max_message_bytes_)
        throw Error(Cause::limit, {.offset = 0},
                    "length " + std::to_string(length()) + exceeds_limit(length(), max_message_bytes_));
    return length() == 0;
}

ByteBuffer MessageAssembly::take()
{
    prefix_bytes_ = 0;
    granted_ = 0;
    memory_bytes_ = 0;
    return std::exchange(payload_, {});
}

void MessageAssembly::reuse(ByteBuffer memory)
{
    payload_ = std::move(memory);
    payload_.clear();
    memory_bytes_ = payload_.capacity() - std::min(payload_.capacity(), ByteBuffer::headroom);
}

std::string MessageAssembly::cut_off() const
{
    if (prefix_bytes_ == 0) return {};
    if (prefix_bytes_ < prefix_.size()) return std::to_string(prefix_bytes_) + " of 4 bytes of the length";
    return std::to_string(payload_.size()) + " of " + std::to_string(length()) + " bytes";
}

bool MessageParts::next(std::array<std::byte, datagram_header_bytes>& header, Bytes& part) noexcept
{
    if (counter_ < 0) return false;
    part = rest_.first(std::min(rest_.size(), part_bytes_));
    rest_ = rest_.subspan(part.size());
    ++counter_;
    if (rest_.empty()) counter_ = -counter_;
    store_le32(header.data(), static_cast<std::uint32_t>(counter_));
    store_le32(header.data() + 4, static_cast<std::uint32_t>(part.size()));
    return true;
}

namespace {

std::string not_a_part(Bytes datagram)
{
    const auto size = std::to_string(datagram.size());
    if (datagram.size() < datagram_header_bytes) return "a datagram of " + size + " bytes has no header of 8 bytes";
    const auto announced = load_le32(datagram.data() + 4);
    if (announced != datagram.size() - datagram_header_bytes)
        return "a datagram of " + size + " bytes announces " + std::to_string(announced) + " after its header of 8";
    const auto counter = load<std::int32_t>(datagram.data());
    if (counter == 0 || counter == std::numeric_limits<std::int32_t>::min())
        return "a datagram has the counter " + std::to_string(counter) +
               ", expected 1 and up, or -1 and down in the last part";
    return {};
}

constexpr auto no_end = std::numeric_limits<std::int64_t>::max();

}  // namespace

/// A datagram that is one; an empty one is none.
struct PartAssembly::Part {
    explicit Part(Bytes datagram)
    {
        if (datagram.empty()) return;
        counter = load<std::int32_t>(datagram.data());
        last = counter < 0;
        number = std::abs(std::int64_t{counter});
        bytes = datagram.subspan(datagram_header_bytes);
    }
    std::int32_t counter = 0;
    bool last = false;
    std::int64_t number = 0;
    Bytes bytes;
};

PartAssembly::Taken PartAssembly::add(Bytes datagram)
{
    Taken taken;
    if (auto why = not_a_part(datagram); !why.empty()) {
        lose(taken, std::move(why), {}, !is_begun() && !passing_over_);
        return taken;
    }
    const Part part(datagram);
    if (part.counter != -1 && std::ranges::equal(datagram, before_)) return taken;
    if (early_ && (part.number != next_ || part.last)) lose(taken, out_of_turn(next_ + 1), {}, Part(before_).last);
    if (part.number == 1) {
        const auto due = std::to_string(next_);
        if (next_ != 1)
            lose(taken, "part 1 of a message came where part " + due + " of the one before was due", {next_, no_end},
                 true);
        began_late_ = late_.contains(1);
        passing_over_ = false;
    }
    if (passing_over_) {
        passing_over_ = !part.last;
        if (part.last) late_ = {};
    } else if (part.number == next_) {
        taken.complete = take_in_turn(taken, datagram);
    } else if (late_.contains(part.number) && (is_begun() || !part.last)) {
        // Its message has been counted. (A last part without any other part is of another message.)
    } else if (part.number == next_ + 1 && is_begun()) {  // else part 1 may be that of the next message
        early_ = true;
        before_.assign(datagram.begin(), datagram.end());
    } else {
        lose(taken, out_of_turn(part.number), {next_, part.number}, part.last);
    }
    return taken;
}

/// The part that is due, and the one after it where that is there already. True: they complete the message.
bool PartAssembly::take_in_turn(Taken& taken, Bytes datagram)
{
    const Part part(datagram), early(early_ ? Bytes(before_) : Bytes());
    if (part.bytes.size() + early.bytes.size() > max_message_bytes_ - message_.size()) {
        lose(taken, "the message" + exceeds_limit(max_message_bytes_), {}, part.last || early.last);
        return false;
    }
    message_.append(part.bytes);
    message_.append(early.bytes);
    const bool last = part.last || early.last;
    next_ = last ? 1 : next_ + (early_ ? 2 : 1);
    early_ = false;
    before_.assign(datagram.begin(), datagram.end());
    if (last || part.number != 1) {
        late_ = {};
        began_late_ = false;
    }
    return last;
}

std::string PartAssembly::out_of_turn(std::int64_t number) const
{
    return "part " + std::to_string(number) + " of a message came where part " + std::to_string(next_) + " was due";
}

ByteBuffer PartAssembly::take() { return std::exchange(message_, {}); }

std::string PartAssembly::unfinished() const
{
    if (!is_begun() || began_late_) return {};
    const auto parts = next_ - 1 + (early_ ? 1 : 0);
    return count_text(parts, "part");
}

bool PartAssembly::abandon() noexcept
{
    const bool lost = is_begun();
    message_.clear();
    before_.clear();
    next_ = 1;
    early_ = passing_over_ = began_late_ = false;
    late_ = {};
    return lost;
}

void PartAssembly::lose(Taken& taken, std::string why, Numbers late, bool last)
{
    if (!began_late_) taken.lost.push_back(std::move(why));
    abandon();
    passing_over_ = !last;
    late_ = late;
}

}  // namespace ositrace
