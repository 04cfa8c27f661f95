// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/object_panel.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <QAbstractItemView>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <ositrace/schema.hpp>

#include "gui/objects/inspector.hpp"
#include "gui/widgets/list_keys.hpp"

namespace ositrace::gui {

namespace {

/// Data of the entries of the category box that are not a Category.
constexpr int everything = -1, road_users = -2;

constexpr auto hidden_member = "object_columns_hidden", fields_member = "object_fields";

/// Drags what the current cell shows.
class ObjectTableView : public QTableView {
public:
    std::function<DraggedFields()> dragged;

protected:
    void startDrag(Qt::DropActions) override
    {
        auto fields = dragged();
        if (fields.expressions.size() > 1) fields.expressions.resize(1);
        drag(fields, *this);
    }
};

constexpr std::size_t most_paths = 20'000;  // of a schema in a file, which may be anything
constexpr std::size_t deepest = 12;

void list_leaves(const MessageTable& table, const std::string& above, std::vector<const MessageTable*>& inside,
                 std::vector<std::string>& paths)
{
    // A message that contains itself is listed once.
    if (inside.size() == deepest || std::ranges::find(inside, &table) != inside.end()) return;
    inside.push_back(&table);
    for (const auto& field : table.fields) {
        if (paths.size() >= most_paths) break;
        const auto path = above + std::string(field.name) + (field.repeated ? "[*]" : "");
        if (field.kind == FieldKind::message)
            list_leaves(*field.child, path + '.', inside, paths);
        else if (field.kind != FieldKind::bytes)
            paths.push_back(path);
    }
    inside.pop_back();
}

/// The paths of the values in these kinds of messages, each once: numbers, enums, booleans and strings; `[*]` for the
/// elements of a repeated field.
std::vector<std::string> leaf_paths(const std::vector<const MessageTable*>& tables)
{
    std::vector<std::string> paths;
    std::vector<const MessageTable*> inside;
    for (const auto* const table : tables) list_leaves(*table, {}, inside, paths);
    std::ranges::sort(paths);
    paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
    return paths;
}

/// Finds a field by parts of its path; Enter or a double click chooses it.
class FieldChooser : public QDialog {
public:
    explicit FieldChooser(std::vector<std::string> paths, QWidget* parent = nullptr);
    /// Empty: none was chosen.
    [[nodiscard]] std::string chosen() const;

private:
    void list(const QString& words);

    std::vector<std::string> paths_;
    QLineEdit* words_ = nullptr;
    QListWidget* found_ = nullptr;
};

FieldChooser::FieldChooser(std::vector<std::string> paths, QWidget* parent) : QDialog(parent), paths_(std::move(paths))
{
    setObjectName(QStringLiteral("field_chooser"));
    setWindowTitle(tr("Add a column"));
    resize(460, 420);
    words_ = new QLineEdit;
    words_->setObjectName(QStringLiteral("field_words"));
    words_->setPlaceholderText(tr("Parts of the path, such as acceleration x"));
    words_->setClearButtonEnabled(true);
    found_ = new QListWidget;
    new ListKeys(*words_, *found_);
    found_->setObjectName(QStringLiteral("field_list"));
    found_->setUniformItemSizes(true);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Add"));
    auto* const all = new QVBoxLayout(this);
    all->addWidget(words_);
    all->addWidget(found_, 1);
    all->addWidget(buttons);
    connect(words_, &QLineEdit::textChanged, this, &FieldChooser::list);
    connect(found_, &QListWidget::itemDoubleClicked, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    list({});
}

void FieldChooser::list(const QString& words)
{
    const auto parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    found_->clear();
    for (const auto& path : paths_) {
        const auto text = QString::fromStdString(path);
        if (std::ranges::all_of(parts, [&](const QString& part) { return text.contains(part, Qt::CaseInsensitive); }))
            found_->addItem(text);
    }
    found_->setCurrentRow(0);
}

std::string FieldChooser::chosen() const
{
    const auto* const item = found_->currentItem();
    return item == nullptr ? std::string() : item->text().toStdString();
}

}  // namespace

ObjectPanel::ObjectPanel(Selection& selection, QWidget* parent) : QWidget(parent), selection_(selection)
{
    filter_.setSourceModel(&model_);
    build();
    connect(words_, &QLineEdit::textChanged, this,
            [this](const QString& text) { change_rows([&] { filter_.set_text(text); }); });
    connect(category_, &QComboBox::activated, this, [this](int place) {
        category_chosen_ = true;
        choose_category(place);
    });
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ObjectPanel::select_row);
    connect(view_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        emit focus_requested(model_.thing(filter_.mapToSource(index).row()).key);
    });
    connect(&selection_, &Selection::changed, this, &ObjectPanel::show_selection);
    connect(inspector_, &Inspector::seek_requested, this, &ObjectPanel::seek_requested);
    connect(inspector_, &Inspector::section_chosen, this, &ObjectPanel::section_chosen);
}

