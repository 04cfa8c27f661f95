// SPDX-License-Identifier: MPL-2.0
#include "gui/find/find_panel.hpp"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <ositrace/error.hpp>

#include "gui/channels/channel_chooser.hpp"
#include "gui/text/quantity.hpp"
#include "gui/text/save_file.hpp"
#include "gui/widgets/link_label.hpp"
#include "gui/widgets/tool_button.hpp"

namespace ositrace::gui {

namespace {

constexpr QLatin1String find_member("find");

/// With `%1` in the expression a limit can be set beside it.
struct Example {
    const char* name;
    const char* words;  ///< by which it is found, beside those of its name
    const char* expression;
    double limit = 0;
    const char* unit = "";
};

constexpr Example examples[] = {
    {QT_TRANSLATE_NOOP("FindPanel", "Hard braking"), "brake decelerate deceleration emergency",
     "along(moving_object[*].base.acceleration, moving_object[*].base.velocity) < -%1", 5, "m/s\xc2\xb2"},
    {QT_TRANSLATE_NOOP("FindPanel", "Brake lights on"), "lamps",
     "moving_object[*].vehicle_classification.light_state.brake_light_state == NORMAL or "
     "moving_object[*].vehicle_classification.light_state.brake_light_state == STRONG"},
    {QT_TRANSLATE_NOOP("FindPanel", "Fast"), "speed speeding high", "norm(moving_object[*].base.velocity) > %1 / 3.6",
     130, "km/h"},
    {QT_TRANSLATE_NOOP("FindPanel", "A red light"), "traffic stop",
     "traffic_light[*].classification.color == RED and not traffic_light[*].classification.mode == OFF"},
    {QT_TRANSLATE_NOOP("FindPanel", "Pedestrians"), "persons people walker", "moving_object[*].type == PEDESTRIAN"},
    {QT_TRANSLATE_NOOP("FindPanel", "All objects are stationary"), "stand still standstill",
     "all(norm(moving_object.base.velocity) < %1)", 0.1, "m/s"},
    {QT_TRANSLATE_NOOP("FindPanel", "A missing value"), "unset", "not has(moving_object[*].base.velocity)"},
    {QT_TRANSLATE_NOOP("FindPanel", "Many objects"), "traffic count", "count(moving_object) > %1", 20},
};

/// With its usual limit.
QString usual_text(const Example& example)
{
    const auto expression = QString::fromUtf8(example.expression);
    return expression.contains(QLatin1String("%1")) ? expression.arg(example.limit) : expression;
}

/// The object of a span as soon as a message is shown; empty: the message itself, or one that has another place then.
std::optional<WantedSelection> wanted_in(const FoundSpan& span, std::uint32_t source, std::uint64_t message)
{
    const bool is_moving = span.id && span.list == "moving_object";
    if (span.path.empty() || (!is_moving && message != span.first)) return std::nullopt;
    return WantedSelection{
        .source = source, .number = message, .id = is_moving ? span.id : std::nullopt, .path = span.path};
}

/// The example that has all these words; null: none. `red light`, `pedestrian`
const Example* example_of(const QString& words)
{
    const auto parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const auto* const found = std::ranges::find_if(examples, [&](const Example& each) {
        const auto text = QLatin1String(each.name) + QLatin1Char(' ') + QLatin1String(each.words);
        return std::ranges::all_of(parts,
                                   [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); });
    });
    return parts.isEmpty() || found == std::end(examples) ? nullptr : found;
}

/// `x < 1e308` of `x < -5`: holds wherever x is known; empty for an expression of another form.
QString without_limit(const QString& expression)
{
    static const QRegularExpression form(
        QStringLiteral("^(.*[^<>=!~])(<=?|>=?)\\s*-?[\\d.]+(?:e-?\\d+)?(?:\\s*[/*]\\s*[\\d.]+)?\\s*$"));
    static const QRegularExpression joined(QStringLiteral("\\b(and|or|not)\\b|&&|\\|\\||[<>=~]"));
    const auto match = form.match(expression);
    if (!match.hasMatch() || match.captured(1).contains(joined)) return {};
    return match.captured(1) +
           (match.captured(2).startsWith(QLatin1Char('<')) ? QStringLiteral("< 1e308") : QStringLiteral("> -1e308"));
}

}  // namespace

