// SPDX-License-Identifier: MPL-2.0
// Conditions on different elements are found separately: `a[*].x > 1 and b[*].y > 2` needs no pairs of elements.
#include <algorithm>
#include <optional>
#include <set>

#include "lib/query/program.hpp"

namespace ositrace {

namespace {

using Kind = QueryNode::Kind;
using Nodes = std::vector<std::uint32_t>;

class Planner {
public:
    explicit Planner(Query::Program& program) : program_(program) {}

    std::uint32_t plan(std::uint32_t node)
    {
        if (scopes_of(node).empty()) return exists({node});
        switch (kind(node)) {
        case Kind::either: return any_of(parts_of(node, Kind::either));
        case Kind::both: {
            auto groups = independent_groups(parts_of(node, Kind::both));
            if (groups.size() == 1) return exists(groups.front());
            QueryPlan all{.kind = QueryPlan::Kind::all_of};
            for (const auto& group : groups)
                all.parts.push_back(group.size() == 1 ? plan(group.front()) : exists(group));
            return add(std::move(all));
        }
        default: return exists({node});
        }
    }

    /// The same condition with negations only before what is neither `and`, `or` nor `not`.
    std::uint32_t without_negations(std::uint32_t node, bool negate)
    {
        const auto row = program_.nodes[node];
        if (row.kind == Kind::negation) return without_negations(row.left, !negate);
        if (row.kind == Kind::both || row.kind == Kind::either) {
            const auto other = row.kind == Kind::both ? Kind::either : Kind::both;
            const auto left = without_negations(row.left, negate), right = without_negations(row.right, negate);
            return add_node({.kind = negate ? other : row.kind, .left = left, .right = right});
        }
        return negate ? add_node({.kind = Kind::negation, .left = node}) : node;
    }

private:
    [[nodiscard]] Kind kind(std::uint32_t node) const { return program_.nodes[node].kind; }

    std::uint32_t add_node(QueryNode node)
    {
        program_.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(program_.nodes.size() - 1);
    }
    std::uint32_t add(QueryPlan plan)
    {
        program_.plans.push_back(std::move(plan));
        return static_cast<std::uint32_t>(program_.plans.size() - 1);
    }

    /// `a and b and c`: a, b, c, in order.
    [[nodiscard]] Nodes parts_of(std::uint32_t node, Kind kind) const
    {
        Nodes parts, open{node};
        while (!open.empty()) {
            const auto& row = program_.nodes[open.back()];
            const auto place = open.back();
            open.pop_back();
            if (row.kind != kind) {
                parts.push_back(place);
                continue;
            }
            open.push_back(row.right);
            open.push_back(row.left);
        }
        return parts;
    }

    /// Alternatives for the same element are one condition, so that it is found once.
    std::uint32_t any_of(const Nodes& nodes)
    {
        std::vector<std::pair<std::set<std::uint32_t>, std::uint32_t>> alternatives;
        for (const auto node : nodes) {
            auto scopes = scopes_of(node);
            const auto same = std::ranges::find(alternatives, scopes, &decltype(alternatives)::value_type::first);
            if (same == alternatives.end() || deepest_of(scopes).size() > 1)
                alternatives.emplace_back(std::move(scopes), node);
            else
                same->second = add_node({.kind = Kind::either, .left = same->second, .right = node});
        }
        QueryPlan plan{.kind = QueryPlan::Kind::any_of};
        for (const auto& [scopes, node] : alternatives)
            plan.parts.push_back(deepest_of(scopes).size() == 1 ? exists({node}) : this->plan(node));
        return plan.parts.size() == 1 ? plan.parts.front() : add(std::move(plan));
    }

    /// Those that are above no other.
    [[nodiscard]] Nodes deepest_of(const std::set<std::uint32_t>& scopes) const
    {
        Nodes deepest;
        for (const auto scope : scopes) {
            const auto is_below = [&](std::uint32_t other) { return program_.scopes[other].above == scope; };
            if (std::ranges::none_of(scopes, is_below)) deepest.push_back(scope);
        }
        return deepest;
    }

    void collect_leaves(std::uint32_t node, std::set<std::uint32_t>& leaves) const
    {
        for_each_leaf(program_, node, [&](std::uint32_t leaf) { leaves.insert(leaf); });
    }

    /// With those above, without the message itself.
    [[nodiscard]] std::set<std::uint32_t> scopes_of(std::uint32_t node) const
    {
        std::set<std::uint32_t> leaves, scopes;
        collect_leaves(node, leaves);
        for (const auto leaf : leaves)
            for (auto scope = program_.leaves[leaf].scope; scope != 0; scope = program_.scopes[scope].above)
                scopes.insert(scope);
        return scopes;
    }

