// SPDX-License-Identifier: MPL-2.0
// The one read-only cursor over a message in either encoding: no object is built, every access is bounds-checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
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
struct MergedMessage;

/// One value of a field. Integers of every kind are widened; an enum is its number (FieldRow::enumeration has the
/// name). std::monostate: not set.
using Value = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, float, double, std::string_view, Bytes,
                           MessageView>;

/// Where a field is in the bytes of a Protobuf message.
struct WirePlace {
    std::uint32_t count = 0;  ///< occurrences on the wire; 0: not set
    std::uint32_t last = 0;   ///< of the value of the last one, after its tag
};

/// A message {bytes, table, format}: a value, cheap to copy. Borrows the bytes and the schema: both must outlive it
/// (a singular submessage that is split on the wire is scanned in a merged copy that the view owns; strings, bytes and
/// messages that it returns are still in the original). Thread-safe to read. Scalars are read without allocating.
/// Every call throws Error (malformed, limit) with the offset in the payload and the name of the field when the bytes
/// it touches are broken, and Error (usage) for a field of another message; bytes that are never touched are never
/// checked.
class OSITRACE_API MessageView {
public:
    /// The root of a payload. FlatBuffers: the header is checked; Protobuf: nothing is read yet.
    MessageView(Bytes payload, const MessageTable& table, Format format);

    [[nodiscard]] const MessageTable& table() const noexcept { return *table_; }
    [[nodiscard]] Format format() const noexcept { return format_; }
    /// The bytes of a Protobuf message as they are on the wire (of a split submessage: joined); nullopt in
    /// FlatBuffers.
    [[nodiscard]] std::optional<Bytes> wire_bytes() const noexcept
    {
        return is_protobuf() ? std::optional(bytes_) : std::nullopt;
    }

    /// Is the field present; of a repeated field: has it elements.
    [[nodiscard]] bool has(const FieldRow& field) const;
    /// The value of a singular field as stored, monostate when unset (proto2 defaults of OSI are all zero). Of
    /// duplicates the last wins, messages merge, as libprotobuf does.
    [[nodiscard]] Value get(const FieldRow& field) const;
    /// The bits of a singular scalar as a FlatBuffer holds them, zero-extended; nullopt when unset. See
    /// scalar_value.hpp.
    [[nodiscard]] std::optional<std::uint64_t> stored_scalar(const FieldRow& field) const;
    /// The elements of a repeated field, indexed once.
    [[nodiscard]] RepeatedView repeated(const FieldRow& field) const;
    /// The elements of a repeated field in order, without an index. `false` from the visitor stops.
    void for_each_element(const FieldRow& field, const std::function<bool(const Value&)>& visit) const;
    /// Present fields, ascending by number, each once. `false` from the visitor stops.
    void for_each_field(const std::function<bool(const FieldRow&)>& visit) const;
    /// Fields at this level that the schema does not know (Protobuf: occurrences; FlatBuffers: slots in use).
    [[nodiscard]] std::size_t unknown_fields() const;

    /// For one who asks for many fields of a Protobuf message: the places of all in one scan. `places`: one for each
    /// field of the table, all empty.
    void find_fields(std::span<WirePlace> places) const;
    /// stored_scalar() and, of a singular string, bytes or message field, get(), where the place is known and not
    /// empty.
    [[nodiscard]] std::uint64_t scalar_at(const FieldRow& field, WirePlace place) const;
    [[nodiscard]] Value reference_at(const FieldRow& field, WirePlace place) const;

    /// Shorthands by number or name for singular fields; nullopt when unset, or when the schema has no such field of
    /// that kind.
    [[nodiscard]] std::optional<MessageView> message(std::uint32_t number) const;
    /// Integers, enums and bool; an uint64 keeps its bits.
    [[nodiscard]] std::optional<std::int64_t> integer(std::uint32_t number) const;
    /// Any number.
    [[nodiscard]] std::optional<double> real(std::uint32_t number) const;
    [[nodiscard]] std::optional<std::string_view> text(std::uint32_t number) const;
    [[nodiscard]] Value operator[](std::string_view field_name) const;

private:
    friend class RepeatedView;
    friend class ColumnReader;
    friend struct ProtobufAccess;
    friend struct FlatAccess;
    MessageView() = default;
    [[nodiscard]] bool is_protobuf() const noexcept { return format_.encoding == Encoding::protobuf; }
    [[nodiscard]] const FieldRow* singular(std::uint32_t number) const noexcept;
    void check_field(const FieldRow& field, bool repeated) const;

    Bytes bytes_;  ///< Protobuf: the message; FlatBuffers: the whole buffer
    const MessageTable* table_ = nullptr;
    std::uint32_t position_ = 0;  ///< in the payload. Protobuf: of the message; FlatBuffers: of the table
    std::uint16_t depth_ = 0;
    Format format_;
    std::shared_ptr<const MergedMessage> merged_;  ///< of a split submessage: what bytes_ refers to
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

/// The value as a number, where it is one; a bool is 0 or 1.
[[nodiscard]] OSITRACE_API std::optional<double> as_real(const Value& value) noexcept;
/// Integers, enums and bool; an uint64 keeps its bits.
[[nodiscard]] OSITRACE_API std::optional<std::int64_t> as_integer(const Value& value) noexcept;

}  // namespace ositrace