void ObjectPanel::build()
{
    words_ = new QLineEdit;
    words_->setObjectName("object_words");
    words_->setToolTip(tr("Shows the objects whose id or type contains these words"));
    words_->setPlaceholderText(tr("Id or type"));
    words_->setClearButtonEnabled(true);
    category_ = new QComboBox;
    category_->setObjectName("object_category");
    category_->setSizeAdjustPolicy(
        QComboBox::AdjustToMinimumContentsLengthWithIcon);  // the longest category would leave no room for the words
    category_->setMinimumContentsLength(8);
    category_->addItem(tr("Everything"), everything);
    category_->addItem(tr("Road users"), road_users);
    count_ = new QLabel;
    auto* const view = new ObjectTableView;
    view->dragged = [this] { return plotted(); };
    view_ = view;
    view_->setDragEnabled(true);
    view_->setObjectName("object_table");
    view_->setModel(&filter_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(ObjectTableModel::distance, Qt::AscendingOrder);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setTextElideMode(Qt::ElideRight);
    view_->verticalHeader()->hide();
    // The ids of the rows, while their column is scrolled away.
    connect(view_->horizontalScrollBar(), &QScrollBar::valueChanged, this,
            [this](int value) { view_->verticalHeader()->setVisible(value > 0); });
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    view_->horizontalHeader()->setHighlightSections(false);
    const auto width_of = [this](const char* text) {
        return view_->fontMetrics().horizontalAdvance(QLatin1String(text)) + 16;
    };
    for (int column = 0; column != ObjectTableModel::column_count; ++column)
        view_->setColumnWidth(column, width_of("height [m]"));
    // These fit into a narrow panel together.
    for (const auto& [column, text] : {std::pair{ObjectTableModel::id, "00000"},
                                       {ObjectTableModel::type, "delivery van"},
                                       {ObjectTableModel::speed, "v [m/s]"},
                                       {ObjectTableModel::distance, "to host [m]"}})
        view_->setColumnWidth(column, width_of(text) - 6);
    view_->setColumnWidth(ObjectTableModel::channel, width_of("ground truth"));
    view_->setColumnWidth(ObjectTableModel::category, width_of("detected moving objects"));

    view_->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(view_->horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &ObjectPanel::show_column_menu);
    connect(view_, &QTableView::customContextMenuRequested, this, &ObjectPanel::show_row_menu);
    hide_columns();
    inspector_ = new Inspector(selection_, model_);

    auto* const bar = new QHBoxLayout;
    bar->addWidget(words_, 1);
    bar->addWidget(category_);
    bar->addWidget(count_);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addLayout(bar);
    auto* const parts = new QSplitter(Qt::Vertical);
    parts->setObjectName("object_parts");
    parts->addWidget(view_);
    parts->addWidget(inspector_);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);
    inspector_->hide();  // until something is selected
    all->addWidget(parts, 1);
}

void ObjectPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    snapshot_ = snapshot;
    change_rows([&] { model_.show(snapshot); });
    if (snapshot && snapshot->picture && !has_host_ && snapshot->picture->host) {
        has_host_ = true;
        hide_columns();
    }
    list_categories();
}

DraggedFields ObjectPanel::plotted() const
{
    const auto current = filter_.mapToSource(view_->currentIndex());
    if (!current.isValid() || !snapshot_) return {};
    const auto& thing = model_.thing(current.row());
    const auto path = keyed_by_id(*snapshot_, thing.key.source, thing.path);
    const auto& host_thing = snapshot_->picture->host;
    const bool has_host = host_thing && host_thing->key.source == thing.key.source && host_thing->path != thing.path;
    const auto host = has_host ? keyed_by_id(*snapshot_, thing.key.source, host_thing->path) : std::string();
    DraggedFields fields{.source = thing.key.source, .expressions = {}};
    if (current.column() >= ObjectTableModel::column_count) {
        const auto field = static_cast<std::size_t>(current.column() - ObjectTableModel::column_count);
        fields.expressions.push_back(path + "." + model_.fields()[field].path());
    }
    const bool moves = is_road_user(thing.key.category);
    for (const int column : {current.column(), moves ? int{ObjectTableModel::speed} : -1,
                             int{ObjectTableModel::distance}, int{ObjectTableModel::x}, int{ObjectTableModel::y}}) {
        auto field = ObjectTableModel::plotted_field(column, path, host);
        if (field.empty() || std::ranges::find(fields.expressions, field) != fields.expressions.end()) continue;
        fields.expressions.push_back(std::move(field));
    }
    if (moves) fields.expressions.push_back("norm(" + path + ".base.acceleration)");
    return fields;
}

