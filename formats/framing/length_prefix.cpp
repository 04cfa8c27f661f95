// SPDX-License-Identifier: MPL-2.0
#include "formats/framing/length_prefix.hpp"

#include <algorithm>
#include <string>

namespace ositrace::length_prefix {

std::optional<std::uint32_t> length_at(Bytes bytes) noexcept
{
    if (bytes.size() < prefix_bytes) return std::nullopt;
    return load_le32(bytes.data());
}

void check_length(std::uint32_t length, std::size_t max_message_bytes, std::optional<std::uint64_t> remaining)
{
    if (length > max_message_bytes)
        throw Error(Cause::limit, "length " + std::to_string(length) + " exceeds the limit of " +
                                      std::to_string(max_message_bytes) + " bytes (--max-message raises it)");
    if (remaining && length > *remaining) throw truncated_payload(*remaining, length);
}

Error truncated_payload(std::uint64_t present, std::uint32_t length)
{
    return {Cause::truncated,
            std::to_string(present) + " of " + std::to_string(length) + " bytes before the end of the file"};
}

Error truncated_prefix(std::uint64_t present)
{
    return {Cause::truncated, std::to_string(present) + " of " + std::to_string(prefix_bytes) +
                                  " bytes of the length prefix before the end of the file"};
}

Error zero_tail(std::uint64_t count)
{
    return {Cause::malformed,
            std::to_string(count) + " zero bytes up to the end of the file: preallocated and never written"};
}

std::size_t leading_zeros(Bytes bytes) noexcept
{
    std::size_t count = 0;
    while (bytes.size() - count >= 8 && load_le64(bytes.data() + count) == 0) count += 8;
    while (count < bytes.size() && bytes[count] == std::byte{0}) ++count;
    return count;
}

namespace {

enum class Link { plausible, wrong, end, out_of_reach };

struct Linked {
    Link link;
    std::uint64_t next = 0;
};

Linked look_at(std::uint64_t offset, std::size_t max_message_bytes, const Peek& peek, const PlausibleStart& plausible)
{
    const auto seen = peek(offset, prefix_bytes + judged_bytes);
    if (!seen) return {Link::out_of_reach};
    if (seen->empty()) return {Link::end};
    const auto length = length_at(*seen);
    if (!length || *length > max_message_bytes) return {Link::wrong};
    const auto payload = seen->subspan(prefix_bytes, std::min<std::size_t>(*length, seen->size() - prefix_bytes));
    const bool cut_off = payload.size() < std::min<std::size_t>(*length, judged_bytes);
    if (cut_off || (*length != 0 && !plausible(payload))) return {Link::wrong};
    return {Link::plausible, offset + prefix_bytes + *length};
}

}  // namespace

bool could_begin_at(std::uint64_t offset, std::size_t max_message_bytes, const Peek& peek,
                    const PlausibleStart& plausible)
{
    const auto prefix = peek(offset, prefix_bytes);
    if (!prefix || length_at(*prefix).value_or(0) == 0) return false;
    auto linked = look_at(offset, max_message_bytes, peek, plausible);
    if (linked.link != Link::plausible) return false;
    for (int i = 0; i < chain_records; ++i) {
        // The end is a link only exactly where a record ends: one byte before it there must be something.
        const auto last = peek(linked.next - 1, 1);
        if (last && last->empty()) return false;
        linked = look_at(linked.next, max_message_bytes, peek, plausible);
        if (linked.link == Link::end) return true;
        if (linked.link == Link::out_of_reach) return i > 0;
        if (linked.link == Link::wrong) return false;
    }
    return true;
}

}  // namespace ositrace::length_prefix
