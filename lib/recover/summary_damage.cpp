// SPDX-License-Identifier: MPL-2.0
#include "lib/recover/summary_damage.hpp"

#include <array>
#include <memory>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/file_source.hpp"
#include "lib/mcap/file_records.hpp"
#include "lib/mcap/mcap_summary.hpp"

namespace ositrace {

namespace {

constexpr std::uint64_t tail_bytes = mcap::record_prefix_bytes + mcap::footer_bytes + mcap::magic.size();

/// Where the summary begins, where the file ends with a Footer that says so; 0: the file has none.
std::optional<std::uint64_t> summary_start(const SeekableFile& file)
{
    if (file.size() < mcap::magic.size() + tail_bytes) return std::nullopt;
    std::array<std::byte, tail_bytes> tail;
    read_exactly(file, file.size() - tail_bytes, tail);
    const auto [opcode, length] = mcap::prefix_at(tail);
    if (opcode != mcap::Opcode::footer || length != mcap::footer_bytes) return std::nullopt;
    return mcap::parse_footer(Bytes(tail).subspan(mcap::record_prefix_bytes, mcap::footer_bytes)).summary_start;
}

LostBytes damage_at(std::uint64_t offset, std::string reason) { return {std::nullopt, offset, 0, std::nullopt, std::nullopt, std::move(reason)}; }

}  // namespace

std::optional<LostBytes> summary_damage(const std::filesystem::path& file, const OpenOptions& options)
{
    std::error_code none;
    if (file == "-" || !std::filesystem::is_regular_file(file, none)) return std::nullopt;
    const auto opened = std::make_shared<const SeekableFile>(open_for_reading(file), file);
    const auto start = summary_start(*opened);
    if (!start)
        return damage_at(opened->size(), "the file ends without a Footer record: it was cut off behind its messages, or its writer was interrupted; "
                                         "the output has a summary");
    std::optional<LostBytes> damage;
    auto reading = options;
    reading.on_warning = [&](const Error& error) { damage = damage_at(std::min(*start, opened->size()), error.reason() + "; the output has a new one"); };
    static_cast<void>(read_mcap_summary(opened, reading));
    return damage;
}

}  // namespace ositrace
