// SPDX-License-Identifier: MPL-2.0
#include "gui/find/search_bar.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/limits.hpp>

#include "gui/text/quantity.hpp"
#include "gui/text/value_text.hpp"

namespace ositrace::gui {

namespace {

constexpr std::size_t max_paths = 100'000, max_bytes = std::size_t{32} << 20;

class Lister {
public:
    explicit Lister(std::vector<std::string>& paths) : paths_(paths) {}

    void list(const MessageTable& table, const std::string& above)
    {
        if (inside_.size() == max_message_depth || std::ranges::find(inside_, &table) != inside_.end()) return;
        inside_.push_back(&table);
        for (const auto& field : table.fields) {
            bytes_ += above.size() + field.name.size();
            if (paths_.size() == max_paths || bytes_ > max_bytes) break;
            auto path = above + std::string(field.name) + (field.repeated ? "[]" : "");
            paths_.push_back(path);
            if (field.child != nullptr) list(*field.child, path + '.');
        }
        inside_.pop_back();
    }

private:
    std::vector<std::string>& paths_;
    std::size_t bytes_ = 0;
    std::vector<const MessageTable*> inside_;
};

std::string lower(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return text;
}

/// Lower case, and `[3]` or `[*]` as `[]`, so that a copied path is found.
std::vector<std::string> searched_words(const std::string& text)
{
    std::vector<std::string> words;
    std::istringstream in(lower(text));
    for (std::string word; in >> word;) {
        std::string plain;
        bool inside = false;
        for (const char c : word) {
            inside = (inside || c == '[') && c != ']';
            if (!inside || c == '[') plain += c;
        }
        words.push_back(plain);
    }
    return words;
}

}  // namespace

SchemaPaths::SchemaPaths(const MessageTable& root) { Lister(paths_).list(root, {}); }

std::vector<std::string> SchemaPaths::search(const std::string& words, std::size_t most) const
{
    const auto wanted = searched_words(words);
    if (wanted.empty()) return {};
    std::vector<std::pair<bool, const std::string*>> found;
    for (const auto& path : paths_) {
        const auto text = lower(path);
        if (!std::ranges::all_of(wanted, [&](const auto& word) { return text.find(word) != std::string::npos; }))
            continue;
        const bool ends_in_it = text.ends_with(wanted.back()) || text.ends_with(wanted.back() + "[]");
        found.emplace_back(!ends_in_it, &path);
    }
    const auto before = [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : a.second->size() < b.second->size();
    };
    std::ranges::stable_sort(found, before);
    std::vector<std::string> paths;
    for (std::size_t i = 0; i != std::min(found.size(), most); ++i) paths.push_back(*found[i].second);
    return paths;
}

std::string with_elements(const std::string& path, const std::string& near)
{
    std::string out;
    std::size_t beside = 0;  // position in `near`, as far as both paths agree
    bool is_near = true;
    for (const char c : path) {
        if (c == ']') {
            const auto end = is_near ? near.find(']', beside) : std::string::npos;
            out += end == std::string::npos || end == beside ? "0" : near.substr(beside, end - beside);
            beside = end == std::string::npos ? near.size() : end;
        }
        is_near = is_near && beside < near.size() && near[beside] == c;
        ++beside;
        out += c;
    }
    return out;
}

namespace {

constexpr std::size_t most_found_paths = 200;
constexpr qsizetype path_characters = 500;
constexpr int found_source_role = Qt::UserRole, found_path_role = Qt::UserRole + 1;
enum What : int { fields, values };

/// Examples of searches for values.
QString search_examples()
{
    return QCoreApplication::translate(
        "SearchBar",
        "Examples: 42, > 30, nan, TYPE_CAR, signal_strength > -66, base.velocity.x != 0, \"a text\".\n"
        "Operators: == != < <= > >= and ~ (contains)");
}

}  // namespace

SearchBar::SearchBar(QWidget* parent) : QWidget(parent)
{
    build();
    connect(words_, &QLineEdit::textChanged, this, &SearchBar::search);
    connect(what_, &QComboBox::currentIndexChanged, this, &SearchBar::search);
    connect(words_, &QLineEdit::returnPressed, this, [this] {
        if (auto* const best = best_result()) emit results_->itemActivated(best);
    });
    const auto choose = [this](const QListWidgetItem* item) {
        emit chosen(item->data(found_source_role).toUInt(), item->data(found_path_role).toString().toStdString());
    };
    connect(results_, &QListWidget::itemActivated, this, choose);
    connect(results_, &QListWidget::itemClicked, this, choose);
    connect(&value_search_, &ValueSearch::found, this, [this](const std::vector<ValueHit>& hits) {
        for (const auto& hit : hits)
            add(hit.source, hit.path,
                visible_text(hit.path, path_characters) + QStringLiteral(" = ") + QString::fromStdString(hit.text));
        show_results(tr("searching \u2026"));
    });
    connect(&value_search_, &ValueSearch::finished, this, [this](const ValueSearchEnd& end) {
        auto note = tr("%1 found in %2 values")
                        .arg(count_text(static_cast<std::uint64_t>(results_->count())), count_text(end.values));
        if (!end.all) note += tr("; there may be more");
        if (end.broken != 0) note += tr("; %1").arg(count_text(end.broken, "broken message"));
        if (!end.problem.empty()) note += QStringLiteral("; ") + QString::fromStdString(end.problem);
        show_results(note);
    });
}

void SearchBar::build()
{
    words_ = new QLineEdit;
    words_->setObjectName("search_words");
    words_->setClearButtonEnabled(true);
    what_ = new QComboBox;
    what_->setObjectName("search_what");
    what_->addItem(tr("Fields"));
    what_->addItem(tr("Values"));
    what_->setToolTip(tr("Fields of the schema, or values of the messages at this time"));
    results_ = new QListWidget;
    results_->setObjectName("search_results");
    results_->setUniformItemSizes(true);
    results_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // it would cover a single row
    results_->setTextElideMode(Qt::ElideMiddle);
    results_->hide();
    note_ = new QLabel;
    note_->setObjectName("search_note");
    note_->setWordWrap(true);
    note_->hide();

    auto* const line = new QHBoxLayout;
    line->addWidget(words_, 1);
    line->addWidget(what_);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addLayout(line);
    all->addWidget(results_);
    all->addWidget(note_);
    search();
}

void SearchBar::show_snapshot(std::shared_ptr<const Snapshot> snapshot)
{
    const bool is_same = have_same_channels(snapshot_.get(), snapshot.get());
    snapshot_ = std::move(snapshot);
    if (!is_same) search();
}

void SearchBar::search_near(std::uint32_t source, std::string path)
{
    near_source_ = source;
    near_path_ = std::move(path);
}

void SearchBar::focus()
{
    words_->setFocus();
    words_->selectAll();
}

void SearchBar::search()
{
    // A comparison searches values: the box switches to values, and back when the words are no comparison any more.
    const bool compares = words_->text().toStdString().find_first_of("=!<>~") != std::string::npos;
    if (compares && what_->currentIndex() == fields) {
        switched_ = true;
        return what_->setCurrentIndex(values);
    }
    if (!compares && std::exchange(switched_, false)) return what_->setCurrentIndex(fields);
    value_search_.cancel();
    results_->clear();
    const bool by_field = what_->currentIndex() == fields;
    words_->setPlaceholderText(by_field ? tr("Search fields: velocity x")
                                        : tr("Search values: 42, nan, TYPE_CAR, velocity.x > 30"));
    words_->setToolTip(by_field ? QString() : search_examples());
    if (words_->text().trimmed().isEmpty() || !snapshot_) return show_results({});
    if (by_field)
        search_fields();
    else
        search_values();
}

const SchemaPaths& SearchBar::paths_of(const Channel& channel)
{
    const auto [paths, is_new] = paths_.try_emplace(channel.root, *channel.root);
    if (is_new) schemas_.push_back(channel.schema);
    return paths->second;
}

void SearchBar::search_fields()
{
    const auto words = words_->text().toStdString();
    for (std::uint32_t source = 0; source != snapshot_->channels.size(); ++source) {
        const auto& channel = *snapshot_->channels[source].channel;
        if (channel.root == nullptr) continue;
        for (const auto& path : paths_of(channel).search(words, most_found_paths))
            add(source, with_elements(path, source == near_source_ ? near_path_ : std::string()),
                visible_text(path, path_characters));
    }
    show_results(results_->count() == 0 ? tr("no field with that name") : QString());
}

void SearchBar::search_values()
{
    const auto query = ValueQuery::parse(words_->text().toStdString());
    if (!query) return show_results(tr("Invalid search. %1").arg(search_examples()));
    const bool is_known = std::ranges::any_of(snapshot_->channels, [&](const ShownFrame& shown) {
        const auto names = [&](const std::string& path) { return query->names(path); };
        return shown.channel->root != nullptr && std::ranges::any_of(paths_of(*shown.channel).all(), names);
    });
    if (!is_known)
        return show_results(
            tr("No field is named %1. %2").arg(visible_text(query->field(), shown_characters), search_examples()));
    value_search_.start(snapshot_, *query);
    show_results(tr("searching \u2026"));
}

void SearchBar::add(std::uint32_t source, const std::string& path, const QString& text)
{
    auto* const item = new QListWidgetItem(text, results_);
    item->setSizeHint({1, fontMetrics().height() + 4});  // as wide as the list, so that a long path is elided
    item->setData(found_source_role, source);
    item->setData(found_path_role, QString::fromStdString(path));
    item->setToolTip(QStringLiteral("%1\n%2").arg(text, QString::fromStdString(snapshot_->channels[source].name)));
}

/// The target of Enter: the first result whose field is set, else the first result.
QListWidgetItem* SearchBar::best_result() const
{
    constexpr int most_tried = 50;  // each attempt reads the message up to the field
    for (int row = 0; row != std::min(results_->count(), most_tried); ++row)
        if (is_set(*results_->item(row))) return results_->item(row);
    return results_->item(0);
}

bool SearchBar::is_set(const QListWidgetItem& result) const
{
    const auto& shown = snapshot_->channels[result.data(found_source_role).toUInt()];
    if (!shown.frame) return false;
    try {
        const auto& root = *shown.channel->root;
        const auto path = FieldPath::compile(root, result.data(found_path_role).toString().toStdString());
        const MessageView message(shown.frame->bytes, root, shown.channel->format);
        std::vector<Value> values;
        path.collect(message, values);
        return !values.empty();
    } catch (const Error&) {  // a broken message: the tree shows the damage
        return false;
    }
}

void SearchBar::show_results(const QString& note)
{
    constexpr int most_lines = 10;
    const auto lines = std::min(results_->count(), most_lines);
    results_->setFixedHeight(lines * std::max(1, results_->sizeHintForRow(0)) + 2 * results_->frameWidth());
    results_->setVisible(lines != 0);
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
}

}  // namespace ositrace::gui
