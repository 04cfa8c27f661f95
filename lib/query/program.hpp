// SPDX-License-Identifier: MPL-2.0
// A compiled expression: rows that refer to each other by their places.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/field_path.hpp>
#include <ositrace/query.hpp>

#include "lib/query/comparison.hpp"

namespace ositrace {

/// What a `[*]` stands for: an element of a repeated field. Scope 0 is the message itself.
struct QueryScope {
    std::uint32_t above = 0;
    std::vector<FieldPath::Step> way = {};  ///< from the element of the scope above to the repeated field
    std::uint32_t quantifier = 0;           ///< the any() or all() that it belongs to, from 1; 0: none
    std::optional<FieldPath> holder = {};   ///< of the message with the repeated field; empty: the element above
    const FieldRow* elements = nullptr;     ///< null: scope 0
    std::string text = {};                  ///< `way` as text, without the last `[*]`
    std::vector<std::string> columns = {};  ///< paths below the element that are read as columns
    std::optional<std::uint32_t> id = {};   ///< the leaf with the id of an element
};

/// What is read of an element.
struct QueryLeaf {
    enum class What : std::uint8_t { value, presence, count };
    What what = What::value;
    std::uint32_t scope = 0;
    std::optional<FieldPath> holder = {};  ///< of the message with the field; empty: the element itself
    const FieldRow* row = nullptr;         ///< null: the element of the scope is the value
    const FieldRow* value_row = nullptr;   ///< of the value
    std::string name = {};                 ///< in Query::fields()
    std::string path = {};                 ///< below the element; from the root in scope 0
    bool is_identifier = false;            ///< not set in a message that is: 0
    std::optional<std::uint32_t> column = {}, holder_column = {};  ///< in QueryScope::columns
};

struct QueryNode {
    enum class Kind : std::uint8_t {
        number,
        text,
        truth,
        leaf,
        add,
        subtract,
        multiply,
        divide,
        negative,
        absolute,
        norm,
        along,
        comparison,
        name_contains,  ///< the name of an enumerator
        not_finite,
        both,
        either,
        negation,
        any,
    };
    Kind kind = Kind::truth;
    Comparison comparison = Comparison::equal;
    std::uint32_t left = 0, right = 0;      ///< nodes; of a leaf, a literal and any(): its place in their list
    std::vector<std::uint32_t> parts = {};  ///< of norm: leaves; of along: those of both vectors
    std::string text = {};                  ///< of a number that is computed and compared: as it is written
};

/// An operand of a comparison, whose value is listed.
struct ComparedNode {
    std::uint32_t node = 0;
    std::uint32_t field = 0;  ///< in Query::fields()
};

/// How the elements for which a condition holds are found.
struct QueryPlan {
    enum class Kind : std::uint8_t { all_of, any_of, exists };
    Kind kind = Kind::exists;
    std::vector<std::uint32_t> parts = {};  ///< of all_of and any_of: plans
    /// Of exists: an element of each scope, one scope after the other, each with the conditions that it completes.
    struct Level {
        std::uint32_t scope = 0;
        std::vector<std::uint32_t> conditions = {};  ///< nodes
    };
    std::vector<Level> levels = {};
    std::vector<ComparedNode> compared = {};  ///< by its conditions; each field once
    std::vector<std::uint32_t> deepest = {};  ///< scopes that are above no other of its scopes
};

struct Query::Program {
    std::string text = {};
    const MessageTable* root = nullptr;
    std::vector<Field> fields;
    std::vector<std::string> paths;
    std::vector<QueryScope> scopes{1};
    std::vector<QueryLeaf> leaves;
    std::vector<QueryNode> nodes;
    std::vector<Number> numbers;
    std::vector<std::string> texts;
    std::vector<QueryPlan> plans;
    std::vector<std::uint32_t> quantified;  ///< plans of any()
    std::uint32_t top = 0;                  ///< plan
};

/// Adds what an expression reads to its program: leaves, and the scopes of their elements.
class LeafBuilder {
public:
    explicit LeafBuilder(Query::Program& program) : program_(program) {}
    /// The place of the leaf. `quantifier`: see QueryScope.
    std::uint32_t add(const FieldPath& path, QueryLeaf::What what, std::uint32_t quantifier);

private:
    /// Of the elements that the steps up to a `[*]` select.
    std::uint32_t scope(std::uint32_t above, std::vector<FieldPath::Step> way, const MessageTable& table,
                        std::uint32_t quantifier);
    void add_id(std::uint32_t scope);
    std::uint32_t add_leaf(std::uint32_t scope, const MessageTable& table, const std::vector<FieldPath::Step>& steps,
                           QueryLeaf::What what);
    void add_columns(QueryLeaf& leaf, const std::vector<FieldPath::Step>& steps);

    Query::Program& program_;
};

/// Plans how to find what a condition holds for; its place in program.plans.
std::uint32_t plan_condition(Query::Program& program, std::uint32_t node);

/// The leaves of a condition, without those of any().
void for_each_leaf(const Query::Program& program, std::uint32_t node,
                   const std::function<void(std::uint32_t leaf)>& visit);

/// A path as a query writes it, as a FieldPath from the root: with the parts before it, `[*]` where it is left out, and
/// the value of an Identifier. `kept_whole`: no `[*]` at its end, nor a value. Throws Error (usage).
[[nodiscard]] std::string resolved_path(const MessageTable& root, std::string_view path, bool kept_whole);

/// `: known: a, b`: the names that differ least from a wrong one, or all if they are few; empty: none.
[[nodiscard]] std::string near_names(std::string_view wrong, std::vector<std::string_view> names);

}  // namespace ositrace
