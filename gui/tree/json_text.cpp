// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/json_text.hpp"

#include <ositrace/message_text.hpp>

namespace ositrace::gui {

namespace {

constexpr std::size_t max_values = 20'000, max_text_bytes = std::size_t{1} << 20;

/// Counts down what may still be copied.
class Budget {
public:
    /// False when it is used up.
    bool take(const MessageView& message)
    {
        message.for_each_field([&](const FieldRow& field) {
            if (!field.repeated) return take(message.get(field));
            message.for_each_element(field, [&](const Value& element) { return take(element); });
            return left();
        });
        return left();
    }

    bool take(const Value& value)
    {
        if (values_ != 0) --values_;
        if (const auto* const text = std::get_if<std::string_view>(&value)) take_bytes(text->size());
        if (const auto* const bytes = std::get_if<Bytes>(&value)) take_bytes(bytes->size());
        const auto* const message = std::get_if<MessageView>(&value);
        return message == nullptr ? left() : left() && take(*message);
    }

private:
    void take_bytes(std::size_t bytes) noexcept { bytes_ -= std::min(bytes, bytes_); }
    [[nodiscard]] bool left() const noexcept { return values_ != 0 && bytes_ != 0; }

    std::size_t values_ = max_values;
    std::size_t bytes_ = max_text_bytes;
};

QString too_long() { return QStringLiteral("too much to copy: osiconvert cat prints it"); }

QString text_in(const ByteBuffer& json)
{
    const auto text = text_of(json.bytes());
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

QString json_text(const MessageView& message)
{
    if (!Budget().take(message)) return too_long();
    ByteBuffer json;
    append_json(message, json);
    return text_in(json);
}

QString json_text(const RepeatedView& elements)
{
    Budget budget;
    ByteBuffer json;
    json.append(bytes_of("["));
    for (std::size_t i = 0; i != elements.size(); ++i) {
        const auto element = elements[i];
        if (!budget.take(element)) return too_long();
        if (i != 0) json.append(bytes_of(", "));
        append_json(element, elements.field(), json);
    }
    json.append(bytes_of("]"));
    return text_in(json);
}

}  // namespace ositrace::gui
