// SPDX-License-Identifier: MPL-2.0
// A shape is what one element looked like: the bytes of its Protobuf form that are structure (tags, lengths, varint
// continuation bits), the image of its FlatBuffers form, and the list of values that differ from element to element. An
// element of the same shape is converted by comparing the structure, copying the image and storing the values: no field
// is looked at.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/flatbuffers/flat_output.hpp"
#include "formats/flatbuffers/table_layout.hpp"
#include "formats/protobuf/structure_mask.hpp"
#include "formats/transcode/sorted_values.hpp"

namespace ositrace {

/// What the slow path notes while it converts one element, so that it can become a shape.
struct ShapeRecording {
    /// How a value gets into the output. Varints first.
    enum class Copy : std::uint8_t {
        byte_to_1,  ///< a varint of one byte: bool
        byte_to_4,
        byte_to_8,
        pair_to_8,  ///< a varint of two bytes
        ten_to_8,   ///< of ten: the number that stands for no object
        varint,     ///< any other
        bytes4,
        bytes8,
        triple,  ///< three doubles with tags of one byte, which a FlatBuffer holds side by side
        text,
    };
    struct Value {
        const std::byte* from;
        std::uint32_t to;      ///< position in the output
        std::uint32_t length;  ///< in the input
        Copy copy;
        FieldKind kind;
        std::uint8_t flat_size;
    };
    struct Table {
        std::uint32_t position;
        std::uint32_t before;  ///< end of what precedes it, without padding
        TableLayout* layout;
    };
    struct Pointer {
        std::uint32_t slot, target;
    };
    std::vector<Value> values;
    std::vector<Table> tables;
    std::vector<Pointer> pointers;
    int deepest = 0;     ///< level of the deepest table
    bool usable = true;  ///< false: something happened that an image cannot repeat

    void clear();
    /// A varint of `length` bytes that was stored at `to`.
    void varint(const std::byte* from, std::uint32_t length, std::uint32_t to, const FieldRow& field);
    /// `length` bytes that were copied as they are.
    void copied(const std::byte* from, std::uint32_t length, std::uint32_t to);
    void table(std::uint32_t position, std::uint32_t before, TableLayout& layout, int depth);
    void pointed(std::uint32_t slot, std::uint32_t target) { pointers.push_back({slot, target}); }
};

class FlatShape {
public:
    static constexpr std::uint32_t max_element_bytes = 16'384;

    /// `element` is the input of the recording, its output ends with `out`, its table is at level `depth`. Nothing
    /// when the recording cannot be repeated.
    static std::unique_ptr<FlatShape> make(const ShapeRecording& recording, Bytes element, FlatOutput& out, int depth);

    /// Has the element (of the length that the shape was made from) this structure?
    [[nodiscard]] bool matches(const std::byte* element) const noexcept { return structure_.matches(element); }
    /// Will an element at level `depth` stay within all limits? Otherwise the slow path says where it does not.
    [[nodiscard]] bool fits(FlatOutput& out, int depth) const;
    /// Are the vtables it needs in buffer number `buffer`?
    [[nodiscard]] bool ready(std::uint64_t buffer) noexcept;
    /// Bytes of memory it takes.
    [[nodiscard]] std::size_t memory() const noexcept;
    /// Appends the FlatBuffers form; returns the position of its table. The element matches, and the shape fits and is
    /// ready.
    std::uint32_t write(const std::byte* element, FlatOutput& out) const;
    /// The same for a shape that is not ready: puts the vtables that buffer number `buffer` lacks where the slow path
    /// would.
    std::uint32_t write_with_vtables(const std::byte* element, FlatOutput& out, std::uint64_t buffer);
    /// The same for the root of a buffer, which nothing follows: its vtables are always in the same places, so
    /// they are part of an image, too.
    std::uint32_t write_root(const std::byte* element, FlatOutput& out, std::uint64_t buffer);

    /// A run of elements that begin alike in the input, and where what becomes of them goes.
    struct Run {
        const std::byte* at;  ///< moved on
        const std::byte* end;
        std::uint32_t head;       ///< tag and length, of up to four bytes
        std::uint32_t head_mask;  ///< which of them are
        std::uint32_t head_bytes;
        std::uint32_t slot;   ///< position of the first offset
        std::uint32_t count;  ///< elements at most
    };
    /// Appends the elements of a run as long as they match; their number. The shape is ready and at its level an
    /// element fits.
    std::uint32_t write_run(Run& run, FlatOutput& out) const;

    /// A table of up to six doubles, whose fields have tags of one byte, and nothing else: a run of such elements has a
    /// kernel of its own.
    struct Doubles {
        unsigned count;
        std::uint32_t table_bytes;
        std::array<std::byte, 6> tags;
        std::array<std::uint32_t, 6> offsets;  ///< in the table
        const TableLayout* layout;
    };
    [[nodiscard]] const std::optional<Doubles>& doubles() const noexcept { return doubles_; }

private:
    using Copy = ShapeRecording::Copy;
    struct Value {
        using Copy = ShapeRecording::Copy;
        std::uint32_t from, to;
        std::uint32_t length;
        std::uint16_t table;  ///< whose it is, in the list of tables
        Copy copy;
        FieldKind kind;
        std::uint8_t flat_size;
        template <Copy How>
        void store(const std::byte* element, std::byte* place) const noexcept;
    };
    struct Table {
        std::uint32_t offset;  ///< in the image
        std::uint32_t end;     ///< of what belongs to it, without the padding before the next table
        TableLayout* layout;
        std::uint32_t shift;  ///< by how much vtables moved it, while write_with_vtables() works
    };
    struct Pointer {
        std::uint32_t slot, target;              ///< in the image
        std::uint16_t slot_table, target_table;  ///< whose they are
    };
    struct Soffset {
        std::uint32_t offset;  ///< of the table in the image
        std::uint32_t base;    ///< soffset less the position of the image
    };
    void take_image(const ShapeRecording& recording, FlatOutput& out);
    [[nodiscard]] std::vector<Value> values_of(const ShapeRecording& recording, Bytes element) const;
    [[nodiscard]] std::uint32_t place_of(std::uint32_t position) const noexcept;
    [[nodiscard]] std::uint16_t table_at(std::uint32_t offset) const noexcept;
    void compile_structure(Bytes element, const ShapeRecording& recording);
    void compile_doubles(Bytes element, std::span<const Value> values);
    template <class Place>
    static void fill(const SortedValues<Value>& values, const std::byte* element, Place place);
    void write_at(std::byte* to, std::uint32_t position, const std::byte* element) const;

    int levels_below_ = 0;
    std::size_t most_bytes_ = 0;  ///< of its FlatBuffers form, vtables included
    StructureMask structure_;
    std::vector<std::byte> image_;   ///< padded to a multiple of 8
    std::uint32_t image_bytes_ = 0;  ///< without the padding
    std::vector<Table> tables_;
    std::vector<Soffset> soffsets_;  ///< while it is ready
    SortedValues<Value> values_;
    std::vector<Pointer> pointers_;
    std::vector<std::byte> root_image_;  ///< with vtables; empty until write_root() has made it
    SortedValues<Value> root_values_;    ///< values_ in it
    std::uint32_t root_position_ = 0;
    std::optional<Doubles> doubles_;
    std::uint64_t ready_buffer_ = 0;
};

}  // namespace ositrace
