// SPDX-License-Identifier: MPL-2.0
#include <ositrace/message_text.hpp>

#include "formats/text/text_output.hpp"

namespace ositrace {

namespace {

class TextFormatPrinter {
public:
    TextFormatPrinter(ByteBuffer& out, const TextFormatOptions& options) : out_(out), single_line_(options.single_line)
    {
    }

    void put_message(const MessageView& message)
    {
        out_.check_size();
        left_out_.unknown_fields += message.unknown_fields();
        message.for_each_field([&](const FieldRow& field) {
            if (field.repeated)
                put_elements(message, field);
            else {
                const auto value = message.get(field);
                text::within_field(field, nullptr, [&] { put_field(value, field); });
            }
            return true;
        });
    }

    [[nodiscard]] LeftOut left_out() const noexcept { return left_out_; }

private:
    void put_elements(const MessageView& message, const FieldRow& field)
    {
        std::size_t i = 0;
        message.for_each_element(field, [&](const Value& element) {
            text::within_field(field, &i, [&] { put_field(element, field); });
            ++i;
            return true;
        });
    }

    void put_field(const Value& value, const FieldRow& field)
    {
        if (!single_line_) out_.put_spaces(indent_);
        out_.put(field.name);
        std::visit([&](const auto& content) { put(content, field); }, value);
        out_.put(single_line_ ? ' ' : '\n');
    }

    void put(const MessageView& value, const FieldRow&)
    {
        out_.put(single_line_ ? " { " : " {\n");
        indent_ += 2;
        put_message(value);
        indent_ -= 2;
        if (!single_line_) out_.put_spaces(indent_);
        out_.put('}');
    }

    template <class Scalar>
    void put(const Scalar& value, const FieldRow& field)
    {
        out_.put(": ");
        put_scalar(value, field);
    }

    void put_scalar(std::monostate, const FieldRow&) {}  // no field that for_each_field() names is unset
    void put_scalar(bool value, const FieldRow&) { out_.put(value ? "true" : "false"); }
    void put_scalar(std::int64_t value, const FieldRow& field)
    {
        const auto name = field.enumeration == nullptr ? std::string_view()
                                                       : field.enumeration->name_of(static_cast<std::int32_t>(value));
        if (name.empty())
            out_.put_integer(value);
        else
            out_.put(name);
    }
    void put_scalar(std::uint64_t value, const FieldRow&) { out_.put_integer(value); }
    template <std::floating_point Real>
    void put_scalar(Real value, const FieldRow&)
    {
        if (std::isnan(value)) return out_.put("nan");
        if (std::isinf(value)) return out_.put(value < 0 ? "-inf" : "inf");
        out_.put_real(value);
    }
    void put_scalar(std::string_view value, const FieldRow&) { text::put_c_quoted(value, out_); }
    void put_scalar(Bytes value, const FieldRow&) { text::put_c_quoted(text_of(value), out_); }

    text::Output out_;
    bool single_line_;
    std::size_t indent_ = 0;
    LeftOut left_out_;
};

}  // namespace

LeftOut append_text_format(const MessageView& message, ByteBuffer& out, const TextFormatOptions& options)
{
    const auto start = out.size();
    TextFormatPrinter printer(out, options);
    printer.put_message(message);
    if (options.single_line && out.size() != start) out.resize(out.size() - 1);  // the space after the last field
    return printer.left_out();
}

}  // namespace ositrace
