// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <ositrace/field_path.hpp>
#include <ositrace/schema.hpp>

#include "lib/query/program.hpp"

namespace ositrace {

/// Adds what an expression reads to its program: leaves, and the scopes of their elements.
class LeafBuilder {
public:
    explicit LeafBuilder(Query::Program& program) : program_(program) {}
    /// The place of the leaf. `quantifier`: see QueryScope.
    std::uint32_t add(const FieldPath& path, QueryLeaf::What what, std::uint32_t quantifier);

private:
    /// Of the elements that the steps up to a `[*]` stand for.
    std::uint32_t scope(std::uint32_t above, std::vector<FieldPath::Step> way, const MessageTable& table,
                        std::uint32_t quantifier);
    void add_id(std::uint32_t scope);
    std::uint32_t add_leaf(std::uint32_t scope, const MessageTable& table, const std::vector<FieldPath::Step>& steps,
                           QueryLeaf::What what);
    void add_columns(QueryLeaf& leaf, const std::vector<FieldPath::Step>& steps);

    Query::Program& program_;
};

}  // namespace ositrace
