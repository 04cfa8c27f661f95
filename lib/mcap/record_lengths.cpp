// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/record_lengths.hpp"

#include <algorithm>
#include <string>

#include "formats/mcap/plausible_record.hpp"

namespace ositrace {

using mcap::Opcode;
using mcap::record_prefix_bytes;

mcap::RecordPrefix RecordLengths::repaired(mcap::RecordPrefix prefix, const std::stop_token& stop)
{
    if (!salvages_ || prefix.opcode != Opcode::chunk) return prefix;
    const auto inside = chunk_length_inside(stop);
    if (inside && *inside != prefix.length && record_follows(*inside, stop)) prefix.length = *inside;
    return prefix;
}

void RecordLengths::check(const mcap::RecordPrefix& prefix, const std::stop_token& stop)
{
    mcap::check_opcode(prefix.opcode);
    const auto end = input_.source().end();
    const auto left = end ? *end - std::min(*end, input_.offset() + record_prefix_bytes) : ~std::uint64_t{0};
    const bool salvaged = salvages_ && prefix.opcode == Opcode::chunk;
    if (prefix.length > left && !(salvaged && chunk_length_inside(stop) == prefix.length)) throw cut_off(prefix, left);
    if (prefix.opcode != Opcode::chunk || prefix.length < mcap::plausible_record_bytes) return;
    const auto front = input_.ensure(record_prefix_bytes + mcap::plausible_record_bytes, stop);
    if (front.size() < record_prefix_bytes + mcap::plausible_record_bytes) return;
    if (!agrees(prefix, front.subspan(record_prefix_bytes, mcap::plausible_record_bytes)) &&
        !(salvaged && record_follows(prefix.length, stop)))
        throw Error(Cause::malformed, "the lengths in a Chunk record disagree with its own of " +
                                          std::to_string(prefix.length) + " bytes");
}

void RecordLengths::check_limit(const mcap::RecordPrefix& prefix) const
{
    if (const auto limit = limits_.of(prefix.opcode); prefix.length > limit)
        throw Error(Cause::limit, name_of(prefix.opcode) + " record of " + std::to_string(prefix.length) +
                                      " bytes exceeds the limit of " + std::to_string(limit));
}

Error RecordLengths::cut_off(const mcap::RecordPrefix& prefix, std::uint64_t left)
{
    return {Cause::truncated, "the file ends in a " + name_of(prefix.opcode) + " record: it announces " +
                                  std::to_string(prefix.length) + " bytes, and " + std::to_string(left) + " are left"};
}

std::optional<std::uint64_t> RecordLengths::chunk_length_inside(const std::stop_token& stop)
{
    const auto front = input_.ensure(record_prefix_bytes + mcap::plausible_record_bytes, stop);
    return front.size() < record_prefix_bytes ? std::nullopt : mcap::chunk_length(front.subspan(record_prefix_bytes));
}

bool RecordLengths::record_follows(std::uint64_t length, const std::stop_token& stop)
{
    if (length > limits_.of(Opcode::chunk)) return false;
    const auto needed = record_prefix_bytes + static_cast<std::size_t>(length) + record_prefix_bytes;
    const auto end = input_.source().end();
    if (end && *end - std::min(*end, input_.offset()) < needed) return false;
    const auto bytes = input_.ensure(needed, stop);
    return bytes.size() >= needed && mcap::plausible_prefix(bytes.subspan(needed - record_prefix_bytes));
}

}  // namespace ositrace
