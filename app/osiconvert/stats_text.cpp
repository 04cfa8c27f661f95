// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include "app/osiconvert/stats.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {

namespace {

struct StatsRow {
    std::string field, count, bytes, share, per_frame;
};

std::string share_text(std::uint64_t part, std::uint64_t whole)
{
    if (whole == 0) return "-";
    const auto percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return percent < 0.05 && part != 0 ? "<0.1 %" : decimal_text(percent, 1) + " %";
}

/// `6`, or least, mean and most: `0 / 5.2 / 9`.
std::string per_frame_text(const FieldCount& count, std::uint64_t frames)
{
    if (count.least == count.most) return std::to_string(count.most);
    const auto mean = static_cast<double>(count.count) / static_cast<double>(frames);
    return std::to_string(count.least) + " / " + decimal_text(mean, 2) + " / " + std::to_string(count.most);
}

std::vector<StatsRow> rows_of(const FieldCensus& census)
{
    std::vector<StatsRow> rows{{"field", "count", "bytes", "share", "per frame"}};
    for (const auto& count : census.counts()) {
        rows.push_back({std::string(static_cast<std::size_t>(count.depth) * 2, ' ') + std::string(count.field->name),
                        std::to_string(count.count), bytes_text(count.bytes), share_text(count.bytes, census.bytes()),
                        per_frame_text(count, census.messages())});
    }
    const auto unknown = census.unknown();
    if (unknown.count != 0)
        rows.push_back({"(unknown to the schema)", std::to_string(unknown.count), bytes_text(unknown.bytes),
                        share_text(unknown.bytes, census.bytes()), ""});
    return rows;
}

std::string aligned(const std::vector<StatsRow>& rows)
{
    StatsRow widest;
    const auto fit = [](std::string& width, const std::string& cell) {
        width.resize(std::max(width.size(), cell.size()), ' ');
    };
    for (const auto& row : rows) {
        fit(widest.field, row.field);
        fit(widest.count, row.count);
        fit(widest.bytes, row.bytes);
        fit(widest.share, row.share);
    }
    const auto right = [](const std::string& cell, const std::string& width) {
        return "  " + std::string(width.size() - cell.size(), ' ') + cell;
    };
    std::string text;
    for (const auto& row : rows) {
        text += "  " + row.field + std::string(widest.field.size() - row.field.size(), ' ') +
                right(row.count, widest.count) + right(row.bytes, widest.bytes) + right(row.share, widest.share);
        if (!row.per_frame.empty()) text += "  " + row.per_frame;
        text += '\n';
    }
    return text;
}

}  // namespace

std::string text_of(const StatsReport& report)
{
    std::string text = report.path + '\n';
    for (const auto& [channel, census] : report.channels) {
        if (report.container.several_channels) text += "  topic " + printable(channel.topic) + '\n';
        text += "  " + channel.type_name + ", " + std::string(row_of(channel.format.encoding).name) + ", " +
                count_text(census.messages(), "frame") + ", " + bytes_text(census.bytes()) + '\n';
        if (census.messages() != 0) text += '\n' + aligned(rows_of(census));
        if (&channel != &report.channels.back().channel) text += '\n';
    }
    return text;
}

}  // namespace ositrace::app
