// SPDX-License-Identifier: MPL-2.0
// Source: Open Simulation Interface, rules in the comments of the .proto files; ids as in qc-osi-trace.
#include "lib/check/rule_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace ositrace {

namespace {

using enum RuleKind;

enum class RuleParameter { nothing, number, name };

struct KindRow {
    RuleKind kind;
    std::string_view name;
    RuleParameter parameter;
};

/// In the order of the enum.
constexpr std::array rule_rows{
    KindRow{is_set, "is_set", RuleParameter::nothing},
    KindRow{is_greater_than, "is_greater_than", RuleParameter::number},
    KindRow{is_greater_than_or_equal_to, "is_greater_than_or_equal_to", RuleParameter::number},
    KindRow{is_less_than, "is_less_than", RuleParameter::number},
    KindRow{is_less_than_or_equal_to, "is_less_than_or_equal_to", RuleParameter::number},
    KindRow{is_equal_to, "is_equal_to", RuleParameter::number},
    KindRow{is_different_to, "is_different_to", RuleParameter::number},
    KindRow{is_globally_unique, "is_globally_unique", RuleParameter::nothing},
    KindRow{refers_to, "refers_to", RuleParameter::name},
    KindRow{is_iso_country_code, "is_iso_country_code", RuleParameter::nothing},
    KindRow{check_if, "check_if", RuleParameter::name},
    KindRow{first_element, "first_element", RuleParameter::name},
    KindRow{last_element, "last_element", RuleParameter::name},
    KindRow{minimum_length, "minimum_length", RuleParameter::number},
    KindRow{maximum_length, "maximum_length", RuleParameter::number},
};

RuleKind kind_named(std::string_view name) noexcept
{
    const auto* const row = std::ranges::find(rule_rows, name, &KindRow::name);
    return row == rule_rows.end() ? unknown : row->kind;
}

/// `refers_to: 'Lane'` -> refers_to, Lane
std::vector<std::string_view> words_of(std::string_view line)
{
    constexpr std::string_view between = " \t:'";
    std::vector<std::string_view> words;
    for (std::size_t end = 0;;) {
        const auto begin = line.find_first_not_of(between, end);
        if (begin == std::string_view::npos) return words;
        end = std::min(line.find_first_of(between, begin), line.size());
        words.push_back(line.substr(begin, end - begin));
    }
}

std::optional<double> number_in(std::string_view word)
{
    if (word == "true" || word == "false") return word == "true" ? 1.0 : 0.0;
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

/// `first_element width is_equal_to 0.13`
bool parse_element_rule(Rule& rule, const std::vector<std::string_view>& words)
{
    if (words.size() != 4) return false;
    const auto number = number_in(words[3]);
    rule.target = words[1];
    rule.then = kind_named(words[2]);
    rule.number = number.value_or(0);
    return number && is_comparison(rule.then);
}

/// `check_if this.type is_equal_to 2 else do_check is_set`: the field must be set if the condition is true.
bool parse_check_if(Rule& rule, std::vector<std::string_view> words)
{
    constexpr std::string_view self = "this.";
    if (words.size() < 6 || !words[1].starts_with(self)) return false;
    rule.condition_field = words[1].substr(self.size());
    rule.condition = kind_named(words[2]);
    std::size_t next = 3;
    if (is_comparison(rule.condition)) {
        const auto number = number_in(words[next++]);
        if (!number) return false;
        rule.number = *number;
    } else if (rule.condition != is_set) {
        return false;
    }
    if (words.size() != next + 3 || words[next] != "else" || words[next + 1] != "do_check") return false;
    rule.then = kind_named(words[next + 2]);
    return rule.then == is_set;
}

bool parse_parameters(Rule& rule, const std::vector<std::string_view>& words)
{
    if (rule.kind == check_if) return parse_check_if(rule, words);
    if (rule.kind == first_element || rule.kind == last_element) return parse_element_rule(rule, words);
    const auto parameter = rule_rows[static_cast<std::size_t>(rule.kind)].parameter;
    if (words.size() != (parameter == RuleParameter::nothing ? 1u : 2u)) return false;
    if (parameter == RuleParameter::name) rule.target = words[1];
    if (parameter != RuleParameter::number) return true;
    const auto number = number_in(words[1]);
    rule.number = number.value_or(0);
    return number.has_value();
}

std::string in_id(std::string_view word)
{
    std::string text(word);
    std::ranges::replace(text, '.', '_');
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

}  // namespace

std::string_view name_of(RuleKind kind) noexcept
{
    return kind == unknown ? "unknown" : rule_rows[static_cast<std::size_t>(kind)].name;
}

Rule parse_rule(std::string_view line)
{
    Rule rule;
    const auto words = words_of(line);
    rule.text = line;
    if (words.empty()) return rule;
    rule.kind = kind_named(words.front());
    if (rule.kind != unknown && !parse_parameters(rule, words)) rule.kind = unknown;
    return rule;
}

std::string rule_name(std::string_view line)
{
    auto words = words_of(line);
    // The order of the words in the ids of ASAM's checker: the condition, then its field.
    if (words.size() > 4 && words.front() == "check_if") {
        const auto target = words[1];
        words.erase(words.begin() + 1);
        const auto end = std::ranges::find(words, std::string_view("else"));
        const auto at = words.insert(end, "target");
        words.insert(at + 1, target);
        std::erase(words, std::string_view("else"));
    }
    std::string name;
    for (const auto word : words) name.append(name.empty() ? "" : "_").append(in_id(word));
    return name;
}

bool is_comparison(RuleKind kind) noexcept { return kind >= is_greater_than && kind <= is_different_to; }

bool fulfils(double value, RuleKind comparison, double number) noexcept
{
    switch (comparison) {
    case is_greater_than: return value > number;
    case is_greater_than_or_equal_to: return value >= number;
    case is_less_than: return value < number;
    case is_less_than_or_equal_to: return value <= number;
    case is_equal_to: return value == number;
    case is_different_to: return value != number;
    default: return true;
    }
}

}  // namespace ositrace
