// SPDX-License-Identifier: MPL-2.0
#include "gui/marks/marks_panel.hpp"

#include <algorithm>
#include <utility>

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QShortcut>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <ositrace/error.hpp>

#include "gui/marks/event_options_dialog.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/save_file.hpp"
#include "gui/widgets/link_label.hpp"
#include "gui/widgets/tool_button.hpp"

namespace ositrace::gui {

namespace {

constexpr QLatin1String bookmarks_member("bookmarks"), events_member("events"), event_options_member("event_options");
/// The group of the events in the list.
constexpr QLatin1String events_group("events");
constexpr std::size_t most_reports = 50;

}  // namespace

bool is_report(const QString& file) { return file.endsWith(QLatin1String(".xqar"), Qt::CaseInsensitive); }

MarksPanel::MarksPanel(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection)
{
    setObjectName(QStringLiteral("marks_panel"));
    build();
    connect(&list_, &MarkList::changed, this, [this] {
        emit marks_changed(list_.marks());
        show_state();
    });
    connect(&search_, &EventSearch::progressed, this, [this](std::uint64_t messages) {
        read_ = messages;
        show_state();
    });
    connect(&search_, &EventSearch::finished, this, [this](const auto& found) {
        is_searching_ = false;
        found_ = found;
        list_events(*events_of_);
        show_state();
        emit message(found->problem.isEmpty() ? count_text(found->marks.size(), "event") : found->problem);
    });
    show_state();
}

MarksPanel::~MarksPanel() = default;

void MarksPanel::build()
{
    view_ = new QTableView;
    view_->setObjectName(QStringLiteral("marks"));
    view_->setModel(&list_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setAlternatingRowColors(true);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    const auto em = fontMetrics().horizontalAdvance('m');
    auto& header = *view_->horizontalHeader();
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (const auto& [column, width] :
         {std::pair{MarkList::time_column, 10}, {MarkList::duration_column, 7}, {MarkList::kind_column, 9}})
        header.resizeSection(column, width * em);
    header.setSectionResizeMode(MarkList::text_column, QHeaderView::Stretch);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) { go_to(index.row()); });
    auto* const remove = new QShortcut(QKeySequence::Delete, view_);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &MarksPanel::remove_chosen);

    auto* const add = tool_button("marks_add", tr("Bookmark"), tr("Bookmark the shown time, with a note (Ctrl+B)"));
    connect(add, &QToolButton::clicked, this, &MarksPanel::add_bookmark);
    auto* const section = tool_button("marks_section", tr("Bookmark the section"), tr("From its begin to its end"));
    connect(section, &QToolButton::clicked, this, &MarksPanel::bookmark_section);
    section_button_ = section;
    section->hide();
    auto* const report =
        tool_button("marks_report", tr("Open a report..."), tr("The findings of a checker: .xqar, of any checker"));
    connect(report, &QToolButton::clicked, this, &MarksPanel::ask_for_reports);
    auto* const events =
        tool_button("marks_events", tr("Find events"),
                    tr("List what objects do: standstill, hard braking, lane changes, cut-ins, overtaking, "
                       "red lights, collisions (E). The menu has thresholds, such as that of hard braking."));
    auto* const menu = new QMenu(events);
    menu->addAction(tr("Thresholds..."), this, &MarksPanel::ask_for_event_options);
    remove_events_ = menu->addAction(tr("Remove the events"), this, &MarksPanel::remove_events);
    events->setMenu(menu);
    events->setPopupMode(QToolButton::MenuButtonPopup);
    connect(events, &QToolButton::clicked, this, [this] { find_events(); });
    auto* const gone =
        tool_button("marks_remove", tr("Remove"), tr("Remove the chosen bookmarks, reports or events (Delete)"));
    connect(gone, &QToolButton::clicked, this, &MarksPanel::remove_chosen);
    auto* const csv = tool_button("marks_csv", tr("CSV..."), tr("Write the list to a file"));
    connect(csv, &QToolButton::clicked, this, &MarksPanel::ask_for_csv);
    state_ = new QLabel;
    state_->setObjectName(QStringLiteral("marks_state"));
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* const bar = new QHBoxLayout;
    for (auto* const each : {add, section, events, report, gone, csv}) {
        each->setFocusPolicy(Qt::NoFocus);
        bar->addWidget(each);
    }
    bar->addWidget(state_, 1);
    highlights_ = new LinkLabel;
    highlights_->setObjectName(QStringLiteral("marks_highlights"));
    highlights_->setTextFormat(Qt::RichText);
    highlights_->setWordWrap(true);
    connect(highlights_, &QLabel::linkActivated, this, &MarksPanel::follow_highlight);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addLayout(bar);
    all->addWidget(highlights_);
    all->addWidget(view_, 1);
}

