// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/object_panel.hpp"

#include <algorithm>

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QTableView>
#include <QVBoxLayout>

namespace ositrace::gui {

namespace {

/// Data of the entries of the category box that are not a Category.
constexpr int everything = -1, road_users = -2;

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
}

void ObjectPanel::build()
{
    words_ = new QLineEdit;
    words_->setObjectName("object_words");
    words_->setPlaceholderText(tr("Filter by id or type"));
    words_->setClearButtonEnabled(true);
    category_ = new QComboBox;
    category_->setObjectName("object_category");
    category_->setSizeAdjustPolicy(
        QComboBox::AdjustToMinimumContentsLengthWithIcon);  // the longest category would leave no room for the words
    category_->setMinimumContentsLength(8);
    category_->addItem(tr("Everything"), everything);
    category_->addItem(tr("Road users"), road_users);
    count_ = new QLabel;
    view_ = new QTableView;
    view_->setObjectName("object_table");
    view_->setModel(&filter_);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setSortingEnabled(true);
    view_->sortByColumn(ObjectTableModel::distance, Qt::AscendingOrder);
    view_->setAlternatingRowColors(true);
    view_->setShowGrid(false);
    view_->setWordWrap(false);
    view_->setTextElideMode(Qt::ElideMiddle);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 6);
    view_->horizontalHeader()->setHighlightSections(false);
    const auto width_of = [this](const char* text) {
        return view_->fontMetrics().horizontalAdvance(QLatin1String(text)) + 16;
    };
    for (int column = 0; column != ObjectTableModel::column_count; ++column)
        view_->setColumnWidth(column, width_of("height [m]"));
    view_->setColumnWidth(ObjectTableModel::id, width_of("00000"));
    view_->setColumnWidth(ObjectTableModel::distance, width_of("to host [m]   "));
    view_->setColumnWidth(ObjectTableModel::channel, width_of("ground truth"));
    view_->setColumnHidden(ObjectTableModel::channel, true);
    view_->setColumnWidth(ObjectTableModel::category, width_of("detected moving objects"));

    auto* const bar = new QHBoxLayout;
    bar->addWidget(words_, 1);
    bar->addWidget(category_);
    bar->addWidget(count_);
    auto* const all = new QVBoxLayout(this);
    all->setContentsMargins(4, 4, 4, 4);
    all->addLayout(bar);
    all->addWidget(view_);
}

void ObjectPanel::show_snapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    change_rows([&] { model_.show(snapshot ? snapshot->picture : nullptr); });
    list_categories();
}

void ObjectPanel::show_channels(const OpenChannels& channels)
{
    QStringList names;
    for (const auto& each : channels) names += QString::fromStdString(each.name);
    view_->setColumnHidden(ObjectTableModel::channel, names.size() < 2);
    model_.name_channels(std::move(names));
}

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
}

void ObjectPanel::select_row(const QModelIndex& current)
{
    if (updating_ || !current.isValid()) return;
    const auto& thing = model_.thing(filter_.mapToSource(current).row());
    selection_.select({thing.key, thing.key.source, thing.path});
}

}  // namespace ositrace::gui
