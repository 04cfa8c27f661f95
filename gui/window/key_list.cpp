// SPDX-License-Identifier: MPL-2.0
#include "gui/window/key_list.hpp"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "gui/window/action_table.hpp"

namespace ositrace::gui {

namespace {

constexpr const char* other_rows[][2] = {
    {"message tree: Left, Right", "close and open a row; , and . step by message all the same"},
    {"message tree: Home, End, PgUp, PgDn", "move in its rows; in tables PgUp, PgDn"},
    {"channels: Enter", "shows and hides a channel"},
    {"text: Tab, Esc", "leave it"},
    {"scene: left drag", "turn (from above: move)"},
    {"scene: right or middle drag", "move (from above: right turns)"},
    {"scene: wheel", "nearer and further"},
    {"scene: click", "select a thing; beside it: nothing"},
    {"scene: click again, or with Alt", "select the point that lies on it"},
    {"scene: double click, with Alt", "look at a thing; follow it"},
    {"timeline: drag", "scrub"},
    {"timeline: wheel over the names", "scroll the channels"},
    {"timeline: Shift and drag", "choose the section that is played"},
    {"timeline: wheel, middle drag, double click", "zoom, move, show all"},
    {"timeline: click on a name", "makes the channel the active one"},
};

QString row_text(const QString& keys, const QString& text)
{
    return QStringLiteral("<tr><td style='padding-right:24px'><b>%1</b></td><td>%2</td></tr>")
        .arg(keys.toHtmlEscaped(), text.toHtmlEscaped());
}

QString all_text()
{
    QString text = QStringLiteral("<table cellpadding='2'>");
    for (const auto& row : action_table()) {
        if (*row.keys == '\0') continue;
        if (row.separated) text += QStringLiteral("<tr><td colspan='2'>&nbsp;</td></tr>");
        text += row_text(QString::fromLatin1(row.keys).replace(QLatin1Char(' '), QStringLiteral(" or ")),
                         QString::fromLatin1(row.text).remove(QStringLiteral("...")));
    }
    text += QStringLiteral("<tr><td colspan='2'>&nbsp;</td></tr>");
    for (const auto& [what, does] : other_rows) text += row_text(QString::fromLatin1(what), QString::fromLatin1(does));
    return text + QStringLiteral("</table>");
}

}  // namespace

void show_key_list(QWidget& parent)
{
    auto* const dialog = new QDialog(&parent);
    dialog->setObjectName(QStringLiteral("key_list"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QDialog::tr("Keys and mouse"));
    dialog->resize(620, 640);
    auto* const column = new QVBoxLayout(dialog);
    auto* const text = new QTextBrowser(dialog);
    text->setHtml(all_text());
    column->addWidget(text);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    column->addWidget(buttons);
    dialog->show();
}

}  // namespace ositrace::gui
