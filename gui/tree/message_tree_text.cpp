// SPDX-License-Identifier: MPL-2.0
// The texts of the rows.
#include <QColor>
#include <QGuiApplication>
#include <QPalette>
#include <QString>

#include <ositrace/error.hpp>
#include <ositrace/message_text.hpp>
#include <ositrace/message_view.hpp>

#include "gui/compare/comparison.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"
#include "gui/tree/documentation.hpp"
#include "gui/tree/message_tree_model.hpp"
#include "gui/widgets/theme_colours.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t max_values = 20'000, max_text_bytes = std::size_t{1} << 20;

/// The number of values and bytes that may still be copied.
class Budget {
public:
    /// Returns false if it is used up.
    bool spend(const MessageView& message)
    {
        message.for_each_field([&](const FieldRow& field) {
            if (!field.repeated) return spend(message.get(field));
            message.for_each_element(field, [&](const Value& element) { return spend(element); });
            return left();
        });
        return left();
    }

    bool spend(const Value& value)
    {
        if (values_ != 0) --values_;
        if (const auto* const text = std::get_if<std::string_view>(&value)) spend_bytes(text->size());
        if (const auto* const bytes = std::get_if<Bytes>(&value)) spend_bytes(bytes->size());
        const auto* const message = std::get_if<MessageView>(&value);
        return message == nullptr ? left() : left() && spend(*message);
    }

private:
    void spend_bytes(std::size_t bytes) noexcept { bytes_ -= std::min(bytes, bytes_); }
    [[nodiscard]] bool left() const noexcept { return values_ != 0 && bytes_ != 0; }

    std::size_t values_ = max_values;
    std::size_t bytes_ = max_text_bytes;
};

QString too_long() { return QStringLiteral("too large to copy. Use osiconvert cat to print it."); }

QString text_in(const ByteBuffer& json)
{
    const auto text = text_of(json.bytes());
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// JSON of a message or a list, for the clipboard. Because the GUI thread writes it, one with more than 20 000 values
/// or 1 MiB of strings gives a message instead. Throws what MessageView throws.
QString json_text(const MessageView& message)
{
    if (!Budget().spend(message)) return too_long();
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
        if (!budget.spend(element)) return too_long();
        if (i != 0) json.append(bytes_of(", "));
        append_json(element, elements.field(), json);
    }
    json.append(bytes_of("]"));
    return text_in(json);
}

/// A problem may name a topic or type of any length.
constexpr qsizetype problem_characters = 1000;

QColor error_colour() { return {0xdb, 0x44, 0x37}; }
QColor difference_colour() { return colour_of(Tone::warning); }

}  // namespace

QVariant MessageTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case field_column: return tr("Field");
    case value_column: return tr("Value");
    case unit_column: return tr("Unit");
    case type_column: return tr("Type");
    default: return {};
    }
}

QVariant MessageTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    auto& node = *node_of(index);
    if (role == Qt::ToolTipRole) return tip(node, index.column());
    if (role == Qt::ForegroundRole) return colour(node, index.column());
    if (role != Qt::DisplayRole) return {};
    const auto place = node.place();
    switch (index.column()) {
    case field_column: return field_text(node);
    case value_column: return shown_value(node);
    case unit_column: return QString::fromUtf8(unit_of(place, node.holder()));
    case type_column:
        if (node.kind == MessageNode::Kind::channel)
            return visible_text(reader_.snapshot()->channels[node.first].channel->type_name, shown_characters);
        return place.field == nullptr || node.kind == MessageNode::Kind::bucket
                   ? QString()
                   : type_text(*place.field, node.kind == MessageNode::Kind::element);
    default: return {};
    }
}

QString MessageTreeModel::field_text(const MessageNode& node) const
{
    switch (node.kind) {
    case MessageNode::Kind::channel: return QString::fromStdString(reader_.snapshot()->channels[node.first].name);
    case MessageNode::Kind::field: return visible_text(node.field->name, shown_characters);
    case MessageNode::Kind::element: return QStringLiteral("[%1]").arg(node.first);
    case MessageNode::Kind::bucket:
        return QStringLiteral("[%1 \u2026 %2]").arg(node.first).arg(node.first + node.count - 1);
    case MessageNode::Kind::unknown: return tr("unknown fields");
    case MessageNode::Kind::damage: return tr("damaged from here on");
    }
    return {};
}

