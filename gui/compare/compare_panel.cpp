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

#include "gui/compare/boundary_history.hpp"
#include "gui/compare/boundary_results.hpp"
#include "gui/compare/compare_bar.hpp"
#include "gui/compare/error_history.hpp"
#include "gui/compare/result_rows.hpp"
#include "gui/text/quantity.hpp"
#include "gui/widgets/link_label.hpp"

namespace ositrace::gui {

namespace {

constexpr auto run_delay = std::chrono::milliseconds(150);

// Links of the summary.
const auto worst_link = QStringLiteral("worst"), missed_link = QStringLiteral("missed"),
           ghosts_link = QStringLiteral("ghosts"), difference_link = QStringLiteral("difference"),
           alone_link = QStringLiteral("alone"), boundaries_link = QStringLiteral("boundaries"),
           exact_link = QStringLiteral("exact");

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

std::uint64_t moments_alone(const BoundaryTraceComparison& comparison)
{
    return static_cast<std::uint64_t>(
        std::ranges::count_if(comparison.moments, [](const BoundaryMoment& moment) { return moment.alone != 0; }));
}

/// The part of a summary on messages that all modes have.
template <class Comparison>
void add_messages(QStringList& parts, const Comparison& comparison)
{
    parts += ComparePanel::tr("%1 of messages, at most %2 apart")
                 .arg(count_text(comparison.moments.size(), "pair"), milliseconds_text(comparison.farthest, 1));
    if (comparison.broken != 0)
        parts += ComparePanel::tr("%1 cannot be compared: %2")
                     .arg(count_text(comparison.broken), QString::fromStdString(comparison.problem).toHtmlEscaped());
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
    connect(tabs_, &QTabWidget::currentChanged, this, &ComparePanel::show_charts);
    connect(at_time_, &ResultView::chosen, this, &ComparePanel::choose_shown);
    connect(at_time_, &ResultView::opened, this, &ComparePanel::look_at_shown);
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
    summary_ = new LinkLabel;
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
    tabs_->setCornerWidget(bar_->of_results());
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
        return tr("Nothing to compare: open a ground truth and detections, or any two traces. Ctrl+Shift+O adds a "
                  "file.") +
               (bar_->has_equal_types() ? tr(" The mode Exact compares any two channels of a type.") : QString());
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
    bar_->set_exportable(is_exportable());
    // Later: another choice ends the run that reports this.
    if (result.has_only_boundaries)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (run_ && run_->result().has_only_boundaries) bar_->prefer_boundaries();
            },
            Qt::QueuedConnection);
    if (result.objects)
        over_time_->show_table(history_table(*result.objects, bar_->error()), history_table_largest);
    else if (result.exact)
        over_time_->show_table(different_moments_table(*result.exact), -1);
    else if (result.boundaries)
        over_time_->show_table(boundary_history_table(*result.boundaries), boundary_history_largest);
    else
        over_time_->show_table({over_time_->rows().table().columns, {}}, -1);
    show_charts();
    show_selection();
    show_curves();
}

bool ComparePanel::is_exportable() const
{
    return run_ && !run_->is_running() && !exporting_ && (run_->result().objects || run_->result().boundaries);
}

/// Of lane boundaries at this time, the errors are over the distance; else they are over time.
void ComparePanel::show_charts()
{
    const auto mode = choice_ ? choice_->mode : CompareMode::objects;
    const bool is_over_distance = mode == CompareMode::boundaries && tabs_->currentWidget() == at_time_;
    boundaries_->setVisible(is_over_distance);
    chart_->setVisible(mode != CompareMode::exact && !is_over_distance);
}

QString ComparePanel::summary_text() const
{
    if (!choice_) return {};
    if (!run_) return tr("waiting for the times of the messages");
    if (!run_->problem().isEmpty()) return run_->problem().toHtmlEscaped();
    const auto& result = run_->result();
    QStringList parts;
    if (run_->is_running()) parts += tr("comparing: %1 %").arg(static_cast<int>(100 * run_->progress()));
    if (result.objects) {
        const bool is_nothing =
            result.objects->complete && result.objects->broken == 0 && has_no_objects(*result.objects);
        if (is_nothing) parts += nothing_text(result);
        parts += summary_of(*result.objects, bar_->error());
    }
    if (result.exact) parts += summary_of(*result.exact);
    if (result.boundaries) parts += summary_of(*result.boundaries);
    return parts.join(QStringLiteral(" \u00b7 "));
}

