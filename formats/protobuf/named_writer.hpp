// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <ositrace/byte_buffer.hpp>
#include <ositrace/schema.hpp>

#include "formats/protobuf/message_writer.hpp"

namespace ositrace {

/// The name of a field as a literal, so that its address identifies it.
class FieldName {
public:
    consteval FieldName(const char* text) : text_(text) {}  // NOLINT(google-explicit-constructor): reads as a name
    [[nodiscard]] std::string_view text() const noexcept { return text_; }

private:
    std::string_view text_;
};

/// Writes a message by the names of its fields, in ascending order of their numbers: `out.message("base", [&] {
/// out.real(...); })`. A name is looked up in the schema when it is first used in a message. Throws Error (mismatch)
/// for a name that is not in the schema.
class NamedWriter {
public:
    /// `out` and the schema of `root` must outlive it.
    NamedWriter(ByteBuffer& out, const MessageTable& root) noexcept : out_(out), table_(&root) {}

    /// Starts a new message, also after an Error interrupted the last one.
    void begin(const MessageTable& root) noexcept
    {
        out_ = MessageWriter(out_.buffer());
        table_ = &root;
    }

    void real(FieldName field, double value) { out_.real(tag(field), value); }
    void integer(FieldName field, std::int64_t value) { out_.integer(tag(field), value); }
    void unsigned_integer(FieldName field, std::uint64_t value) { out_.unsigned_integer(tag(field), value); }
    void boolean(FieldName field, bool value) { out_.boolean(tag(field), value); }
    void text(FieldName field, std::string_view value) { out_.text(tag(field), value); }
    void enumeration(FieldName field, std::string_view enumerator) { out_.enumeration(tag(field), enumerator); }

    /// A good estimate of the size saves moving a large message.
    template <class Content>
    void message(FieldName field, Content&& content, std::size_t expected_bytes = 0)
    {
        const auto& field_tag = tag(field);
        const auto* const outer = table_;
        table_ = field_tag.row().child;
        out_.message(field_tag, content, expected_bytes);
        table_ = outer;
    }

    /// An osi3.Identifier.
    void id(FieldName field, std::uint64_t value);
    /// The version of the schema; empty if it has none.
    void version(FieldName field, const std::optional<OsiVersion>& version);

    /// For hot loops: the tags of the current message, and the underlying writer.
    [[nodiscard]] const MessageTable& table() const noexcept { return *table_; }
    [[nodiscard]] MessageWriter& raw() noexcept { return out_; }

protected:
    [[nodiscard]] const FieldTag& tag(FieldName field)
    {
        auto& known = known_[place(field)];
        if (known.table != table_ || known.name != field.text().data()) look_up(known, field);
        return *known.tag;
    }

private:
    struct Known {
        const MessageTable* table = nullptr;
        const char* name = nullptr;
        std::optional<FieldTag> tag;
    };
    [[nodiscard]] std::size_t place(FieldName field) const noexcept;
    void look_up(Known& known, FieldName field) const;

    MessageWriter out_;
    const MessageTable* table_;
    std::array<Known, 512> known_;
};

}  // namespace ositrace