QString MessageTreeModel::shown_value(MessageNode& node) const
{
    const auto& content = reader_.content(node);
    if (content.state == NodeContent::State::broken) return visible_text(content.problem, problem_characters);
    if (node.kind == MessageNode::Kind::channel) return channel_text(node);
    if (node.kind == MessageNode::Kind::bucket) return count_text(node.count, "element");
    if (node.kind == MessageNode::Kind::unknown)
        return tr("%1, not in the schema").arg(reader_.unknown_fields(*node.parent));
    if (content.elements != nullptr) return count_text(content.elements->size(), "element");
    if (content.state == NodeContent::State::unset) return {};
    try {
        return value_text(*node.field, content.value);
    } catch (const Error& error) {
        return visible_text(error.what(), problem_characters);
    }
}

QString MessageTreeModel::channel_text(const MessageNode& node) const
{
    const auto& shown = reader_.snapshot()->channels[node.first];
    if (!shown.frame) return tr("no message yet");
    const auto in_file = number_in_file(shown);
    const auto text = tr("#%1%2 \u00b7 %3")
                          .arg(shown.number)
                          .arg(in_file ? tr(" (frame %1)").arg(*in_file) : QString())
                          .arg(size_text(shown.frame->bytes.size()));
    return node.content.problem.empty()
               ? text
               : text + QStringLiteral(" \u00b7 ") + visible_text(node.content.problem, problem_characters);
}

QString MessageTreeModel::channel_tip(MessageNode& node) const
{
    const auto& shown = reader_.snapshot()->channels[node.first];
    if (!shown.frame) return shown_value(node);
    const auto bytes = count_text(shown.frame->bytes.size(), "byte");
    const auto in_file = number_in_file(shown);
    const auto text = tr("message %1%2 \u00b7 %3 \u00b7 %4")
                          .arg(shown.number)
                          .arg(in_file ? tr(" of its channel, frame %1 of the file").arg(*in_file) : QString(),
                               seconds_text(shown.time), bytes);
    return text + QStringLiteral("\n") + shown_value(node);
}

QVariant MessageTreeModel::colour(MessageNode& node, int column) const
{
    const auto& content = reader_.content(node);
    if (content.state == NodeContent::State::broken)
        return column <= value_column ? QVariant(error_colour()) : QVariant();
    const auto& comparison = reader_.snapshot()->comparison;
    if (column <= value_column && comparison && comparison->is_different(node.source(), node.path()))
        return QVariant(difference_colour());
    const bool is_dim = content.state == NodeContent::State::unset || column >= unit_column;
    return is_dim ? QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText)) : QVariant();
}

QString MessageTreeModel::tip(MessageNode& node, int column) const
{
    if (column == value_column && node.kind == MessageNode::Kind::channel) return channel_tip(node).toHtmlEscaped();
    if (column == value_column) return shown_value(node).toHtmlEscaped();
    if (column == field_column)
        return QStringLiteral("<p>%1</p>").arg(field_text(node).toHtmlEscaped()) +
               documentation_html(node.place(), node.holder());
    return documentation_html(node.place(), node.holder());
}

QString MessageTreeModel::copied_text(const QModelIndex& index) const
try {
    auto& node = *node_of(index);
    const auto& content = reader_.content(node);
    const bool has_parts = content.elements != nullptr || std::holds_alternative<MessageView>(content.value);
    if (content.state != NodeContent::State::set ||
        (!has_parts && std::holds_alternative<std::monostate>(content.value)))
        return shown_value(node);
    if (content.elements != nullptr) return json_text(*content.elements);
    if (const auto* const message = std::get_if<MessageView>(&content.value)) return json_text(*message);
    if (const auto* const text = std::get_if<std::string_view>(&content.value))
        return QString::fromUtf8(text->data(), std::min(static_cast<qsizetype>(text->size()), copied_characters));
    return value_text(*node.field, content.value, copied_characters);
} catch (const Error& error) {
    return visible_text(error.what(), problem_characters);
}

}  // namespace ositrace::gui
