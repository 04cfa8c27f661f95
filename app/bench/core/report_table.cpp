// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/report_table.hpp"

#include <algorithm>
#include <functional>

#include "app/bench/core/report.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::bench {
namespace {

struct Column {
    std::string title;  ///< empty: not shown
    std::function<std::string(const Timing&)> cell;
    bool is_brief = false;  ///< also in the table with few columns
};

/// A column per stage with the medians, if the variants have stages.
void add_stages(const RoundResult& round, std::vector<Column>& columns)
{
    const auto with_stages =
        std::ranges::find_if(round.timings, [](const Timing& timing) { return !timing.stages.empty(); });
    if (with_stages == round.timings.end()) return;
    for (std::size_t i = 0; i < with_stages->stages.size(); ++i)
        columns.push_back({with_stages->stages[i].name, [i](const Timing& timing) {
                               return timing.stages.empty() ? ""
                                                            : time_text(quantile_of(timing.stages[i].samples, 0.5));
                           }});
}

/// A column of costs that are known for some variants; `of(timing)` returns an optional. The cell of an unknown cost
/// has a dash.
template <class Of, class Text>
void add_cost(const RoundResult& round, std::vector<Column>& columns, const char* title, Of of, Text text)
{
    const bool known = std::ranges::any_of(round.timings, [&](const Timing& timing) { return of(timing).has_value(); });
    columns.push_back({known ? title : "", [=](const Timing& timing) -> std::string {
                           if (const auto cost = of(timing)) return text(*cost);
                           return timing.role == Role::yardstick ? "" : "-";
                       }});
}

/// The costs of a variant besides time.
void add_costs(const RoundResult& round, std::vector<Column>& columns)
{
    const auto count = [](std::size_t number) { return std::to_string(number); };
    const auto heap = [](const Timing& timing) { return timing.heap; };
    add_cost(round, columns, "peak heap", heap, [](const HeapUse& use) { return app::bytes_text(use.peak_bytes); });
    add_cost(round, columns, "allocations", heap, [](const HeapUse& use) { return std::to_string(use.allocations); });
    add_cost(
        round, columns, "process memory", [](const Timing& timing) { return timing.process_bytes; },
        [](std::size_t bytes) { return app::bytes_text(bytes); });
    add_cost(round, columns, "lines", [](const Timing& timing) { return timing.lines; }, count);
}

std::vector<Column> columns_of(const RoundResult& round)
{
    const auto per_thing = [&](double value) { return value / static_cast<double>(round.things); };
    std::vector<Column> columns{
        {"variant", [](const Timing& timing) { return timing.name; }, true},
        {"median", [](const Timing& timing) { return time_text(timing.median()); }, round.things == 1},
        {"quartiles",
         [](const Timing& timing) {
             return time_text(timing.quantile(0.25)) + " .. " + time_text(timing.quantile(0.75));
         }},
        {"minimum", [](const Timing& timing) { return time_text(timing.quantile(0)); }},
        {round.things == 1 ? "" : "per " + round.thing,
         [=](const Timing& timing) { return time_text(per_thing(timing.median())); }, true},
        {round.has_rates() ? "MB/s" : "",
         [](const Timing& timing) {
             return timing.bytes_in == 0
                        ? ""
                        : app::decimal_text(static_cast<double>(timing.bytes_in) * 1e3 / timing.median(), 0);
         }},
        {"bytes per " + round.thing,
         [=](const Timing& timing) {
             return timing.bytes == 0 ? "" : app::decimal_text(per_thing(static_cast<double>(timing.bytes)), 1);
         },
         true},
        {round.ratio_title(Role::yardstick),
         [&](const Timing& timing) { return ratio_text(round.ratio_to(Role::yardstick, timing)); }, true},
        {round.ratio_title(Role::naive),
         [&](const Timing& timing) { return ratio_text(round.ratio_to(Role::naive, timing)); }, true},
    };
    add_stages(round, columns);
    add_costs(round, columns);
    return columns;
}

}  // namespace

std::vector<std::vector<std::string>> cells_of(const RoundResult& round, Columns columns)
{
    std::vector<std::vector<std::string>> rows(1 + round.timings.size());
    for (const auto& column : columns_of(round)) {
        if (column.title.empty() || (columns == Columns::few && !column.is_brief)) continue;
        rows[0].push_back(column.title);
        for (std::size_t i = 0; i < round.timings.size(); ++i) rows[i + 1].push_back(column.cell(round.timings[i]));
    }
    return rows;
}

std::vector<bool> columns_of_words(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<int> balance(rows.front().size());  // words less numbers
    for (std::size_t row = 1; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row].size(); ++i) {
            const auto& cell = rows[row][i];
            if (cell.empty()) continue;
            balance[i] += std::string_view("0123456789-").find(cell.front()) == std::string_view::npos ? 1 : -1;
        }
    std::vector<bool> words(balance.size());
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = i == 0 || balance[i] > 0;
    return words;
}

}  // namespace ositrace::bench
