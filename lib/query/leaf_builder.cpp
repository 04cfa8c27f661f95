// SPDX-License-Identifier: MPL-2.0
// LeafBuilder: what an expression reads of a message.
#include <algorithm>
#include <utility>

#include "lib/query/program.hpp"

namespace ositrace {

namespace {

constexpr std::size_t most_columns = 32;  // ColumnReader::max_leaves

template <class Rows>
std::uint32_t last_of(const Rows& rows)
{
    return static_cast<std::uint32_t>(rows.size() - 1);
}

std::uint32_t column(QueryScope& scope, const std::string& path)
{
    const auto known = std::ranges::find(scope.columns, path);
    if (known != scope.columns.end()) return static_cast<std::uint32_t>(known - scope.columns.begin());
    scope.columns.push_back(path);
    return last_of(scope.columns);
}

std::string steps_text(const std::vector<FieldPath::Step>& steps, std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i != count; ++i) {
        const auto& step = steps[i];
        text.append(text.empty() ? "" : ".").append(step.field->name).append(pick_text(step));
    }
    return text;
}

}  // namespace

std::uint32_t LeafBuilder::scope(std::uint32_t above, std::vector<FieldPath::Step> way, const MessageTable& table,
                                 std::uint32_t quantifier)
{
    auto& scopes = program_.scopes;
    for (std::uint32_t i = 1; i != scopes.size(); ++i)
        if (scopes[i].above == above && scopes[i].way == way && scopes[i].quantifier == quantifier) return i;
    QueryScope scope{.above = above, .quantifier = quantifier, .elements = way.back().field};
    scope.text = steps_text(way, way.size());
    if (way.size() > 1) scope.holder = FieldPath::compile(table, steps_text(way, way.size() - 1));
    scope.way = std::move(way);
    scopes.push_back(std::move(scope));
    const auto place = last_of(scopes);
    add_id(place);
    return place;
}

void LeafBuilder::add_id(std::uint32_t scope)
{
    const auto* const table = program_.scopes[scope].elements->child;
    const auto path = table == nullptr ? std::string_view() : id_path(*table);
    if (path.empty()) return;
    const auto steps = FieldPath::compile(*table, path).steps();
    const auto leaf = add_leaf(scope, *table, steps, QueryLeaf::What::value);
    program_.scopes[scope].id = leaf;
}

std::uint32_t LeafBuilder::add(const FieldPath& path, QueryLeaf::What what, std::uint32_t quantifier)
{
    std::uint32_t above = 0;
    const auto* table = program_.root;
    std::vector<FieldPath::Step> steps;
    for (const auto& step : path.steps()) {
        steps.push_back(step);
        const bool is_last = &step == &path.steps().back();
        if (step.pick != FieldPath::Pick::every || (is_last && what != QueryLeaf::What::value)) continue;
        above = scope(above, std::exchange(steps, {}), *table, quantifier);
        table = step.field->child;
    }
    const auto place = add_leaf(above, table == nullptr ? *program_.root : *table, steps, what);
    auto& leaf = program_.leaves[place];
    leaf.value_row = &path.leaf();
    leaf.name = leaf.path.empty() ? path.text() : leaf.path;
    return place;
}

std::uint32_t LeafBuilder::add_leaf(std::uint32_t scope, const MessageTable& table,
                                    const std::vector<FieldPath::Step>& steps, QueryLeaf::What what)
{
    QueryLeaf leaf{.what = what, .scope = scope, .path = steps_text(steps, steps.size())};
    for (std::uint32_t i = 0; i != program_.leaves.size(); ++i) {
        const auto& each = program_.leaves[i];
        if (each.scope == scope && each.what == what && each.path == leaf.path) return i;
    }
    const bool is_element = !steps.empty() && !pick_text(steps.back()).empty();
    if (!steps.empty() && !is_element) leaf.row = steps.back().field;
    const auto to_holder = steps.size() - (leaf.row == nullptr ? 0 : 1);
    if (to_holder != 0) leaf.holder = FieldPath::compile(table, steps_text(steps, to_holder));
    if (leaf.row != nullptr && leaf.row->name == "value") {
        const auto& holder = leaf.holder ? *leaf.holder->leaf().child : table;
        leaf.is_identifier = holder.fields.size() == 1 && holder.full_name.ends_with("Identifier");
    }
    add_columns(leaf, steps);
    program_.leaves.push_back(std::move(leaf));
    return last_of(program_.leaves);
}

void LeafBuilder::add_columns(QueryLeaf& leaf, const std::vector<FieldPath::Step>& steps)
{
    auto& scope = program_.scopes[leaf.scope];
    const bool is_single =
        std::ranges::all_of(steps, [](const auto& step) { return step.pick == FieldPath::Pick::singular; });
    if (scope.elements == nullptr || scope.elements->child == nullptr || steps.empty() || !is_single) return;
    if (leaf.what == QueryLeaf::What::count || leaf.row->repeated || leaf.row->kind == FieldKind::string ||
        leaf.row->kind == FieldKind::bytes)
        return;
    if (scope.columns.size() + 2 > most_columns) return;
    leaf.column = column(scope, leaf.path);
    if (leaf.is_identifier && steps.size() > 1) leaf.holder_column = column(scope, steps_text(steps, steps.size() - 1));
}

}  // namespace ositrace
