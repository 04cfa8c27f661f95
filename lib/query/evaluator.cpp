// SPDX-License-Identifier: MPL-2.0
#include <ositrace/query.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <ositrace/columns.hpp>

#include "lib/query/program.hpp"

namespace ositrace {

namespace {

using Kind = QueryNode::Kind;

/// The columns of a larger message could be much larger than its bytes: its elements are read one by one.
constexpr std::size_t most_bytes_in_columns = std::size_t{16} << 20;

/// The value of a node; monostate: there is none.
using NodeValue = std::variant<std::monostate, bool, Number, std::string_view>;

/// The elements of a scope, and the current one.
struct Elements {
    explicit Elements(const QueryScope& scope)
    {
        if (scope.elements == nullptr || scope.elements->child == nullptr) return;
        const std::vector<std::string_view> columns(scope.columns.begin(), scope.columns.end());
        reader.emplace(*scope.elements, columns);
    }

    std::optional<ColumnReader> reader;  ///< empty: the elements are scalars
    bool is_read = false;                ///< the reader has the elements of this message; only below the root
    bool in_columns = false;
    bool is_absent = false;  ///< there are none: what is said of one is false
    Value current;           ///< the element, if it is not in columns
    std::uint64_t index = 0;
};

QueryValue owned(const Value& value)
{
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* const number = std::get_if<std::uint64_t>(&value)) return *number;
    if (const auto* const real = std::get_if<float>(&value)) return *real;
    if (const auto* const real = std::get_if<double>(&value)) return *real;
    if (const auto* const text = std::get_if<std::string_view>(&value)) return std::string(*text);
    return {};
}

NodeValue operand_of(const Value& value)
{
    if (const auto* const flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* const text = std::get_if<std::string_view>(&value)) return *text;
    if (const auto number = Number::of(value)) return *number;
    return {};
}

}  // namespace

struct QueryEvaluator::Implementation {
    explicit Implementation(Query wanted) : query(std::move(wanted)), program(query.program())
    {
        for (const auto& scope : program.scopes) scopes.emplace_back(scope);
    }

    bool evaluate(const MessageView& message, std::vector<QueryMatch>* found)
    {
        matches = found;
        most = found == nullptr ? 0 : found->size() + max_matches + 1;
        combinations = 0;
        can_use_columns = !message.wire_bytes() || message.wire_bytes()->size() <= most_bytes_in_columns;
        for (auto& scope : scopes) scope.is_read = scope.is_absent = false;
        known_quantified.assign(program.quantified.size(), std::nullopt);
        scopes.front().current = message;
        return holds_plan(program.top);
    }

    bool holds_plan(std::uint32_t place)
    {
        const auto& plan = program.plans[place];
        if (plan.kind == QueryPlan::Kind::exists) return exists(plan);
        const auto before = matches == nullptr ? 0 : matches->size();
        bool any = false;
        for (const auto part : plan.parts) {
            const bool holds = holds_plan(part);
            any = any || holds;
            if (holds && plan.kind == QueryPlan::Kind::any_of && matches == nullptr) return true;
            if (holds || plan.kind == QueryPlan::Kind::any_of) continue;
            if (matches != nullptr) matches->resize(before);
            return false;
        }
        return any;
    }

    bool exists(const QueryPlan& plan)
    {
        bool found = false;
        visit(plan, 0, found);
        return found;
    }

    /// Returns false when no further element matters.
    bool visit(const QueryPlan& plan, std::size_t level, bool& found)
    {
        const auto& row = plan.levels[level];
        return for_each(row.scope, [&] {
            if (plan.levels.size() > 2 && ++combinations > max_combinations)
                throw Error(Cause::limit, "the number of combinations of elements in a message exceeds the limit of " +
                                              std::to_string(max_combinations));
            for (const auto condition : row.conditions)
                if (!is_true(condition)) return true;
            if (level + 1 != plan.levels.size()) return visit(plan, level + 1, found);
            found = true;
            if (matches == nullptr || matches->size() >= most) return false;
            matches->push_back(match(plan));
            return true;
        });
    }

    // Elements.

    template <class Visit>
    bool for_each(std::uint32_t place, Visit&& visit_one)
    {
        if (place == 0) return visit_one();
        auto& elements = scopes[place];
        bool is_any = false, goes_on = true;
        for_each_element(place, [&] {
            is_any = true;
            return goes_on = visit_one();
        });
        if (is_any) return goes_on;
        elements.in_columns = false;
        elements.current = {};
        elements.is_absent = true;
        goes_on = visit_one();
        elements.is_absent = false;
        return goes_on;
    }

