// SPDX-License-Identifier: MPL-2.0
#include <ositrace/schema_text.hpp>

#include "formats/schema_text/flat_schema.hpp"

namespace ositrace {

namespace {

std::string_view kind_name(FieldKind kind)
{
    switch (kind) {
    case FieldKind::double_: return "double";
    case FieldKind::float_: return "float";
    case FieldKind::int64: return "int64";
    case FieldKind::uint64: return "uint64";
    case FieldKind::int32: return "int32";
    case FieldKind::fixed64: return "fixed64";
    case FieldKind::fixed32: return "fixed32";
    case FieldKind::bool_: return "bool";
    case FieldKind::string: return "string";
    case FieldKind::bytes: return "bytes";
    case FieldKind::uint32: return "uint32";
    case FieldKind::sfixed32: return "sfixed32";
    case FieldKind::sfixed64: return "sfixed64";
    case FieldKind::sint32: return "sint32";
    case FieldKind::sint64: return "sint64";
    case FieldKind::message:
    case FieldKind::enumeration: break;
    }
    return {};
}

std::string_view type_name(const FieldRow& row)
{
    if (row.child != nullptr) return row.child->full_name;
    if (row.enumeration != nullptr) return row.enumeration->full_name;
    return kind_name(row.kind);
}

std::string padded(std::string text, std::size_t width)
{
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

void list(const MessageTable& table, Layout layout, std::string& text)
{
    text.append("message ").append(table.full_name).append("  (").append(table.file).append(")\n");
    for (const auto& row : table.fields) {
        text += padded(std::to_string(row.number), 6) + "  slot " + padded(std::to_string(row.slot(layout)), 4) + "  ";
        text.append(row.repeated ? "repeated " : "").append(type_name(row)).append(" ").append(row.name);
        text += row.packed ? " [packed]\n" : "\n";
    }
    text += '\n';
}

void list(const EnumTable& table, std::string& text)
{
    text.append("enum ").append(table.full_name).append("  (").append(table.file).append(")\n");
    for (const auto& value : table.values) {
        text += padded(std::to_string(value.number), 6) + "  ";
        text.append(value.name);
        const auto first = table.name_of(value.number);
        if (first != value.name) text.append("  alias of ").append(first);
        text += '\n';
    }
    text += '\n';
}

}  // namespace

std::string schema_listing(const Schema& schema, const SchemaTextOptions& options)
{
    const auto selected = reachable(schema, options.type);
    std::string text;
    for (const auto* const table : selected.messages) list(*table, options.layout, text);
    for (const auto* const table : selected.enums) list(*table, text);
    if (!text.empty()) text.pop_back();
    return text;
}

}  // namespace ositrace
