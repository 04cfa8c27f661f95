// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/compare_panel.hpp"

#include <algorithm>
#include <utility>

#include <QFileDialog>
#include <QLabel>
#include <QPointer>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "gui/compare/boundary_results.hpp"
#include "gui/compare/compare_bar.hpp"
#include "gui/compare/error_history.hpp"
#include "gui/compare/result_rows.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr auto run_delay = std::chrono::milliseconds(150);

// Links of the summary.
const auto worst_link = QStringLiteral("worst"), missed_link = QStringLiteral("missed"),
           ghosts_link = QStringLiteral("ghosts"), difference_link = QStringLiteral("difference");

QString link(const QString& target, const QString& text)
{
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(target, text.toHtmlEscaped());
}

/// `0.530 m`
QString error_with_unit(ObjectError kind, double error)
{
    const auto unit = shown_unit(kind);
    const auto space = unit == QStringLiteral("\u00b0") ? QString() : QStringLiteral(" ");
    return error_text(kind, error) + space + unit;
}

QString name_of(const ObjectHistory& object)
{
    return object.has_id ? ComparePanel::tr("object %1").arg(object.id) : ComparePanel::tr("an object without an id");
}

std::uint64_t moments_with(const TraceComparison& comparison, std::uint32_t ComparedMoment::* count)
{
    return static_cast<std::uint64_t>(std::ranges::count_if(
        comparison.moments, [count](const ComparedMoment& moment) { return moment.*count != 0; }));
}

}  // namespace

ComparePanel::ComparePanel(Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection)
{
    build();
    run_timer_.setSingleShot(true);
    run_timer_.setInterval(run_delay);
    connect(&run_timer_, &QTimer::timeout, this, &ComparePanel::start_run);
    connect(bar_, &CompareBar::choice_changed, this, &ComparePanel::choose);
    connect(bar_, &CompareBar::offset_chosen, this, &ComparePanel::offset_requested);
    connect(bar_, &CompareBar::side_by_side_changed, this, &ComparePanel::show_side_by_side);
    connect(bar_, &CompareBar::error_changed, this, &ComparePanel::show_run);
    connect(bar_, &CompareBar::export_requested, this, &ComparePanel::export_csv);
    connect(at_time_, &ResultView::chosen, this, &ComparePanel::choose_shown);
    connect(over_time_, &ResultView::chosen, this, &ComparePanel::choose_over_time);
    connect(chart_, &PlotView::seek_requested, this, &ComparePanel::seek_requested);
    connect(chart_, &PlotView::section_chosen, this, &ComparePanel::section_chosen);
    connect(summary_, &QLabel::linkActivated, this, &ComparePanel::follow_link);
    connect(&selection_, &Selection::changed, this, &ComparePanel::show_selection);
    show_shown();
    show_run();
}

ComparePanel::~ComparePanel() { ComparisonRun::retire(std::move(run_)); }

void ComparePanel::build()
{
    bar_ = new CompareBar;
    state_ = new QLabel;
    state_->setObjectName(QStringLiteral("compare_state"));
    state_->setWordWrap(true);
    summary_ = new QLabel;
    summary_->setObjectName(QStringLiteral("compare_summary"));
    summary_->setTextFormat(Qt::RichText);
    summary_->setWordWrap(true);
    tabs_ = new QTabWidget;
    tabs_->setObjectName(QStringLiteral("compare_tabs"));
    tabs_->setDocumentMode(true);
    at_time_ = new ResultView("compare_at_time");
    over_time_ = new ResultView("compare_over_time");
    tabs_->addTab(at_time_, tr("At this time"));
    tabs_->addTab(over_time_, tr("Over time"));
    chart_ = new PlotView;
    chart_->setObjectName(QStringLiteral("error_chart"));
    chart_->set_legend(true);
    chart_->set_hint(tr("no errors to show"));
    auto* const split = new QSplitter(Qt::Horizontal);
    split->addWidget(tabs_);
    split->addWidget(chart_);
    boundaries_ = new BoundaryChart;
    boundaries_->hide();
    split->addWidget(boundaries_);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setChildrenCollapsible(false);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->setSpacing(3);
    all->addWidget(bar_);
    all->addWidget(summary_);
    all->addWidget(state_);
    // What a scroll area asks for is the preferred height, where a text is wrapped: here it is the least one.
    split->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    all->addWidget(split, 1);
}

void ComparePanel::showEvent(QShowEvent* /*event*/) { choose(); }
void ComparePanel::hideEvent(QHideEvent* /*event*/) { choose(); }

