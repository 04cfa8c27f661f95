// SPDX-License-Identifier: MPL-2.0
// Descriptor sets from strangers: refused, or compiled into tables that hold together, print and convert.
#include <algorithm>
#include <string>

#include <ositrace/schema_text.hpp>

#include "tests/fuzz/conversion.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

constexpr std::size_t roots_tried = 3;
constexpr std::uint32_t printed_slots = 2000;  // larger schemas are as good and take long

void check_table(const MessageTable& table, const Schema& schema)
{
    check(schema.find(table.full_name) == &table, "a message is found by its name");
    for (const auto& field : table.fields) {
        check(table.find(field.number) == &field, "a field is found by its number");
        check(&table.fields[field.index] == &field, "a field knows its place");
        check(&table.fields[table.declared_order[field.declared]] == &field, "a field knows where it was declared");
        check((field.kind == FieldKind::message) == (field.child != nullptr), "a message field has a type");
        check((field.kind == FieldKind::enumeration) == (field.enumeration != nullptr), "an enum field has a type");
        if (field.number <= Schema::max_slot_number)
            check(table.find_slot(field.slot(Layout::numbered), Layout::numbered) == &field,
                  "a field is found by its slot");
    }
}

void print(const Schema& schema)
{
    std::uint32_t slots = 0;
    for (const auto& table : schema.messages())
        if (!table->fields.empty()) slots += std::min(table->fields.back().number, Schema::max_slot_number);
    if (slots > printed_slots) return;
    for (const auto layout : {Layout::numbered, Layout::declared}) {
        attempt([&] { return flatbuffers_schema(schema, {layout, std::nullopt}); });
        attempt([&] { return schema_listing(schema, {layout, std::nullopt}); });
        for (const auto& type : message_types())
            attempt([&] {
                const auto binary = flatbuffers_binary_schema(schema, {layout, type.type});
                return std::string(text_of(binary));
            });
    }
}

/// The set itself is Protobuf: as good a payload as any.
void convert(const Schema& schema, Bytes payload)
{
    const Format flat{Encoding::flatbuffers, Layout::numbered};
    for (std::size_t i = 0; i != std::min(schema.messages().size(), roots_tried); ++i) {
        const auto& root = *schema.messages()[i];
        const auto there = Conversion(root, {}, flat)(payload);
        if (there.done())
            check(Conversion(root, flat, {}, true, max_encodable_bytes)(there.view()).done(),
                  "what was written can be read");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const Bytes set(reinterpret_cast<const std::byte*>(data), size);
    const auto compiled = attempt([&] {
        const auto schema = Schema::compile(set);
        for (const auto& table : schema->messages()) check_table(*table, *schema);
        print(*schema);
        convert(*schema, set);
        return "";
    });
    const bool says_where = compiled.error.starts_with("schema ") || compiled.error.starts_with("byte ");
    check(compiled.done() || says_where || compiled.error == "the descriptor set declares neither messages nor enums",
          "an error says where", compiled.error);
    return 0;
}