FindPanel::FindPanel(const Session& session, Selection& selection, QWidget* parent)
    : QWidget(parent), session_(session), selection_(selection)
{
    build();
    connect(words_, &QLineEdit::returnPressed, this, [this] {
        const bool is_listed = model_.list() && words_->text() == searched_;
        if (is_listed && !is_searching_)
            go(1);
        else
            start();
    });
    connect(start_, &QToolButton::clicked, this, [this] {
        if (!is_searching_) return start();
        finder_.cancel();
        show_end({.stopped = true, .problem = {}});
    });
    connect(previous_, &QToolButton::clicked, this, [this] { go(-1); });
    connect(next_, &QToolButton::clicked, this, [this] { go(1); });
    connect(export_, &QToolButton::clicked, this, &FindPanel::export_list);
    connect(view_, &QTableView::clicked, this, [this](const QModelIndex& index) { go_to_row(index.row()); });
    connect(view_, &QTableView::activated, this, [this](const QModelIndex& index) { go_to_row(index.row()); });
    connect(&finder_, &Finder::updated, this, [this](const auto& update) { show_update(*update); });
    connect(&finder_, &Finder::finished, this, &FindPanel::show_end);
    connect(&nearest_, &Finder::updated, this, [this](const auto& update) { nearest_model_.add(update->spans); });
    connect(&nearest_, &Finder::finished, this, &FindPanel::show_state);
    connect(&session_, &Session::channels_changed, this, &FindPanel::show_channels);
    connect(&session_, &Session::times_changed, this, &FindPanel::show_channels);
    show_state();
}

FindPanel::~FindPanel() = default;

void FindPanel::build()
{
    channel_ = new ChannelChooser(session_);
    channel_->setObjectName("find_channel");
    channel_->setToolTip(tr("The channel whose messages are searched"));
    words_ = new QLineEdit;
    words_->setObjectName("find_expression");
    words_->setAccessibleName(tr("Expression"));
    words_->setMaxLength(static_cast<int>(Query::max_bytes));
    words_->setClearButtonEnabled(true);
    words_->setPlaceholderText(
        tr("Find when: norm(moving_object[*].base.velocity) > 30 and moving_object.type == VEHICLE"));
    words_->setToolTip(
        tr("Comparisons of fields: == != < <= > >= and ~ (contains), joined by and, or, not and "
           "parentheses.\n[*] means any element; in one expression always the same one. Also: "
           "+ - * /, abs(), norm(vector), along(vector, direction),\ncount(list), has(field), any(...) and all(...) of "
           "the elements of a message."));
    in_section_ = new QCheckBox(tr("in the section"));
    in_section_->setObjectName("find_in_section");
    in_section_->setToolTip(tr("Only between the marks I and O of the timeline"));
    in_section_->hide();
    auto* const example = tool_button("find_examples", tr("Examples"), tr("Expressions to begin with"));
    add_examples(*example);
    start_ = tool_button("find_start", tr("Find"), tr("Search the whole trace (Enter)"));
    previous_ = tool_button("find_previous", tr("Previous"), tr("Previous row of the list (Shift+F3)"));
    next_ = tool_button("find_next", tr("Next"), tr("Next row of the list (F3)"));
    export_ = tool_button("find_export", tr("CSV..."), tr("Write the list to a file"));
    for (auto* const each : {example, start_, previous_, next_, export_}) each->setAccessibleName(each->toolTip());
    limit_ = new QDoubleSpinBox;
    limit_->setObjectName("find_limit");
    limit_->setAccessibleName(tr("Limit"));
    limit_->setToolTip(tr("The limit of the example; a change searches again"));
    constexpr double most_limit = 1e6;
    limit_->setRange(0, most_limit);
    limit_->setDecimals(1);
    limit_->setSingleStep(0.5);
    limit_->setKeyboardTracking(false);
    limit_->hide();
    connect(limit_, &QDoubleSpinBox::valueChanged, this, &FindPanel::find_limit);
    // Another expression has no limit of an example.
    connect(words_, &QLineEdit::textEdited, limit_, &QWidget::hide);
    note_ = new LinkLabel;
    note_->setObjectName("find_note");
    note_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
    note_->setWordWrap(true);
    connect(note_, &QLabel::linkActivated, this, &FindPanel::go_to_extreme);
    view_ = new QTableView;
    view_->setObjectName("find_list");
    view_->setModel(&model_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->verticalHeader()->hide();
    const auto em = fontMetrics().horizontalAdvance('m');
    view_->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 4);
    auto& header = *view_->horizontalHeader();
    header.setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const std::pair<FoundModel::Column, int> widths[] = {
        {FoundModel::time, 9}, {FoundModel::object, 14}, {FoundModel::duration, 16}, {FoundModel::message, 8}};
    for (const auto& [column, width] : widths) header.resizeSection(column, width * em);
    header.setSectionResizeMode(FoundModel::values, QHeaderView::Stretch);

    auto* const line = new QHBoxLayout;
    line->setContentsMargins(4, 4, 4, 0);
    line->addWidget(channel_);
    line->addWidget(words_, 1);
    for (QWidget* const each :
         std::initializer_list<QWidget*>{limit_, in_section_, example, start_, previous_, next_, export_})
        line->addWidget(each);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addLayout(line);
    all->addWidget(note_);
    note_->setContentsMargins(6, 0, 6, 0);
    all->addWidget(view_, 1);
}

