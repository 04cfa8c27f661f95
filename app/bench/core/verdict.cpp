// SPDX-License-Identifier: MPL-2.0
#include "app/bench/core/verdict.hpp"

#include <cmath>

namespace ositrace::bench {
namespace {

constexpr const char* not_comparable = "was not comparable";

}  // namespace

std::string verdict(double published, std::optional<double> here)
{
    if (!here) return not_comparable;
    constexpr double none = 1.05, little = 1.25;  // reports round: 2 ms and 2 ms, 41 kB and 41 kB
    const double expected = std::log(published), found = std::log(*here);
    if (std::abs(expected) < std::log(none)) return std::abs(found) < std::log(little) ? "holds" : "does not hold";
    return found / expected >= 0.5 ? "holds" : "does not hold";
}

Table verdict_table()
{
    return {"The published conclusions",
            {"A ratio of times, bytes or lines. It holds here if the direction is the same and the effect is at least "
             "half, on a logarithmic scale; if a report finds no difference, it holds if the difference is less than a "
             "quarter."},
            {{"conclusion", "published", "here", ""}}};
}

void add_claim(Table& table, std::string conclusion, std::string published, std::optional<double> here)
{
    const bool holds = here && (published == "more" ? *here > 1 : *here < 1);
    table.rows.push_back({std::move(conclusion), std::move(published), ratio_text(here),
                          !here   ? not_comparable
                          : holds ? "holds"
                                  : "does not hold"});
}

void add_verdict(Table& table, std::string conclusion, double published, std::optional<double> here)
{
    table.rows.push_back({std::move(conclusion), ratio_text(published), ratio_text(here), verdict(published, here)});
}

}  // namespace ositrace::bench
