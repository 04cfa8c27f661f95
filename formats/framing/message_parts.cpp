// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include <ositrace/network_framing.hpp>

namespace ositrace {

bool MessageParts::next(std::array<std::byte, datagram_header_bytes>& header, Bytes& part) noexcept
{
    if (counter_ < 0) return false;
    part = rest_.first(std::min(rest_.size(), max_part_bytes));
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
        return "a datagram of " + size + " bytes announces " + std::to_string(announced) + " behind its header of 8";
    const auto counter = load<std::int32_t>(datagram.data());
    if (counter == 0 || counter == std::numeric_limits<std::int32_t>::min())
        return "a datagram has the counter " + std::to_string(counter) + ", expected 1 and up, or -1 and down in the last part";
    return {};
}

}  // namespace

PartAssembly::Taken PartAssembly::add(Bytes datagram)
{
    if (auto why = not_a_part(datagram); !why.empty()) return lose(std::move(why), !in_progress() && !passing_over_);
    const auto counter = load<std::int32_t>(datagram.data());
    const bool last = counter < 0;
    const auto number = std::abs(std::int64_t{counter});
    if (counter != -1 && std::ranges::equal(datagram, before_)) return {};
    Taken taken;
    if (number == 1) {
        if (in_progress()) taken.lost = "part 1 of a message came where part " + std::to_string(next_) + " of the one before was due";
        abandon();
    } else if (passing_over_) {
        passing_over_ = !last;
        return taken;
    }
    if (number != next_) return lose("part " + std::to_string(number) + " of a message came where part " + std::to_string(next_) + " was due", last);
    const auto part = datagram.subspan(datagram_header_bytes);
    if (part.size() > max_message_bytes_ - message_.size())
        return lose("more than the limit of " + std::to_string(max_message_bytes_) + " bytes (--max-message raises it)", last);
    message_.append(part);
    before_.assign(datagram.begin(), datagram.end());
    next_ = last ? 1 : next_ + 1;
    taken.complete = last;
    return taken;
}

ByteBuffer PartAssembly::take() { return std::exchange(message_, {}); }

bool PartAssembly::abandon() noexcept
{
    const bool lost = in_progress();
    message_.clear();
    before_.clear();
    next_ = 1;
    passing_over_ = false;
    return lost;
}

PartAssembly::Taken PartAssembly::lose(std::string why, bool last)
{
    abandon();
    passing_over_ = !last;
    return {.complete = false, .lost = std::move(why)};
}

}  // namespace ositrace
