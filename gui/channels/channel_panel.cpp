// SPDX-License-Identifier: MPL-2.0
#include "gui/channels/channel_panel.hpp"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>

#include "gui/remote/remote_file.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr int source_role = Qt::UserRole;

QString rate_text(const MessageTimes& times)
{
    const auto step = times.typical_step();
    if (!step || step->count() <= 0) return {};
    return hertz_text(1e9 / static_cast<double>(step->count()), 3);
}

QPixmap colour_sample(std::uint32_t rgb)
{
    QPixmap pixmap(10, 10);
    pixmap.fill(QColor::fromRgb(rgb));
    return pixmap;
}

/// `GroundTruth`: all OSI types are in the package osi3.
QString short_type(const std::string& name)
{
    const auto text = visible_text(name, shown_characters);
    return text.startsWith(QLatin1String("osi3.")) ? text.mid(5) : text;
}

}  // namespace

QString silence_text(const OpenChannel& channel, std::uint64_t number)
{
    const auto last = seconds_text(channel.time_of(number), std::chrono::milliseconds(1));
    const auto text = number + 1 == channel.times->count
                          ? ChannelPanel::tr("%1 ended at %2: its objects are no longer shown")
                          : ChannelPanel::tr("%1 has no message for some time after %2: its objects are not shown");
    return text.arg(QString::fromStdString(channel.name), last);
}

ChannelPanel::ChannelPanel(Session& session, QWidget* parent) : QTreeWidget(parent), session_(session)
{
    setObjectName(QStringLiteral("channels"));
    setColumnCount(column_count);
    setHeaderLabels({tr("Channel"), tr("Type"), tr("Hz"), tr("Count"), tr("Size")});
    headerItem()->setToolTip(messages_column, tr("Messages; with dots while the index is being built"));
    headerItem()->setToolTip(size_column, tr("Of the shown message"));
    headerItem()->setToolTip(topic_column, tr("The box shows or hides the channel in the scene; a click selects the "
                                              "channel that the arrow keys step through, a right click offers more"));
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    header()->setSectionResizeMode(topic_column, QHeaderView::Stretch);
    header()->setSectionResizeMode(type_column, QHeaderView::Interactive);
    header()->setMinimumSectionSize(30);
    setUniformRowHeights(true);
    setRootIsDecorated(false);
    setIndentation(12);
    setTextElideMode(Qt::ElideMiddle);
    connect(&session_, &Session::channels_changed, this, &ChannelPanel::list);
    connect(&session_, &Session::times_changed, this, &ChannelPanel::update_times);
    connect(&session_, &Session::traces_changed, this, &ChannelPanel::update_files);
    connect(&session_, &Session::active_changed, this, &ChannelPanel::update_active);
    connect(&session_, &Session::shown_changed, this, &ChannelPanel::update_times);
    connect(this, &QTreeWidget::itemChanged, this, &ChannelPanel::apply_box);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* row) {
        if (!updating_ && row != nullptr && row->parent() != nullptr) session_.set_active(source_of(*row));
    });
    list();
}

std::uint32_t ChannelPanel::source_of(const QTreeWidgetItem& row) { return row.data(0, source_role).toUInt(); }

QTreeWidgetItem* ChannelPanel::row_of(std::uint32_t source) const
{
    const auto& channels = *session_.channels();
    if (source >= channels.size()) return nullptr;
    auto* const file = topLevelItem(static_cast<int>(channels[source].trace_number));
    return file != nullptr ? file->child(static_cast<int>(channels[source].in_trace)) : nullptr;
}

