// SPDX-License-Identifier: MPL-2.0
#include "formats/columns/column_plan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/scalar_value.hpp>

namespace ositrace {

namespace {

[[noreturn]] void refuse(std::string_view path, const std::string& reason)
{
    throw Error(Cause::usage, "column '" + std::string(path) + "': " + reason);
}

}  // namespace

const FieldRow& ColumnPlan::add(std::string_view path, std::uint8_t column)
{
    auto* plan = this;
    for (auto rest = path;;) {
        const auto dot = rest.find('.');
        const auto name = rest.substr(0, dot);
        const auto* const field = plan->table->find(name);
        if (field == nullptr)
            refuse(path, std::string(plan->table->full_name) + " has no field '" + std::string(name) + "'");
        if (field->repeated) refuse(path, "'" + std::string(name) + "' is repeated");
        auto& action = plan->actions[field->index];
        if (dot == std::string_view::npos) {
            if (field->kind == FieldKind::string || field->kind == FieldKind::bytes)
                refuse(path, "'" + std::string(name) + "' is not a number");
            if (action.column != no_column) refuse(path, "named twice");
            action.column = column;
            return *field;
        }
        if (field->child == nullptr) refuse(path, "'" + std::string(name) + "' has no fields");
        if (!action.child) action.child = std::make_unique<ColumnPlan>(*field->child);
        plan = action.child.get();
        rest.remove_prefix(dot + 1);
    }
}

void ColumnStore::grow(std::size_t count)
{
    constexpr std::size_t smallest = 256;
    capacity_ = std::max({smallest, rows_ + count, rows_ + rows_ / 2});
    for (auto& column : columns_) {
        column.values.resize(8 * rows_);
        static_cast<void>(column.values.reserve_back(8 * (capacity_ - rows_)));
    }
    std::unique_ptr<std::uint32_t[]> presence(new std::uint32_t[capacity_]);  // not zeroed
    std::copy_n(presence_.get(), own_presence_, presence.get());
    presence_ = std::move(presence);
}

std::uint64_t column_bits(const FieldRow& leaf, std::uint64_t stored) noexcept
{
    if (leaf.kind == FieldKind::bool_) return stored != 0 ? 1 : 0;
    if (is_real(leaf.kind)) return std::bit_cast<std::uint64_t>(real_of(leaf, stored));
    return static_cast<std::uint64_t>(integer_of(leaf, stored));
}

}  // namespace ositrace
