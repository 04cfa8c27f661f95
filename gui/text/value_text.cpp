// SPDX-License-Identifier: MPL-2.0
#include "gui/text/value_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <QStringList>

#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

const QString ellipsis = QStringLiteral("\u2026");

template <class Number>
QString number_text(Number number)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return QString::fromLatin1(text.data(), end - text.data());
}

QString bytes_text(Bytes bytes, qsizetype most)
{
    const auto shown = std::min(bytes.size(), static_cast<std::size_t>(most) / 3);
    const auto hex =
        QByteArray::fromRawData(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(shown)).toHex(' ');
    auto text = count_text(bytes.size(), "byte");
    if (!bytes.empty()) text += QStringLiteral(": ") + QString::fromLatin1(hex);
    return shown < bytes.size() ? text + ' ' + ellipsis : text;
}

QString enum_text(const FieldRow& field, std::int64_t number)
{
    const auto name = field.enumeration == nullptr ? std::string_view{}
                                                   : field.enumeration->name_of(static_cast<std::int32_t>(number));
    if (!name.empty()) return visible_text(name, shown_characters);
    return QString::number(number) + QStringLiteral(" (not in the schema)");
}

bool is_number(const FieldRow& field) noexcept { return !field.repeated && is_scalar(field.kind); }

/// `(1.5, 2, 0)`: a vector or dimensions; an identifier without parentheses.
QString numbers_text(const MessageView& message)
{
    const auto& fields = message.table().fields;
    QStringList parts;
    for (const auto& field : fields) {
        const auto value = message.get(field);
        if (std::holds_alternative<std::monostate>(value))
            parts += QStringLiteral("\u2013");
        else if (std::holds_alternative<double>(value))
            parts += QString::number(std::get<double>(value), 'g', 6);
        else
            parts += value_text(field, value);
    }
    return fields.size() == 1 ? parts.front() : '(' + parts.join(QStringLiteral(", ")) + ')';
}

/// `id 12, TYPE_VEHICLE`: for a message with an id, a type or a name.
QString names_text(const MessageView& message)
{
    QStringList parts;
    for (const auto* const name : {"id", "type", "name"}) {
        const auto* const field = message.table().find(std::string_view(name));
        if (field == nullptr || field->repeated) continue;
        const auto value = message.get(*field);
        if (std::holds_alternative<std::monostate>(value)) continue;
        const bool is_id = field->name == "id";
        if (const auto text = value_text(*field, value); !text.isEmpty())
            parts += is_id ? QStringLiteral("id ") + text : text;
    }
    return parts.join(QStringLiteral(", "));
}

QString message_text(const MessageView& message)
{
    constexpr std::size_t most_numbers = 3;
    const auto& fields = message.table().fields;
    const bool is_numbers = !fields.empty() && fields.size() <= most_numbers && std::ranges::all_of(fields, is_number);
    return is_numbers ? numbers_text(message) : names_text(message);
}

std::string_view kind_name(FieldKind kind) noexcept
{
    constexpr std::array<std::string_view, 19> names{
        "", "double", "float", "int64",  "uint64", "int32",    "fixed64",  "fixed32", "bool",  "string",
        "", "",       "bytes", "uint32", "",       "sfixed32", "sfixed64", "sint32",  "sint64"};
    return names[static_cast<std::size_t>(kind)];
}

/// Without the package, which is the same for all types.
QString short_name(std::string_view full_name)
{
    constexpr std::string_view package = "osi3.";
    if (full_name.starts_with(package)) full_name.remove_prefix(package.size());
    return visible_text(full_name, shown_characters);
}

struct Shown {
    const FieldRow& field;
    qsizetype most;

    QString operator()(std::monostate) const { return {}; }
    QString operator()(bool value) const { return value ? QStringLiteral("true") : QStringLiteral("false"); }
    QString operator()(std::int64_t value) const
    {
        return field.kind == FieldKind::enumeration ? enum_text(field, value) : number_text(value);
    }
    QString operator()(std::uint64_t value) const { return number_text(value); }
    QString operator()(float value) const { return number_text(value); }
    QString operator()(double value) const { return number_text(value); }
    QString operator()(std::string_view value) const { return visible_text(value, most); }
    QString operator()(Bytes value) const { return bytes_text(value, most); }
    QString operator()(const MessageView& value) const { return message_text(value); }
};

}  // namespace

QString value_text(const FieldRow& field, const Value& value, qsizetype most)
{
    return std::visit(Shown{field, most}, value);
}

QString type_text(const FieldRow& field, bool of_one_element)
{
    auto text = field.kind == FieldKind::message       ? short_name(field.child->full_name)
                : field.kind == FieldKind::enumeration ? short_name(field.enumeration->full_name)
                                                       : QString::fromUtf8(kind_name(field.kind));
    return field.repeated && !of_one_element ? text + QStringLiteral("[]") : text;
}

QString visible_text(std::string_view text, qsizetype most)
{
    constexpr char16_t symbols = 0x2400;  // of control characters
    const auto kept = text.substr(0, static_cast<std::size_t>(most) * 4);
    auto shown = QString::fromUtf8(kept.data(), static_cast<qsizetype>(kept.size()));
    const bool is_cut = kept.size() < text.size() || shown.size() > most;
    shown.truncate(most);
    for (auto& c : shown)
        if (c.unicode() < 0x20)
            c = QChar(static_cast<char16_t>(symbols + c.unicode()));
        else if (c.unicode() == 0x7f || (c.unicode() >= 0x202a && c.unicode() <= 0x202e))
            c = QChar(QChar::ReplacementCharacter);
    return is_cut ? shown + ellipsis : shown;
}

}  // namespace ositrace::gui
