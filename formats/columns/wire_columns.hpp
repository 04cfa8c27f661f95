// SPDX-License-Identifier: MPL-2.0
// Columns from Protobuf. Most elements look like one that was read before: their structure is compared at once, and the
// values are where they were then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/columns/column_plan.hpp"
#include "formats/core/learned_shapes.hpp"
#include "formats/protobuf/structure_mask.hpp"

namespace ositrace {

/// Where a broken field starts.
struct BrokenWire {
    const std::byte* start;
    const std::byte* end;  ///< of the message that contains it
    const MessageTable* table;
};

/// What one element looked like.
class ElementShape {
public:
    static constexpr std::uint32_t max_element_bytes = 8192;

    /// Nothing for an element that is not worth it. `element` is whole.
    static std::unique_ptr<ElementShape> make(Bytes element, const ColumnPlan& plan, std::size_t columns);

    /// Is an element of its length alike?
    [[nodiscard]] bool matches(const std::byte* element) const noexcept { return structure_.matches(element); }
    [[nodiscard]] std::size_t memory() const noexcept
    {
        return 4 * structure_.memory() + (eights_.size() + others_.size()) * sizeof(Value);
    }
    /// Writes a row for each element, for which there is room. `Elements`: their number, size(), and where each starts,
    /// operator[].
    template <class Elements>
    void read(const Elements& elements, ColumnStore& to) const noexcept;
    /// Of elements with `head`, tag and length, before them.
    [[nodiscard]] const StructureMask& structure_with(Bytes head, Bytes element);
    /// The same elements, each with its head, `count` at most: writes rows as long as they match, several at once, and
    /// leaves the last ones. Returns the number of rows. There is room for all.
    [[nodiscard]] std::size_t read_shuffled(const std::byte* first, std::size_t count, ColumnStore& to) const noexcept;

private:
    struct Value {
        std::uint32_t from;
        std::uint8_t length;
        std::uint8_t column;
        const FieldRow* field;
    };
    struct Recording;

    StructureMask structure_;
    std::vector<std::byte> mask_, head_;           ///< of structure_ and of run_structure_
    std::vector<std::byte> run_front_, run_mask_;  ///< of an element with its head: its bytes, and which are structure
    StructureMask run_structure_;
    std::vector<Value> eights_;  ///< doubles
    std::vector<Value> others_;
    std::vector<std::uint8_t> unset_;  ///< columns
    std::uint32_t presence_ = 0;
};

/// Where the rows of a parent have their elements.
class RowPlaces {
public:
    void clear() noexcept { runs_.clear(); }
    /// A row, or many, `stride` bytes after each other.
    void add(std::size_t row, std::uint32_t place, std::uint32_t stride = 0) { runs_.push_back({row, place, stride}); }
    [[nodiscard]] std::uint32_t of(std::size_t row) const noexcept
    {
        const auto next = std::ranges::upper_bound(runs_, row, {}, &Run::first_row);
        const auto& run = *std::prev(next);
        return run.place + static_cast<std::uint32_t>(row - run.first_row) * run.stride;
    }

private:
    struct Run {
        std::size_t first_row;
        std::uint32_t place, stride;
    };
    std::vector<Run> runs_;
};

/// Reads the elements of one parent.
class WireColumns {
public:
    /// `plan` and `elements` must outlive it.
    WireColumns(const FieldRow& elements, const ColumnPlan& plan) noexcept : elements_(&elements), plan_(&plan) {}

    /// The payload of the parent. `places` gets where the value (length and payload) of each row starts. Throws
    /// BrokenWire.
    std::size_t read(Bytes parent, std::size_t every, ColumnStore& to, RowPlaces& places);

private:
    struct Walk;
    void read_element(Bytes element, ColumnStore& to);
    void run(Walk& walk, const std::byte* first);
    static void run_of_all(Walk& walk, ElementShape& shape, Bytes head, Bytes element, std::size_t tag_bytes);

    const FieldRow* elements_;
    const ColumnPlan* plan_;
    ShapesByLength<ElementShape> shapes_;
};

}  // namespace ositrace
