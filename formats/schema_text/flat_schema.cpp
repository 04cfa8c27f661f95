// SPDX-License-Identifier: MPL-2.0
#include "formats/schema_text/flat_schema.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_set>

#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

namespace {

constexpr std::string_view protobuf_package = "google.protobuf.";

template <class Row>
bool is_own(const Row& row, bool all)
{
    return all && !row.full_name.starts_with(protobuf_package);
}

/// Returns every name once; a name that is in use gets underscores at its end.
class FlatNames {
public:
    /// `MovingObject_Type`, clear of what flatc derives from other types' names (`MovingObjectT`,
    /// `MovingObjectBuilder`).
    std::string type_name(std::string_view full_name, std::string_view package);
    /// A field of `type`, clear of words that break the generated C++.
    std::string field_name(std::string_view name, std::string_view type);
    std::string enumerator_name(std::string_view name);

private:
    std::unordered_set<std::string> used_;
};

// Found by running flatc 2.0.8 with --gen-object-api and g++ over a list of suspects. C++ keywords are not among them:
// flatc escapes those.
constexpr std::array<std::string_view, 12> bad_field_names{
    "o",      "_o",      "_e",
    "_fbb",   "fbb",     "fbb_",             // parameters and locals of generated functions
    "UnPack", "Builder", "NativeTableType",  // members of every generated table
    "assert", "errno",   "NULL",             // macros
};
constexpr std::array<std::string_view, 16> bad_enumerators{
    "null",                                                       // a word of flatc
    "MIN",    "MAX",                                              // flatc adds these
    "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS",  // <math.h>; matter with --scoped-enums
    "EOF",    "NULL", "NAN",      "INFINITY",  "HUGE",  "errno", "assert",
};

constexpr std::size_t most_underscores = 100;

template <std::size_t N>
bool among(const std::array<std::string_view, N>& words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string upper_case(std::string text)
{
    for (auto& letter : text)
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    return text;
}

/// `osi3.MovingObject.Type` -> `osi3`; empty when there is no package.
std::string_view package_of(std::string_view full_name, const MessageTable* parent) noexcept
{
    while (parent != nullptr) {
        full_name = parent->full_name;
        parent = parent->parent;
    }
    const auto dot = full_name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : full_name.substr(0, dot);
}

/// `osi3` -> `osi3_flat`: protoc's and flatc's code can then be included together. No package: `flat`.
std::string flat_namespace(std::string_view package)
{
    if (package.empty()) return "flat";
    const auto dot = std::min(package.find('.'), package.size());
    return std::string(package.substr(0, dot)) + "_flat" + std::string(package.substr(dot));
}

std::string FlatNames::type_name(std::string_view full_name, std::string_view package)
{
    std::string name(package.empty() ? full_name : full_name.substr(package.size() + 1));
    std::replace(name.begin(), name.end(), '.', '_');
    const auto space = std::string(package) + '.';
    const auto is_used = [&](const std::string& wanted) {
        return used_.contains(space + wanted) || used_.contains(space + wanted + 'T') ||
               used_.contains(space + wanted + "Builder");
    };
    while (is_used(name)) name += '_';
    for (const auto* const derived : {"", "T", "Builder"}) used_.insert(space + name + derived);
    return name;
}

std::string FlatNames::field_name(std::string_view name, std::string_view type)
{
    const bool bad = among(bad_field_names, name) || among(bad_enumerators, name) || name == type;
    auto result = std::string(name) + (bad ? "_" : "");
    // The generated code has a constant per field, VT_NAME, so names that differ in case only clash too.
    while (!used_.insert(upper_case(result)).second) {
        result += '_';
        if (result.size() > name.size() + most_underscores)
            throw Error(Cause::unsupported, std::string(type) + " has too many fields whose names differ in case only");
    }
    return result;
}

std::string FlatNames::enumerator_name(std::string_view name)
{
    auto result = std::string(name) + (among(bad_enumerators, name) ? "_" : "");
    while (!used_.insert(result).second) result += '_';
    return result;
}

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

Selection reachable(const Schema& schema, std::optional<MessageType> type)
{
    std::vector<const MessageTable*> open;
    if (type) open.push_back(&schema.root(*type));
    for (const auto& table : schema.messages())
        if (is_own(*table, !type)) open.push_back(table.get());

    std::unordered_set<const void*> wanted(open.begin(), open.end());
    while (!open.empty()) {
        const auto& table = *open.back();
        open.pop_back();
        for (const auto& field : table.fields) {
            if (field.enumeration != nullptr) wanted.insert(field.enumeration);
            if (field.child != nullptr && wanted.insert(field.child).second) open.push_back(field.child);
        }
    }

    Selection selection;
    for (const auto& table : schema.messages())
        if (wanted.contains(table.get())) selection.messages.push_back(table.get());
    for (const auto& table : schema.enums())
        if (wanted.contains(table.get()) || is_own(*table, !type)) selection.enums.push_back(table.get());
    return selection;
}

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
            throw Error(Cause::limit,
                        "the number of fields, with placeholders for unused numbers, exceeds the limit of 1000000");
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
