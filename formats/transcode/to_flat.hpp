// SPDX-License-Identifier: MPL-2.0
// Protobuf to FlatBuffers, one pass per message level: scan the fields, look the table layout up by which are present,
// write the table, then the children after it, so that every offset is positive.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/error.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/transcoder.hpp>

#include "formats/core/learned_shapes.hpp"
#include "formats/flatbuffers/flat_output.hpp"
#include "formats/flatbuffers/table_layout.hpp"
#include "formats/transcode/flat_shape.hpp"
#include "formats/transcode/type_map.hpp"

namespace ositrace {

class ToFlat {
public:
    /// `texts`: `checked` leaves long ones out of an output that is not used, which saves their memory.
    ToFlat(const MessageTable& root, Layout layout, const TranscodeOptions& options, Texts texts = Texts::written);

    void transcode(Bytes in, ByteBuffer& out);
    [[nodiscard]] std::uint64_t unknown_fields() const noexcept { return unknown_fields_; }

private:
    /// What is kept per message type.
    struct Type {
        Type(const MessageTable& message, Layout layout) : table(message), layouts(message, layout) {}
        const MessageTable& table;
        LayoutCache layouts;
        ShapesByLength<FlatShape> shapes;
        std::vector<Type*> children;  ///< by place of the field; nullptr for what is no message
    };
    /// One field of the message being scanned.
    struct Found {
        const std::byte*
            at;  ///< singular scalar, string: the (last) value; message, repeated: the tag of the first occurrence
        const std::byte* end;  ///< after the (last) occurrence
        std::uint64_t bits;    ///< singular varint: decoded; singular message: bytes of the first tag and length
        std::uint32_t count;   ///< message: occurrences; repeated: elements
        const std::byte*
            run;  ///< repeated: from here on nothing but elements alike is assumed; nullptr: everything was looked at
    };
    static constexpr std::uint32_t no_element = 0xffff'ffff;
    /// Scratch for one message level, and where we are in it (for the path in an error).
    struct Level {
        Type* type = nullptr;
        const FieldRow* field = nullptr;
        std::uint32_t element = no_element;
        std::vector<Found> found;
        std::vector<std::uint64_t> presence;
        std::vector<std::byte> merged;
    };

    void write(ByteBuffer& out);
    void forget_hostile_layouts();
    Level& enter(int depth, Type& type);

    void scan(Level& level, const std::byte* at, const std::byte* end, int depth);
    static Found& found_in(Level& level, const FieldRow& field, bool& first);
    static const std::byte* scan_singular(Level& level, const FieldRow& field, const std::byte* tag_at,
                                          const std::byte* at, const std::byte* end);
    static const std::byte* scan_delimited(Found& found, const FieldRow& field, bool first, const std::byte* tag_at,
                                           const std::byte* at, const std::byte* end);
    const std::byte* scan_repeated(Level& level, const FieldRow& field, std::uint32_t tag, const std::byte* tag_at,
                                   const std::byte* at, const std::byte* end);
    const std::byte* skip_unknown(std::uint32_t tag, const std::byte* tag_at, const std::byte* at, const std::byte* end,
                                  int depth);
    std::uint32_t count_packed(Level& level, const FieldRow& field, const std::byte* at, const std::byte* end);
    const std::byte* scan_run(Found& found, const FieldRow& field, const std::byte* tag_at, const std::byte* at,
                              const std::byte* end);
    static const std::byte* scan_others(Found& found, std::byte tag, const std::byte* at, const std::byte* end);

    std::uint32_t write_table(Type& type, const std::byte* at, const std::byte* end, int depth);
    void write_scalar(const FieldRow& field, const Found& found, std::uint32_t position);
    void write_reference(Level& level, const FieldRow& field, std::uint32_t slot, int depth);
    void point(std::uint32_t slot, std::uint32_t target);
    std::uint32_t write_message(Level& level, const FieldRow& field, const Found& found, int depth);
    Bytes merge(Level& level, const FieldRow& field, const std::byte* at, const std::byte* end);
    void check_whole(const std::byte* at, const std::byte* end) const;
    std::uint32_t write_text(const std::byte* at, const std::byte* end, bool terminated);
    std::uint32_t write_scalars(const FieldRow& field, const Found& found);
    const std::byte* write_element_scalar(const FieldRow& field, const std::byte* at, const std::byte* end);
    std::uint32_t write_texts(Level& level, const FieldRow& field, const Found& found);
    std::uint32_t write_messages(Level& level, const FieldRow& field, const Found& found, int depth);
    /// A message of any kind: through a shape where one fits (then `shape` is it), field by field otherwise.
    std::uint32_t write_element(Type& type, Bytes element, int depth, FlatShape*& shape);
    std::uint32_t write_doubles(const FlatShape::Doubles& shape, FlatShape::Run& run);

    [[noreturn]] void fail(Cause cause, const std::byte* at, std::string_view reason) const;
    [[noreturn]] void fail_in(Level& level, const FieldRow& field, const std::byte* at, std::string_view reason) const;
    std::string path() const;

    TranscodeOptions options_;
    Texts texts_;
    TypeMap<Type> types_;
    std::string_view file_identifier_;

    FlatOutput out_;
    std::uint64_t buffer_ = 0;  ///< number of the buffer being written: vtable positions belong to it
    std::vector<std::unique_ptr<Level>> levels_;
    int depth_ = 0;
    Bytes in_;
    bool assume_runs_ = false;  ///< runs of elements may be assumed
    bool assumed_ = false;      ///< one was, in this buffer
    int wrong_assumptions_ = 0;
    std::uint64_t walked_ = 0;  ///< bytes between occurrences of repeated fields, each time they were passed
    ShapeRecording recording_;
    ShapeRecording* recorder_ = nullptr;  ///< not null while an element is recorded
    std::uint64_t unknown_fields_ = 0;
    std::size_t last_output_bytes_ = 0;
};

}  // namespace ositrace