void ComparePanel::show_channels(const std::shared_ptr<const OpenChannels>& channels)
{
    ComparisonRun::retire(std::move(run_));
    choice_.reset();
    show_side_by_side();
    channels_ = channels;
    bar_->show_channels(channels);  // chooses
    if (choice_) return;
    show_shown();  // what was compared is closed
    show_run();
}

void ComparePanel::show_times(const std::shared_ptr<const OpenChannels>& channels)
{
    const auto before = std::exchange(channels_, channels);
    bar_->show_offsets(channels);
    if (!choice_ || before->size() != channels_->size()) return;
    const bool is_same = std::ranges::all_of(choice_->sides, [&](const CompareSide& side) {
        const auto &old = (*before)[side.source], &now = (*channels_)[side.source];
        return old.times == now.times && old.shift == now.shift;
    });
    if (is_same && run_) return;
    ComparisonRun::retire(std::move(run_));
    run_timer_.start();
}

void ComparePanel::choose()
{
    const auto chosen = isVisible() ? bar_->choice() : std::nullopt;
    const bool is_same = chosen ? choice_ && *choice_ == *chosen : !choice_;
    if (is_same) return;
    choice_ = chosen ? std::make_shared<const CompareChoice>(*chosen) : nullptr;
    ComparisonRun::retire(std::move(run_));
    if (choice_) run_timer_.start();
    emit compared(choice_);
    show_side_by_side();
    show_shown();
    show_run();
}

void ComparePanel::show_side_by_side()
{
    auto wanted = bar_->is_side_by_side() ? choice_ : nullptr;
    if (wanted == side_by_side_) return;
    side_by_side_ = std::move(wanted);
    emit side_by_side_changed(side_by_side_);
}

/// As soon as the times of both channels are known.
void ComparePanel::start_run()
{
    if (!choice_ || run_) return;
    const auto &a = (*channels_)[choice_->sides[0].source], &b = (*channels_)[choice_->sides[1].source];
    if (!a.times->complete || !b.times->complete) return;
    run_ = std::make_unique<ComparisonRun>(*choice_, std::array{a, b});
    connect(run_.get(), &ComparisonRun::changed, this, &ComparePanel::show_run);
    show_run();
}

const ShownComparison* ComparePanel::comparison() const noexcept
{
    if (!choice_ || !snapshot_ || !snapshot_->comparison || snapshot_->comparison->choice != *choice_) return nullptr;
    return snapshot_->comparison.get();
}

void ComparePanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    snapshot_ = snapshot;
    if (isVisible()) show_shown();
    show_wanted();
}

void ComparePanel::show_time(Nanoseconds time)
{
    time_ = time;
    chart_->set_time(time);
}

void ComparePanel::show_shown()
{
    const auto* const shown = comparison();
    if (shown != nullptr && shown->objects)
        at_time_->show_table(pair_table(*shown, *snapshot_->picture), pair_table_distance);
    else if (shown != nullptr && shown->exact)
        at_time_->show_table(difference_table(*shown->exact), -1);
    else if (shown != nullptr && shown->boundaries)
        at_time_->show_table(boundary_table(*shown->boundaries), boundary_table_mean);
    else
        at_time_->show_table({at_time_->rows().table().columns, {}}, -1);
    boundaries_->show_comparison(shown != nullptr && shown->boundaries ? &*shown->boundaries : nullptr);
    state_->setText(state_text());
    show_selection();
}

QString ComparePanel::state_text() const
{
    if (!choice_)
        return tr(
            "Nothing to compare: open a ground truth and detections, or any two traces. Ctrl+Shift+O adds a file.");
    const auto* const shown = comparison();
    if (shown == nullptr) return {};
    if (!shown->messages) return QString::fromStdString(shown->problem);
    auto text = tr("A #%1 at %2, B #%3 at %4: ")
                    .arg(shown->messages->a)
                    .arg(seconds_text(shown->times[0]))
                    .arg(shown->messages->b)
                    .arg(seconds_text(shown->times[1]));
    if (shown->objects) {
        const auto& objects = *shown->objects;
        text += tr("%1, %2 missed, %3")
                    .arg(count_text(objects.pairs.size(), "pair"), count_text(objects.missed.size()),
                         count_text(objects.ghosts.size(), "ghost"));
        if (objects.out_of_reach != 0) text += tr(", %1 out of reach").arg(count_text(objects.out_of_reach));
        const auto all = objects.pairs.size() + objects.missed.size() + objects.ghosts.size();
        if (all > most_listed) text += tr(". The worst %1 are listed").arg(most_listed);
        for (const auto& note : objects.notes) text += QStringLiteral(". ") + QString::fromStdString(note);
    }
    if (shown->boundaries) text += boundary_text(*shown->boundaries);
    if (shown->exact) {
        const auto& exact = *shown->exact;
        text += exact.equal_bytes ? tr("the same bytes")
                : exact.equal     ? tr("equal to the last bit, in other bytes")
                                  : tr("%1%2 differ")
                                    .arg(exact.more ? tr("more than ") : QString(),
                                         count_text(exact.differences.size(), "field"));
    }
    if (!shown->is_shown[0]) text += tr(". The message of A that is shown has no partner");
    if (!shown->is_shown[1]) text += tr(". The scene shows another message of B");
    return text;
}