/// Why there are no objects to compare, and which mode has something.
QString ComparePanel::nothing_text(const ComparedTraces& result) const
{
    const auto& objects = *result.objects;
    auto text = objects.missed != 0   ? tr("nothing to compare: no message of B has such an object")
                : objects.ghosts != 0 ? tr("nothing to compare: no message of A has such an object")
                                      : tr("nothing to compare: no message of A or B has such an object");
    if (result.has_only_boundaries)
        text += tr("; both have ") + link(boundaries_link, tr("lane boundaries"));
    else if (bar_->has_equal_types())
        text += tr("; the messages can be compared field by field: ") + link(exact_link, tr("Exact"));
    return text;
}

QString ComparePanel::summary_of(const BoundaryTraceComparison& comparison)
{
    QStringList parts;
    if (const auto* const worst = comparison.worst()) {
        parts += worst->largest == 0 ? tr("no boundary differs")
                                     : tr("worst: ") + link(worst_link, worst_text(comparison, *worst));
        parts += tr("mean |lateral| %1 m").arg(fixed_text(comparison.mean_absolute(), 3));
    } else if (comparison.complete && comparison.broken == 0) {
        parts += comparison.counts[1] == 0   ? tr("nothing to compare: no message of B has a lane boundary")
                 : comparison.counts[0] == 0 ? tr("nothing to compare: no message of A has a lane boundary")
                                             : tr("no boundary of B is near one of A");
    }
    const auto alone = tr("%1 without a boundary of A").arg(count_text(comparison.alone));
    parts += comparison.alone == 0
                 ? alone
                 : link(alone_link, alone) + tr(" in %1").arg(count_text(moments_alone(comparison), "message"));
    add_messages(parts, comparison);
    for (const auto& note : comparison.notes) parts += QString::fromStdString(note).toHtmlEscaped();
    if (!comparison.samples_are_complete) parts += tr("table, curves and CSV end early: there are too many boundaries");
    if (comparison.boundaries.size() > most_listed) parts += tr("listed: the worst %1 boundaries").arg(most_listed);
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
    add_messages(parts, comparison);
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
    chart_->set_extent(extent_of(*channels_));
    if (const auto over_time = run_ ? run_->result().boundaries : nullptr) {
        const auto* const boundary = boundary_ ? find_boundary(*over_time, *boundary_) : nullptr;
        const bool has_moments = !over_time->moments.empty();
        chart_->set_lines(has_moments ? boundary_lines(*over_time, boundary) : std::vector<PlotLine>());
        chart_->set_marks(has_moments ? boundary_marks(*over_time, boundary) : std::vector<PlotMarks>());
        return;
    }
    const auto result = run_ ? run_->result().objects : nullptr;
    const auto* const object = result && curve_of_ ? result->find(curve_of_->kind, curve_of_->id) : nullptr;
    const bool has_errors = result && !result->moments.empty();
    chart_->set_lines(has_errors ? error_lines(*result, bar_->error(), object) : std::vector<PlotLine>());
    chart_->set_marks(has_errors ? error_marks(*result, object) : std::vector<PlotMarks>());
}

