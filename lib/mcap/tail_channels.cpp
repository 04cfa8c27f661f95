// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/tail_channels.hpp"

#include <algorithm>
#include <vector>

#include <ositrace/error.hpp>

#include "formats/mcap/record_parser.hpp"

namespace ositrace {

namespace {

/// A longer summary is not looked for.
constexpr std::uint64_t max_tail_bytes = std::uint64_t{64} << 20;
/// Opcode and length of a DataEnd record, and its CRC.
constexpr std::string_view data_end_prefix{"\x0f\x04\0\0\0\0\0\0\0", mcap::record_prefix_bytes};
constexpr std::size_t data_end_bytes = mcap::record_prefix_bytes + 4;

/// nullopt: these are no records of a summary.
std::optional<McapChannels> channels_in(Bytes summary, const OpenOptions& options)
try {
    McapChannels channels(options);
    mcap::RecordWalker walker(summary);
    for (mcap::RawRecord record; walker.next(record);) {
        if (record.opcode == mcap::Opcode::schema) channels.add(mcap::parse_schema(record.content));
        if (record.opcode == mcap::Opcode::channel) channels.add(mcap::parse_channel(record.content));
        if (record.opcode == mcap::Opcode::footer) break;
    }
    return channels.all().empty() ? std::nullopt : std::optional(std::move(channels));
} catch (const Error&) {
    return std::nullopt;
}

}  // namespace

std::optional<McapChannels> read_tail_channels(const SeekableFile& file, const OpenOptions& options)
{
    std::vector<std::byte> tail(static_cast<std::size_t>(std::min(file.size(), max_tail_bytes)));
    tail.resize(file.read_at(file.size() - tail.size(), tail, 0));
    const auto text = text_of(tail);
    const auto place = text.rfind(data_end_prefix);
    if (place == std::string_view::npos || text.size() - place < data_end_bytes) return std::nullopt;
    return channels_in(Bytes(tail).subspan(place + data_end_bytes), options);
}

}  // namespace ositrace
