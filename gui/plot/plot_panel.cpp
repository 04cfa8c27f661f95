// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/plot_panel.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <QCompleter>
#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QShortcut>
#include <QSplitter>
#include <QStringListModel>
#include <QTreeView>
#include <QVBoxLayout>

#include <ositrace/curve.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/series.hpp>

#include "gui/channels/channel_chooser.hpp"
#include "gui/selection/dragged_fields.hpp"
#include "gui/widgets/tool_button.hpp"

namespace ositrace::gui {

namespace {

constexpr QLatin1String analysis_member("analysis"), plots_member("plots");

}  // namespace

PlotPanel::PlotPanel(Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection), model_(session), list_(model_)
{
    setObjectName(QStringLiteral("plot_panel"));
    setAcceptDrops(true);
    build();
    connect_parts();
    show_extent();
    show_lines();
}

PlotPanel::~PlotPanel() = default;

void PlotPanel::build()
{
    channel_ = new ChannelChooser(session_);
    channel_->setObjectName(QStringLiteral("plot_channel"));
    channel_->setToolTip(tr("Channel of the path"));
    line_ = new QLineEdit;
    line_->setObjectName(QStringLiteral("plot_line"));
    line_->setPlaceholderText(tr("Path to plot: moving_object[id=42].base.velocity.x, or words of it"));
    line_->setToolTip(tr(
        "A path, or a function of paths:\n"
        "norm(moving_object[*].base.velocity), along(vector, direction),\n"
        "derivative(...), unwrap(...), a - b,\n"
        "distance(moving_object[id=1], moving_object[id=2]), gap(...), time_to_collision(...), time_to_contact(...)\n"
        "[*]: a curve for every object"));
    line_->setClearButtonEnabled(true);
    completions_ = new QStringListModel(this);
    completer_ = new QCompleter(completions_, this);
    completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    completer_->setMaxVisibleItems(12);
    completer_->setWidget(line_);
    problem_ = new QLabel;
    problem_->setObjectName(QStringLiteral("plot_problem"));
    problem_->setWordWrap(true);
    problem_->hide();
    notes_ = new QLabel;
    notes_->setObjectName(QStringLiteral("plot_notes"));
    notes_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    notes_->hide();
    sides_ = new PlotSides(model_);
    summary_ = new PlotSummary;
    rows_ = new QTreeView;
    rows_->setObjectName(QStringLiteral("plot_list"));
    rows_->setModel(&list_);
    rows_->setRootIsDecorated(false);
    rows_->setUniformRowHeights(true);
    rows_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    rows_->setTextElideMode(Qt::ElideLeft);  // paths differ at their ends
    rows_->setContextMenuPolicy(Qt::CustomContextMenu);
    rows_->header()->setStretchLastSection(false);
    const auto em = fontMetrics().horizontalAdvance('m');
    rows_->header()->setMinimumSectionSize(2 * em);
    rows_->header()->resizeSection(PlotList::name_column, 14 * em);
    for (const auto column :
         {PlotList::value_column, PlotList::least_column, PlotList::most_column, PlotList::mean_column})
        rows_->header()->resizeSection(column, fontMetrics().horizontalAdvance(QStringLiteral("-0000.000  ")));
    rows_->header()->resizeSection(PlotList::unit_column, 3 * em);
    rows_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    parts_ = new QSplitter;
    parts_->addWidget(sides_);
    parts_->addWidget(rows_);
    parts_->setStretchFactor(0, 3);
    parts_->setStretchFactor(1, 1);
    share_room();
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addWidget(build_bar());
    all->addWidget(problem_);
    all->addWidget(parts_, 1);
    all->addWidget(summary_);
    all->addWidget(notes_);
}

QWidget* PlotPanel::build_bar()
{
    auto* const fit = tool_button("plot_all", tr("All"), tr("Show all (double click on the plot)"));
    connect(fit, &QToolButton::clicked, sides_, &PlotSides::show_all);
    auto* const section = tool_button("plot_section", tr("Section"), tr("Zoom to the section that is played"));
    connect(section, &QToolButton::clicked, this, [this] {
        if (section_)
            view().show_section(*section_);
        else
            show_problem(tr("There is no section: Shift and drag on the timeline selects one"));
    });
    auto* const save = tool_button("plot_save", tr("Save"), tr("Save the picture or the values"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(new QMenu(save));
    connect(save->menu(), &QMenu::aboutToShow, this, [this, save] {
        save->menu()->clear();
        view().add_save_actions(*save->menu());
    });
    auto* const beside = tool_button("plot_beside", tr("Split"), tr("Add a plot beside this one, with the same times"));
    connect(beside, &QToolButton::clicked, &model_, &PlotModel::add_plot);
    connect(&model_, &PlotModel::plots_changed, beside,
            [this, beside] { beside->setEnabled(model_.plots() != PlotModel::most_plots); });
    auto* const clear = tool_button("plot_clear", tr("Clear"), tr("Remove all curves"));
    connect(clear, &QToolButton::clicked, &model_, &PlotModel::clear);

    auto* const bar = new QWidget;
    auto* const row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(channel_);
    row->addWidget(line_, 1);
    for (auto* const each : {fit, section, beside, save, clear}) {
        each->setFocusPolicy(Qt::NoFocus);
        row->addWidget(each);
    }
    return bar;
}

void PlotPanel::share_room() { parts_->setSizes({720, 280}); }

/// In a narrow dock the list is below the plot: beside it, neither could be read.
void PlotPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int readable = 60;  // characters
    const auto direction =
        event->size().width() < readable * fontMetrics().averageCharWidth() ? Qt::Vertical : Qt::Horizontal;
    if (parts_->orientation() == direction) return;
    parts_->setOrientation(direction);
    share_room();
}

void PlotPanel::connect_parts()
{
    connect(line_, &QLineEdit::textEdited, this, &PlotPanel::complete);
    connect(line_, &QLineEdit::returnPressed, this, &PlotPanel::add_typed);
    connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &PlotPanel::accept_completion);
    connect(&session_, &Session::channels_changed, this, &PlotPanel::show_extent);
    connect(&session_, &Session::times_changed, this, &PlotPanel::show_extent);
    connect(&model_, &PlotModel::lines_changed, this, &PlotPanel::show_lines);
    connect(&model_, &PlotModel::data_changed, this, &PlotPanel::show_lines);
    connect(sides_, &PlotSides::seek_requested, this, &PlotPanel::seek_requested);
    connect(sides_, &PlotSides::section_chosen, this, &PlotPanel::section_chosen);
    connect(sides_, &PlotSides::visible_changed, this, &PlotPanel::show_summary);
    connect(summary_, &PlotSummary::seek_requested, this, &PlotPanel::seek_requested);
    connect(rows_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const auto time = list_.time_of(index)) emit seek_requested(*time);
    });
    connect(rows_, &QTreeView::customContextMenuRequested, this, &PlotPanel::show_list_menu);
    connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto chosen = chosen_lines();
        sides_->set_chosen(chosen.size() == 1 ? std::optional(chosen.front()) : std::nullopt);
        show_summary();
    });
    auto* const remove = new QShortcut(QKeySequence::Delete, rows_);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &PlotPanel::remove_chosen);
}