void ComparePanel::show_run()
{
    summary_->setText(summary_text());
    const auto result = run_ ? run_->result() : ComparedTraces();
    bar_->show_seen(result.objects ? result.objects->seen : std::nullopt, run_ && !run_->is_running());
    bar_->set_exportable(result.objects && run_ && !run_->is_running() && !exporting_);
    if (result.objects)
        over_time_->show_table(history_table(*result.objects, bar_->error()), history_table_largest);
    else if (result.exact)
        over_time_->show_table(different_moments_table(*result.exact), -1);
    else
        over_time_->show_table({over_time_->rows().table().columns, {}}, -1);
    chart_->setVisible(!choice_ || choice_->mode == CompareMode::objects);
    const bool has_boundaries = choice_ && choice_->mode == CompareMode::boundaries;
    boundaries_->setVisible(has_boundaries);
    tabs_->setTabVisible(1, !has_boundaries);
    show_selection();
    show_curves();
}

QString ComparePanel::summary_text() const
{
    if (!choice_) return {};
    if (!run_) return tr("waiting for the times of the messages");
    if (!run_->problem().isEmpty()) return run_->problem().toHtmlEscaped();
    const auto& result = run_->result();
    QStringList parts;
    if (run_->is_running()) parts += tr("comparing: %1 %").arg(static_cast<int>(100 * run_->progress()));
    if (result.objects) parts += summary_of(*result.objects, bar_->error());
    if (result.exact) parts += summary_of(*result.exact);
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString ComparePanel::summary_of(const TraceComparison& comparison, ObjectError kind)
{
    QStringList parts;
    const auto& statistics = comparison.statistics[static_cast<std::size_t>(kind)];
    if (const auto* const worst = comparison.worst_object(kind)) {
        const auto& largest = worst->statistics[static_cast<std::size_t>(kind)];
        if (largest.largest > 0)
            parts += tr("worst: ") + link(worst_link, tr("%1, %2 at %3")
                                                          .arg(name_of(*worst), error_with_unit(kind, largest.largest),
                                                               seconds_text(comparison.moments[largest.moment].time)));
        parts +=
            largest.largest > 0 ? tr("mean %1").arg(error_with_unit(kind, statistics.mean())) : tr("no pair differs");
    }
    if (comparison.complete && comparison.objects.empty() && comparison.ghosts == 0 && comparison.broken == 0)
        parts += tr("nothing to compare: no message of A or B has such an object");
    const auto counted = [&](std::uint64_t count, const QString& target, const QString& text,
                             std::uint32_t ComparedMoment::* in) {
        parts += count == 0
                     ? text
                     : link(target, text) + tr(" in %1").arg(count_text(moments_with(comparison, in), "message"));
    };
    counted(comparison.missed, missed_link, tr("%1 missed").arg(count_text(comparison.missed)),
            &ComparedMoment::missed);
    counted(comparison.ghosts, ghosts_link, count_text(comparison.ghosts, "ghost"), &ComparedMoment::ghosts);
    if (comparison.out_of_reach != 0) parts += tr("%1 out of reach").arg(count_text(comparison.out_of_reach));
    parts += tr("%1 of messages, at most %2 apart")
                 .arg(count_text(comparison.moments.size(), "pair"), milliseconds_text(comparison.farthest, 1));
    if (comparison.broken != 0)
        parts += tr("%1 cannot be compared: %2")
                     .arg(count_text(comparison.broken), QString::fromStdString(comparison.problem).toHtmlEscaped());
    if (!comparison.samples_are_complete) parts += tr("curves and CSV end early: there are too many objects");
    if (comparison.objects.size() > most_listed) parts += tr("listed: the worst %1 objects").arg(most_listed);
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString ComparePanel::summary_of(const EqualityOfTraces& comparison)
{
    QStringList parts;
    if (comparison.same())
        parts += tr("equal to the last bit: %1").arg(count_text(comparison.messages_a, "message"));
    else
        parts += tr("%1 of %2 differ").arg(count_text(comparison.different), count_text(comparison.compared, "pair"));
    if (!comparison.differences.empty()) {
        const auto& first = comparison.differences.front();
        const auto where = QString::fromStdString(first.field);
        parts += tr("first difference: ") +
                 link(difference_link,
                      tr("%1: %2: %3").arg(seconds_text(first.time), where, QString::fromStdString(first.text)));
    }
    if (comparison.messages_a != comparison.pairs)
        parts += tr("only in A: %1").arg(count_text(comparison.messages_a - comparison.pairs, "message"));
    if (comparison.messages_b != comparison.pairs)
        parts += tr("only in B: %1").arg(count_text(comparison.messages_b - comparison.pairs, "message"));
    if (comparison.equal_bytes != 0) parts += tr("the same bytes: %1").arg(count_text(comparison.equal_bytes));
    return parts.join(QStringLiteral(" \u00b7 "));
}

void ComparePanel::show_curves()
{
    const auto result = run_ ? run_->result().objects : nullptr;
    const auto* const object = result && curve_of_ ? result->find(curve_of_->kind, curve_of_->id) : nullptr;
    const bool has_errors = result && !result->moments.empty();
    chart_->set_lines(has_errors ? error_lines(*result, bar_->error(), object) : std::vector<PlotLine>());
    chart_->set_marks(has_errors ? error_marks(*result, object) : std::vector<PlotMarks>());
    chart_->set_extent(extent_of(*channels_));
}

/// Marks the selected object in both tables, and shows its curve.
void ComparePanel::show_selection()
{
    const auto* const shown = comparison();
    const auto& selected = selection_.current();
    std::optional<int> row;
    if (selected && shown != nullptr && shown->objects) {
        const auto rows = pair_rows(*shown->objects);
        const auto found = std::ranges::find_if(rows, [&](const PairRow& each) {
            return (each.a != nullptr && is_selected(*selected, *shown, 0, *each.a)) ||
                   (each.b != nullptr && is_selected(*selected, *shown, 1, *each.b));
        });
        if (found != rows.end()) row = static_cast<int>(found - rows.begin());
    }
    at_time_->mark(row);
    const auto before = std::exchange(curve_of_, selected_object_of_a());
    std::optional<int> history;
    if (const auto result = run_ ? run_->result().objects : nullptr; result && curve_of_) {
        const auto objects = listed_objects(*result, bar_->error());
        const auto found = std::ranges::find_if(objects, [&](const ObjectHistory* each) {
            return each->has_id && ComparedKey{each->kind, each->id} == *curve_of_;
        });
        if (found != objects.end()) history = static_cast<int>(found - objects.begin());
    }
    if (choice_ && choice_->mode == CompareMode::objects) over_time_->mark(history);
    if (before != curve_of_) show_curves();
}

std::optional<ComparePanel::ComparedKey> ComparePanel::selected_object_of_a() const
{
    const auto& selected = selection_.current();
    if (!selected || !choice_) return std::nullopt;
    if (const auto* const shown = comparison(); shown != nullptr && shown->objects) {
        for (const auto& pair : shown->objects->pairs)
            if (pair.a.has_id &&
                (is_selected(*selected, *shown, 0, pair.a) || is_selected(*selected, *shown, 1, pair.b)))
                return ComparedKey{pair.a.kind, pair.a.id};
        for (const auto& object : shown->objects->missed)
            if (object.has_id && is_selected(*selected, *shown, 0, object)) return ComparedKey{object.kind, object.id};
        for (const auto& object : shown->objects->ghosts)
            if (is_selected(*selected, *shown, 1, object)) return std::nullopt;
    }
    const auto kind = selected->thing ? kind_compared(selected->thing->category) : std::nullopt;
    if (!kind) return std::nullopt;
    if (selected->source == choice_->sides[0].source) return ComparedKey{*kind, selected->thing->id};  // absent now
    return selected->source == choice_->sides[1].source ? curve_of_ : std::nullopt;
}

void ComparePanel::choose_shown(int row)
{
    const auto* const shown = comparison();
    if (shown == nullptr || !shown->objects) return;
    const auto rows = pair_rows(*shown->objects);
    if (row < 0 || static_cast<std::size_t>(row) >= rows.size()) return;
    const auto& chosen = rows[static_cast<std::size_t>(row)];
    const std::size_t side = chosen.a != nullptr ? 0 : 1;
    if (const auto selected = selected_object(*shown, *snapshot_->picture, side, side == 0 ? *chosen.a : *chosen.b))
        selection_.select(*selected);
}

void ComparePanel::choose_over_time(int row)
{
    if (!run_ || row < 0) return;
    const auto result = run_->result();
    const auto place = static_cast<std::size_t>(row);
    if (result.exact && place < result.exact->differences.size())
        emit seek_requested(result.exact->differences[place].time);
    if (!result.objects) return;
    const auto objects = listed_objects(*result.objects, bar_->error());
    if (place >= objects.size()) return;
    const auto& object = *objects[place];
    const auto& statistics = object.statistics[static_cast<std::size_t>(bar_->error())];
    if (statistics.count != 0)
        select_object(object, statistics.moment);
    else if (!object.missed_moments.empty())
        select_object(object, object.missed_moments.front());
}

void ComparePanel::select_object(const ObjectHistory& object, std::uint32_t moment)
{
    const auto result = run_->result().objects;
    const auto time = result->moments[moment].time;
    wanted_.reset();
    emit seek_requested(time);
    if (!object.has_id || !snapshot_) return;
    const auto& [source, set] = choice_->sides[0];
    const auto& picture = *snapshot_->picture;
    const bool is_host = category_of(set, object.kind) == Category::moving_object && picture.host &&
                         picture.host->key.source == source && picture.host->key.id == object.id;
    const auto category = is_host ? Category::host : category_of(set, object.kind);
    const ThingKey key{source, category, object.id, 0};
    selection_.select({key, source, std::string(path_of(picture, key))});
    wanted_ = Wanted{key, time};
    show_wanted();
}

/// Once its moment is shown, the object that a click led to comes into view.
void ComparePanel::show_wanted()
{
    if (!wanted_ || !snapshot_ || snapshot_->time != wanted_->time) return;
    emit focus_requested(wanted_->thing);
    wanted_.reset();
}

/// The first wanted moment after the time on the screen; after the last one, the first of all.
void ComparePanel::go_to_next(const std::function<bool(const ComparedMoment&)>& is_wanted)
{
    const auto& moments = run_->result().objects->moments;
    const auto after = std::ranges::find_if(
        moments, [&](const ComparedMoment& moment) { return moment.time > time_ && is_wanted(moment); });
    const auto found = after != moments.end() ? after : std::ranges::find_if(moments, is_wanted);
    if (found != moments.end()) emit seek_requested(found->time);
}

void ComparePanel::follow_link(const QString& target)
{
    if (!run_) return;
    const auto result = run_->result();
    if (target == difference_link && result.exact && !result.exact->differences.empty())
        emit seek_requested(result.exact->differences.front().time);
    if (!result.objects) return;
    if (target == worst_link)
        if (const auto* const worst = result.objects->worst_object(bar_->error()))
            select_object(*worst, worst->statistics[static_cast<std::size_t>(bar_->error())].moment);
    if (target == missed_link) go_to_next([](const ComparedMoment& moment) { return moment.missed != 0; });
    if (target == ghosts_link) go_to_next([](const ComparedMoment& moment) { return moment.ghosts != 0; });
}

void ComparePanel::export_csv()
{
    const auto result = run_ ? run_->result().objects : nullptr;
    if (!result || exporting_) return;
    QFileDialog dialog(this, tr("Save the comparison"), {}, tr("Tables (*.csv)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    dialog.selectFile(QStringLiteral("comparison.csv"));
    if (dialog.exec() != QDialog::Accepted) return;
    exporting_ = true;
    bar_->set_exportable(false);
    export_thread_ = std::jthread([this, result, file = dialog.selectedFiles().front()] {
        const auto problem = write_csv(*result, file);
        QMetaObject::invokeMethod(
            this,
            [this, problem, file] {
                exporting_ = false;
                bar_->set_exportable(run_ && run_->result().objects && !run_->is_running());
                emit message(problem.isEmpty() ? tr("%1 is written").arg(file) : tr("%1: %2").arg(file, problem));
            },
            Qt::QueuedConnection);
    });
}

}  // namespace ositrace::gui
