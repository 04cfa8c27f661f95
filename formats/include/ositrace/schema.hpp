// SPDX-License-Identifier: MPL-2.0
// A schema is data: a Protobuf FileDescriptorSet compiled into flat tables, one row per field.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/message_type.hpp>

namespace ositrace {

/// Numbers as in descriptor.proto (FieldDescriptorProto.Type). Groups do not appear: a schema with one is refused.
enum class FieldKind : std::uint8_t {
    double_ = 1,
    float_ = 2,
    int64 = 3,
    uint64 = 4,
    int32 = 5,
    fixed64 = 6,
    fixed32 = 7,
    bool_ = 8,
    string = 9,
    message = 11,
    bytes = 12,
    uint32 = 13,
    enumeration = 14,
    sfixed32 = 15,
    sfixed64 = 16,
    sint32 = 17,
    sint64 = 18,
};

/// A number, a bool or an enumerator: no message, string or bytes.
[[nodiscard]] constexpr bool is_scalar(FieldKind kind) noexcept
{
    return kind != FieldKind::message && kind != FieldKind::string && kind != FieldKind::bytes;
}

[[nodiscard]] constexpr bool is_real(FieldKind kind) noexcept
{
    return kind == FieldKind::double_ || kind == FieldKind::float_;
}

[[nodiscard]] constexpr bool is_unsigned(FieldKind kind) noexcept
{
    return kind == FieldKind::uint32 || kind == FieldKind::fixed32 || kind == FieldKind::uint64 ||
           kind == FieldKind::fixed64;
}

struct MessageTable;
struct EnumTable;

struct FieldRow {
    std::string_view name;
    std::uint32_t number = 0;
    FieldKind kind = FieldKind::double_;
    bool repeated = false;
    bool packed = false;                     ///< how it is written; both forms are read
    std::uint16_t index = 0;                 ///< place in MessageTable::fields
    std::uint16_t declared = 0;              ///< place in the .proto file, from 0: the slot in Layout::declared
    std::uint8_t wire_type = 0;              ///< of one element
    std::uint8_t flat_size = 0;              ///< bytes in the table or vector: 1, 4, 8 (references: 4)
    const MessageTable* child = nullptr;     ///< of a message field
    const EnumTable* enumeration = nullptr;  ///< of an enum field
    std::uint16_t oneof = 0;                 ///< which oneof of the message it is part of, from 1; 0: of none

    [[nodiscard]] std::uint16_t slot(Layout layout) const noexcept
    {
        return layout == Layout::numbered ? static_cast<std::uint16_t>(number - 1) : declared;
    }
};

struct EnumTable {
    struct Value {
        std::string_view name;
        std::int32_t number;
    };
    std::string_view full_name;
    std::string_view file;
    const MessageTable* parent = nullptr;
    std::vector<Value> values;  ///< as declared; aliases follow the value they repeat
    /// The first name of a number; empty when the schema does not know it.
    [[nodiscard]] OSITRACE_API std::string_view name_of(std::int32_t number) const noexcept;
};

struct MessageTable {
    std::string_view full_name;  ///< `osi3.MovingObject.VehicleClassification`
    std::string_view file;       ///< `osi_object.proto`
    std::uint16_t index = 0;     ///< place in Schema::messages()
    bool map_entry = false;
    std::uint16_t oneofs = 0;                   ///< how many it has
    const MessageTable* parent = nullptr;       ///< the message it is declared in
    std::vector<FieldRow> fields;               ///< ascending by number
    std::vector<std::uint16_t> declared_order;  ///< places in `fields`, as declared in the .proto file
    std::vector<std::uint16_t>
        by_small_number;  ///< number -> place in `fields` + 1, 0 = none; for numbers below its size

    /// The row of a field, or nullptr.
    [[nodiscard]] const FieldRow* find(std::uint32_t number) const noexcept
    {
        if (number < by_small_number.size()) {
            const auto place = by_small_number[number];
            return place == 0 ? nullptr : &fields[place - 1u];
        }
        return find_large(number);
    }
    [[nodiscard]] OSITRACE_API const FieldRow* find(std::string_view name) const noexcept;
    /// The row of a FlatBuffers slot, or nullptr.
    [[nodiscard]] OSITRACE_API const FieldRow* find_slot(std::uint32_t slot, Layout layout) const noexcept;

private:
    [[nodiscard]] OSITRACE_API const FieldRow* find_large(std::uint32_t number) const noexcept;
};

/// `3.8.0`
struct OSITRACE_API OsiVersion {
    std::uint32_t major = 0, minor = 0, patch = 0;
    friend auto operator<=>(const OsiVersion&, const OsiVersion&) = default;
    [[nodiscard]] std::string to_string() const;
};

/// Immutable once compiled; shared between threads without a lock. Rows and names live as long as the schema.
class OSITRACE_API Schema {
public:
    /// Bounds for descriptor sets from files. OSI 3.8.0 has 179 messages, 855 fields.
    static constexpr std::size_t max_messages = 20'000;
    static constexpr std::size_t max_fields = 200'000;
    /// A FlatBuffers vtable is addressed by 16 bits: (65 535 - 4) / 2 slots.
    static constexpr std::uint32_t max_slot_number = 32'765;

    /// Compiles a serialized FileDescriptorSet. Throws Error (malformed, limit, unsupported) naming file, message and
    /// field. Cost for OSI 3.8.0: under 2 ms.
    [[nodiscard]] static std::shared_ptr<const Schema> compile(Bytes descriptor_set);
    /// The set built into the library (OSI 3.8.0 unless built with another), compiled at first use.
    [[nodiscard]] static std::shared_ptr<const Schema> built_in();

    /// By full name, `osi3.SensorView`; nullptr when there is none.
    [[nodiscard]] const MessageTable* find(std::string_view full_name) const noexcept;
    /// The root table of a top-level type. Throws Error (mismatch) when this schema has none.
    [[nodiscard]] const MessageTable& root(MessageType type) const;
    [[nodiscard]] std::span<const std::unique_ptr<MessageTable>> messages() const noexcept { return messages_; }
    [[nodiscard]] std::span<const std::unique_ptr<EnumTable>> enums() const noexcept { return enums_; }
    /// The OSI release, from the file option `current_interface_version`; empty when the set has none.
    [[nodiscard]] const std::optional<OsiVersion>& osi_version() const noexcept { return osi_version_; }
    /// The descriptor set it was compiled from.
    [[nodiscard]] Bytes descriptor_set() const noexcept { return descriptor_set_; }

    Schema(const Schema&) = delete;
    Schema& operator=(const Schema&) = delete;
    ~Schema();

private:
    friend class SchemaCompiler;
    Schema();

    std::vector<std::byte> descriptor_set_;
    std::deque<std::string> names_;
    std::vector<std::unique_ptr<MessageTable>> messages_;
    std::vector<std::unique_ptr<EnumTable>> enums_;
    std::unordered_map<std::string_view, const MessageTable*> by_name_;
    std::optional<OsiVersion> osi_version_;
};

}  // namespace ositrace
