// SPDX-License-Identifier: MPL-2.0
#include "lib/check/findings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// Names come from the file: a topic may have megabytes, and every finding would store it.
std::string shortened(std::string_view text)
{
    constexpr std::size_t most = 4096;
    if (text.size() <= most) return std::string(text);
    auto end = most;
    while (end + 3 > most && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
    return std::string(text.substr(0, end)) + "\u2026";
}

std::string_view after_last_colon(std::string_view id) { return id.substr(id.rfind(':') + 1); }

bool is_kind(std::string_view name)
{
    return std::ranges::any_of(finding_kinds(),
                               [&](const FindingKind& kind) { return name == kind.rule || name == kind.id(); });
}

bool is_rule(std::string_view name, const RuleSet* rules)
{
    if (rules == nullptr) return name.find("osirules.") != std::string_view::npos;
    return std::ranges::any_of(rules->rules(),
                               [&](const Rule& rule) { return name == rule.id || name == after_last_colon(rule.id); });
}

}  // namespace

std::string number_text(double number)
{
    constexpr double exact_integers = 1e15;
    if (number == std::floor(number) && std::abs(number) < exact_integers)
        return std::to_string(static_cast<std::int64_t>(number));
    char text[32];
    const auto [end, error] = std::to_chars(std::begin(text), std::end(text), number);
    return {text, error == std::errc{} ? end : text};
}

Findings::Findings(std::filesystem::path file, const CheckOptions& options) : file_(std::move(file)), options_(options)
{
    check_disabled(options);
}

void Findings::check_disabled(const CheckOptions& options) const
{
    for (const auto& name : options.disabled)
        if (!is_kind(name) && !is_rule(name, options.rules.get()))
            throw Error(Cause::usage, "no finding has the id '" + name + "' (--list shows them)");
}

bool Findings::disabled(const std::string& id) const
{
    return options_.disabled.contains(id) || options_.disabled.contains(std::string(after_last_colon(id)));
}

bool Findings::wanted(Kind kind) const { return options_.disabled.empty() || !disabled(row_of(kind).id()); }

void Findings::add(Kind kind, const FindingPlace& place, const Text& message, const Text& field)
{
    const auto& row = row_of(kind);
    add(
        &row, [&] { return FindingCount{row.id(), row.severity, std::string(row.description), 0}; }, place, message,
        field);
}

void Findings::add(const Rule& rule, const FindingPlace& place, const Text& message, const Text& field)
{
    const auto first = [&] {
        return FindingCount{rule.id, Severity::error, rule.message + "." + rule.field + ": " + rule.text, 0};
    };
    add(&rule, first, place, message, field);
}

void Findings::add(const void* key, const std::function<FindingCount()>& first, const FindingPlace& place,
                   const Text& message, const Text& field)
{
    const auto [entry, is_new] = counted_.try_emplace(key);
    auto& counted = entry->second;
    if (is_new) {
        auto row = first();
        counted = {result_.counts.size(), disabled(row.id)};
        if (!counted.disabled) result_.counts.push_back(std::move(row));
    }
    if (counted.disabled) return;
    auto& count = result_.counts[counted.index];
    const auto severity = count.severity;
    (severity == Severity::error     ? result_.errors
     : severity == Severity::warning ? result_.warnings
                                     : result_.infos) += 1;
    if (count.count++ >= options_.listed_per_kind) {
        if (options_.on_unlisted) options_.on_unlisted({count, place.frame, place.time, place.channel});
        return;
    }
    result_.findings.push_back({count.id, severity, file_, place.frame, place.time, place.byte,
                                shortened(place.channel), field ? shortened(field()) : std::string(),
                                shortened(message())});
}

void Findings::note(std::string_view text)
{
    if (std::ranges::find(result_.notes, text) == result_.notes.end()) result_.notes.emplace_back(text);
}

CheckResult Findings::take(std::uint64_t frames)
{
    result_.frames = frames;
    result_.profile = options_.profile;
    return std::move(result_);
}

}  // namespace ositrace