void PlotPanel::show_extent()
{
    sides_->set_extent(session_.extent());
    show_summary();
    sides_->set_hint(session_.extent() ? tr("Type the path of a field, or drag one from the message tree")
                                       : tr("The fields of a trace are plotted here"));
}

void PlotPanel::plot(std::uint32_t source, const std::string& expression)
{
    show_problem(model_.add(source, expression));
}

void PlotPanel::plot_selected()
{
    const auto& selected = selection_.current();
    if (!selected || !snapshot_ || selected->source >= snapshot_->channels.size())
        return show_problem(tr("Nothing is selected: select a field in the message tree, or an object"));
    auto expression = plotted_expression(*snapshot_, selected->source, selected->path);
    if (expression.empty())
        expression = plotted_expression(*snapshot_, selected->source, selected->path + ".base.velocity");
    if (expression.empty()) return show_problem(tr("%1 has no numbers").arg(QString::fromStdString(selected->path)));
    plot(selected->source, expression);
}

void PlotPanel::focus_line()
{
    line_->setFocus();
    line_->selectAll();
}

void PlotPanel::show_problem(const QString& problem)
{
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void PlotPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot) { snapshot_ = snapshot; }

void PlotPanel::show_time(Nanoseconds time)
{
    sides_->set_time(time);
    list_.show_time(time);
    if (isVisible()) widen_columns();
}