std::vector<std::pair<QString, QString>> FindPanel::named_examples()
{
    std::vector<std::pair<QString, QString>> named;
    for (const auto& each : examples) named.emplace_back(tr(each.name), usual_text(each));
    return named;
}

void FindPanel::add_examples(QToolButton& button)
{
    auto* const menu = new QMenu(&button);
    menu->setToolTipsVisible(true);
    for (const auto& each : examples) {
        menu->addAction(tr(each.name), this, [this, &each] { find_example(each.name); })->setToolTip(usual_text(each));
    }
    button.setMenu(menu);
    button.setPopupMode(QToolButton::InstantPopup);
}

/// Of an example with these words; false if there is none.
bool FindPanel::find_example(const QString& words)
{
    const auto* const example = example_of(words);
    if (example == nullptr) return false;
    const auto usual = usual_text(*example);
    limit_expression_ = QString::fromUtf8(example->expression);
    limit_->setVisible(usual != limit_expression_);
    limit_->setSuffix(QLatin1Char(' ') + QString::fromUtf8(example->unit));
    const QSignalBlocker blocker(limit_);
    limit_->setValue(example->limit);
    find(usual);
    return true;
}

void FindPanel::find_limit(double limit) { find(limit_expression_.arg(limit)); }

void FindPanel::focus()
{
    words_->setFocus(Qt::ShortcutFocusReason);
    words_->selectAll();
}

void FindPanel::save(QJsonObject& layout) const { layout.insert(find_member, words_->text()); }

void FindPanel::restore(const QJsonObject& layout)
{
    words_->setText(layout.value(find_member).toString());
    limit_->hide();
}

void FindPanel::find(const QString& expression)
{
    words_->setText(expression);
    start();
}

void FindPanel::show_section(const std::optional<TimeSection>& section)
{
    section_ = section;
    in_section_->setVisible(section.has_value());
}

std::optional<std::uint32_t> FindPanel::listed_source() const
{
    if (!model_.list()) return std::nullopt;
    return source_of(model_.list()->channel, session_);
}

/// A channel that was read anew is searched again; the list of one that is gone is dropped.
void FindPanel::show_channels()
{
    if (!model_.list()) return show_state();
    const auto source = listed_source();
    if (!source) {
        const bool goes_on = channel_->source().has_value();
        clear();
        if (goes_on && words_->text() == searched_) return start();
        return show_state();
    }
    const auto& now = (*session_.channels())[*source];
    const bool is_other_time =
        now.times->count != model_.list()->channel.times->count || now.shift != model_.list()->channel.shift;
    if (!is_other_time) return;
    model_.set_channel(now);
    show_runs();
}

void FindPanel::clear()
{
    finder_.cancel();
    nearest_.cancel();
    is_searching_ = false;
    model_.clear();
    nearest_model_.clear();
    runs_.clear();
    last_ = {};
    wanted_.reset();
    problem_.clear();
    show_runs();
}

/// `speed` alone is that of the moving objects, as in plots, and not that of the wind, whose field has this name.
QString FindPanel::with_speed(const QString& text, const MessageTable& root)
{
    const auto speed = QStringLiteral("norm(moving_object.base.velocity)");
    try {
        static_cast<void>(Query::compile((speed + QStringLiteral(" > 0")).toStdString(), root));
    } catch (const Error&) {
        return text;  // messages without such objects
    }
    static const QRegularExpression word(QStringLiteral("(?<![\\w.])speed(?![\\w.\\[(])"));
    auto parts = text.split(QLatin1Char('"'));
    for (qsizetype i = 0; i < parts.size(); i += 2) parts[i].replace(word, speed);  // the others are in quotes
    return parts.join(QLatin1Char('"'));
}

