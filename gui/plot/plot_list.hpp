// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QAbstractTableModel>

#include <ositrace/frame.hpp>

#include "gui/plot/plot_model.hpp"

namespace ositrace::gui {

/// The curves of a plot as rows: colour, name, value at the cursor, unit. The check box hides a curve.
class PlotList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { name_column, value_column, unit_column, column_count };

    /// `plot` must outlive it.
    explicit PlotList(PlotModel& plot, QObject* parent = nullptr);
    /// Of the screen.
    void show_time(Nanoseconds time);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const QModelIndex& index) const;
    [[nodiscard]] QString tip(std::size_t line) const;
    void note_data();

    PlotModel& plot_;
    Nanoseconds time_{};
    int rows_ = 0;
};

}  // namespace ositrace::gui