void MarksPanel::show_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    section_button_->setVisible(section.has_value());
}

void MarksPanel::add_bookmark() { write_note(list_.add_bookmark(time_, std::nullopt, {})); }

void MarksPanel::bookmark_section()
{
    if (!section_) return emit message(tr("There is no section: I and O mark its begin and end"));
    write_note(list_.add_bookmark(section_->from, section_->to, {}));
}

void MarksPanel::write_note(std::optional<int> row)
{
    if (!row) return emit message(tr("There are %1 bookmarks, which is the limit").arg(MarkList::most_bookmarks));
    const auto index = list_.index(*row, MarkList::text_column);
    view_->setCurrentIndex(index);
    view_->scrollTo(index);
    if (view_->isVisible()) view_->edit(index);
}

void MarksPanel::remove_chosen()
{
    std::vector<int> rows;
    bool is_without_events = false;
    for (const auto& each : view_->selectionModel()->selectedRows()) {
        rows.push_back(each.row());
        const auto& group = list_.rows()[static_cast<std::size_t>(each.row())].group;
        if (group == events_group) is_without_events = true;
        reports_.erase(group);
    }
    list_.remove(std::move(rows));
    if (is_without_events) remove_events();
}

void MarksPanel::go(int direction)
{
    const auto row = list_.row_beside(time_, direction);
    if (!row) return emit message(direction > 0 ? tr("No later mark") : tr("No earlier mark"));
    view_->selectRow(*row);
    go_to(*row);
}

void MarksPanel::choose(const TimelineMark& mark)
{
    const auto& rows = list_.rows();
    const auto row = std::ranges::find(rows, mark, &MarkList::Row::mark);
    if (row == rows.end()) return emit seek_requested(mark.moment());
    view_->selectRow(static_cast<int>(row - rows.begin()));
    go_to(static_cast<int>(row - rows.begin()));
}

void MarksPanel::go_to(int row)
{
    if (!list_.rows()[static_cast<std::size_t>(row)].has_time) return;
    const auto mark = list_.rows()[static_cast<std::size_t>(row)].mark;  // a copy: a seek may change the list
    go_to(mark.moment(), mark.source, mark.object, Category::moving_object);
}

/// Seeks, and selects and looks at the thing of this id when its message is shown.
void MarksPanel::go_to(Nanoseconds time, std::optional<std::uint32_t> source, std::optional<std::uint64_t> id,
                       Category category)
{
    wanted_.reset();
    const auto& channels = *session_.channels();
    if (id && source && *source < channels.size())
        if (const auto number = channels[*source].last_until(time))
            wanted_ = {.source = *source, .number = *number, .id = id, .path = {}, .category = category};
    emit seek_requested(time);
    show_wanted();
}

void MarksPanel::show_wanted()
{
    if (!wanted_) return;
    select_when_shown(wanted_, snapshot_.get(), selection_);
    if (const auto& selected = selection_.current(); !wanted_ && selected && selected->thing)
        emit focus_requested(*selected->thing);
}

/// `hardest braking: object 2, -4.44 m/s² at 5.049 s · red light: 12004 at 0.000 s, 12001 at 9.000 s`
void MarksPanel::show_highlights()
{
    QString text, last;
    const auto count = found_ && searched_ ? found_->highlights.size() : 0;
    for (std::size_t i = 0; i != count; ++i) {
        const auto& each = found_->highlights[i];
        if (each.what == last)
            text += QStringLiteral(", ");
        else
            text += (text.isEmpty() ? QString() : QStringLiteral(" \u00b7 ")) + each.what + QStringLiteral(": ");
        last = each.what;
        const auto time = seconds_text(shifted(each.time, searched_->shift), std::chrono::milliseconds(1));
        text += QStringLiteral("<a href=\"%1\">%2</a>").arg(i).arg(tr("%1 at %2").arg(each.text, time).toHtmlEscaped());
    }
    highlights_->setText(text);
    highlights_->setVisible(!text.isEmpty());
}