void FindPanel::start()
{
    if (const auto source = channel_->source()) {
        const auto* const root = (*session_.channels())[*source].channel->root;
        if (root != nullptr) words_->setText(with_speed(words_->text(), *root));
    }
    const auto text = words_->text();
    clear();
    const auto source = channel_->source();
    if (!source || text.trimmed().isEmpty()) return show_state();
    const auto& channel = (*session_.channels())[*source];
    const auto bytes = text.toUtf8();
    try {
        auto query = Query::compile(bytes.toStdString(), *channel.channel->root);
        searched_ = text;
        searched_time_ = {};
        if (section_ && in_section_->isChecked())
            searched_time_ = {shifted(section_->from, -channel.shift), shifted(section_->to, -channel.shift)};
        model_.begin(channel, query);
        is_searching_ = true;
        finder_.start(channel, std::move(query), searched_time_);
        show_state();
    } catch (const Error& error) {
        if (find_example(text)) return;  // words instead of an expression
        const auto at =
            std::min<std::uint64_t>(error.where().offset.value_or(0), static_cast<std::uint64_t>(bytes.size()));
        const auto place = QString::fromUtf8(bytes.first(static_cast<qsizetype>(at))).size();
        words_->setFocus();
        words_->setCursorPosition(static_cast<int>(place));
        show_problem(tr("Character %1: %2").arg(place + 1).arg(QString::fromStdString(error.reason())));
    }
}

void FindPanel::show_update(const FindUpdate& update)
{
    model_.add(update.spans);
    for (const auto& run : update.runs) runs_.add(run);
    last_ = {{}, {}, update.unlisted, update.cut, update.found, update.next};
    if (!update.runs.empty()) show_runs();
    show_state();
}

void FindPanel::show_end(const FindEnd& end)
{
    is_searching_ = false;
    if (!end.stopped && model_.rowCount() == 0) find_nearest();
    problem_ = end.stopped ? tr("stopped at message #%1").arg(last_.next) : end.problem;
    show_state();
}

/// What comes nearest to an expression that holds nowhere.
void FindPanel::find_nearest()
{
    const auto source = listed_source();
    const auto text = without_limit(searched_);
    if (!source || text.isEmpty()) return;
    const auto& channel = (*session_.channels())[*source];
    try {
        auto query = Query::compile(text.toStdString(), *channel.channel->root);
        nearest_model_.begin(channel, query);
        nearest_.start(channel, std::move(query), searched_time_);
    } catch (const Error&) {  // the comparison is within a function
        nearest_model_.clear();
    }
}

void FindPanel::show_problem(const QString& problem)
{
    problem_ = problem;
    show_state();
}

void FindPanel::show_state()
{
    QStringList parts;
    if (model_.list()) {
        const auto spans = static_cast<std::uint64_t>(model_.rowCount());
        parts += tr("%1 found, in %2").arg(count_text(last_.found, "message"), count_text(spans, "row"));
        if (last_.unlisted != 0) parts += tr("not listed: %1 more").arg(count_text(last_.unlisted));
        if (last_.cut != 0)
            parts += tr("only the first %1 objects of a message are listed; with more: %2")
                         .arg(QueryEvaluator::max_matches)
                         .arg(count_text(last_.cut, "message"));
        const auto count = model_.list()->channel.times->count;
        if (is_searching_)
            parts += count == 0 ? tr("searching \u2026")
                                : tr("searching: %1 %").arg(std::min<std::uint64_t>(99, 100 * last_.next / count));
    } else if (problem_.isEmpty()) {
        parts += channel_->count() == 0 ? tr("Open a trace to search it")
                                        : tr("Write an expression, or begin with an example. Enter searches.");
    }
    if (!problem_.isEmpty()) parts += problem_;
    const auto plain = parts.join(QStringLiteral("; "));
    QString links;
    const auto& listed = model_.rowCount() == 0 ? nearest_model_ : model_;
    const bool is_nearest = &listed == &nearest_model_;
    if (const auto extremes = is_searching_ ? std::nullopt : listed.extremes()) {
        const auto link = [&](const char* which, const char* word, const FoundModel::Extreme& extreme) {
            return QStringLiteral("; <a href='%1'>%2</a> %3")
                .arg(QLatin1String(which), tr(word), listed.text_of(extreme).toHtmlEscaped());
        };
        const bool varies = extremes->least.value < extremes->most.value;
        const bool wants_least = searched_.contains(QLatin1Char('<'));
        if (is_nearest ? wants_least : varies) links += link("least", QT_TR_NOOP("least"), extremes->least);
        if (is_nearest ? !wants_least : varies) links += link("greatest", QT_TR_NOOP("greatest"), extremes->most);
    }
    // Rich text takes milliseconds at the first time, which the window does not spend while it opens.
    note_->setTextFormat(links.isEmpty() ? Qt::PlainText : Qt::RichText);
    note_->setText(links.isEmpty() ? plain : plain.toHtmlEscaped() + links);
    start_->setText(is_searching_ ? tr("Stop") : tr("Find"));
    start_->setEnabled(channel_->count() != 0);
    const bool has_rows = model_.rowCount() != 0;
    for (auto* const each : {previous_, next_, export_}) each->setEnabled(has_rows);
}

