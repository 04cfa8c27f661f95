// SPDX-License-Identifier: MPL-2.0
// Checks of the rules in OSI's comments.
#include <algorithm>
#include <array>

#include "lib/check/content_check.hpp"
#include "lib/check/rule_text.hpp"

namespace ositrace {

namespace {

/// The numeric country codes of ISO 3166-1, ascending.
constexpr std::array country_codes{
    4,   8,   10,  12,  16,  20,  24,  28,  31,  32,  36,  40,  44,  48,  50,  51,  52,  56,  60,  64,  68,  70,  72,
    74,  76,  84,  86,  90,  92,  96,  100, 104, 108, 112, 116, 120, 124, 132, 136, 140, 144, 148, 152, 156, 158, 162,
    166, 170, 174, 175, 178, 180, 184, 188, 191, 192, 196, 203, 204, 208, 212, 214, 218, 222, 226, 231, 232, 233, 234,
    238, 239, 242, 246, 248, 250, 254, 258, 260, 262, 266, 268, 270, 275, 276, 288, 292, 296, 300, 304, 308, 312, 316,
    320, 324, 328, 332, 334, 336, 340, 344, 348, 352, 356, 360, 364, 368, 372, 376, 380, 384, 388, 392, 398, 400, 404,
    408, 410, 414, 417, 418, 422, 426, 428, 430, 434, 438, 440, 442, 446, 450, 454, 458, 462, 466, 470, 474, 478, 480,
    484, 492, 496, 498, 499, 500, 504, 508, 512, 516, 520, 524, 528, 531, 533, 534, 535, 540, 548, 554, 558, 562, 566,
    570, 574, 578, 580, 581, 583, 584, 585, 586, 591, 598, 600, 604, 608, 612, 616, 620, 624, 626, 630, 634, 638, 642,
    643, 646, 652, 654, 659, 660, 662, 663, 666, 670, 674, 678, 682, 686, 688, 690, 694, 702, 703, 704, 705, 706, 710,
    716, 724, 728, 729, 732, 740, 744, 748, 752, 756, 760, 762, 764, 768, 772, 776, 780, 784, 788, 792, 795, 796, 798,
    800, 804, 807, 818, 826, 831, 832, 833, 834, 840, 850, 854, 858, 860, 862, 876, 882, 887, 894};
static_assert(country_codes.size() == 249);

bool is_country_code(double number) noexcept
{
    return std::find(country_codes.begin(), country_codes.end(), number) != country_codes.end();
}

}  // namespace

void ContentCheck::check_rules(const MessageView& message, const FieldPlan& field)
{
    if (field.rules.empty()) return;
    path_.push_back({field.row, std::nullopt});
    for (const auto& rule : field.rules) check_rule(message, *field.row, rule);
    path_.pop_back();
}

/// A repeated field is always set: a list may be empty.
void ContentCheck::check_rule(const MessageView& message, const FieldRow& row, const RulePlan& plan)
{
    using enum RuleKind;
    const auto& rule = *plan.rule;
    switch (rule.kind) {
    case is_set:
        if (!row.repeated && !message.has(row)) broken(rule, "is not set");
        return;
    case check_if: return check_condition(message, row, plan);
    case minimum_length:
    case maximum_length: {
        const auto size = message.repeated(row).size();
        const bool fits = rule.kind == minimum_length ? static_cast<double>(size) >= rule.number
                                                      : static_cast<double>(size) <= rule.number;
        if (!fits) broken(rule, "has " + std::to_string(size) + " elements, expected " + rule.text);
        return;
    }
    case first_element:
    case last_element: return check_element(message, row, rule);
    default: return check_values(message, row, rule);
    }
}

void ContentCheck::check_condition(const MessageView& message, const FieldRow& row, const RulePlan& plan)
{
    const auto& rule = *plan.rule;
    if (row.repeated || !plan.condition || plan.condition->repeated || message.has(row)) return;
    const auto value = as_real(message.get(*plan.condition));
    const auto holds = [&](const Rule& condition) {
        if (condition.condition == RuleKind::is_set) return message.has(*plan.condition);
        return value && fulfils(*value, condition.condition, condition.number);
    };
    if (holds(rule) && (!plan.and_if || holds(*plan.and_if)))
        broken(rule, "is not set, and " + rule.condition_field + (value ? " is " + number_text(*value) : " is set"));
}

void ContentCheck::check_values(const MessageView& message, const FieldRow& row, const Rule& rule)
{
    if (!row.repeated) return check_value(message.get(row), rule);
    std::size_t index = 0;
    message.for_each_element(row, [&](const Value& value) {
        path_.back().index = index++;
        check_value(value, rule);
        return true;
    });
    path_.back().index.reset();
}

void ContentCheck::check_value(const Value& value, const Rule& rule)
{
    if (const auto* const vector = std::get_if<MessageView>(&value)) {
        // A rule on a Vector3d is one on each of its numbers.
        vector->for_each_field([&](const FieldRow& row) {
            if (!row.repeated && !row.child) check_value(vector->get(row), rule);
            return true;
        });
        return;
    }
    const auto number = as_real(value);
    if (!number) return;
    if (rule.kind == RuleKind::is_iso_country_code) {
        if (!is_country_code(*number))
            broken(rule, "found " + number_text(*number) + ", expected a numeric code of ISO 3166-1");
    } else if (!fulfils(*number, rule.kind, rule.number)) {
        broken(rule, "found " + number_text(*number) + ", expected " + rule.text);
    }
}

void ContentCheck::check_element(const MessageView& message, const FieldRow& row, const Rule& rule)
{
    const auto elements = row.repeated ? message.repeated(row) : RepeatedView{};
    if (!row.repeated || elements.size() == 0) return;
    const auto place = rule.kind == RuleKind::first_element ? 0 : elements.size() - 1;
    const auto value = elements[place];
    const auto* const element = std::get_if<MessageView>(&value);
    const auto number = element ? as_real((*element)[rule.target]) : std::nullopt;
    path_.back().index = place;
    if (number && !fulfils(*number, rule.then, rule.number))
        broken(rule, "found " + number_text(*number) + ", expected " + rule.text);
    path_.back().index.reset();
}

void ContentCheck::broken(const Rule& rule, std::string message)
{
    findings_.add(rule, place_, [&] { return std::move(message); }, [&] { return text_of(path_); });
}

}  // namespace ositrace