void MarksPanel::follow_highlight(const QString& place)
{
    const auto i = place.toULongLong();
    if (!found_ || !searched_ || i >= found_->highlights.size()) return;
    const auto highlight = found_->highlights[i];
    go_to(shifted(highlight.time, searched_->shift), events_of_, highlight.id, highlight.category);
}

void MarksPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    snapshot_ = snapshot;
    show_wanted();
}

void MarksPanel::find_events()
{
    wants_events_ = true;
    follow_events();
}

void MarksPanel::find_events(const TrafficOptions& options)
{
    event_options_ = options;
    searched_.reset();
    find_events();
}

void MarksPanel::ask_for_event_options()
{
    if (const auto options = gui::ask_for_event_options(event_options_, this)) find_events(*options);
}

void MarksPanel::remove_events()
{
    wants_events_ = false;
    follow_events();
}

void MarksPanel::release()
{
    is_on_hold_ = false;
    follow_events();
}

/// The active channel, else the first one in the scene that has objects. A live source has no end, after which its
/// events would be known.
std::optional<std::uint32_t> MarksPanel::source_of_events() const
{
    const auto& channels = *session_.channels();
    const auto fits = [&](std::uint32_t source) { return has_events(channels[source]) && !grows(channels[source]); };
    const auto active = session_.active();
    if (active < channels.size() && fits(active)) return active;
    for (const bool shown : {true, false})
        for (std::uint32_t i = 0; i != channels.size(); ++i)
            if (channels[i].shown == shown && fits(i)) return i;
    return std::nullopt;
}

/// The events are those of the channel that is shown now, in its time.
void MarksPanel::follow_events()
{
    if (is_on_hold_) return;
    const auto source = wants_events_ ? source_of_events() : std::nullopt;
    if (!source) {
        search_.cancel();
        is_searching_ = false;
        searched_.reset();
        found_.reset();
        set_events(events_group, {});
        return show_state();
    }
    const auto& channel = (*session_.channels())[*source];
    const bool is_other = !searched_ || searched_->trace != channel.trace || searched_->in_trace != channel.in_trace;
    const bool is_moved = is_other || events_of_ != source || searched_->shift != channel.shift;
    searched_ = channel;
    events_of_ = source;
    if (is_other) {
        found_.reset();
        set_events(events_group, {});
        is_searching_ = true;
        read_ = 0;
        search_.start(channel, event_options_);
    } else if (is_moved) {
        list_events(*source);
    }
    show_state();
}

void MarksPanel::list_events(std::uint32_t source)
{
    if (!found_) return;
    auto marks = found_->marks;
    for (auto& each : marks) {
        each.source = source;
        each.time = shifted(each.time, searched_->shift);
        for (auto* const later : {&each.until, &each.peak})
            if (*later) *later = shifted(**later, searched_->shift);
    }
    set_events(events_group, std::move(marks));
}

void MarksPanel::set_events(const QString& group, std::vector<TimelineMark> events)
{
    std::vector<MarkList::Row> rows;
    rows.reserve(events.size());
    for (auto& each : events) {
        auto& row = rows.emplace_back();
        row.mark = std::move(each);
        row.mark.kind = MarkKind::event;
    }
    list_.set_group(group, std::move(rows));
}

void MarksPanel::ask_for_reports()
{
    const auto files =
        QFileDialog::getOpenFileNames(this, tr("Open reports of checkers"), {}, tr("Reports (*.xqar);;All files (*)"));
    for (const auto& each : files) open_report(each);
}

