// SPDX-License-Identifier: MPL-2.0
// The line of the panel of plots: a path is typed and completed.
#include <algorithm>
#include <span>
#include <utility>

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QStringListModel>

#include <ositrace/curve.hpp>
#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/series.hpp>

#include "gui/channels/channel_chooser.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/selection/dragged_fields.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t most_completions = 60;

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

}  // namespace ositrace::gui
