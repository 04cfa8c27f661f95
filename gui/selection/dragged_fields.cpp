// SPDX-License-Identifier: MPL-2.0
#include "gui/selection/dragged_fields.hpp"

#include <QAbstractItemView>
#include <QDrag>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMimeData>
#include <QRegularExpression>

#include <ositrace/curve.hpp>
#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/series.hpp>

namespace ositrace::gui {

namespace {

const auto mime_type = QStringLiteral("application/x-ositrace-fields");

/// `moving object 42` of `global_ground_truth.moving_object[id=42]`, `every moving object` of `moving_object[*]`;
/// empty: it has another form.
QString spoken_element(const QString& path)
{
    static const QRegularExpression form(QStringLiteral("^(?:\\w+\\.)*(\\w+)\\[(?:id=(\\d+)|\\*)\\]$"));
    const auto match = form.match(path);
    if (!match.hasMatch()) return {};
    const auto list = match.captured(1).replace(QLatin1Char('_'), QLatin1Char(' '));
    return match.captured(2).isEmpty() ? QMenu::tr("every %1").arg(list)
                                       : QStringLiteral("%1 %2").arg(list, match.captured(2));
}

/// `velocity.x of moving object 42`, `speed of every moving object`, `distance of moving object 42 to moving object 1`;
/// what has another form stays.
QString spoken(const QString& expression)
{
    static const QRegularExpression distance(QStringLiteral("^distance\\((.+), (.+)\\)$")),
        field(QStringLiteral("^(norm\\()?(.+\\])\\.(?:base\\.)?([\\w.]+)(\\))?$"));
    if (const auto match = distance.match(expression); match.hasMatch()) {
        const auto from = spoken_element(match.captured(1)), to = spoken_element(match.captured(2));
        return from.isEmpty() || to.isEmpty() ? expression : QMenu::tr("distance of %1 to %2").arg(from, to);
    }
    const auto match = field.match(expression);
    const auto element = match.hasMatch() ? spoken_element(match.captured(2)) : QString();
    if (element.isEmpty() || match.captured(1).isEmpty() != match.captured(4).isEmpty()) return expression;
    const auto name = match.captured(3);
    const auto value = match.captured(1).isEmpty()          ? name
                       : name == QStringLiteral("velocity") ? QMenu::tr("speed")
                                                            : QMenu::tr("amount of %1").arg(name);
    return QMenu::tr("%1 of %2").arg(value, element);
}

}  // namespace

std::unique_ptr<QMimeData> mime_of(const DraggedFields& fields)
{
    QJsonArray expressions;
    QStringList lines;
    for (const auto& each : fields.expressions) {
        lines += QString::fromStdString(each);
        expressions.append(lines.last());
    }
    const QJsonObject object{{QStringLiteral("source"), static_cast<int>(fields.source)},
                             {QStringLiteral("expressions"), expressions}};
    auto data = std::make_unique<QMimeData>();
    data->setData(mime_type, QJsonDocument(object).toJson());
    data->setText(lines.join(QLatin1Char('\n')));
    return data;
}

std::optional<DraggedFields> dragged_fields(const QMimeData& data)
{
    if (!data.hasFormat(mime_type)) return std::nullopt;
    const auto object = QJsonDocument::fromJson(data.data(mime_type)).object();
    const auto source = object.value(QStringLiteral("source")).toInt(-1);
    if (source < 0) return std::nullopt;
    DraggedFields fields{.source = static_cast<std::uint32_t>(source), .expressions = {}};
    for (const auto& each : object.value(QStringLiteral("expressions")).toArray())
        fields.expressions.push_back(each.toString().toStdString());
    return fields;
}

void drag(const DraggedFields& fields, QAbstractItemView& from)
{
    if (fields.expressions.empty()) return;
    auto* const drag = new QDrag(&from);  // Qt deletes it after the drop
    drag->setMimeData(mime_of(fields).release());
    drag->exec(Qt::CopyAction);
}

void add_plot_actions(QMenu& menu, const DraggedFields& fields,
                      const std::function<void(std::uint32_t source, const std::string& expression)>& plot)
{
    const auto add = [&](const std::string& expression) {
        menu.addAction(QMenu::tr("Plot %1").arg(spoken(QString::fromStdString(expression))), &menu,
                       [plot, expression, source = fields.source] { plot(source, expression); });
    };
    for (const auto& each : fields.expressions) {
        add(each);
        static const QRegularExpression id(QStringLiteral("\\[id=\\d+\\]"));
        auto every = QString::fromStdString(each);  // of a distance the other end stays
        if (const auto first = id.match(every); first.hasMatch()) {
            every.replace(first.capturedStart(), first.capturedLength(), QStringLiteral("[*]"));
            add(every.toStdString());
        }
    }
}

std::string keyed_by_id(const Snapshot& snapshot, std::uint32_t source, const std::string& path)
try {
    const auto& shown = snapshot.channels.at(source);
    if (!shown.frame || shown.channel->root == nullptr || path.empty()) return path;
    return path_by_id(MessageView(shown.frame->bytes, *shown.channel->root, shown.channel->format), path);
} catch (const std::exception&) {  // a broken message: its indices name the same
    return path;
}

std::string plotted_expression(const Snapshot& snapshot, std::uint32_t source, const std::string& path)
{
    const auto& shown = snapshot.channels.at(source);
    if (path.empty() || shown.channel->root == nullptr) return {};
    const auto keyed = keyed_by_id(snapshot, source, path);
    for (const auto& each : {keyed, "norm(" + keyed + ")"}) {
        try {
            static_cast<void>(CurveExpression::compile(*shown.channel->root, each));
            return each;
        } catch (const Error&) {  // no numbers, or no vector
        }
    }
    return {};
}

}  // namespace ositrace::gui
