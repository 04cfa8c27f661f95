// SPDX-License-Identifier: MPL-2.0
#include "lib/table/plan.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>

#include "formats/protobuf/wire.hpp"

namespace ositrace::table {

namespace {

Storage storage_of(FieldKind kind) noexcept
{
    switch (kind) {
    case FieldKind::string: return Storage::text;
    case FieldKind::bytes: return Storage::binary;
    case FieldKind::bool_: return Storage::one_byte;
    case FieldKind::float_:
    case FieldKind::int32:
    case FieldKind::uint32:
    case FieldKind::fixed32:
    case FieldKind::sfixed32:
    case FieldKind::sint32:
    case FieldKind::enumeration: return Storage::four_bytes;
    default: return Storage::eight_bytes;
    }
}

/// Its number 0, or the first one where it has none.
std::uint64_t default_of(const EnumTable* enumeration) noexcept
{
    if (enumeration == nullptr || enumeration->values.empty() || !enumeration->name_of(0).empty()) return 0;
    return static_cast<std::uint32_t>(enumeration->values.front().number);
}

Action::What what_of(const FieldPath::Step& step) noexcept
{
    switch (step.pick) {
    case FieldPath::Pick::every: return Action::What::elements;
    case FieldPath::Pick::index: return Action::What::index;
    case FieldPath::Pick::id: return Action::What::id;
    case FieldPath::Pick::name: return Action::What::named;
    case FieldPath::Pick::singular: break;
    }
    return step.field->kind == FieldKind::message ? Action::What::message : Action::What::value;
}

}  // namespace

std::size_t Node::find_large(std::uint32_t tag) const noexcept
{
    const auto found = std::ranges::lower_bound(large, tag, {}, &std::pair<std::uint32_t, std::size_t>::first);
    return found != large.end() && found->first == tag ? found->second : none;
}

void Node::index()
{
    constexpr std::uint32_t most_indexed = 1 << 14;
    const auto add = [&](std::uint32_t tag, std::size_t place) {
        if (tag >= most_indexed) return large.emplace_back(tag, place), void();
        if (tag >= by_tag.size()) by_tag.resize(tag + 1);
        by_tag[tag] = static_cast<std::uint32_t>(place + 1);
    };
    for (std::size_t place = 0; place != actions.size(); ++place) {
        auto& action = actions[place];
        if (action.child) action.child->index();
        const auto& field = *action.field;
        const auto earlier =
            std::find_if(actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(place),
                         [&](const Action& other) { return other.field == &field && other.next == none; });
        if (earlier != actions.begin() + static_cast<std::ptrdiff_t>(place)) {
            earlier->next = place;
            continue;
        }
        add(wire::make_tag(field.number, field.wire_type), place);
        if (field.repeated && field.wire_type != wire::length_delimited)
            add(wire::make_tag(field.number, wire::length_delimited), place);
    }
    std::ranges::sort(large);
}

PlanBuilder::PlanBuilder(const MessageTable& root) : facts(frame_facts, none)
{
    trees.emplace_back(root);
    levels.emplace_back();
}

std::size_t PlanBuilder::add_level(std::size_t parent)
{
    levels.push_back({.parent = parent});
    levels[parent].children.push_back(levels.size() - 1);
    return levels.size() - 1;
}

std::size_t PlanBuilder::add_column(FieldKind kind, const EnumTable* enumeration, std::size_t level)
{
    columns.push_back({.kind = kind,
                       .storage = storage_of(kind),
                       .enumeration = enumeration,
                       .level = level,
                       .place = levels[level].columns.size(),
                       .default_bits = default_of(enumeration)});
    levels[level].columns.push_back(columns.size() - 1);
    return columns.size() - 1;
}

std::size_t PlanBuilder::add(FrameFact fact)
{
    auto& column = facts[static_cast<std::size_t>(fact)];
    if (column == none)
        column = add_column(fact == FrameFact::time ? FieldKind::double_ : FieldKind::int64, nullptr, 0);
    return column;
}

Action* PlanBuilder::known_action(Node& node, const FieldPath::Step& step, Action::What what)
{
    const auto known = std::ranges::find_if(node.actions, [&](const Action& each) {
        return each.field == step.field && each.what == what && each.argument == step.argument &&
               each.argument_name == step.name;
    });
    return known == node.actions.end() ? nullptr : &*known;
}

Action& PlanBuilder::action(Node& node, const FieldPath::Step& step, std::size_t level, std::size_t tree)
{
    auto what = what_of(step);
    if (picks_most_probable_ && what == Action::What::index && step.field->name == "candidate" &&
        step.field->child != nullptr && probability_of(*step.field->child) != nullptr)
        what = Action::What::probable;
    if (auto* const known = known_action(node, step, what)) return *known;
    auto& added = node.actions.emplace_back();
    added.field = step.field;
    added.what = what;
    added.argument = step.argument;
    added.argument_name = step.name;
    if (what == Action::What::named) added.names = *name_fields(*step.field->child);
    if (what == Action::What::elements) {
        const auto shared = std::ranges::find_if(shared_levels_, [&](auto at) { return levels[at].parent == level; });
        added.level = shared != shared_levels_.end() ? *shared : add_level(level);
        if (!shared_levels_.empty() && added.level == shared_levels_.back()) added.source = source_column_;
        added.source_bits = tree;
        // The elements around rows are many things at once: their rows have shapes of their own.
        const bool is_around_rows = shared != shared_levels_.end() && added.source == none;
        if (step.field->kind == FieldKind::message && !is_around_rows) added.shapes = shapes++;
    }
    if (what == Action::What::index || what == Action::What::id || what == Action::What::named) added.pick = picks++;
    if (what == Action::What::probable) added.pick = std::exchange(picks, picks + 2);
    return added;
}

std::size_t PlanBuilder::add(const FieldPath& path, std::size_t tree, std::size_t into)
{
    const auto column = walk(path, tree, into);
    if (column == none)
        throw Error(Cause::usage, "field path '" + path.text() + "': leads to a message, expected a value");
    return column;
}

std::size_t PlanBuilder::add_or_zero(const FieldPath& path, std::size_t tree, std::size_t into)
{
    const auto column = add(path, tree, into);
    auto* node = &trees[tree];
    Action* around = nullptr;
    for (const auto& step : std::span(path.steps()).first(path.steps().size() - 1)) {
        around = &action(*node, step, none, tree);  // which add() has made
        node = around->child.get();
    }
    if (around != nullptr && std::ranges::find(around->zeros, column) == around->zeros.end())
        around->zeros.push_back(column);
    return column;
}

void PlanBuilder::add_elements(const FieldPath& path, std::size_t tree) { static_cast<void>(walk(path, tree, none)); }

std::size_t PlanBuilder::add_name(const FieldPath& path, std::size_t tree, std::size_t into)
{
    auto* node = &trees[tree];
    const MessageTable* holder = node->table;
    std::size_t level = 0;
    for (const auto& step : std::span(path.steps()).first(path.steps().size() - 1)) {
        auto& found = action(*node, step, level, tree);
        if (found.what == Action::What::elements) level = found.level;
        if (!found.child) found.child = std::make_unique<Node>(*step.field->child);
        holder = step.field->child;
        node = found.child.get();
    }
    auto& named = node->actions.emplace_back();
    named.field = path.steps().back().field;
    named.what = Action::What::name;
    named.names = *name_fields(*holder);
    named.column = into != none ? into : add_column(FieldKind::string, nullptr, level);
    return named.column;
}

std::size_t PlanBuilder::walk(const FieldPath& path, std::size_t tree, std::size_t into)
{
    if (path.steps().size() > static_cast<std::size_t>(max_message_depth))
        throw Error(Cause::usage, "field path '" + path.text() + "': more than " + std::to_string(max_message_depth) +
                                      " levels deep");
    auto* node = &trees[tree];
    std::size_t level = 0;
    for (const auto& step : path.steps()) {
        auto& found = action(*node, step, level, tree);
        if (found.what == Action::What::elements) level = found.level;
        const auto& field = *step.field;
        if (field.kind != FieldKind::message) {
            if (found.column == none)
                found.column = into != none ? into : add_column(field.kind, field.enumeration, level);
            return found.column;
        }
        if (!found.child) found.child = std::make_unique<Node>(*field.child);
        node = found.child.get();
    }
    return none;
}

}  // namespace ositrace::table

namespace ositrace {

void TablePlan::Implementation::take(table::PlanBuilder&& builder)
{
    trees = std::move(builder.trees);
    for (auto& tree : trees) tree.index();
    column_rows = std::move(builder.columns);
    levels = std::move(builder.levels);
    facts = std::move(builder.facts);
    picks = builder.picks;
    shapes = builder.shapes;
    for (const auto& output : outputs) columns.push_back({output.name, output.unit, output.path});
}

}  // namespace ositrace
