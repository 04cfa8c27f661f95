// SPDX-License-Identifier: MPL-2.0
#include "lib/edit/message_difference.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <ositrace/element_name.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "formats/view/value_difference.hpp"

namespace ositrace {

namespace {

DiffRule& rule_at(DiffRule& root, std::string_view path)
{
    if (path.find('[') != std::string_view::npos)
        throw Error(Cause::usage, "the path '" + std::string(path) +
                                      "' contains [...] (expected field names only, which apply to every element)");
    auto* rule = &root;
    while (!path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        auto& next = rule->fields[std::string(path.substr(0, dot))];
        if (!next) next = std::make_unique<DiffRule>();
        rule = next.get();
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return *rule;
}

/// The `id.value` of an element, or its `id` if that is a number.
std::optional<std::uint64_t> id_of(const Value& element)
{
    const auto* const message = std::get_if<MessageView>(&element);
    const auto* const row = message == nullptr ? nullptr : message->table().find("id");
    if (row == nullptr || row->repeated) return std::nullopt;
    auto value = message->get(*row);
    if (const auto* const inner = std::get_if<MessageView>(&value)) value = (*inner)["value"];
    const auto number = as_integer(value);
    return number ? std::optional(static_cast<std::uint64_t>(*number)) : std::nullopt;
}

bool has_ids(const FieldRow& row)
{
    const auto* const id = row.child == nullptr ? nullptr : row.child->find("id");
    return id != nullptr && !id->repeated;
}

/// Equal bytes make a comparison of the fields unnecessary.
bool same_on_the_wire(const MessageView& a, const MessageView& b)
{
    const auto left = a.wire_bytes();
    const auto right = b.wire_bytes();
    return left && right && &a.table() == &b.table() && text_of(*left) == text_of(*right);
}

bool is_ignored(const DiffRule* rule) { return rule != nullptr && rule->ignored; }

}  // namespace

DiffRule compile_rules(const DiffOptions& options)
{
    DiffRule root;
    for (const auto& path : options.ignored) rule_at(root, path).ignored = true;
    for (const auto& [path, tolerance] : options.tolerances) rule_at(root, path).tolerance = tolerance;
    return root;
}

void MessageDifference::report(std::string text, std::optional<double> distance)
{
    std::string field;
    std::string path;
    for (const auto& step : place_) {
        if (!path.empty()) {
            field += '.';
            path += '.';
        }
        field.append(step.name);
        path.append(step.name);
        if (!step.element_name.empty())
            field += pick_text({.pick = FieldPath::Pick::name, .name = step.element_name});
        else if (step.id)
            field += "[id=" + std::to_string(*step.id) + ']';
        else if (step.is_element())
            field += '[' + std::to_string(step.index[0] ? *step.index[0] : *step.index[1]) + ']';
    }
    report_(field, path, distance, std::move(text));
}

std::string MessageDifference::place_in(std::size_t side) const
{
    std::string path;
    for (const auto& step : place_) {
        if (!path.empty()) path += '.';
        path.append(step.name);
        if (!step.is_element()) continue;
        const auto& index = step.index.at(side);
        if (!index) return {};
        path += '[' + std::to_string(*index) + ']';
    }
    return path;
}

void MessageDifference::compare(const MessageView& a, const MessageView& b)
{
    place_.clear();
    compare_messages(a, b, {&rules_, rules_.tolerance});
}

void MessageDifference::compare_messages(const MessageView& a, const MessageView& b, const Allowed& allowed)
{
    if (same_on_the_wire(a, b)) return;
    std::map<std::uint32_t, std::pair<const FieldRow*, const FieldRow*>>
        rows;  // paired by number, because the schemas may differ
    a.for_each_field([&](const FieldRow& row) { return rows[row.number].first = &row, true; });
    b.for_each_field([&](const FieldRow& row) { return rows[row.number].second = &row, true; });
    for (const auto& [number, pair] : rows) compare_fields(a, pair.first, b, pair.second, allowed);
}

void MessageDifference::compare_fields(const MessageView& a, const FieldRow* in_a, const MessageView& b,
                                       const FieldRow* in_b, const Allowed& allowed)
{
    const auto& row = in_a != nullptr ? *in_a : *in_b;
    Allowed below{nullptr, allowed.tolerance};
    if (allowed.rule != nullptr) {
        if (const auto found = allowed.rule->fields.find(row.name); found != allowed.rule->fields.end())
            below.rule = found->second.get();
    }
    if (is_ignored(below.rule)) return;
    if (below.rule != nullptr && below.rule->tolerance) below.tolerance = below.rule->tolerance;
    place_.push_back({.name = row.name});
    // A repeated field that one side does not have is an empty list there, if its schema defines it.
    if (in_a == nullptr) in_a = a.table().find(row.number);
    if (in_b == nullptr) in_b = b.table().find(row.number);
    if (in_a == nullptr || in_b == nullptr)
        report(in_a == nullptr ? "unknown to the first schema" : "unknown to the second schema");
    else if (in_a->repeated != in_b->repeated)
        report("repeated in one schema, singular in the other");
    else if (in_a->repeated)
        compare_elements(a.repeated(*in_a), b.repeated(*in_b), below);
    else
        compare_values(a.get(*in_a), b.get(*in_b), below);
    place_.pop_back();
}

void MessageDifference::compare_elements(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed)
{
    if (has_ids(a.field())) return compare_by_id(a, b, allowed);
    compare_by_order(a, b, allowed);
}

void MessageDifference::compare_by_order(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed)
{
    if (a.size() != b.size()) return report(std::to_string(a.size()) + " elements against " + std::to_string(b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) {
        place_.back().index = {i, i};
        compare_values(a[i], b[i], allowed);
    }
    place_.back().index = {};
}

/// Elements with the same id, or name, are paired in their order; those without an id share one.
void MessageDifference::compare_by_id(const RepeatedView& a, const RepeatedView& b, const Allowed& allowed)
{
    struct Places {
        std::vector<std::size_t> list;
        std::size_t used = 0;
    };
    std::unordered_map<std::string, Places> in_b;
    for (std::size_t i = 0; i < b.size(); ++i) in_b[set_key(b[i])].list.push_back(i);
    std::vector<bool> paired(b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto element = a[i];
        auto& places = in_b[set_key(element)];
        place_.back().index = {i, {}};
        if (places.used == places.list.size()) {
            report("only in the first");
            continue;
        }
        const auto other = places.list[places.used++];
        paired[other] = true;
        place_.back().index[1] = other;
        compare_values(element, b[other], allowed);
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (paired[i]) continue;
        static_cast<void>(set_key(b[i]));
        place_.back().index = {std::nullopt, i};
        report("only in the second");
    }
    place_.back().id.reset();
    place_.back().element_name.clear();
    place_.back().index = {};
}

/// Makes an element that of the place; what it has in common with its partner.
std::string MessageDifference::set_key(const Value& element)
{
    auto& place = place_.back();
    place.id = id_of(element);
    place.element_name.clear();
    const auto* const message = std::get_if<MessageView>(&element);
    if (pair_by_name_ && message != nullptr) place.element_name = name_of(*message);
    if (!place.element_name.empty()) return "name=" + place.element_name;
    return place.id ? "=" + std::to_string(*place.id) : std::string();
}

void MessageDifference::compare_values(const Value& a, const Value& b, const Allowed& allowed)
{
    if (const auto* const message = std::get_if<MessageView>(&a);
        message != nullptr && std::holds_alternative<MessageView>(b))
        return compare_messages(*message, std::get<MessageView>(b), allowed);
    if (same_value(a, b)) return;
    const auto left = as_real(a);
    const auto right = as_real(b);
    const auto distance = left && right ? std::optional(std::abs(*left - *right)) : std::nullopt;
    if (distance && allowed.tolerance && *distance <= *allowed.tolerance) return;
    report(describe_difference(a, b), distance);
}

}  // namespace ositrace