void PlotPanel::show_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    sides_->set_section(section);
    show_summary();
}

bool PlotPanel::is_settled() const noexcept { return model_.is_settled() && (!isVisible() || sides_->is_complete()); }

void PlotPanel::save(QJsonObject& layout) const
{
    QJsonObject analysis;
    if (const auto plots = model_.to_json(); !plots.isEmpty()) analysis.insert(plots_member, plots);
    layout.insert(analysis_member, analysis);
}

void PlotPanel::restore(const QJsonObject& layout)
{
    model_.from_json(layout.value(analysis_member).toObject().value(plots_member).toObject());
}

void PlotPanel::show_lines()
{
    sides_->show_lines();
    show_notes();
    show_summary();
}

/// Of the chosen curve, or of the only one.
void PlotPanel::show_summary()
{
    const auto& visible = sides_->visible();
    list_.set_visible(session_.extent() ? std::optional(visible) : std::nullopt);
    const auto& lines = model_.lines();
    const auto chosen = chosen_lines();
    const auto line = chosen.size() == 1 ? chosen.front() : std::size_t{0};
    const bool has_line = line < lines.size() && (chosen.size() == 1 || lines.size() == 1) && lines[line].data;
    summary_->show_line(has_line ? std::optional(lines[line]) : std::nullopt, visible, section_);
    widen_columns();
}

/// A number is not cut: its column grows to the widest one that was in sight. A text of a state is.
void PlotPanel::widen_columns()
{
    const auto em = fontMetrics().horizontalAdvance('m');
    for (auto index = rows_->indexAt({0, 0}); index.isValid(); index = rows_->indexBelow(index)) {
        if (rows_->visualRect(index).top() > rows_->viewport()->height()) break;
        if (!model_.lines()[static_cast<std::size_t>(index.row())].data) continue;
        for (int column = PlotList::value_column; column != PlotList::column_count; ++column) {
            const auto text = index.siblingAtColumn(column).data().toString();
            const auto width = fontMetrics().horizontalAdvance(text) + em;
            if (width > rows_->columnWidth(column)) rows_->setColumnWidth(column, width);
        }
    }
}

/// What is being read, and what is missing and why.
void PlotPanel::show_notes()
{
    QStringList notes;
    for (std::size_t i = 0; i != model_.size(); ++i)
        if (const auto state = model_.state(i); !state.isEmpty() && !notes.contains(state)) notes += state;
    notes_->setText(notes.join(QStringLiteral("; ")));
    notes_->setToolTip(notes.join(QLatin1Char('\n')));
    notes_->setVisible(!notes.isEmpty());
}

std::vector<std::size_t> PlotPanel::chosen_lines() const
{
    std::vector<std::size_t> lines;
    for (const auto& each : rows_->selectionModel()->selectedRows())
        lines.push_back(static_cast<std::size_t>(each.row()));
    std::ranges::sort(lines);
    return lines;
}

void PlotPanel::remove_chosen()
{
    std::set<std::size_t, std::greater<>> entries;  // the last one first: the others keep their places
    for (const auto each : chosen_lines()) entries.insert(model_.entry_of(each));
    for (const auto each : entries) model_.remove(each);
}

