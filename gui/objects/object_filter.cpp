// SPDX-License-Identifier: MPL-2.0
#include "gui/objects/object_filter.hpp"

#include <algorithm>

#include "gui/objects/object_table_model.hpp"

namespace ositrace::gui {

ObjectFilter::ObjectFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(ObjectTableModel::sort_role);
    setDynamicSortFilter(true);
}

void ObjectFilter::set(const State& state)
{
    group_ = state.group;
    category_ = state.category;
    text_ = state.text;
    invalidateFilter();
}

bool ObjectFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const auto& model = static_cast<const ObjectTableModel&>(*sourceModel());
    const auto category = model.thing(row).key.category;
    if (group_ == Group::road_users && !is_road_user(category)) return false;
    if (group_ == Group::one_category && category != category_) return false;
    const auto words = text_.split(' ', Qt::SkipEmptyParts);
    if (words.isEmpty()) return true;
    QString searched;
    for (const int column :
         {ObjectTableModel::category, ObjectTableModel::id, ObjectTableModel::type, ObjectTableModel::channel})
        searched += model.index(row, column, parent).data().toString() + '\n';
    return std::ranges::all_of(words,
                               [&](const QString& word) { return searched.contains(word, Qt::CaseInsensitive); });
}

}  // namespace ositrace::gui
