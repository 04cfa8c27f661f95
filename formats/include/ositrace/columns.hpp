// SPDX-License-Identifier: MPL-2.0
// Columns: the numbers of many elements (reflections, detections, objects) as arrays, straight from the wire of either
// encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/export.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

namespace ositrace {

/// Reads some fields of every element of a repeated message field into arrays. No object is built. Bytes that are read
/// are checked, other bytes are not (of elements that `every` skips only the length is read in Protobuf, and nothing in
/// FlatBuffers). Keeps its memory and the learned shapes of the elements: use one per thread and reuse it. The schema
/// must outlive it.
class OSITRACE_API ColumnReader {
public:
    static constexpr std::size_t max_leaves = 32;

    /// `elements`: a repeated message field. `leaves`: at most max_leaves paths below an element, without repeated
    /// fields: `base.position.x`; of a path to a message only the presence is read. Throws Error (usage) for other
    /// paths.
    ColumnReader(const FieldRow& elements, std::span<const std::string_view> leaves);
    ColumnReader(ColumnReader&&) noexcept;
    ColumnReader& operator=(ColumnReader&&) noexcept;
    ~ColumnReader();

    /// Replaces the contents by the elements 0, `every`, 2 * `every` ... of `message`, whose bytes are borrowed until
    /// element() has been called for the last time. Throws Error (malformed, limit) with the offset in the payload;
    /// the columns are then undefined.
    void read(const MessageView& message, std::size_t every = 1);

    /// No rows; the memory is kept.
    void clear() noexcept;
    /// Clears the rows and reserves memory for `rows` rows, which read() otherwise grows step by step. Pass a counted
    /// number, not one that a file states.
    void reserve(std::size_t rows);

    /// Elements read: one row each.
    [[nodiscard]] std::size_t rows() const noexcept;
    /// Number of elements in the message.
    [[nodiscard]] std::size_t elements() const noexcept;
    /// The column of a double or float leaf, by its place in `leaves`; 0 where it is not set. Until the next read().
    [[nodiscard]] std::span<const double> reals(std::size_t leaf) const;
    /// The column of an integer, enum or bool leaf as 64 bits, signed ones sign-extended; 0 where it is not set. Until
    /// the next read().
    [[nodiscard]] std::span<const std::uint64_t> integers(std::size_t leaf) const;
    [[nodiscard]] bool has(std::size_t leaf, std::size_t row) const noexcept;
    /// has() of whole rows: bit `leaf` of each. Until the next read().
    [[nodiscard]] std::span<const std::uint32_t> presence() const noexcept;
    /// The element of a row, for fields without a column.
    [[nodiscard]] MessageView element(std::size_t row) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
