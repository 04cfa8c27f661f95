// SPDX-License-Identifier: MPL-2.0
// Most elements look like one that was read before: their structure is compared at once, and their values are where
// they were then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/structure_mask.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

/// What the walk of an element has done, and which of its bytes decided that.
struct Recording {
    struct Step {
        enum class What : std::uint8_t { set, set_zero, set_text, begin_entry, end_entry };
        What what;
        const FieldRow* field = nullptr;
        ColumnData* column = nullptr;
        LevelData* level = nullptr;
        std::uint32_t from = 0;  ///< in the element
        std::uint32_t bytes = 0;
    };
    explicit Recording(Bytes element) : start(element.data()), mask(element.size(), std::byte{0xff}) {}

    /// These bytes are a value; of a varint the continuation bits are structure.
    void value(const std::byte* from, const std::byte* to, std::uint8_t wire_type);
    void step(Step::What what, const FieldRow* field, ColumnData* column, LevelData* level, Bytes value)
    {
        steps.push_back({what, field, column, level, static_cast<std::uint32_t>(value.data() - start),
                         static_cast<std::uint32_t>(value.size())});
    }
    void zero(ColumnData* column, LevelData* level) { steps.push_back({Step::What::set_zero, nullptr, column, level}); }
    void entry(Step::What what, LevelData* level) { steps.push_back({what, nullptr, nullptr, level}); }

    const std::byte* start;
    std::vector<std::byte> mask;
    std::vector<Step> steps;
    bool depends_on_values = false;  ///< then no other element is known to be read alike
};

class Shape {
public:
    static constexpr std::uint32_t max_element_bytes = 8192;

    Shape(Bytes element, const Recording& recording, const LevelData& level);

    /// Is an element of its length alike?
    [[nodiscard]] bool matches(const std::byte* element) const noexcept { return structure_.matches(element); }
    [[nodiscard]] std::size_t memory() const noexcept
    {
        return structure_.memory() + steps_.size() * sizeof(Recording::Step);
    }
    /// In the open entry.
    void read(const std::byte* element, Store& store) const;
    /// Has it values of the entry alone, so that many elements are read column by column?
    [[nodiscard]] bool is_flat() const noexcept { return is_flat_; }
    /// Of a flat shape: entries of their own.
    void read_all(std::span<const std::byte* const> elements, Store& store, LevelData& level, ColumnData* source,
                  std::uint64_t source_bits) const;

private:
    StructureMask structure_;
    std::vector<Recording::Step> steps_;
    bool is_flat_ = true;
};

}  // namespace ositrace::table