/// A report that is read again replaces what it was.
void MarksPanel::open_report(const QString& file)
{
    if (readers_.contains(file)) return;
    if (reports_.size() + readers_.size() >= most_reports)
        return emit message(tr("%1 reports are open, which is the limit").arg(most_reports));
    readers_[file] = std::jthread([this, file] {
        std::shared_ptr<const CheckReport> report;
        QString problem;
        try {
            report = std::make_shared<CheckReport>(read_check_report(std::filesystem::path(file.toStdString())));
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        // The destructor of the panel waits for this thread, and drops what is queued for it.
        QMetaObject::invokeMethod(
            this, [this, file, report, problem] { show_report(file, report, problem); }, Qt::QueuedConnection);
    });
    show_state();
}

void MarksPanel::show_report(const QString& file, std::shared_ptr<const CheckReport> report, const QString& problem)
{
    readers_.erase(file);
    show_state();
    if (!report) return emit message(problem);
    const auto& channels = *session_.channels();
    list_.set_group(file, rows_of(*report, file, channels));
    auto text = tr("%1: %2").arg(QFileInfo(file).fileName(), count_text(report->findings.size(), "finding"));
    if (report->left_out != 0) text += tr("; %1 more are left out").arg(count_text(report->left_out));
    reports_[file] = std::move(report);
    placed_in_ = session_.channels();
    emit message(text);
}

void MarksPanel::show_times(const std::shared_ptr<const OpenChannels>& channels)
{
    show_reports(channels);
    follow_events();
}

/// The times of findings follow the channels: files are opened, indexed and shifted.
void MarksPanel::show_reports(const std::shared_ptr<const OpenChannels>& channels)
{
    if (reports_.empty() || channels == placed_in_) return;
    placed_in_ = channels;
    for (const auto& [file, report] : reports_) list_.set_group(file, rows_of(*report, file, *channels));
}

void MarksPanel::show_state()
{
    show_highlights();
    QStringList parts;
    if (!list_.rows().empty()) parts += count_text(list_.rows().size(), "mark");
    if (is_searching_) {
        const auto count = searched_->times->count;
        parts += count == 0 ? tr("finding events")
                            : tr("finding events: %1 %").arg(std::min<std::uint64_t>(99, 100 * read_ / count));
    } else if (found_ && !found_->problem.isEmpty()) {
        parts += found_->problem;
    } else if (wants_events_ && !searched_ && !session_.channels()->empty()) {
        parts += tr("no file has a GroundTruth or a SensorView, which have events");
    } else if (found_ && found_->marks.empty()) {
        parts += tr("no events");
    }
    if (searched_)
        parts += tr("braking from %1, acceleration from %2 m/s\u00b2")
                     .arg(event_options_.number("braking"))
                     .arg(event_options_.number("acceleration"));
    remove_events_->setEnabled(wants_events_);
    if (!readers_.empty()) parts += tr("reading %1").arg(count_text(readers_.size(), "report"));
    state_->setText(parts.isEmpty()
                        ? tr("Ctrl+B bookmarks the shown time; bookmarks are kept for the trace, and in a layout")
                        : parts.join(QStringLiteral(", ")));
}

QString MarksPanel::save_csv(const QString& file) const { return save_file(file, list_.csv()); }

void MarksPanel::ask_for_csv()
{
    QFileDialog dialog(this, tr("Save the marks"), {}, QStringLiteral("*.csv"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    dialog.selectFile(QStringLiteral("marks.csv"));
    if (dialog.exec() != QDialog::Accepted) return;
    const auto file = dialog.selectedFiles().front();
    const auto problem = save_csv(file);
    emit message(problem.isEmpty() ? tr("%1: %2").arg(file, count_text(list_.rows().size(), "mark")) : problem);
}

void MarksPanel::save(QJsonObject& layout) const
{
    if (const auto bookmarks = list_.bookmarks(); !bookmarks.isEmpty()) layout.insert(bookmarks_member, bookmarks);
    if (wants_events_) layout.insert(events_member, true);
    QJsonObject options;
    for (const auto& each : event_options_.known())
        if (const auto text = event_options_.text(each.name); text && *text != each.initial)
            options.insert(QLatin1String(each.name), QString::fromStdString(*text));
    if (!options.isEmpty()) layout.insert(event_options_member, options);
}

void MarksPanel::restore(const QJsonObject& layout)
{
    if (layout.contains(bookmarks_member)) list_.set_bookmarks(layout.value(bookmarks_member).toArray());
    auto options = gui::event_options();
    const auto kept = layout.value(event_options_member).toObject();
    for (const auto& each : options.known()) {
        const auto text = kept.value(QLatin1String(each.name)).toString();
        try {
            if (!text.isEmpty()) options.set(each.name, text.toStdString());
        } catch (const Error&) {  // a layout that somebody has written
            emit message(tr("'%1' of the layout is no number").arg(text));
        }
    }
    if (layout.value(events_member).toBool()) return find_events(options);
    event_options_ = options;
    remove_events();
}

}  // namespace ositrace::gui
