// SPDX-License-Identifier: MPL-2.0
// The way back: a shape is what one table looked like with everything below it. The vtables, offsets and lengths are
// its structure; the Protobuf bytes are its image; values that differ from element to element are stored over the
// image.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/flatbuffers/table.hpp"
#include "formats/flatbuffers/table_mask.hpp"
#include "formats/protobuf/backward_output.hpp"
#include "formats/protobuf/structure_mask.hpp"
#include "formats/transcode/sorted_values.hpp"

namespace ositrace {

struct ToProtobufType;

/// What a vtable says of a message type: the fields that are present, the largest number first.
struct PresentFields {
    struct Field {
        const FieldRow* row;
        ToProtobufType* child;
        std::uint16_t offset;  ///< from the start of the table
        std::uint8_t tag_bytes;
        std::array<std::byte, 5> tag;
    };
    std::vector<Field> fields;
    std::vector<std::uint16_t> references;  ///< offsets of those that are elsewhere
    std::string_view vtable;                ///< its bytes
    std::uint32_t extent = 0;               ///< bytes of the table that are touched
    std::uint32_t unknown = 0;              ///< slots in use that the schema does not know
    std::uint64_t buffer = 0;               ///< number of the buffer that vtable_position belongs to
    std::uint32_t vtable_position = 0;
    bool kept = false;  ///< false: gone when the table has been read

    /// Has the table at `table` (whose 4 bytes were checked) this vtable?
    bool describes(const flat::Buffer& in, std::uint64_t number, std::uint32_t table) noexcept;
};

struct TableRecording {
    static constexpr std::size_t max_tables = 1024;
    static constexpr std::size_t max_values = 4096;
    /// How a value gets into the output. Varints first: they may turn out to have another length.
    enum class Copy : std::uint8_t {
        byte_of_1,  ///< a varint of one byte: bool
        byte_of_4,
        byte_of_8,
        pair_of_8,  ///< a varint of two bytes
        ten_of_8,   ///< of ten: the number that stands for no object
        varint,     ///< any other
        bytes4,
        bytes8,
        triple,  ///< three doubles side by side, each of which gets a tag of one byte
        text,
    };
    struct Value {
        std::uint32_t from;    ///< position in the buffer
        std::size_t written;   ///< BackwardOutput::written() after it
        std::uint32_t length;  ///< in the output
        Copy copy;
        FieldKind kind;
        std::uint8_t flat_size;
    };
    struct Table {
        std::uint32_t position;
        PresentFields* fields;
    };
    struct Constant {
        std::uint32_t position;
        std::uint32_t value;
    };
    std::vector<Value> values;
    std::vector<Table> tables;
    std::vector<Constant> constants;         ///< offsets, lengths
    std::vector<std::uint32_t> terminators;  ///< positions of the zero bytes after strings
    std::uint32_t end = 0;                   ///< after the last byte touched
    int deepest = 0;                         ///< level of the deepest table
    bool all_kept = true;

    void clear();
    /// False: too large for a shape, or with vtables that are not cached.
    [[nodiscard]] bool usable() const noexcept
    {
        return tables.size() <= max_tables && values.size() <= max_values && all_kept;
    }
    void table(std::uint32_t position, PresentFields& present, int depth);
    void touched(std::uint32_t to) noexcept { end = to > end ? to : end; }
};

class ProtobufShape {
public:
    /// `depth`: the level of the table. Nothing when the recording cannot be repeated.
    static std::unique_ptr<ProtobufShape> make(const TableRecording& recording, const flat::Buffer& in,
                                               std::uint32_t table, BackwardOutput& out, std::size_t written_before,
                                               int depth);

    /// Puts the Protobuf form of the table before `out`, when it has this shape and stays within all limits
    /// (`levels`: that may follow below it); false otherwise, with nothing written.
    bool write(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table, BackwardOutput& out, int levels);

    /// Elements 0 to `count` of a vector, whose offsets begin at `first_slot`, and the tag and length of each.
    struct Run {
        std::uint32_t first_slot;
        std::uint32_t count;
        Bytes head;
    };
    /// Puts elements before `out`, from the last one on, as long as they have this shape; their number. The shape has
    /// written an element at their level.
    std::uint32_t write_run(const Run& run, const flat::Buffer& in, std::uint64_t buffer, BackwardOutput& out);
    /// Tables with other references have another shape: a number that differs as a rule.
    [[nodiscard]] static std::uint32_t key_of(const PresentFields& fields, const std::byte* table) noexcept
    {
        std::uint32_t key = 0;
        for (const auto offset : fields.references) key = (key ^ load_le32(table + offset)) * 0x9e37'79b1;
        return key;
    }
    [[nodiscard]] std::uint32_t key() const noexcept { return key_; }
    /// Bytes of the Protobuf form.
    [[nodiscard]] std::size_t bytes() const noexcept { return image_.size(); }
    /// Bytes of memory it takes.
    [[nodiscard]] std::size_t memory() const noexcept;