void FindPanel::show_runs()
{
    const auto source = listed_source();
    std::vector<TimeSection> sections;
    if (source) {
        const auto& channel = (*session_.channels())[*source];
        sections.reserve(runs_.all().size());
        for (const auto& run : runs_.all()) sections.push_back({channel.time_of(run.first), channel.end_of(run.last)});
    }
    emit found_changed(source.value_or(0), sections);
}

void FindPanel::go(int direction)
{
    const auto source = listed_source();
    if (!source || !snapshot_ || *source >= snapshot_->channels.size()) return;
    const auto& shown = snapshot_->channels[*source];
    // Before the first message of the channel every row is a next one.
    const bool is_before = !shown.frame && shown.problem.empty();
    const auto row = is_before ? (direction > 0 && model_.rowCount() != 0 ? std::optional(0) : std::nullopt)
                               : row_beside(shown.number, direction);
    if (row) return go_to_row(*row);
    show_problem(direction > 0 ? tr("no later row") : tr("no earlier row"));
}

/// Several rows may begin at one time: beside the current row, if its beginning is on the screen.
std::optional<int> FindPanel::row_beside(std::uint64_t shown, int direction) const
{
    const auto current = view_->currentIndex().row();
    const auto& channel = model_.list()->channel;
    const auto begin = [&](int row) {
        return channel.time_of(model_.list()->spans[static_cast<std::size_t>(row)]->first);
    };
    auto beside = current + direction;
    if (current < 0 && direction > 0)
        beside = model_.last_before(shown).value_or(-1) + 1;  // the first one that begins now or later
    else if (current < 0 || begin(current) != channel.time_of(shown))
        return direction > 0 ? model_.next_after(shown) : model_.last_before(shown);
    return beside >= 0 && beside < model_.rowCount() ? std::optional(beside) : std::nullopt;
}

void FindPanel::go_to_row(int row)
{
    const auto source = listed_source();
    if (!source) return;
    const auto& span = *model_.list()->spans[static_cast<std::size_t>(row)];
    if (!is_searching_) problem_.clear();
    view_->selectRow(row);
    view_->scrollTo(model_.index(row, 0));
    wanted_ = wanted_in(span, *source, span.first);
    emit message_requested(*source, span.first);
    select_when_shown(wanted_, snapshot_.get(), selection_);
    show_state();
}

void FindPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    snapshot_ = snapshot;
    select_when_shown(wanted_, snapshot_.get(), selection_);
}

/// `least` or `greatest`, of all rows, or of what comes nearest.
void FindPanel::go_to_extreme(const QString& which)
{
    const auto source = listed_source();
    const bool is_listed = model_.rowCount() != 0;
    const auto& list = is_listed ? model_ : nearest_model_;
    const auto extremes = list.extremes();
    if (!source || !extremes) return;
    const auto& extreme = which == QLatin1String("least") ? extremes->least : extremes->most;
    if (is_listed) go_to_row(extreme.row);
    const auto& span = *list.list()->spans[static_cast<std::size_t>(extreme.row)];
    wanted_ = wanted_in(span, *source, extreme.message);
    emit message_requested(*source, extreme.message);
    select_when_shown(wanted_, snapshot_.get(), selection_);
}

void FindPanel::export_list()
{
    const auto file =
        QFileDialog::getSaveFileName(this, tr("Write the list"), QStringLiteral("found.csv"), tr("Tables (*.csv)"));
    if (!file.isEmpty()) write_csv(file);
}

void FindPanel::write_csv(const QString& file)
{
    if (!model_.list()) return;
    writer_ = std::jthread([this, file, list = *model_.list()] {
        const auto problem = save_file(file, csv_of(list));
        QMetaObject::invokeMethod(
            this,
            [this, problem, file] {
                show_problem(problem.isEmpty() ? tr("written to %1").arg(file) : problem);
                emit exported(problem);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace ositrace::gui
