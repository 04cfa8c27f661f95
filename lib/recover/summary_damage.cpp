// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/summary_damage.hpp"

#include <array>
#include <string>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/file_source.hpp"
#include "lib/mcap/file_records.hpp"
#include "lib/mcap/range_crc.hpp"

namespace ositrace {

namespace {

constexpr std::uint64_t footer_record_bytes = mcap::record_prefix_bytes + mcap::footer_bytes;
constexpr std::uint64_t tail_bytes = footer_record_bytes + mcap::magic.size();

/// That which the file ends with.
std::optional<mcap::Footer> footer_of(const SeekableFile& file)
{
    if (file.size() < mcap::magic.size() + tail_bytes) return std::nullopt;
    std::array<std::byte, tail_bytes> tail;
    read_exactly(file, file.size() - tail_bytes, tail);
    const auto [opcode, length] = mcap::prefix_at(tail);
    if (opcode != mcap::Opcode::footer || length != mcap::footer_bytes) return std::nullopt;
    return mcap::parse_footer(Bytes(tail).subspan(mcap::record_prefix_bytes, mcap::footer_bytes));
}

LostBytes damage_at(std::uint64_t offset, const std::string& reason)
{
    return {std::nullopt, offset, 0, std::nullopt, std::nullopt, reason + "; the output has a new one"};
}

}  // namespace

std::optional<LostBytes> summary_damage(const std::filesystem::path& name, const std::stop_token& stop)
{
    std::error_code none;
    if (name == "-" || !std::filesystem::is_regular_file(name, none)) return std::nullopt;
    const SeekableFile file(open_for_reading(name), name);
    const auto footer = footer_of(file);
    if (!footer)
        return damage_at(
            file.size(),
            "the file ends without a Footer record: it was cut off behind its messages, or its writer was interrupted");
    const auto at = file.size() - tail_bytes;
    if (footer->summary_start == 0) return std::nullopt;
    if (footer->summary_start > at) return damage_at(at, "the Footer record says that the summary begins behind it");
    if (footer->summary_crc == 0) return std::nullopt;
    const auto found =
        range_crc(file, footer->summary_start, at + footer_record_bytes - sizeof footer->summary_crc, stop);
    if (found == footer->summary_crc) return std::nullopt;
    return damage_at(footer->summary_start, "the summary is damaged: the CRC of its bytes is " + std::to_string(found) +
                                                ", expected " + std::to_string(footer->summary_crc));
}

}  // namespace ositrace
