// SPDX-License-Identifier: MPL-2.0
// Columns from FlatBuffers. Tables of one kind share a few vtables: where its fields are is looked up once per
// vtable.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <ositrace/schema.hpp>

#include "formats/columns/column_plan.hpp"
#include "formats/flatbuffers/table.hpp"

namespace ositrace {

/// Reads the elements of one parent.
class FlatColumns {
public:
    /// `plan` must outlive it.
    explicit FlatColumns(const ColumnPlan& plan) : root_(plan) {}

    /// Follows every `every`th of the offsets at `elements`. Throws Error (malformed) with the position.
    void read(const flat::Buffer& buffer, Layout layout, flat::Vector elements, std::size_t every, ColumnStore& to);

private:
    /// What a vtable says of the fields that are wanted.
    struct Known {
        struct Value {
            std::uint16_t offset;  ///< from the start of the table
            std::uint8_t column;
            const FieldRow* field;
        };
        struct Child {
            std::uint16_t offset;
            std::size_t node;  ///< place in Node::children
        };
        std::uint32_t vtable_position = 0;  ///< 0: nothing known
        std::uint32_t extent = 0;           ///< bytes of the table that are touched
        std::vector<Value> values;
        std::vector<std::uint8_t> present;  ///< columns of messages
        std::vector<Child> children;
    };
    /// A plan, and what is known of the vtables of its tables in the buffer at hand.
    struct Node {
        static constexpr std::size_t remembered = 4;
        explicit Node(const ColumnPlan& of);
        void forget() noexcept;

        const ColumnPlan* plan;
        std::vector<const FieldRow*> child_fields;
        std::vector<Node> children;  ///< of `child_fields`
        std::array<Known, remembered> known;
        std::size_t next = 0;
    };
    /// Null: its vtable is a new one.
    static const Known* find(const Node& node, const flat::Buffer& buffer, std::uint32_t table);
    static const Known& learn(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table);
    static void learn(Known& known, const Node& node, const flat::Buffer& buffer, Layout layout,
                      const flat::Vtable& vtable);
    static void read_table(Node& node, const flat::Buffer& buffer, Layout layout, std::uint32_t table, ColumnStore& to);

    /// What one read() is about.
    struct Reading {
        const flat::Buffer& buffer;
        Layout layout;
        ColumnStore& to;
        int mixed_blocks = 0;  ///< that had to be read row by row
    };
    /// Tables of one vtable that become rows at once.
    struct Block {
        const Known* known = nullptr;
        std::array<std::uint32_t, block_rows> tables;
        std::size_t count = 0;
    };
    /// Columns of a block.
    struct Filled {
        std::uint32_t values = 0;   ///< bits
        std::uint32_t present = 0;  ///< of messages
    };
    /// False: tables below do not have one vtable each, or are broken; nothing that was written counts.
    static bool fill(Node& node, const Known& known, Reading& reading, std::span<const std::uint32_t> tables,
                     Filled& filled);
    static bool fill_child(Node& node, Reading& reading, std::span<const std::uint32_t> offsets, Filled& filled);
    void read_row(Reading& reading, std::uint32_t table);
    void take(Block& block, Reading& reading);
    std::size_t run(Block& block, Reading& reading, std::uint32_t slot, std::size_t step, std::size_t count);
    void read_element(Block& block, Reading& reading, std::uint32_t table);

    Node root_;
};

}  // namespace ositrace
