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

constexpr std::size_t most_completions = 60;
constexpr QLatin1String analysis_member("analysis"), plots_member("plots");

/// Where the path begins that is being typed at the end of an expression.
qsizetype path_start(const QString& text)
{
    qsizetype start = 0;
    for (const auto separator : {QLatin1Char('('), QLatin1Char(','), QLatin1Char('-')})
        start = std::max(start, text.lastIndexOf(separator) + 1);
    while (start < text.size() && text[start] == QLatin1Char(' ')) ++start;
    return start;
}

bool is_plottable(const MessageTable& root, const std::string& expression)
{
    try {
        static_cast<void>(CurveExpression::compile(root, expression));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// Has a message a value there? Of lists the first elements are tried, together as many as are `left`.
bool has_value(const MessageView& message, std::span<const FieldPath::Step> steps, int& left)
{
    const auto is_there = [&](const Value& value) {
        const auto* const below = std::get_if<MessageView>(&value);
        if (steps.size() != 1) return below != nullptr && has_value(*below, steps.subspan(1), left);
        return !std::holds_alternative<std::monostate>(value);
    };
    const auto& field = *steps.front().field;
    if (!field.repeated) return is_there(message.get(field));
    bool found = false;
    message.for_each_element(field, [&](const Value& value) {
        found = --left >= 0 && is_there(value);
        return !found && left > 0;
    });
    return found;
}

/// What a word means that no field has in its name.
std::string with_names_of_fields(std::string words)
{
    constexpr std::string_view speed = "speed", velocity = "velocity";
    const auto at = words.find(speed);
    return at == std::string::npos ? std::string() : words.replace(at, speed.size(), velocity);
}

bool is_field(const MessageTable& root, const std::string& path)
{
    try {
        static_cast<void>(FieldPath::compile(root, path));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// The elements of a typed text in a path: `[id=2]` of `moving_object[id=2].base.vel` in the place of `[]`.
std::string with_typed_elements(std::string path, std::string_view typed)
{
    for (auto open = typed.find('['); open != std::string_view::npos; open = typed.find('[', open + 1)) {
        const auto close = typed.find(']', open);
        if (close == std::string_view::npos) break;
        const auto name = typed.find_last_of(". ", open) + 1;
        const auto list = std::string(typed.substr(name, open - name)) + "[]";
        if (const auto at = path.find(list); at != std::string::npos)
            path.replace(at, list.size(), typed.substr(name, close + 1 - name));
    }
    return path;
}

std::string with_every_element(std::string path)
{
    for (auto at = path.find("[]"); at != std::string::npos; at = path.find("[]")) path.replace(at, 2, "[*]");
    return path;
}

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
    view_ = new PlotView;
    rows_ = new QTreeView;
    rows_->setObjectName(QStringLiteral("plot_list"));
    rows_->setModel(&list_);
    rows_->setRootIsDecorated(false);
    rows_->setUniformRowHeights(true);
    rows_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    rows_->setTextElideMode(Qt::ElideLeft);  // paths differ at their ends
    rows_->setContextMenuPolicy(Qt::CustomContextMenu);
    rows_->header()->setStretchLastSection(false);
    rows_->header()->setSectionResizeMode(PlotList::name_column, QHeaderView::Stretch);
    const auto em = fontMetrics().horizontalAdvance('m');
    rows_->header()->setMinimumSectionSize(2 * em);
    rows_->header()->resizeSection(PlotList::value_column,
                                   fontMetrics().horizontalAdvance(QStringLiteral("-0.12345678901234567  ")));
    rows_->header()->resizeSection(PlotList::unit_column, 4 * em);

    auto* const fit = tool_button("plot_all", tr("All"), tr("Show all (double click on the plot)"));
    connect(fit, &QToolButton::clicked, view_, &PlotView::show_all);
    auto* const section = tool_button("plot_section", tr("Section"), tr("Zoom to the section that is played"));
    connect(section, &QToolButton::clicked, this, [this] {
        if (section_)
            view_->show_section(*section_);
        else
            show_problem(tr("There is no section: Shift and drag on the timeline selects one"));
    });
    auto* const save = tool_button("plot_save", tr("Save"), tr("Save the picture or the values"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(new QMenu(save));
    view_->add_save_actions(*save->menu());
    auto* const clear = tool_button("plot_clear", tr("Clear"), tr("Remove all curves"));
    connect(clear, &QToolButton::clicked, &model_, &PlotModel::clear);

    auto* const bar = new QHBoxLayout;
    bar->addWidget(channel_);
    bar->addWidget(line_, 1);
    for (auto* const each : {fit, section, save, clear}) {
        each->setFocusPolicy(Qt::NoFocus);
        bar->addWidget(each);
    }
    parts_ = new QSplitter;
    parts_->addWidget(view_);
    parts_->addWidget(rows_);
    parts_->setStretchFactor(0, 3);
    parts_->setStretchFactor(1, 1);
    share_room();
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addLayout(bar);
    all->addWidget(problem_);
    all->addWidget(parts_, 1);
    all->addWidget(notes_);
}

void PlotPanel::share_room() { parts_->setSizes({680, 400}); }

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
    connect(view_, &PlotView::seek_requested, this, &PlotPanel::seek_requested);
    connect(view_, &PlotView::section_chosen, this, &PlotPanel::section_chosen);
    connect(view_, &PlotView::menu_opened, this, [this](QMenu* menu) {
        menu->addAction(tr("Plot over the time"), this, [this] { model_.set_x_name({}); })
            ->setEnabled(!model_.x_name().empty());
    });
    connect(rows_, &QTreeView::customContextMenuRequested, this, &PlotPanel::show_list_menu);
    connect(rows_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const auto chosen = chosen_lines();
        view_->set_chosen(chosen.size() == 1 ? std::optional(chosen.front()) : std::nullopt);
    });
    auto* const remove = new QShortcut(QKeySequence::Delete, rows_);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &PlotPanel::remove_chosen);
}

void PlotPanel::show_extent()
{
    view_->set_extent(session_.extent());
    view_->set_hint(session_.extent() ? tr("Type the path of a field, or drag one from the message tree")
                                      : tr("The fields of a trace are plotted here"));
}

std::uint32_t PlotPanel::source() const { return channel_->source().value_or(0); }

const SchemaPaths* PlotPanel::paths_of(std::uint32_t source)
{
    const auto& channels = *session_.channels();
    if (source >= channels.size() || channels[source].channel->root == nullptr) return nullptr;
    const auto& channel = channels[source].channel;
    const auto [paths, is_new] = paths_.try_emplace(channel->root, *channel->root);
    if (is_new) channels_of_paths_.push_back(channel);
    return &paths->second;
}

std::string PlotPanel::selected_path() const
{
    const auto& selected = selection_.current();
    if (!selected || !snapshot_ || selected->source >= snapshot_->channels.size()) return {};
    return keyed_by_id(*snapshot_, selected->source, selected->path);
}

/// Paths that contain the words, and lengths of vectors: of the selected object first, then of every object. What the
/// shown message has comes before what it has not.
void PlotPanel::complete(const QString& text)
{
    problem_->hide();
    const auto typed = text.mid(path_start(text));
    const auto* const paths = typed.trimmed().isEmpty() ? nullptr : paths_of(source());
    completions_->setStringList({});
    if (paths == nullptr) return completer_->popup()->hide();
    const auto& root = *(*session_.channels())[source()].channel->root;
    const auto near =
        selection_.current() && selection_.current()->source == source() ? selected_path() : std::string();
    const auto* const shown =
        snapshot_ && source() < snapshot_->channels.size() ? &snapshot_->channels[source()] : nullptr;
    const auto is_shown = [&](const std::string& path) {
        if (shown == nullptr || !shown->frame) return false;
        constexpr int most_elements = 500;
        int left = most_elements;
        return has_value({shown->frame->bytes, root, shown->channel->format}, FieldPath::compile(root, path).steps(),
                         left);
    };
    QStringList found, unset;
    const auto offer = [&](const std::string& each, bool only_lengths) {
        const auto with_typed = with_typed_elements(each, typed.toStdString());
        const auto every = with_every_element(with_typed);
        const bool is_number = is_plottable(root, every);
        if (is_number && only_lengths) return;
        const auto expression = [&](const std::string& path) { return is_number ? path : "norm(" + path + ")"; };
        if (!is_number && !is_plottable(root, expression(every))) return;
        auto& to = is_shown(every) ? found : unset;
        const auto one = with_typed == each ? with_elements(each, near) : every;
        if (one != every && !near.empty() && one.find("[id=") != std::string::npos)
            to += QString::fromStdString(expression(one));
        to += QString::fromStdString(expression(every));
    };
    const auto words = typed.toLower().toStdString();
    for (const auto& each : paths->search(with_names_of_fields(words), most_completions)) offer(each, true);
    for (const auto& each : paths->search(words, 10 * most_completions)) {
        offer(each, false);
        if (static_cast<std::size_t>(found.size() + unset.size()) >= most_completions) break;
    }
    found += unset;
    completions_->setStringList(found);
    if (found.isEmpty() || (found.size() == 1 && found.front() == typed)) return completer_->popup()->hide();
    completer_->complete();
    completer_->popup()->setCurrentIndex({});  // arrow keys choose one; Enter takes what is typed
}

void PlotPanel::accept_completion(const QString& path)
{
    const auto text = line_->text();
    line_->setText(text.left(path_start(text)) + path);
    completions_->setStringList({});
    if (path_start(text) == 0) add_typed();
}

void PlotPanel::add_typed()
{
    const auto text = line_->text().trimmed();
    if (text.isEmpty() || session_.channels()->empty()) return;
    // The one that is chosen in the list follows.
    if (completer_->popup()->isVisible() && completer_->popup()->currentIndex().isValid()) return;
    completer_->popup()->hide();
    const auto* const root = (*session_.channels())[source()].channel->root;
    const bool is_words = path_start(text) == 0 && !text.contains(QLatin1Char('(')) && root != nullptr &&
                          completions_->rowCount() != 0 && !is_field(*root, text.toStdString());
    const auto suggested = is_words ? completions_->stringList().front() : QString();
    // `speed` alone is a word, although it is the end of a path.
    const bool is_one_word = is_words && !text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('['));
    auto problem = model_.add(source(), (is_one_word ? suggested : text).toStdString());
    if (!problem.isEmpty() && is_words && !is_one_word) problem = model_.add(source(), suggested.toStdString());
    show_problem(problem);
    if (!problem.isEmpty()) return;
    line_->clear();
    completions_->setStringList({});
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
    view_->set_time(time);
    if (isVisible()) list_.show_time(time);
}

void PlotPanel::show_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    view_->set_section(section);
}

bool PlotPanel::is_settled() const noexcept { return model_.is_settled() && (!isVisible() || view_->is_complete()); }

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
    view_->set_lines(model_.lines(), model_.x_line());
    show_notes();
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

void PlotPanel::show_list_menu(const QPoint& place)
{
    const auto chosen = chosen_lines();
    if (chosen.empty()) return;
    QMenu menu;
    menu.addAction(tr("Derivative"), this, [this] { derive("derivative"); });
    menu.addAction(tr("Unwrap the angle"), this, [this] { derive("unwrap"); });
    menu.addAction(tr("Difference of the two"), this, [this] { derive("difference"); })->setEnabled(chosen.size() == 2);
    menu.addSeparator();
    const auto name = model_.lines()[chosen.front()].name.toStdString();
    menu.addAction(tr("Use as x axis"), this, [this, name] { model_.set_x_name(name); })
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
