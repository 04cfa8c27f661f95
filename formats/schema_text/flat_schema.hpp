// SPDX-License-Identifier: MPL-2.0
// A schema as FlatBuffers sees it; the text and the binary form are both printed from this.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/schema.hpp>
#include <ositrace/schema_text.hpp>

namespace ositrace {

/// A part of a schema, in the order of the schema.
struct Selection {
    std::vector<const MessageTable*> messages;
    std::vector<const EnumTable*> enums;
};

/// The types that a top-level type consists of. Without a type: everything but google/protobuf's own messages that
/// nothing refers to. Throws Error (mismatch) when the schema does not have the type.
[[nodiscard]] Selection reachable(const Schema& schema, std::optional<MessageType> type);

struct FlatField {
    std::string name;
    std::uint16_t id = 0;
    const FieldRow* row = nullptr;  ///< nullptr: a placeholder that fills a gap between numbers
};

struct FlatObject {
    std::string name_space;
    std::string name;
    const MessageTable* table = nullptr;
    std::vector<FlatField> fields;  ///< ascending by id, no id missing
};

struct FlatEnumerator {
    std::string name;
    std::string_view proto_name;
    std::int32_t number = 0;
    std::vector<std::string_view> aliases;  ///< other names of the number: FlatBuffers has none
};

struct FlatEnum {
    std::string name_space;
    std::string name;
    const EnumTable* table = nullptr;
    std::vector<FlatEnumerator> values;  ///< ascending by number
};

struct FlatSchema {
    std::vector<FlatObject> objects;
    std::vector<FlatEnum> enums;
    std::unordered_map<const MessageTable*, std::size_t> object_of;  ///< place in objects
    std::unordered_map<const EnumTable*, std::size_t> enum_of;
    const FlatObject* root = nullptr;
    std::string_view file_identifier;

    /// The field's type: what it refers to.
    [[nodiscard]] const FlatObject& object(const MessageTable& table) const { return objects[object_of.at(&table)]; }
    [[nodiscard]] const FlatEnum& enumeration(const EnumTable& table) const { return enums[enum_of.at(&table)]; }
};

/// Selects and names. Throws Error (mismatch, unsupported).
[[nodiscard]] FlatSchema flat_schema(const Schema& schema, const SchemaTextOptions& options);

}  // namespace ositrace