    /// A table of up to six doubles and nothing else.
    struct Doubles {
        unsigned count;
        std::array<std::uint32_t, 6> offsets;  ///< in the table
        std::array<std::byte, 6> tags;
        const PresentFields* fields;
    };
    [[nodiscard]] const std::optional<Doubles>& doubles() const noexcept { return doubles_; }

protected:
    using Copy = TableRecording::Copy;
    struct Value {
        using Copy = TableRecording::Copy;
        std::uint32_t from, to, length;
        Copy copy;
        FieldKind kind;
        std::uint8_t flat_size;
        template <Copy How>
        [[nodiscard]] std::uint64_t misfit(const std::byte* table) const noexcept;
        template <Copy How>
        void store(const std::byte* table, std::byte* image) const noexcept;
    };
    [[nodiscard]] bool matches(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) noexcept;
    [[nodiscard]] bool knows_vtables(std::uint64_t buffer) noexcept;
    [[nodiscard]] bool has_structure(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) const noexcept;
    void compile_mask();
    [[nodiscard]] bool varints_fit(const std::byte* table) const noexcept;
    void fill(const std::byte* table, std::byte* image) const noexcept;
    void take(const TableRecording& recording, std::uint32_t base, BackwardOutput& out, std::size_t bytes);
    bool write_image(const std::byte* table, BackwardOutput& out) const;
    void compile_doubles(const TableRecording& recording, std::span<const Value> values);

    std::vector<TableRecording::Table> tables_;        ///< positions from the table on
    std::vector<TableRecording::Constant> constants_;  ///< likewise
    std::vector<std::uint32_t> terminators_;           ///< likewise
    flat::TableMask mask_;                             ///< of tables_ and constants_; empty for a short table
    std::uint64_t mask_buffer_ = 0;                    ///< number of the buffer whose vtables it knows
    std::uint32_t key_ = 0;
    SortedValues<Value> values_;
    std::vector<std::byte> image_;
    std::vector<std::byte> run_image_;  ///< with tag and length, of the last run
    std::uint32_t extent_ = 0;
    int levels_below_ = 0;
    std::optional<Doubles> doubles_;
};

/// A whole buffer, whose vtables are structure, too.
class WholeShape : private ProtobufShape {
public:
    static constexpr std::uint32_t max_element_bytes = 16'384;

    /// Of the root table, at `table`.
    static std::unique_ptr<WholeShape> make(const TableRecording& recording, const flat::Buffer& in,
                                            BackwardOutput& out);
    /// Has the buffer (of the length that the shape was made from) this structure?
    [[nodiscard]] bool matches(const std::byte* buffer) const noexcept;
    [[nodiscard]] std::size_t memory() const noexcept { return ProtobufShape::memory() + structure_.memory(); }
    /// As of any shape; the buffer matches.
    bool write(const std::byte* buffer, BackwardOutput& out) const { return write_image(buffer, out); }

private:
    StructureMask structure_;
};

/// The shapes of one message type, by the vtable of their table. Bounded as ShapesByLength is.
class ProtobufShapes {
public:
    static constexpr std::uint32_t max_element_bytes = 16'384;

    /// Writes the table through a shape; the shape, or nullptr when none fits.
    ProtobufShape* write(const PresentFields* fields, const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table,
                         BackwardOutput& out, int levels);
    bool wants(const PresentFields* fields);
    void add(const PresentFields* fields, std::unique_ptr<ProtobufShape> shape);
    void clear();

private:
    static constexpr std::size_t max_shapes_per_vtable = 32;
    static constexpr int starting_budget = 64;
    static constexpr int hits_per_compilation = 8;
    static constexpr std::size_t max_memory = std::size_t{8} << 20;  // then learning starts anew
    static constexpr std::uint32_t max_failures = 4;  // elements that are too large now will be too large later

    struct OfVtable {
        std::vector<std::unique_ptr<ProtobufShape>> shapes;
        std::uint32_t misses = 0;
        std::uint32_t failures = 0;
        std::uint32_t next_victim = 0;
    };
    OfVtable* find(const PresentFields* fields) noexcept;

    std::unordered_map<const PresentFields*, OfVtable> by_vtable_;
    const PresentFields* last_fields_ = nullptr;
    OfVtable* last_ = nullptr;
    std::size_t memory_ = 0;
    int budget_ = starting_budget;
    int hits_ = 0;
};

}  // namespace ositrace
