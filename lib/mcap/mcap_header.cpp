// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/mcap_header.hpp"

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/mcap/mcap_limits.hpp"

namespace ositrace {

using mcap::record_prefix_bytes;

std::optional<McapHeader> read_mcap_header(WindowedInput& input, const std::stop_token& stop)
{
    constexpr auto front_bytes = mcap::magic.size() + record_prefix_bytes;
    auto bytes = input.ensure(front_bytes, stop);
    if (stop.stop_requested()) return std::nullopt;
    mcap::check_magic(bytes);
    if (bytes.size() < front_bytes)
        throw Error(Cause::truncated, {.offset = bytes.size()}, "ends behind its magic, expected a Header record");
    const auto [opcode, length] = mcap::prefix_at(bytes.subspan(mcap::magic.size()));
    if (opcode != mcap::Opcode::header || length > max_mcap_record_bytes)
        throw Error(
            Cause::malformed, {.offset = mcap::magic.size()},
            "begins with a record " + name_of(opcode) + " of " + std::to_string(length) + " bytes, expected a Header");
    const auto end = front_bytes + static_cast<std::size_t>(length);
    bytes = input.ensure(end, stop);
    if (stop.stop_requested()) return std::nullopt;
    if (bytes.size() < end) throw Error(Cause::truncated, {.offset = mcap::magic.size()}, "ends in its Header");
    const auto header = mcap::parse_header(bytes.subspan(front_bytes, static_cast<std::size_t>(length)));
    McapHeader result{std::string(header.profile), std::string(header.library)};
    input.consume(end);
    return result;
}

}  // namespace ositrace