void ObjectPanel::show_times(const std::shared_ptr<const OpenChannels>& channels)
{
    auto names = names_of(*channels);
    for (std::size_t i = 0; i != channels->size(); ++i) {  // the part that tells them apart, where there is little room
        const auto& trace = (*channels)[i].trace;
        if (!trace) continue;
        const auto& info = trace->info();
        const auto file = QString::fromStdString(info.file.filename().string());
        auto& name = names[static_cast<qsizetype>(i)];
        if (info.channels.size() == 1 && name.endsWith(QStringLiteral(" (%1)").arg(file))) name = file;
    }
    has_channels_ = names.size() > 1;
    if (channels->empty()) has_host_ = false;
    hide_columns();
    inspector_->show_channels(*channels);
    model_.name_channels(std::move(names));
}

void ObjectPanel::show_time(Nanoseconds time) { inspector_->show_time(time); }

/// Removing the row of the selected thing must not select another one.
void ObjectPanel::change_rows(const std::function<void()>& change)
{
    {
        const QScopedValueRollback updating(updating_, true);
        change();
    }
    const auto shown = filter_.rowCount(), all = model_.rowCount();
    count_->setText(shown == all ? tr("%1").arg(all) : tr("%1 of %2").arg(shown).arg(all));
    show_selection();
}

void ObjectPanel::list_categories()
{
    if (!model_.picture()) return;
    for (int row = 0; row != model_.rowCount(); ++row) {
        const auto category = model_.thing(row).key.category;
        const auto [place, is_new] = listed_.insert(category);
        if (!is_new) continue;
        const auto before = static_cast<int>(std::distance(listed_.begin(), place));
        category_->insertItem(2 + before, QString::fromUtf8(name_of(category)), static_cast<int>(category));
        category_->view()->setMinimumWidth(category_->view()->sizeHintForColumn(0) +
                                           2 * category_->view()->frameWidth());
    }
    const bool has_road_users = std::ranges::any_of(listed_, is_road_user);
    if (category_chosen_ || !has_road_users) return;
    category_chosen_ = true;
    category_->setCurrentIndex(category_->findData(road_users));
    choose_category(category_->currentIndex());
}

void ObjectPanel::choose_category(int place)
{
    const auto chosen = category_->itemData(place).toInt();
    category_->setToolTip(category_->itemText(place));
    change_rows([&] {
        if (chosen == everything)
            filter_.show_everything();
        else if (chosen == road_users)
            filter_.show_road_users();
        else
            filter_.show_category(static_cast<Category>(chosen));
    });
}

void ObjectPanel::show_selection()
{
    const QScopedValueRollback updating(updating_, true);
    const auto& current = selection_.current();
    const int row = current && current->thing ? model_.row_of(*current->thing) : -1;
    const auto index = row < 0 ? QModelIndex() : filter_.mapFromSource(model_.index(row, 0));
    if (!index.isValid()) {
        view_->selectionModel()->clear();
    } else if (view_->currentIndex().row() != index.row()) {
        view_->setCurrentIndex(index);
        view_->scrollTo(index);
    }
    inspector_->setVisible(current && current->thing);
    inspector_->update_rows();
}

void ObjectPanel::select_row(const QModelIndex& current)
{
    if (updating_ || !current.isValid()) return;
    const auto& thing = model_.thing(filter_.mapToSource(current).row());
    selection_.select({thing.key, thing.key.source, thing.path});
}

void ObjectPanel::save(QJsonObject& layout) const
{
    QJsonArray hidden, fields;
    for (const int each : hidden_) hidden.append(ObjectTableModel::key_of(each));
    for (const auto& field : model_.fields()) fields.append(QString::fromStdString(field.path()));
    layout.insert(QLatin1String(hidden_member), hidden);
    layout.insert(QLatin1String(fields_member), fields);
}

