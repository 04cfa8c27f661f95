// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <ranges>

#include "app/bench/core/report.hpp"
#include "app/bench/core/report_table.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

using Row = std::vector<std::string>;

/// Words are left-aligned, numbers right-aligned.
std::string table_text(const std::vector<Row>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    const auto words = columns_of_words(rows);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - row[i].size(), ' ');
            line += (i == 0 ? "" : "  ") + (words[i] ? row[i] + padding : padding + row[i]);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string round_text(const RoundResult& round)
{
    auto rows = cells_of(round);
    rows.front().front() = round.name;
    return '\n' + table_text(rows);
}

std::string text_of_table(const Table& table)
{
    auto text = '\n' + table.name + '\n';
    for (const auto& note : table.notes) text += note + '\n';
    return text + table_text(table.rows);
}

/// How to read the quantiles.
std::string method_text(const Report& report)
{
    const auto some = [&](Clock clock) {
        return std::ranges::any_of(report.rounds, [=](const auto& round) { return round.clock == clock; });
    };
    return app::count_text(static_cast<std::uint64_t>(report.repetitions), "interleaved repetition") +
           " in one process; all variants gave equal results before and after they were timed. Times are processor "
           "times of one thread" +
           (some(Clock::threads) ? ", in rounds with two threads of both" : "") +
           (some(Clock::wall) ? ", in rounds with files, processes and many threads wall times" : "") +
           ". Smaller is better.";
}

}  // namespace

std::string time_text(double nanoseconds)
{
    constexpr std::array units{" ns", " us", " ms", " s"};
    std::size_t unit = 0;
    while (nanoseconds >= 999.5 && unit + 1 < units.size()) nanoseconds /= 1000, ++unit;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(),
                  nanoseconds < 9.995   ? "%.2f"
                  : nanoseconds < 99.95 ? "%.1f"
                                        : "%.0f",
                  nanoseconds);
    return std::string(text.data()) + units[unit];
}

std::string ratio_text(std::optional<double> ratio)
{
    if (!ratio) return "";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), *ratio < 9.995 ? "%.2f" : *ratio < 99.95 ? "%.1f" : "%.0f", *ratio);
    return text.data();
}

std::string_view name_of(Clock clock) noexcept
{
    switch (clock) {
    case Clock::thread: return "processor time of one thread";
    case Clock::wall: return "wall clock";
    case Clock::threads: break;
    }
    return "processor time of both threads";
}

std::vector<std::string> conditions_of(const Report& report)
{
    auto lines = report.facts;
    lines.insert(lines.end(), {method_text(report), machine_text(report.machine), conditions_text(report.machine),
                               versions_text(report.machine)});
    return lines;
}

std::string text_of(const Report& report)
{
    auto text = report.title + '\n';
    if (report.headline) {
        text += '\n' + report.headline->sentence + '\n';
        for (const auto& advice : report.headline->advice) text += "- " + advice + '\n';
    }
    for (const auto& table : report.tables | std::views::reverse) text += text_of_table(table);
    for (const auto& round : report.rounds) text += round_text(round);
    text.append("\n").append(conditions_title) += '\n';
    for (const auto& line : conditions_of(report)) text += line + '\n';
    return text;
}

}  // namespace ositrace::bench