    template <class Visit>
    void for_each_element(std::uint32_t place, Visit&& visit_one)
    {
        const auto& scope = program.scopes[place];
        auto& elements = scopes[place];
        const auto above = element(scope.above);
        const auto* const element_above = std::get_if<MessageView>(&above);
        if (element_above == nullptr) return;
        const auto holder = scope.holder ? scope.holder->get(*element_above) : above;
        const auto* const message = std::get_if<MessageView>(&holder);
        if (message == nullptr) return;
        elements.in_columns = elements.reader && can_use_columns;
        if (!elements.in_columns) {
            std::uint64_t index = 0;
            message->for_each_element(*scope.elements, [&](const Value& value) {
                elements.current = value;
                elements.index = index++;
                return visit_one();
            });
            return;
        }
        if (!elements.is_read) elements.reader->read(*message);
        elements.is_read = scope.above == 0;
        const auto rows = elements.reader->rows();
        for (elements.index = 0; elements.index != rows; ++elements.index)
            if (!visit_one()) return;
    }

    [[nodiscard]] Value element(std::uint32_t scope) const
    {
        const auto& elements = scopes[scope];
        if (elements.in_columns) return elements.reader->element(elements.index);
        return elements.current;
    }

    // Values.

    [[nodiscard]] Value column(const QueryLeaf& leaf) const
    {
        const auto& elements = scopes[leaf.scope];
        const auto& reader = *elements.reader;
        const auto row = elements.index;
        if (!reader.has(*leaf.column, row)) {
            const bool has_holder = !leaf.holder_column || reader.has(*leaf.holder_column, row);
            return leaf.is_identifier && has_holder ? Value(std::uint64_t{0}) : Value();
        }
        const auto kind = leaf.row->kind;
        if (kind == FieldKind::double_) return reader.reals(*leaf.column)[row];
        if (kind == FieldKind::float_) return static_cast<float>(reader.reals(*leaf.column)[row]);
        const auto bits = reader.integers(*leaf.column)[row];
        if (kind == FieldKind::bool_) return bits != 0;
        if (is_unsigned(kind)) return bits;
        return static_cast<std::int64_t>(bits);
    }

    [[nodiscard]] Value value(const QueryLeaf& leaf) const
    {
        if (leaf.column && scopes[leaf.scope].in_columns) return column(leaf);
        const auto holder = value_of_holder(leaf);
        if (leaf.row == nullptr) return holder;
        const auto* const message = std::get_if<MessageView>(&holder);
        if (message == nullptr) return {};
        auto found = message->get(*leaf.row);
        if (leaf.is_identifier && std::holds_alternative<std::monostate>(found)) return std::uint64_t{0};
        return found;
    }

    [[nodiscard]] Value value_of_holder(const QueryLeaf& leaf) const
    {
        const auto from = element(leaf.scope);
        const auto* const message = std::get_if<MessageView>(&from);
        return leaf.holder && message != nullptr ? leaf.holder->get(*message) : from;
    }

    [[nodiscard]] bool is_present(const QueryLeaf& leaf) const
    {
        const auto& elements = scopes[leaf.scope];
        if (leaf.column && elements.in_columns) return elements.reader->has(*leaf.column, elements.index);
        const auto holder = value_of_holder(leaf);
        if (leaf.row == nullptr) return !std::holds_alternative<std::monostate>(holder);
        const auto* const message = std::get_if<MessageView>(&holder);
        return message != nullptr && message->has(*leaf.row);
    }

    [[nodiscard]] std::uint64_t count(const QueryLeaf& leaf) const
    {
        const auto holder = value_of_holder(leaf);
        const auto* const message = std::get_if<MessageView>(&holder);
        std::uint64_t count = 0;
        if (message != nullptr) message->for_each_element(*leaf.row, [&](const Value&) { return ++count != 0; });
        return count;
    }

    [[nodiscard]] NodeValue leaf_operand(const QueryLeaf& leaf) const
    {
        if (scopes[leaf.scope].is_absent) return {};
        switch (leaf.what) {
        case QueryLeaf::What::presence: return is_present(leaf);
        case QueryLeaf::What::count: return Number(count(leaf));
        case QueryLeaf::What::value: break;
        }
        return operand_of(value(leaf));
    }

