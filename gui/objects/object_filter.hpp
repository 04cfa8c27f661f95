// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>

#include <QSortFilterProxyModel>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// Which rows of an ObjectTableModel are shown, and in which order.
class ObjectFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Group : std::uint8_t { everything, road_users, one_category };

    explicit ObjectFilter(QObject* parent = nullptr);
    void show_everything() { set({Group::everything, {}, text_}); }
    void show_road_users() { set({Group::road_users, {}, text_}); }
    void show_category(Category category) { set({Group::one_category, category, text_}); }
    /// Rows whose id, type category or channel contains every word; empty: all.
    void set_text(const QString& text) { set({group_, category_, text}); }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    struct State {
        Group group;
        Category category;
        QString text;
    };
    void set(const State& state);

    Group group_ = Group::everything;
    Category category_ = Category::host;
    QString text_;
};

}  // namespace ositrace::gui
