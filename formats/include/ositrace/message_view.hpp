// SPDX-License-Identifier: MPL-2.0
// The one read-only cursor over a message in either encoding: no object is built, every access is bounds-checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/export.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

class MessageView;
class RepeatedView;

/// One value of a field. Integers of every kind are widened; an enum is its number (FieldRow::enumeration has the name).
/// std::monostate: not set.
using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, float, double, std::string_view, Bytes, MessageView>;

/// A message {bytes, table, format}: a value, cheap to copy. Borrows the bytes and the schema: both must outlive it
/// (a singular submessage that is split on the wire is viewed over a merged copy that the view owns).
/// Thread-safe to read. Every call throws Error (malformed, limit) with offset and field path when the bytes it touches are broken;
/// bytes that are never touched are never checked.
class OSITRACE_API MessageView {
public:
    /// The root of a payload. FlatBuffers: the header is checked; Protobuf: nothing is read yet.
    MessageView(Bytes payload, const MessageTable& table, Format format);

    [[nodiscard]] const MessageTable& table() const noexcept { return *table_; }
    [[nodiscard]] Format format() const noexcept { return format_; }

    /// Is the field present; of a repeated field: has it elements.
    [[nodiscard]] bool has(const FieldRow& field) const;
    /// The value of a singular field as stored, monostate when unset (proto2 defaults of OSI are all zero). Of duplicates the last
    /// wins, messages merge, as libprotobuf does.
    [[nodiscard]] Value get(const FieldRow& field) const;
    /// The elements of a repeated field, indexed once.
    [[nodiscard]] RepeatedView repeated(const FieldRow& field) const;
    /// Present fields, ascending by number, each once. `false` from the visitor stops.
    void for_each_field(const std::function<bool(const FieldRow&)>& visit) const;
    /// Fields at this level that the schema does not know (Protobuf: occurrences; FlatBuffers: slots in use).
    [[nodiscard]] std::size_t unknown_fields() const;

    /// Shorthands by number or name for singular fields; nullopt when unset or no such field in the schema.
    [[nodiscard]] std::optional<MessageView> message(std::uint32_t number) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::uint32_t number) const;
    [[nodiscard]] std::optional<double> real(std::uint32_t number) const;
    [[nodiscard]] Value operator[](std::string_view field_name) const;

private:
    friend class RepeatedView;
    friend struct ProtobufAccess;
    friend struct FlatAccess;
    MessageView() = default;

    Bytes bytes_;                      ///< Protobuf: the message; FlatBuffers: the whole buffer
    const MessageTable* table_ = nullptr;
    std::uint32_t position_ = 0;       ///< FlatBuffers: of the table in the buffer
    std::uint16_t depth_ = 0;
    Format format_;
    std::shared_ptr<const std::vector<std::byte>> merged_;  ///< of a split submessage
};

/// The elements of one repeated field. Copyable; keeps its element index, so `[i]` is O(1).
class OSITRACE_API RepeatedView {
public:
    [[nodiscard]] std::size_t size() const noexcept;
    /// i < size(); throws Error (usage) otherwise.
    [[nodiscard]] Value operator[](std::size_t i) const;
    [[nodiscard]] const FieldRow& field() const noexcept { return *field_; }

private:
    friend class MessageView;
    friend struct ProtobufAccess;
    friend struct FlatAccess;
    MessageView message_;
    const FieldRow* field_ = nullptr;
    std::shared_ptr<const std::vector<std::uint32_t>> offsets_;  ///< Protobuf: of each element in the message
    std::uint32_t vector_ = 0;                                   ///< FlatBuffers: of the first element
    std::uint32_t size_ = 0;
};

}  // namespace ositrace