    // Nodes.

    [[nodiscard]] std::optional<Number> number(std::uint32_t node)
    {
        const auto operand = this->operand(node);
        const auto* const number = std::get_if<Number>(&operand);
        return number == nullptr ? std::nullopt : std::optional(*number);
    }

    NodeValue operand(std::uint32_t place)
    {
        const auto& node = program.nodes[place];
        switch (node.kind) {
        case Kind::number: return program.numbers[node.left];
        case Kind::text: return std::string_view(program.texts[node.left]);
        case Kind::leaf: return leaf_operand(program.leaves[node.left]);
        case Kind::add:
        case Kind::subtract:
        case Kind::multiply:
        case Kind::divide:
        case Kind::negative:
        case Kind::absolute: return arithmetic(node);
        case Kind::norm: return norm(node.parts);
        case Kind::along: return along(node.parts);
        default: return is_true(place);
        }
    }

    NodeValue arithmetic(const QueryNode& node)
    {
        const auto left = number(node.left);
        if (!left) return {};
        if (node.kind == Kind::negative) return left->negative();
        if (node.kind == Kind::absolute) return *left < Number(0.0) ? left->negative() : *left;
        const auto right = number(node.right);
        if (!right) return {};
        const auto a = left->real(), b = right->real();
        switch (node.kind) {
        case Kind::add: return Number(a + b);
        case Kind::subtract: return Number(a - b);
        case Kind::multiply: return Number(a * b);
        default: return Number(a / b);
        }
    }

    // What is not set of a vector is 0, as long as something is.

    [[nodiscard]] std::optional<double> component(std::uint32_t part) const
    {
        const auto number = Number::of(value(program.leaves[part]));
        return number ? std::optional(number->real()) : std::nullopt;
    }

    [[nodiscard]] NodeValue norm(std::span<const std::uint32_t> parts) const
    {
        double square = 0;
        bool is_set = false;
        for (const auto part : parts) {
            const auto number = component(part);
            if (!number) continue;
            is_set = true;
            square += *number * *number;
        }
        if (!is_set) return {};
        return Number(std::sqrt(square));
    }

    /// Of the first half of the parts, along the second one; a vector of length 0 has no direction.
    [[nodiscard]] NodeValue along(std::span<const std::uint32_t> parts) const
    {
        const auto of = parts.first(parts.size() / 2), direction = parts.subspan(parts.size() / 2);
        const auto is_set = [&](std::uint32_t part) { return component(part).has_value(); };
        const auto length = norm(direction);
        if (!std::holds_alternative<Number>(length) || std::ranges::none_of(of, is_set)) return {};
        const auto divisor = std::get<Number>(length).real();
        if (divisor == 0) return {};
        double sum = 0;
        for (std::size_t i = 0; i != of.size(); ++i)
            sum += component(of[i]).value_or(0) * component(direction[i]).value_or(0);
        return Number(sum / divisor);
    }

    bool is_true(std::uint32_t place)
    {
        const auto& node = program.nodes[place];
        switch (node.kind) {
        case Kind::truth: return node.left != 0;
        case Kind::comparison: return compare(node);
        case Kind::name_contains: return name_contains(node);
        case Kind::not_finite: {
            const auto tested = number(node.left);
            return tested && std::isfinite(tested->real()) == (node.comparison == Comparison::not_equal);
        }
        case Kind::both: return is_true(node.left) && is_true(node.right);
        case Kind::either: return is_true(node.left) || is_true(node.right);
        case Kind::negation: return !is_true(node.left) && !is_of_absent(node.left);
        case Kind::any: return any(node.left);
        default: break;
        }
        const auto operand = this->operand(place);
        const auto* const flag = std::get_if<bool>(&operand);
        return flag != nullptr && *flag;
    }

    [[nodiscard]] bool is_of_absent(std::uint32_t node) const
    {
        if (std::ranges::none_of(scopes, &Elements::is_absent)) return false;
        bool is_absent = false;
        for_each_leaf(program, node, [&](std::uint32_t leaf) {
            for (auto scope = program.leaves[leaf].scope; scope != 0; scope = program.scopes[scope].above)
                is_absent = is_absent || scopes[scope].is_absent;
        });
        return is_absent;
    }

