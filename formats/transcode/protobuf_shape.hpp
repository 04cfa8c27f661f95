// SPDX-License-Identifier: MPL-2.0
// The way back: a shape is what one table looked like with everything below it. The vtables, offsets and lengths are
// its structure; the Protobuf bytes are its image; values that differ from element to element are stored over the
// image.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/schema.hpp>

#include "formats/flatbuffers/table.hpp"
#include "formats/protobuf/backward_output.hpp"

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
    std::string_view vtable;    ///< its bytes
    std::uint32_t extent = 0;   ///< bytes of the table that are touched
    std::uint32_t unknown = 0;  ///< slots in use that the schema does not know
    std::uint64_t buffer = 0;   ///< number of the buffer that vtable_position belongs to
    std::uint32_t vtable_position = 0;
    bool kept = false;  ///< false: gone when the table has been read

    /// Has the table at `table` (whose 4 bytes were checked) this vtable?
    bool describes(const flat::Buffer& in, std::uint64_t number, std::uint32_t table) noexcept;
};

struct TableRecording {
    static constexpr std::size_t max_tables = 512;
    static constexpr std::size_t max_values = 2048;
    enum class Copy : std::uint8_t { bytes4, bytes8, text, varint };
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
    static std::unique_ptr<ProtobufShape> make(const TableRecording& recording, std::uint32_t table,
                                               BackwardOutput& out, std::size_t written_before, int depth);

    /// Puts the Protobuf form of the table before `out`, when it has this shape and stays within all limits
    /// (`levels`: that may follow below it); false otherwise, with nothing written.
    bool write(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table, BackwardOutput& out,
               int levels) const;
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

private:
    struct Value {
        std::uint32_t from, to, length;
        TableRecording::Copy copy;
        FieldKind kind;
        std::uint8_t flat_size;
    };
    [[nodiscard]] bool matches(const flat::Buffer& in, std::uint64_t buffer, std::uint32_t table) const noexcept;
    bool fill(const std::byte* table, std::byte* to) const noexcept;
    void compile_doubles();

    std::vector<TableRecording::Table> tables_;        ///< positions from the table on
    std::vector<TableRecording::Constant> constants_;  ///< likewise
    std::vector<std::uint32_t> terminators_;           ///< likewise
    std::vector<Value> values_;                        ///< those of eight bytes first: a loop without a branch
    std::size_t eights_ = 0;                           ///< how many
    std::vector<std::byte> image_;
    std::uint32_t extent_ = 0;
    int levels_below_ = 0;
    std::optional<Doubles> doubles_;
};

/// The shapes of one message type, by the vtable of their table. Bounded as FlatShapes is.
class ProtobufShapes {
public:
    static constexpr std::uint32_t max_element_bytes = 8192;

    /// Writes the table through a shape; the shape, or nullptr when none fits.
    const ProtobufShape* write(const PresentFields* fields, const flat::Buffer& in, std::uint64_t buffer,
                               std::uint32_t table, BackwardOutput& out, int levels);
    bool wants(const PresentFields* fields);
    void add(const PresentFields* fields, std::unique_ptr<ProtobufShape> shape);
    void clear();

private:
    static constexpr std::size_t max_shapes_per_vtable = 8;
    static constexpr int starting_budget = 64;
    static constexpr int hits_per_compilation = 8;
    static constexpr std::size_t max_memory = std::size_t{2} << 20;  // then learning starts anew
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