/// Adds a curve that is derived from each chosen one; of a difference from two.
void PlotPanel::derive(const char* function)
{
    const auto chosen = chosen_lines();
    const auto source_of = [&](std::size_t line) { return model_.source_of(model_.entry_of(line)); };
    const auto name_of = [&](std::size_t line) { return model_.lines()[line].name.toStdString(); };
    if (std::string_view(function) == "difference" && chosen.size() == 2) {
        const auto source = source_of(chosen[0]);
        if (!source || source != source_of(chosen[1]))
            return show_problem(tr("A difference is one of two curves of one channel"));
        return plot(*source, "difference(" + name_of(chosen[0]) + ", " + name_of(chosen[1]) + ")");
    }
    std::vector<std::pair<std::uint32_t, std::string>> added;
    for (const auto each : chosen)
        if (const auto source = source_of(each))
            added.emplace_back(*source, std::string(function) + "(" + name_of(each) + ")");
    for (const auto& [source, expression] : added) plot(source, expression);
}

void PlotPanel::add_moves(QMenu& menu, const std::vector<std::size_t>& lines)
{
    for (std::size_t plot = 0; plot != PlotModel::most_plots && plot <= model_.plots(); ++plot) {
        const bool is_new = plot == model_.plots();
        const auto text = is_new ? tr("Move to a new plot") : tr("Move to plot %1").arg(plot + 1);
        const auto move = [this, lines, plot, is_new] {
            std::set<std::size_t> entries;
            for (const auto each : lines) entries.insert(model_.entry_of(each));
            if (is_new) model_.add_plot();
            for (const auto each : entries) model_.move(each, plot);
        };
        if (is_new || model_.plots() != 1)
            menu.addAction(text, this, move)->setEnabled(is_new || model_.lines()[lines.front()].plot != plot);
    }
}

void PlotPanel::show_list_menu(const QPoint& place)
{
    const auto chosen = chosen_lines();
    if (chosen.empty()) return;
    QMenu menu;
    menu.addAction(tr("Derivative"), this, [this] { derive("derivative"); });
    menu.addAction(tr("Unwrap the angle"), this, [this] { derive("unwrap"); });
    menu.addAction(tr("Difference of the two"), this, [this] { derive("difference"); })->setEnabled(chosen.size() == 2);
    menu.addSeparator();
    constexpr std::pair<PlotList::Column, const char*> jumps[] = {{PlotList::least_column, "Jump to the minimum"},
                                                                  {PlotList::most_column, "Jump to the maximum"},
                                                                  {PlotList::mean_column, "Jump to the mean"}};
    for (const auto& [column, text] : jumps) {
        const auto time = list_.time_of(list_.index(static_cast<int>(chosen.front()), column));
        menu.addAction(tr(text), this, [this, time] { emit seek_requested(*time); })
            ->setEnabled(chosen.size() == 1 && time.has_value());
    }
    menu.addSeparator();
    add_moves(menu, chosen);
    const auto name = model_.lines()[chosen.front()].name.toStdString();
    menu.addAction(tr("Use as x axis"), this,
                   [this, name, plot = model_.lines()[chosen.front()].plot] {
                       model_.set_current_plot(plot);
                       model_.set_x_name(name);
                   })
        ->setEnabled(chosen.size() == 1);
    menu.addAction(tr("Plot over the time"), this, [this] { model_.set_x_name({}); })
        ->setEnabled(!model_.x_name().empty());
    menu.addSeparator();
    menu.addAction(tr("Remove"), QKeySequence::Delete, this, &PlotPanel::remove_chosen);
    menu.exec(rows_->viewport()->mapToGlobal(place));
}

void PlotPanel::dragEnterEvent(QDragEnterEvent* event)
{
    if (dragged_fields(*event->mimeData())) event->acceptProposedAction();
}

void PlotPanel::dropEvent(QDropEvent* event)
{
    const auto fields = dragged_fields(*event->mimeData());
    if (!fields) return;
    event->acceptProposedAction();
    for (const auto& each : fields->expressions) plot(fields->source, each);
}

}  // namespace ositrace::gui