void ChannelPanel::list()
{
    updating_ = true;
    clear();
    for (const auto& trace : session_.traces()) {
        auto* const file = new QTreeWidgetItem(this, {QString::fromStdString(trace.file.filename().string())});
        file->setFirstColumnSpanned(true);
        file->setFlags(Qt::ItemIsEnabled);
        file->setExpanded(true);
    }
    const auto& channels = *session_.channels();
    for (std::uint32_t i = 0; i != channels.size(); ++i) {
        auto* const row = new QTreeWidgetItem(topLevelItem(static_cast<int>(channels[i].trace_number)));
        row->setText(topic_column, visible_text(channels[i].channel->topic, shown_characters));
        row->setText(type_column, short_type(channels[i].channel->type_name));
        row->setToolTip(type_column, visible_text(channels[i].channel->type_name, shown_characters));
        row->setToolTip(topic_column, QString::fromStdString(channels[i].name));
        row->setData(0, source_role, i);
        row->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        for (const int column : {rate_column, messages_column, size_column})
            row->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    updating_ = false;
    update_times();
    update_files();
    update_active();
    apply_stored();
}

void ChannelPanel::update_times()
{
    updating_ = true;
    const auto& channels = *session_.channels();
    for (std::uint32_t i = 0; i != channels.size(); ++i) {
        auto* const row = row_of(i);
        if (row == nullptr) continue;
        const auto& times = *channels[i].times;
        row->setCheckState(topic_column, channels[i].shown ? Qt::Checked : Qt::Unchecked);
        const auto& rgb = channels[i].style.rgb;
        row->setIcon(type_column, rgb ? QIcon(colour_sample(*rgb)) : QIcon());
        row->setText(rate_column, rate_text(times));
        row->setText(messages_column,
                     QString::number(times.count) + (times.complete ? QString() : QStringLiteral("...")));
    }
    updating_ = false;
    share_width();
}

/// The column of the type, which is often the same, shrinks in favour of the name.
void ChannelPanel::share_width()
{
    auto bold = font();
    bold.setBold(true);  // the font of the active channel
    const QFontMetrics metrics(bold);
    const int around = 2 * indentation() + style()->pixelMetric(QStyle::PM_IndicatorWidth) + 16;
    int name = 0;
    for (std::uint32_t i = 0; i != session_.channels()->size(); ++i)
        if (const auto* const row = row_of(i))
            name = std::max(name, around + metrics.horizontalAdvance(row->text(topic_column)));
    int room = viewport()->width() - name;
    for (const int column : {rate_column, messages_column, size_column})
        room -= std::max(sizeHintForColumn(column), header()->sectionSizeHint(column));
    const int whole = std::max(sizeHintForColumn(type_column), header()->sectionSizeHint(type_column));
    header()->resizeSection(type_column, std::clamp(room, std::min(4 * metrics.horizontalAdvance('m'), whole), whole));
}

void ChannelPanel::resizeEvent(QResizeEvent* event)
{
    QTreeWidget::resizeEvent(event);
    share_width();
}

void ChannelPanel::update_files()
{
    if (topLevelItemCount() != static_cast<int>(session_.traces().size())) return list();
    for (int i = 0; i != topLevelItemCount(); ++i) {
        const auto& trace = session_.traces()[static_cast<std::size_t>(i)];
        auto* const file = topLevelItem(i);
        auto name = QString::fromStdString(trace.file.filename().string());
        if (is_remote(trace.file.string())) name += tr(" (remote: %1)").arg(server_of(trace.file));
        const bool nothing = !trace.trace || trace.trace->info().channels.empty();
        const bool opening = !trace.whole && !trace.complete;
        if (!trace.state.isEmpty()) {
            file->setText(0, QStringLiteral("%1: %2").arg(name, trace.state));
            file->setToolTip(0, trace.state);
            continue;
        }
        if (trace.is_outdated()) {
            file->setText(0, trace.now ? tr("%1 (changed, F5 reloads it)").arg(name) : tr("%1 (removed)").arg(name));
            continue;
        }
        file->setText(0, opening                   ? tr("%1 (opening...)").arg(name)
                         : trace.problem.isEmpty() ? name
                         : nothing                 ? tr("%1: cannot be shown").arg(name)
                                                   : tr("%1: cannot be shown to its end").arg(name));
        file->setToolTip(0, trace.problem.isEmpty() ? QString::fromStdString(trace.file.string()) : trace.problem);
    }
}

void ChannelPanel::update_active()
{
    updating_ = true;
    for (std::uint32_t i = 0; i != session_.channels()->size(); ++i) {
        auto* const row = row_of(i);
        if (row == nullptr) continue;
        auto bold = font();
        bold.setBold(i == session_.active());
        row->setFont(topic_column, bold);
        if (i == session_.active()) setCurrentItem(row);
    }
    updating_ = false;
}

void ChannelPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    updating_ = true;
    for (std::uint32_t i = 0; i != session_.channels()->size(); ++i) {
        auto* const row = row_of(i);
        if (row == nullptr) continue;
        const bool there = snapshot && i < snapshot->channels.size() && snapshot->channels[i].frame;
        const auto* const shown = there ? &snapshot->channels[i] : nullptr;
        const bool is_past = shown != nullptr && shown->is_past;
        const auto& channel = (*session_.channels())[i];
        row->setText(size_column, shown == nullptr                            ? QString()
                                  : !is_past                                  ? size_text(shown->frame->bytes.size())
                                  : shown->number + 1 == channel.times->count ? tr("ended")
                                                                              : tr("silent"));
        row->setToolTip(size_column, is_past ? silence_text(channel, shown->number) : QString());
        set_dim(*row, is_past);
    }
    updating_ = false;
    share_width();
}

/// Rows that are not dimmed have the colour of the current theme.
void ChannelPanel::set_dim(QTreeWidgetItem& row, bool dim)
{
    const auto colour = dim ? QVariant(palette().brush(QPalette::PlaceholderText)) : QVariant();
    for (int column = 0; column != column_count; ++column)
        if (row.data(column, Qt::ForegroundRole) != colour) row.setData(column, Qt::ForegroundRole, colour);
}

void ChannelPanel::changeEvent(QEvent* event)
{
    QTreeWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    updating_ = true;
    for (std::uint32_t i = 0; i != session_.channels()->size(); ++i)
        if (auto* const row = row_of(i)) set_dim(*row, row->data(topic_column, Qt::ForegroundRole).isValid());
    updating_ = false;
}

void ChannelPanel::keyPressEvent(QKeyEvent* event)
{
    auto* const row = currentItem();
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enters || row == nullptr || row->parent() == nullptr) return QTreeWidget::keyPressEvent(event);
    row->setCheckState(topic_column, row->checkState(topic_column) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
}

void ChannelPanel::apply_box(QTreeWidgetItem* row, int column)
{
    if (updating_ || column != topic_column || row->parent() == nullptr) return;
    session_.set_shown(source_of(*row), row->checkState(topic_column) == Qt::Checked);
}

}  // namespace ositrace::gui
