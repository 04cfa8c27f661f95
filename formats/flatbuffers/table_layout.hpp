// SPDX-License-Identifier: MPL-2.0
// Where the fields of a FlatBuffers table are. The format leaves the rule open and decides the bytes we write, so it is
// in one place:
//
//   table (8-aligned): soffset (4 bytes) | one 4-byte field, or up to four 1-byte fields, where an 8-byte field follows
//   and would leave a gap | 8-byte fields | 4-byte fields | 1-byte fields; within a size ascending by number. vtable:
//   directly before the first table of the buffer that needs it, padded so that the table is 8-aligned.
//
// It depends on the type and on which fields are present, on nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include <ositrace/encoding.hpp>
#include <ositrace/schema.hpp>

#include "formats/flatbuffers/flat_output.hpp"

namespace ositrace {

/// Which fields of a table are present: bit i of the words = MessageTable::fields[i].
using Presence = std::span<const std::uint64_t>;

struct TableLayout {
    std::vector<std::uint64_t> presence;
    struct Place {
        std::uint16_t field;   ///< place in MessageTable::fields
        std::uint16_t offset;  ///< from the start of the table
        std::uint16_t slot;
    };
    std::vector<Place> scalars;     ///< ascending by number
    std::vector<Place> references;  ///< strings, vectors, tables: ascending by number
    std::uint32_t table_bytes = 0;
    std::uint32_t vtable_bytes = 0;
    std::uint64_t buffer = 0;  ///< number of the buffer that vtable_position belongs to
    std::uint32_t vtable_position = 0;

    /// Appends the vtable to the buffer, so that the table may follow at once.
    void write_vtable(FlatOutput& out);
};

/// The layouts of one type, computed at first need.
class LayoutCache {
public:
    static constexpr std::size_t max_layouts_kept = 1024;  // per type; real traces need a handful

    LayoutCache(const MessageTable& table, Layout layout);

    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    TableLayout& find(Presence presence);
    /// More layouts than real traces have: a hostile input made us learn them.
    [[nodiscard]] bool overgrown() const noexcept;
    /// Forgets all layouts. Not while a buffer is being written.
    void clear();

private:
    std::unique_ptr<TableLayout> compute(Presence presence) const;
    TableLayout& find_or_compute(Presence presence, std::uint64_t hash);

    const MessageTable* table_;
    Layout layout_;
    std::size_t words_;
    std::unordered_multimap<std::uint64_t, std::unique_ptr<TableLayout>> layouts_;  ///< by hash of the presence
    std::array<TableLayout*, 8> recent_{};                                          ///< by its highest bits
};

}  // namespace ositrace
