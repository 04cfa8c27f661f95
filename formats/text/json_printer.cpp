// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_text.hpp>

#include "formats/text/text_output.hpp"

namespace ositrace {

namespace {

using text::Output;

constexpr bool is_64_bit(FieldKind kind) noexcept
{
    switch (kind) {
    case FieldKind::int64:
    case FieldKind::uint64:
    case FieldKind::fixed64:
    case FieldKind::sfixed64:
    case FieldKind::sint64: return true;
    default: return false;
    }
}

class JsonPrinter {
public:
    explicit JsonPrinter(ByteBuffer& out) : out_(out) {}

    void put_message(const MessageView& message)
    {
        out_.check_size();
        left_out_.unknown_fields += message.unknown_fields();
        out_.put('{');
        bool first = true;
        message.for_each_field([&](const FieldRow& field) {
            if (!first) out_.put(',');
            first = false;
            out_.put('"');
            out_.put(field.name);
            out_.put("\":");
            put_field(message, field);
            return true;
        });
        out_.put('}');
    }

    void put_value(const Value& value, const FieldRow& field)
    {
        std::visit([&](const auto& content) { put(content, field); }, value);
    }

    [[nodiscard]] LeftOut left_out() const noexcept { return left_out_; }

private:
    void put_field(const MessageView& message, const FieldRow& field)
    {
        if (!field.repeated) {
            const auto value = message.get(field);
            text::within_field(field, nullptr, [&] { put_value(value, field); });
        } else if (field.child != nullptr && field.child->map_entry) {
            put_map(message, field);
        } else {
            put_elements(message, field);
        }
    }

    void put_elements(const MessageView& message, const FieldRow& field)
    {
        std::size_t i = 0;
        out_.put('[');
        message.for_each_element(field, [&](const Value& element) {
            if (i != 0) out_.put(',');
            text::within_field(field, &i, [&] { put_value(element, field); });
            ++i;
            return true;
        });
        out_.put(']');
    }

    /// `map<K, V>`: an object whose keys are strings.
    void put_map(const MessageView& message, const FieldRow& field)
    {
        std::size_t i = 0;
        out_.put('{');
        message.for_each_element(field, [&](const Value& element) {
            if (i != 0) out_.put(',');
            text::within_field(field, &i, [&] { put_map_entry(std::get<MessageView>(element)); });
            ++i;
            return true;
        });
        out_.put('}');
    }

    void put_map_entry(const MessageView& entry)
    {
        const auto* const key = entry.table().find(1);
        const auto* const content = entry.table().find(2);
        const auto name = entry.get(*key);
        const bool quoted = std::holds_alternative<std::string_view>(name) || is_64_bit(key->kind);
        if (!quoted) out_.put('"');
        put_value(name, *key);
        if (!quoted) out_.put('"');
        out_.put(':');
        put_value(entry.get(*content), *content);
    }

    void put(std::monostate, const FieldRow&) { out_.put("null"); }
    void put(bool value, const FieldRow&) { out_.put(value ? "true" : "false"); }
    void put(std::int64_t value, const FieldRow& field)
    {
        const auto name = field.enumeration == nullptr ? std::string_view()
                                                       : field.enumeration->name_of(static_cast<std::int32_t>(value));
        const bool quoted = !name.empty() || is_64_bit(field.kind);
        if (quoted) out_.put('"');
        if (name.empty())
            out_.put_integer(value);
        else
            out_.put(name);
        if (quoted) out_.put('"');
    }
    void put(std::uint64_t value, const FieldRow& field)
    {
        const bool quoted = is_64_bit(field.kind);
        if (quoted) out_.put('"');
        out_.put_integer(value);
        if (quoted) out_.put('"');
    }
    template <std::floating_point Real>
    void put(Real value, const FieldRow&)
    {
        if (std::isnan(value)) return out_.put("\"NaN\"");
        if (std::isinf(value)) return out_.put(value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
        if (value == 0 && std::signbit(value)) return out_.put("-0.0");  // many readers take -0 for the integer 0
        out_.put_real(value);
    }
    void put(std::string_view value, const FieldRow&) { text::put_json_quoted(value, out_); }
    void put(Bytes value, const FieldRow&) { text::put_base64_quoted(value, out_); }
    void put(const MessageView& value, const FieldRow&) { put_message(value); }

    Output out_;
    LeftOut left_out_;
};

}  // namespace

LeftOut append_json(const MessageView& message, ByteBuffer& out)
{
    JsonPrinter printer(out);
    printer.put_message(message);
    return printer.left_out();
}

LeftOut append_json(const Value& value, const FieldRow& field, ByteBuffer& out)
{
    JsonPrinter printer(out);
    printer.put_value(value, field);
    return printer.left_out();
}

}  // namespace ositrace
