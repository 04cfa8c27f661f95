// SPDX-License-Identifier: MPL-2.0
#include "gui/tree/documentation.hpp"

#include <algorithm>
#include <span>

#include <QStringList>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

/// A schema of a trace may define any number of enum values.
constexpr std::size_t most_values = 500;

/// Escapes a name of a schema.
QString escaped(std::string_view text) { return visible_text(text, shown_characters).toHtmlEscaped(); }

QString paragraphs(std::string_view text)
{
    QString html;
    for (const auto& paragraph : QString::fromUtf8(text).split(QStringLiteral("\n\n"), Qt::SkipEmptyParts))
        html += QStringLiteral("<p>%1</p>").arg(paragraph.toHtmlEscaped());
    return html;
}

QString list(std::string_view title, std::string_view lines)
{
    if (lines.empty()) return {};
    QString html = QStringLiteral("<p><b>%1</b></p><ul>").arg(escaped(title));
    for (const auto& line : QString::fromUtf8(lines).split('\n'))
        html += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
    return html + QStringLiteral("</ul>");
}

QString enum_html(const EnumTable& enumeration)
{
    QString html = QStringLiteral("<p><b>Values</b></p><table>");
    for (const auto& value : std::span(enumeration.values).first(std::min(enumeration.values.size(), most_values))) {
        const auto* const doc = doc_of(enumeration, value.name);
        html +=
            QStringLiteral("<tr><td align='right'>%1&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
                .arg(value.number)
                .arg(escaped(value.name), doc == nullptr ? QString() : QString::fromUtf8(doc->comment).toHtmlEscaped());
    }
    html += QStringLiteral("</table>");
    if (enumeration.values.size() <= most_values) return html;
    return html + QStringLiteral("<p>and %1 more</p>").arg(count_text(enumeration.values.size() - most_values));
}

QString no_comments()
{
    return documented_names() == 0 ? QStringLiteral(
                                         "<p><i>This build has no documentation of OSI's fields: the comments could "
                                         "not be fetched.</i></p>")
                                   : QStringLiteral("<p><i>OSI does not document it.</i></p>");
}

}  // namespace

QString documentation_html(const MessageTable& message)
{
    const auto* const doc = doc_of(message);
    return QStringLiteral("<p><b>%1</b></p>").arg(escaped(message.full_name)) +
           (doc == nullptr ? no_comments() : paragraphs(doc->comment));
}

QString documentation_html(FieldPlace place, FieldPlace holder)
{
    if (place.field == nullptr) return {};
    const auto unit = unit_of(place, holder);
    QString html = QStringLiteral("<p><b>%1</b> &nbsp;%2")
                       .arg(escaped(place.field->name), type_text(*place.field, false).toHtmlEscaped());
    if (!unit.empty()) html += QStringLiteral(" &nbsp;[%1]").arg(escaped(unit));
    html += QStringLiteral(" &nbsp;<small>field %1 of %2</small></p>")
                .arg(place.field->number)
                .arg(escaped(place.message->full_name));
    const auto* const doc = doc_of(*place.message, *place.field);
    html += doc == nullptr ? no_comments() : paragraphs(doc->comment) + list("Rules", doc->rules);
    // The field that contains the message tells what `x` is of.
    if (const auto* const outer = holder.field == nullptr ? nullptr : doc_of(*holder.message, *holder.field))
        html += QStringLiteral("<p>In <b>%1</b>:</p>").arg(escaped(holder.field->name)) + paragraphs(outer->comment);
    if (place.field->enumeration != nullptr) html += enum_html(*place.field->enumeration);
    return html;
}

}  // namespace ositrace::gui