void ObjectPanel::restore(const QJsonObject& layout)
{
    hidden_.clear();
    const auto hidden = texts_of(layout, hidden_member);
    for (int column = 0; column != ObjectTableModel::column_count; ++column)
        if (hidden.contains(ObjectTableModel::key_of(column))) hidden_.insert(column);
    std::vector<std::string> paths;
    for (const auto& each : texts_of(layout, fields_member)) paths.push_back(each.toStdString());
    set_fields(paths);
}

bool ObjectPanel::is_empty(int column) const
{
    return (column == ObjectTableModel::channel && !has_channels_) ||
           (column == ObjectTableModel::distance && !has_host_);
}

void ObjectPanel::hide_columns()
{
    for (int column = 0; column != ObjectTableModel::column_count; ++column)
        view_->setColumnHidden(column, hidden_.contains(column) || is_empty(column));
}

void ObjectPanel::set_fields(const std::vector<std::string>& paths)
{
    change_rows([&] { model_.set_fields(paths); });
    hide_columns();
    for (int column = ObjectTableModel::column_count; column < model_.columnCount(); ++column) {
        const auto title = model_.headerData(column, Qt::Horizontal).toString();
        view_->setColumnWidth(column, view_->fontMetrics().horizontalAdvance(title) + 28);
    }
}

void ObjectPanel::show_column_menu(QPoint at)
{
    QMenu menu;
    menu.setObjectName("column_menu");
    menu.addAction(tr("Add a field..."), this, &ObjectPanel::add_field);
    const int clicked = view_->horizontalHeader()->logicalIndexAt(at);
    if (clicked >= ObjectTableModel::column_count) {
        const auto title = model_.headerData(clicked, Qt::Horizontal).toString();
        menu.addAction(tr("Remove %1").arg(title), this, [this, clicked] {
            auto fields = model_.fields();
            fields.erase(fields.begin() + (clicked - ObjectTableModel::column_count));
            std::vector<std::string> paths;
            for (const auto& each : fields) paths.push_back(each.path());
            set_fields(paths);
        });
    }
    menu.addSeparator();
    for (int column = 0; column != ObjectTableModel::column_count; ++column) {
        if (is_empty(column)) continue;
        auto* const action = menu.addAction(model_.headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!hidden_.contains(column));
        connect(action, &QAction::toggled, this, [this, column](bool shown) {
            if (shown)
                hidden_.erase(column);
            else
                hidden_.insert(column);
            hide_columns();
        });
    }
    menu.exec(view_->horizontalHeader()->mapToGlobal(at));
}

void ObjectPanel::add_field()
{
    FieldChooser chooser(leaf_paths(model_.tables()), this);
    if (chooser.exec() != QDialog::Accepted || chooser.chosen().empty()) return;
    std::vector<std::string> paths;
    for (const auto& each : model_.fields()) paths.push_back(each.path());
    if (std::ranges::find(paths, chooser.chosen()) != paths.end()) return;
    paths.push_back(chooser.chosen());
    set_fields(paths);
    view_->scrollTo(view_->model()->index(std::max(0, view_->currentIndex().row()), model_.columnCount() - 1));
}

void ObjectPanel::show_row_menu(QPoint at)
{
    const auto index = view_->indexAt(at);
    if (!index.isValid()) return;
    const auto& thing = model_.thing(filter_.mapToSource(index).row());
    QMenu menu;
    menu.setObjectName("row_menu");
    menu.addAction(tr("Move the camera to it"), this, [this, key = thing.key] { emit focus_requested(key); });
    menu.addAction(tr("Compare others with it"), this, [this, key = thing.key] { inspector_->compare_with(key); });
    menu.addAction(tr("Compare with the host"), this, [this] { inspector_->compare_with(std::nullopt); })
        ->setEnabled(inspector_->other().has_value());
    menu.addSeparator();
    if (thing.key.category == Category::traffic_light)
        menu.addAction(tr("Show colours and modes over time"), this,
                       [this, source = thing.key.source, path = thing.path] {
                           for (const auto* const field : {".classification.color", ".classification.mode"})
                               emit states_requested(source, path + field);
                       });
    add_plot_actions(menu, plotted(), [this](std::uint32_t source, const std::string& expression) {
        emit plot_requested(source, expression);
    });
    menu.exec(view_->viewport()->mapToGlobal(at));
}

}  // namespace ositrace::gui
