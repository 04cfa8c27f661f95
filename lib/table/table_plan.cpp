// SPDX-License-Identifier: MPL-2.0
// Paths become a plan, and a plan becomes an Arrow schema.
#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include <ositrace/arrow_data.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_docs.hpp>
#include <ositrace/table.hpp>

#include "lib/table/plan.hpp"

namespace ositrace {

using table::FrameFact;
using table::is_filled;
using table::none;
using table::Output;
using table::PlanBuilder;

namespace {

struct FactRow {
    std::string_view path;
    FrameFact fact;
    FieldKind kind;
    std::string_view unit;
};
constexpr std::array facts{FactRow{"@frame", FrameFact::index, FieldKind::int64, ""},
                           FactRow{"@time", FrameFact::time, FieldKind::double_, "s"},
                           FactRow{"@time_ns", FrameFact::time_ns, FieldKind::int64, "ns"},
                           FactRow{"@log_time_ns", FrameFact::log_time_ns, FieldKind::int64, "ns"}};

const FactRow* fact_of(std::string_view path)
{
    const auto* const found = std::ranges::find(facts, path, &FactRow::path);
    return found == facts.end() ? nullptr : found;
}

/// Outputs to a plan: one column after the other.
void add_output(PlanBuilder& builder, TablePlan::Implementation& plan, const TableColumn& column, bool fill)
{
    Output output{.name = column.name, .path = column.path};
    if (const auto* const fact = fact_of(column.path)) {
        output.columns = {builder.add(fact->fact)};
        output.kind = fact->kind;
        output.unit = fact->unit;
        output.filled = fill && is_filled(fact->fact, *plan.root);
        return plan.outputs.push_back(std::move(output)), void();
    }
    const auto path = FieldPath::compile_value(*plan.root, column.path);
    output.columns = {builder.add(path)};
    output.kind = path.leaf().kind;
    output.unit = unit_of(*plan.root, path);
    output.enums = {path.leaf().enumeration};
    output.filled = fill;
    plan.outputs.push_back(std::move(output));
}

[[noreturn]] void refuse_rows(const std::string& why)
{
    throw Error(Cause::usage, "the columns do not fit into one table: " + why);
}

/// The level of the rows. Level 0 has the frames; what hangs on it are the fields of the first `[*]`.
std::size_t row_level(const PlanBuilder& builder, TableRows rows)
{
    if (rows == TableRows::frames || builder.levels.size() == 1) return 0;
    const auto only_child = [&](std::size_t level, const char* which) {
        const auto& children = builder.levels[level].children;
        if (children.size() > 1)
            refuse_rows(std::string("their ") + which + " [*] differ, expected the same field (or a row per frame)");
        return children.empty() ? none : children.front();
    };
    auto level = only_child(0, "first");
    if (rows == TableRows::innermost)
        for (auto next = level; next != none; next = only_child(level, "inner")) level = next;
    return level;
}

void add_leaves(const MessageTable& message, const std::string& before, const std::string& name_before,
                std::set<const MessageTable*>& open, std::vector<TableColumn>& to)
{
    if (!open.insert(&message).second) return;
    for (const auto place : message.declared_order) {
        const auto& field = message.fields[place];
        const auto name = std::string(field.name);
        const auto path = before + name + (field.repeated ? "[*]" : "");
        if (field.child == nullptr)
            to.push_back({name_before + name, path});
        else
            add_leaves(*field.child, path + '.', name_before + name + '.', open, to);
    }
    open.erase(&message);
}

std::string_view format_of(FieldKind kind) noexcept
{
    switch (kind) {
    case FieldKind::double_: return "g";
    case FieldKind::float_: return "f";
    case FieldKind::int64:
    case FieldKind::sfixed64:
    case FieldKind::sint64: return "l";
    case FieldKind::uint64:
    case FieldKind::fixed64: return "L";
    case FieldKind::uint32:
    case FieldKind::fixed32: return "I";
    case FieldKind::bool_: return "b";
    case FieldKind::string: return "u";
    case FieldKind::bytes: return "z";
    default: return "i";  // the index of an enum, too
    }
}

table::Type type_of(const TablePlan::Implementation& plan, const Output& output)
{
    table::Type type{.format = std::string(format_of(output.kind)), .nullable = !output.filled};
    if (output.kind == FieldKind::enumeration) type.dictionary.push_back({.format = "u"});
    const auto level = output.columns.empty() ? plan.row_level : plan.column_rows[output.columns.front()].level;
    const auto is_above_rows = [&] {
        for (auto at = plan.row_level; at != none; at = plan.levels[at].parent)
            if (at == level) return true;
        return false;
    };
    if (!is_above_rows()) {
        for (auto inner = level; inner != plan.row_level; inner = plan.levels[inner].parent) {
            type.name = "item";
            table::Type list{.format = "+l", .nullable = false};
            list.children.push_back(std::move(type));
            type = std::move(list);
        }
    }
    type.name = output.name;
    if (!output.unit.empty()) type.metadata.emplace_back("unit", output.unit);
    return type;
}

}  // namespace

TablePlan::TablePlan(std::shared_ptr<const Implementation> implementation) : implementation_(std::move(implementation))
{
}

TablePlan TablePlan::columns(std::shared_ptr<const Schema> schema, const MessageTable& root,
                             std::span<const TableColumn> columns, const TableOptions& options)
{
    const auto plan = std::make_shared<Implementation>();
    plan->schema = std::move(schema);
    plan->root = &root;
    PlanBuilder builder(root);
    for (const auto& column : columns) {
        try {
            add_output(builder, *plan, column, options.fill_defaults);
        } catch (const Error& error) {
            throw error.reworded("column '" + column.name + "': " + error.reason());
        }
    }
    plan->row_level = row_level(builder, options.rows);
    plan->take(std::move(builder));
    return TablePlan(plan);
}

TablePlan TablePlan::all_columns(std::shared_ptr<const Schema> schema, const MessageTable& root, bool fill_defaults)
{
    std::vector<TableColumn> leaves;
    std::set<const MessageTable*> open;
    add_leaves(root, "", "", open, leaves);
    return columns(std::move(schema), root, leaves, {.rows = TableRows::frames, .fill_defaults = fill_defaults});
}

const std::vector<TablePlan::Column>& TablePlan::columns() const noexcept { return implementation_->columns; }
bool TablePlan::has_lane_frame() const noexcept { return implementation_->lanes.has_value(); }
const MessageTable& TablePlan::root() const noexcept { return *implementation_->root; }

void TablePlan::export_schema(ArrowSchema* out) const
{
    table::Type type{.format = "+s", .nullable = false};
    for (const auto& output : implementation_->outputs) type.children.push_back(type_of(*implementation_, output));
    table::export_type(std::move(type), out);
}

}  // namespace ositrace