    /// Conditions that share no element are in different groups; those on the message alone are in the first.
    [[nodiscard]] std::vector<Nodes> independent_groups(const Nodes& conditions) const
    {
        struct Group {
            Nodes conditions;
            std::set<std::uint32_t> scopes;
        };
        std::vector<Group> groups;
        for (const auto condition : conditions) {
            Group joined{{}, scopes_of(condition)};
            std::vector<Group> others;
            for (auto& group : groups) {
                const bool shares = (group.scopes.empty() && joined.scopes.empty()) ||
                                    std::ranges::any_of(group.scopes, [&](std::uint32_t scope) {
                                        return joined.scopes.contains(scope);
                                    });
                if (!shares) {
                    others.push_back(std::move(group));
                    continue;
                }
                joined.conditions.insert(joined.conditions.end(), group.conditions.begin(), group.conditions.end());
                joined.scopes.merge(group.scopes);
            }
            joined.conditions.push_back(condition);
            others.push_back(std::move(joined));
            groups = std::move(others);
        }
        // What is said of the message alone decides before its elements are read.
        const auto alone = std::ranges::find_if(groups, [](const Group& group) { return group.scopes.empty(); });
        if (alone != groups.end() && groups.size() > 1) {
            auto& other = alone == groups.begin() ? groups[1] : groups.front();
            other.conditions.insert(other.conditions.begin(), alone->conditions.begin(), alone->conditions.end());
            groups.erase(alone);
        }
        std::vector<Nodes> found;
        for (auto& group : groups) found.push_back(std::move(group.conditions));
        return found;
    }

    std::uint32_t exists(const Nodes& conditions)
    {
        QueryPlan plan{.kind = QueryPlan::Kind::exists};
        std::set<std::uint32_t> all;
        for (const auto condition : conditions) {
            collect_compared(condition, plan.compared);
            all.merge(scopes_of(condition));
        }
        plan.levels.push_back({0, {}});
        for (const auto scope : all) plan.levels.push_back({scope, {}});  // a scope follows the one above it
        for (const auto condition : conditions) {
            const auto scopes = scopes_of(condition);
            const auto last = scopes.empty() ? 0 : *scopes.rbegin();
            std::ranges::find(plan.levels, last, &QueryPlan::Level::scope)->conditions.push_back(condition);
        }
        plan.deepest = deepest_of(all);
        return add(std::move(plan));
    }

    void collect_compared(std::uint32_t place, std::vector<ComparedNode>& compared)
    {
        const auto node = program_.nodes[place];
        switch (node.kind) {
        case Kind::any: return;
        case Kind::negation:
        case Kind::not_finite:
        case Kind::name_contains: return collect_compared(node.left, compared);
        case Kind::both:
        case Kind::either:
        case Kind::comparison: collect_compared(node.left, compared); return collect_compared(node.right, compared);
        default: break;
        }
        const auto field = field_of(node, place);
        if (field && std::ranges::find(compared, *field, &ComparedNode::field) == compared.end())
            compared.push_back({place, *field});
    }

    /// What is listed for an operand; empty: nothing, as it reads no value.
    std::optional<std::uint32_t> field_of(const QueryNode& node, std::uint32_t place)
    {
        std::set<std::uint32_t> leaves;
        collect_leaves(place, leaves);
        if (leaves.empty()) return std::nullopt;
        if (node.kind == Kind::leaf && program_.leaves[node.left].what == QueryLeaf::What::presence)
            return std::nullopt;
        static constexpr FieldRow computed{.name = {}, .kind = FieldKind::double_};
        const bool is_field = node.kind == Kind::leaf && program_.leaves[node.left].what == QueryLeaf::What::value;
        const auto& leaf = program_.leaves[*leaves.begin()];
        auto& fields = program_.fields;
        const Query::Field listed =
            is_field ? Query::Field{leaf.name, leaf.value_row} : Query::Field{node.text, &computed};
        const auto known = std::ranges::find_if(
            fields, [&](const Query::Field& each) { return each.path == listed.path && each.row == listed.row; });
        if (known != fields.end()) return static_cast<std::uint32_t>(known - fields.begin());
        fields.push_back(listed);
        return static_cast<std::uint32_t>(fields.size() - 1);
    }

    Query::Program& program_;
};

}  // namespace

void for_each_leaf(const Query::Program& program, std::uint32_t node,
                   const std::function<void(std::uint32_t leaf)>& visit)
{
    const auto& row = program.nodes[node];
    switch (row.kind) {
    case Kind::leaf: return visit(row.left);
    case Kind::norm:
    case Kind::along: std::ranges::for_each(row.parts, visit); return;
    case Kind::number:
    case Kind::text:
    case Kind::truth:
    case Kind::any: return;
    case Kind::negative:
    case Kind::absolute:
    case Kind::not_finite:
    case Kind::name_contains:
    case Kind::negation: return for_each_leaf(program, row.left, visit);
    default: for_each_leaf(program, row.left, visit); return for_each_leaf(program, row.right, visit);
    }
}

std::uint32_t plan_condition(Query::Program& program, std::uint32_t node)
{
    Planner planner(program);
    return planner.plan(planner.without_negations(node, false));
}

}  // namespace ositrace