/// Marks the selected object in both tables, and shows its curve.
void ComparePanel::show_selection()
{
    if (choice_ && choice_->mode == CompareMode::boundaries) return show_selected_boundary();
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

/// Marks the selected lane boundary of B in both tables, and shows its curve.
void ComparePanel::show_selected_boundary()
{
    const auto* const shown = comparison();
    const auto& selected = selection_.current();
    const auto is_of_b = selected && selected->thing && selected->source == choice_->sides[1].source &&
                         selected->thing->category == boundary_category(*choice_);
    std::optional<int> row;
    std::optional<BoundaryId> now;
    if (is_of_b) {
        const auto* const thing = snapshot_ ? snapshot_->picture->find(*selected->thing) : nullptr;
        if (thing == nullptr || thing->has_id) now = {selected->thing->id, true};  // it may be absent now
        if (thing != nullptr && shown != nullptr && shown->boundaries) {
            const auto& boundaries = shown->boundaries->boundaries;
            const auto found = std::ranges::find_if(
                boundaries, [&](const ComparedBoundary& each) { return is_boundary(*thing, *shown, each); });
            if (found != boundaries.end()) {
                row = static_cast<int>(found - boundaries.begin());
                now = id_of(*found);
            }
        }
    }
    at_time_->mark(row);
    const auto before = std::exchange(boundary_, now);
    std::optional<int> history;
    if (const auto result = run_ ? run_->result().boundaries : nullptr; result && boundary_) {
        const auto boundaries = listed_boundaries(*result);
        const auto found =
            std::ranges::find_if(boundaries, [&](const BoundaryHistory* each) { return id_of(*each) == *boundary_; });
        if (found != boundaries.end()) history = static_cast<int>(found - boundaries.begin());
    }
    over_time_->mark(history);
    if (before != boundary_) show_curves();
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

const ComparedBoundary* ComparePanel::shown_boundary(int row) const
{
    const auto* const shown = comparison();
    if (shown == nullptr || !shown->boundaries || row < 0) return nullptr;
    const auto& boundaries = shown->boundaries->boundaries;
    return static_cast<std::size_t>(row) < boundaries.size() ? &boundaries[static_cast<std::size_t>(row)] : nullptr;
}

/// Selects a boundary of B, if the scene has it.
void ComparePanel::select_boundary(const ComparedBoundary& boundary)
{
    for (const auto& layer : snapshot_->picture->layers)
        for (const auto& thing : layer->things)
            if (is_boundary(thing, *comparison(), boundary))
                return selection_.select({thing.key, thing.key.source, thing.path});
}

void ComparePanel::look_at(const ComparedBoundary& boundary)
{
    constexpr double shown_metres = 10;  // around its largest error
    emit place_requested(boundary.largest_place, shown_metres);
}

void ComparePanel::look_at_shown(int row)
{
    if (const auto* const boundary = shown_boundary(row)) return look_at(*boundary);
    const auto& selected = selection_.current();  // the clicks before selected the object of the row
    const auto* const shown = comparison();
    if (shown != nullptr && shown->objects && selected && selected->thing) emit focus_requested(*selected->thing);
}

void ComparePanel::choose_shown(int row)
{
    const auto* const shown = comparison();
    if (const auto* const boundary = shown_boundary(row)) select_boundary(*boundary);
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
    if (result.boundaries) {
        const auto boundaries = listed_boundaries(*result.boundaries);
        if (place < boundaries.size()) go_to(id_of(*boundaries[place]), boundaries[place]->moment);
    }
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
    when_shown(time, [this, key] { emit focus_requested(key); });
}

/// Shows the message in which a boundary of B has its largest error, and the place.
void ComparePanel::go_to(const BoundaryId& id, std::uint32_t moment)
{
    const auto time = run_->result().boundaries->moments[moment].time;
    wanted_.reset();
    emit seek_requested(time);
    when_shown(time, [this, id] {
        const auto* const shown = comparison();
        if (shown == nullptr || !shown->boundaries) return;
        for (const auto& each : shown->boundaries->boundaries) {
            if (id_of(each) != id) continue;
            select_boundary(each);
            return look_at(each);
        }
    });
}

/// Once the moment of a click is shown, what the click led to comes into view.
void ComparePanel::when_shown(Nanoseconds time, std::function<void()> show)
{
    wanted_ = Wanted{time, std::move(show)};
    show_wanted();
}

void ComparePanel::show_wanted()
{
    if (!wanted_ || !snapshot_ || snapshot_->time != wanted_->time) return;
    const auto wanted = std::exchange(wanted_, std::nullopt);
    wanted->show();
}

/// The first wanted moment after the time on the screen; after the last one, the first of all.
template <class Moment>
void ComparePanel::go_to_next(const std::vector<Moment>& moments, const std::function<bool(const Moment&)>& is_wanted,
                              std::function<void()> show)
{
    const auto after =
        std::ranges::find_if(moments, [&](const Moment& moment) { return moment.time > time_ && is_wanted(moment); });
    const auto found = after != moments.end() ? after : std::ranges::find_if(moments, is_wanted);
    if (found == moments.end()) return;
    const auto time = found->time;
    wanted_.reset();
    emit seek_requested(time);
    when_shown(time, std::move(show));
}

/// The next object without a partner, of A (side 0) or B: the one after the selected one in the shown message, else the
/// first one of the next message that has some.
void ComparePanel::go_to_next_unpaired(std::size_t side)
{
    const auto unpaired = [this, side]() -> const std::vector<ComparedObject>* {
        const auto* const shown = comparison();
        if (shown == nullptr || !shown->objects) return nullptr;
        return side == 0 ? &shown->objects->missed : &shown->objects->ghosts;
    };
    // False: the scene does not have it.
    const auto show = [this, side](const ComparedObject& object) {
        const auto selected = selected_object(*comparison(), *snapshot_->picture, side, object);
        if (!selected) return false;
        selection_.select(*selected);
        if (selected->thing) emit focus_requested(*selected->thing);
        return true;
    };
    if (const auto* const here = unpaired()) {
        const auto& selected = selection_.current();
        const auto now = std::ranges::find_if(*here, [&](const ComparedObject& each) {
            return selected && is_selected(*selected, *comparison(), side, each);
        });
        const auto next = now == here->end() ? here->begin() : now + 1;
        if (next != here->end() && show(*next)) return;
    }
    const auto count = side == 0 ? &ComparedMoment::missed : &ComparedMoment::ghosts;
    go_to_next<ComparedMoment>(
        run_->result().objects->moments, [count](const ComparedMoment& moment) { return moment.*count != 0; },
        [unpaired, show] {
            if (const auto* const there = unpaired(); there != nullptr && !there->empty()) show(there->front());
        });
}

/// The next boundary of B without one of A: the one after the selected one in the shown message, else the first one of
/// the next message that has some.
void ComparePanel::go_to_next_alone()
{
    const auto first_alone = [this](std::size_t from) -> const ComparedBoundary* {
        const auto* const shown = comparison();
        if (shown == nullptr || !shown->boundaries) return nullptr;
        const auto& boundaries = shown->boundaries->boundaries;
        for (auto i = from; i < boundaries.size(); ++i)
            if (!(boundaries[i].matched > 0)) return &boundaries[i];
        return nullptr;
    };
    const auto show = [this](const ComparedBoundary* boundary) {
        if (boundary == nullptr) return;
        select_boundary(*boundary);
        look_at(*boundary);
    };
    const auto marked = at_time_->marked();
    const bool is_at_one = marked && shown_boundary(*marked) != nullptr && !(shown_boundary(*marked)->matched > 0);
    if (const auto* const next = first_alone(is_at_one ? static_cast<std::size_t>(*marked) + 1 : 0)) return show(next);
    go_to_next<BoundaryMoment>(
        run_->result().boundaries->moments, [](const BoundaryMoment& moment) { return moment.alone != 0; },
        [=] { show(first_alone(0)); });
}

void ComparePanel::follow_link(const QString& target)
{
    if (!run_) return;
    const auto result = run_->result();
    if (target == difference_link && result.exact && !result.exact->differences.empty())
        emit seek_requested(result.exact->differences.front().time);
    if (target == boundaries_link) bar_->choose_mode(CompareMode::boundaries);
    if (target == exact_link) bar_->choose_mode(CompareMode::exact);
    if (result.boundaries && target == worst_link)
        if (const auto* const worst = result.boundaries->worst()) go_to(id_of(*worst), worst->moment);
    if (result.boundaries && target == alone_link) go_to_next_alone();
    if (!result.objects) return;
    if (target == worst_link)
        if (const auto* const worst = result.objects->worst_object(bar_->error()))
            select_object(*worst, worst->statistics[static_cast<std::size_t>(bar_->error())].moment);
    if (target == missed_link) go_to_next_unpaired(0);
    if (target == ghosts_link) go_to_next_unpaired(1);
}

void ComparePanel::export_csv()
{
    if (!is_exportable()) return;
    QFileDialog dialog(this, tr("Save the comparison"), {}, tr("Tables (*.csv)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("csv"));
    dialog.selectFile(QStringLiteral("comparison.csv"));
    if (dialog.exec() != QDialog::Accepted) return;
    const auto result = run_->result();
    exporting_ = true;
    bar_->set_exportable(false);
    export_thread_ = std::jthread([this, result, file = dialog.selectedFiles().front()] {
        const auto problem =
            result.objects ? write_csv(*result.objects, file) : write_boundary_csv(*result.boundaries, file);
        QMetaObject::invokeMethod(
            this,
            [this, problem, file] {
                exporting_ = false;
                bar_->set_exportable(is_exportable());
                emit message(problem.isEmpty() ? tr("%1 is written").arg(file) : tr("%1: %2").arg(file, problem));
            },
            Qt::QueuedConnection);
    });
}

}  // namespace ositrace::gui
