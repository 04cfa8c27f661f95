// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_table.hpp>

#include <algorithm>
#include <charconv>
#include <limits>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

std::optional<double> number_in(std::string_view text) noexcept
{
    double number = 0;
    const auto [after, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && after == text.data() + text.size();
    return whole && number >= 0 && number <= std::numeric_limits<double>::max() ? std::optional(number) : std::nullopt;
}

}  // namespace

const TrafficOption& TrafficOptions::row(std::string_view name) const
{
    const auto found = std::ranges::find(known_, name, &TrafficOption::name);
    if (found != known_.end()) return *found;
    std::string names;
    for (const auto& each : known_) names.append(names.empty() ? "" : ", ").append(each.name);
    throw Error(Cause::usage, "unknown option '" + std::string(name) + "' (known: " + names + ")");
}

void TrafficOptions::set(std::string_view name, std::string_view value)
{
    const auto& option = row(name);
    if (option.kind == TrafficOption::Kind::number && !number_in(value))
        throw Error(Cause::usage, "found '" + std::string(value) + "' (expected a number that is not negative)");
    if (option.kind == TrafficOption::Kind::flag && value != "true" && value != "false")
        throw Error(Cause::usage, "found '" + std::string(value) + "' (expected true or false)");
    values_.insert_or_assign(std::string(name), std::string(value));
}

std::optional<std::string> TrafficOptions::text(std::string_view name) const
{
    const auto& option = row(name);
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    return option.initial.empty() ? std::nullopt : std::optional(std::string(option.initial));
}

std::optional<double> TrafficOptions::number_if_given(std::string_view name) const
{
    const auto given = text(name);
    return given ? number_in(*given) : std::nullopt;
}

double TrafficOptions::number(std::string_view name) const
{
    const auto number = number_if_given(name);
    if (!number) throw Error(Cause::usage, std::string(name) + " is not given");
    return *number;
}

bool TrafficOptions::flag(std::string_view name) const { return text(name) == "true"; }

}  // namespace ositrace
