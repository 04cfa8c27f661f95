// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// The things of a picture, one a row. A row keeps its thing while the time changes: things that go take theirs along,
/// new ones come at the end. Reads the picture where it stands; nothing is copied.
class ObjectTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int {
        id,
        type,
        channel,
        speed,
        speed_km_h,
        distance,
        x,
        y,
        z,
        category,
        length,
        width,
        height,
        column_count
    };
    /// What rows are sorted by: a number where the column has one.
    static constexpr int sort_role = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::shared_ptr<const Picture> picture);
    /// As people see them, in the session's order.
    void name_channels(QStringList names);

    /// Of a row of this model.
    [[nodiscard]] const Thing& thing(int row) const { return *things_[static_cast<std::size_t>(row)]; }
    /// -1 when the picture does not have it.
    [[nodiscard]] int row_of(const ThingKey& key) const;
    [[nodiscard]] const std::shared_ptr<const Picture>& picture() const noexcept { return picture_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] double number(const Thing& thing, int column) const;
    [[nodiscard]] QString text(const Thing& thing, int column) const;
    void remove_rows(const std::vector<bool>& stays);

    QStringList channels_;
    std::shared_ptr<const Picture> picture_;
    std::vector<const Thing*> things_;  ///< of the picture; one a row
};

}  // namespace ositrace::gui
