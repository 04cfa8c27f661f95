// SPDX-License-Identifier: MPL-2.0
#include "formats/schema_text/flat_schema.hpp"

#include <algorithm>

#include <ositrace/error.hpp>

#include "formats/schema_text/flat_names.hpp"
#include "formats/schema_text/reachable.hpp"

namespace ositrace {

namespace {

/// Placeholders for gaps in the numbers included. OSI 3.8.0 with all its types has 6 thousand.
constexpr std::size_t max_printed_fields = 1'000'000;

FlatObject object_of(const MessageTable& table, Layout layout, std::string_view package, std::string name)
{
    FlatObject object{flat_namespace(package), std::move(name), &table, {}};
    FlatNames names;
    for (const auto& row : table.fields) {
        if (row.repeated && row.kind == FieldKind::bytes)
            throw Error(Cause::unsupported, std::string(table.full_name) + '.' + std::string(row.name) +
                                                " is repeated bytes, which a FlatBuffers schema cannot say");
        object.fields.push_back({names.field_name(row.name, object.name), row.slot(layout), &row});
    }
    std::sort(object.fields.begin(), object.fields.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    std::vector<FlatField> dense;
    for (auto& field : object.fields) {
        while (dense.size() < field.id) {
            const auto id = static_cast<std::uint16_t>(dense.size());
            dense.push_back({names.field_name("unused_" + std::to_string(id + 1), object.name), id, nullptr});
        }
        dense.push_back(std::move(field));
    }
    object.fields = std::move(dense);
    return object;
}

FlatEnum enum_of(const EnumTable& table, std::string_view package, std::string name)
{
    FlatEnum result{flat_namespace(package), std::move(name), &table, {}};
    FlatNames names;
    std::unordered_map<std::int32_t, std::size_t> first;
    for (const auto& value : table.values) {
        const auto [known, is_new] = first.try_emplace(value.number, result.values.size());
        if (!is_new)
            result.values[known->second].aliases.push_back(value.name);
        else
            result.values.push_back({names.enumerator_name(value.name), value.name, value.number, {}});
    }
    std::sort(result.values.begin(), result.values.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    return result;
}

}  // namespace

FlatSchema flat_schema(const Schema& schema, const SchemaTextOptions& options)
{
    const auto selected = reachable(schema, options.type);
    FlatSchema result;
    FlatNames names;
    std::size_t fields = 0;
    for (const auto* const table : selected.messages) {
        if (!table->fields.empty())
            fields += options.layout == Layout::numbered ? table->fields.back().number : table->fields.size();
        if (fields > max_printed_fields)
            throw Error(
                Cause::limit,
                "the FlatBuffers schema would have more than 1000000 fields, placeholders for unused numbers included");
        const auto package = package_of(table->full_name, table->parent);
        result.object_of.emplace(table, result.objects.size());
        result.objects.push_back(
            object_of(*table, options.layout, package, names.type_name(table->full_name, package)));
    }
    for (const auto* const table : selected.enums) {
        const auto package = package_of(table->full_name, table->parent);
        result.enum_of.emplace(table, result.enums.size());
        result.enums.push_back(enum_of(*table, package, names.type_name(table->full_name, package)));
    }
    if (options.type) {
        result.root = &result.object(schema.root(*options.type));
        result.file_identifier = row_of(*options.type).file_identifier[static_cast<std::size_t>(options.layout)];
    }
    return result;
}

}  // namespace ositrace