    bool compare(const QueryNode& node)
    {
        const auto left = operand(node.left), right = operand(node.right);
        if (left.index() != right.index()) return false;
        if (const auto* const a = std::get_if<Number>(&left))
            return ositrace::holds(node.comparison, *a, std::get<Number>(right));
        if (const auto* const a = std::get_if<std::string_view>(&left))
            return ositrace::holds(node.comparison, *a, std::get<std::string_view>(right));
        if (const auto* const a = std::get_if<bool>(&left))
            return (*a == std::get<bool>(right)) == (node.comparison == Comparison::equal);
        return false;
    }

    bool name_contains(const QueryNode& node) const
    {
        const auto& leaf = program.leaves[program.nodes[node.left].left];
        const auto found = value(leaf);
        const auto* const number = std::get_if<std::int64_t>(&found);
        if (number == nullptr) return false;
        return ositrace::holds(Comparison::contains,
                               leaf.value_row->enumeration->name_of(static_cast<std::int32_t>(*number)),
                               program.texts[program.nodes[node.right].left]);
    }

    bool any(std::uint32_t place)
    {
        auto& known = known_quantified[place];
        if (known) return *known;
        auto* const outside = std::exchange(matches, nullptr);
        const bool found = holds_plan(program.quantified[place]);
        matches = outside;
        known = found;
        return found;
    }

    // What was found.

    [[nodiscard]] std::string path_of(std::uint32_t place) const
    {
        const auto& scope = program.scopes[place];
        const auto above = scope.above == 0 ? std::string() : path_of(scope.above) + ".";
        return above + scope.text + "[" + std::to_string(scopes[place].index) + "]";
    }

    [[nodiscard]] QueryMatch match(const QueryPlan& plan)
    {
        QueryMatch match;
        std::uint32_t last = 0;
        for (auto scope : plan.deepest) {
            while (scope != 0 && scopes[scope].is_absent) scope = program.scopes[scope].above;
            if (scope == 0 || scope == last) continue;
            match.path += (match.path.empty() ? "" : ", ") + path_of(scope);
            last = scope;
        }
        const auto present = [&](const QueryPlan::Level& level) {
            return level.scope != 0 && !scopes[level.scope].is_absent;
        };
        if (const auto level = std::ranges::find_if(plan.levels, present); level != plan.levels.end()) {
            const auto& outermost = program.scopes[level->scope];
            match.list = outermost.elements->name;
            if (outermost.id) {
                const auto id = as_integer(value(program.leaves[*outermost.id]));
                if (id) match.id = static_cast<std::uint64_t>(*id);
            }
        }
        for (const auto& [node, field] : plan.compared) match.values.push_back({field, compared_value(node)});
        return match;
    }

    [[nodiscard]] QueryValue compared_value(std::uint32_t place)
    {
        const auto& node = program.nodes[place];
        if (node.kind == Kind::leaf && program.leaves[node.left].what == QueryLeaf::What::value)
            return owned(value(program.leaves[node.left]));
        const auto computed = number(place);
        return computed ? QueryValue(computed->real()) : QueryValue();
    }

    Query query;
    const Query::Program& program;
    std::vector<Elements> scopes;
    std::vector<std::optional<bool>> known_quantified;
    std::vector<QueryMatch>* matches = nullptr;
    std::size_t most = 0;
    bool has_more = false;
    std::uint64_t combinations = 0;
    bool can_use_columns = true;
};

QueryEvaluator::QueryEvaluator(Query query) : implementation_(std::make_unique<Implementation>(std::move(query))) {}
QueryEvaluator::QueryEvaluator(QueryEvaluator&&) noexcept = default;
QueryEvaluator& QueryEvaluator::operator=(QueryEvaluator&&) noexcept = default;
QueryEvaluator::~QueryEvaluator() = default;

bool QueryEvaluator::holds(const MessageView& message) { return implementation_->evaluate(message, nullptr); }

bool QueryEvaluator::find(const MessageView& message, std::vector<QueryMatch>& matches)
{
    const auto most = matches.size() + max_matches;
    const bool holds = implementation_->evaluate(message, &matches);
    implementation_->has_more = matches.size() > most;
    if (implementation_->has_more) matches.pop_back();
    return holds;
}

bool QueryEvaluator::has_more() const noexcept { return implementation_->has_more; }

}  // namespace ositrace
