// SPDX-License-Identifier: MPL-2.0
// FlatBuffers to Protobuf, one pass, written from the end: fields by descending number, so that every length is known
// when its tag is written. Every access is bounds-checked; there is no verifier in front.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/core/learned_shapes.hpp"
#include "formats/flatbuffers/table.hpp"
#include "formats/protobuf/backward_output.hpp"
#include "formats/transcode/protobuf_shape.hpp"
#include "formats/transcode/type_map.hpp"

namespace ositrace {

/// What is kept per message type.
struct ToProtobufType {
    explicit ToProtobufType(const MessageTable& message) : table(message) {}
    const MessageTable& table;
    std::vector<ToProtobufType*> children;  ///< by place of the field; nullptr for what is no message
    std::unordered_map<std::string, std::unique_ptr<PresentFields>> present;  ///< by the bytes of the vtable
    std::uint64_t long_vtable_bytes = 0;  ///< of the current buffer, that had to be looked at
    ProtobufShapes shapes;
};

class ToProtobuf {
public:
    /// `texts`: `checked` leaves long ones out of an output that is not used, which saves their memory.
    ToProtobuf(const MessageTable& root, Layout layout, const TranscodeOptions& options, Texts texts = Texts::written);

    void transcode(Bytes in, ByteBuffer& out);
    [[nodiscard]] std::uint64_t unknown_fields() const noexcept { return unknown_fields_; }

private:
    using Type = ToProtobufType;
    using Field = PresentFields::Field;
    static constexpr std::uint32_t no_element = 0xffff'ffff;
    struct Place {
        const FieldRow* field = nullptr;
        std::uint32_t element = no_element;
    };

    void check_identifier(Bytes in) const;
    void start_vtables();
    PresentFields& present_fields(Type& type, std::uint32_t table, int depth);
    PresentFields& learn_vtable(Type& type, const flat::Vtable& vtable, int depth);
    PresentFields* find_long_vtable(Type& type, const flat::Vtable& vtable);
    std::unique_ptr<PresentFields> read_vtable(const Type& type, const flat::Vtable& vtable) const;

    void write_table(PresentFields& present, std::uint32_t table, int depth);
    void write_field(const Field& field, std::uint32_t position, int depth);
    void write_varint(const FieldRow& row, std::uint32_t position);
    void write_fixed(const FieldRow& row, std::uint32_t position);
    void write_text(std::uint32_t slot, bool terminated);
    void write_message(Type& type, std::uint32_t slot, int depth);
    void write_repeated(const Field& field, std::uint32_t slot, int depth);
    void write_scalars(const Field& field, const flat::Vector& elements);
    void write_messages(const Field& field, const flat::Vector& elements, int depth);
    void write_root(std::uint32_t table);
    ProtobufShape* write_element(Type& type, std::uint32_t table, int depth);
    std::uint32_t write_run(ProtobufShape& shape, const Field& field, std::uint32_t first_slot, std::uint32_t count);
    std::uint32_t write_doubles(const ProtobufShape::Doubles& doubles, const ProtobufShape::Run& run);
    void put_tag(const Field& field);
    std::uint32_t follow(std::uint32_t slot);
    flat::Vector vector_at(std::uint32_t position, std::uint32_t element_bytes);

    std::string path() const;

    TranscodeOptions options_;
    Texts texts_;
    Layout layout_;
    TypeMap<Type> types_;

    /// vtables of the current buffer by position: nearly every table finds its fields here.
    struct Known {
        std::uint64_t buffer = 0;
        std::uint32_t position = 0;
        const Type* type = nullptr;
        PresentFields* present = nullptr;
    };
    std::array<Known, 256> known_{};
    std::unordered_map<std::uint64_t, PresentFields*> long_vtables_;  ///< of the current buffer, by type and position
    std::array<std::unique_ptr<PresentFields>, max_message_depth + 2> not_kept_;  ///< by level
    flat::Buffer in_{Bytes{}};
    std::uint64_t buffer_ = 0;
    BackwardOutput out_;
    std::array<Place, max_message_depth + 2> places_{};
    int depth_ = 0;
    ShapesByLength<WholeShape> whole_shapes_;
    TableRecording recording_;
    TableRecording* recorder_ = nullptr;
    std::uint64_t unknown_fields_ = 0;
    std::size_t last_output_bytes_ = 0;
    std::size_t vtables_ = 0;
};

}  // namespace ositrace
