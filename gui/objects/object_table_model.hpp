// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include <ositrace/picture.hpp>

#include "gui/objects/thing_messages.hpp"

namespace ositrace::gui {

/// The things of a snapshot, one per row, with fields of their messages as further columns. A row keeps its thing while
/// the time changes: rows of vanished things are removed, new ones are appended. Reads picture and messages in place.
class ObjectTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int {
        id,
        type,
        channel,
        speed,
        distance,
        speed_km_h,
        x,
        y,
        z,
        category,
        box_length,
        box_width,
        box_height,
        column_count
    };
    /// The value that rows are sorted by: a number if the column has one.
    static constexpr int sort_role = Qt::UserRole;

    /// `speed_km_h`: names a column that is always there, in a layout.
    [[nodiscard]] static QString key_of(int column);

    using QAbstractTableModel::QAbstractTableModel;
    /// null: nothing is open.
    void show(const std::shared_ptr<const Snapshot>& snapshot);
    /// Display names of the channels, in the session's order. Call it whenever they change.
    void name_channels(QStringList names);
    /// Paths of fields below the message of an object, a column each, after the others.
    void set_fields(const std::vector<std::string>& paths);
    [[nodiscard]] const std::vector<ThingField>& fields() const noexcept { return fields_; }
    /// The kinds of messages that the things have, each once.
    [[nodiscard]] std::vector<const MessageTable*> tables() const;
    /// The message of a thing; empty: the frame does not contain it.
    [[nodiscard]] std::optional<MessageView> message(const Thing& thing) const { return messages_.message(thing); }

    /// What a column shows of a thing, as a CurveExpression: `path` is that of the thing's message, `host` that
    /// of the host. Empty: there is no such field.
    [[nodiscard]] static std::string plotted_field(int column, const std::string& path, const std::string& host);
    /// The thing of a row of this model.
    [[nodiscard]] const Thing& thing(int row) const { return *things_[static_cast<std::size_t>(row)]; }
    /// -1 if the picture does not contain it.
    [[nodiscard]] int row_of(const ThingKey& key) const;
    [[nodiscard]] const std::shared_ptr<const Picture>& picture() const noexcept { return picture_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    /// Rows can be dragged; the view decides what is.
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override
    {
        const auto flags = QAbstractTableModel::flags(index);
        return index.isValid() ? flags | Qt::ItemIsDragEnabled : flags;
    }

private:
    [[nodiscard]] double number(const Thing& thing, int column) const;
    [[nodiscard]] QString text(const Thing& thing, int column) const;
    [[nodiscard]] QVariant field_data(const Thing& thing, const ThingField& field, int role) const;
    [[nodiscard]] QVariant field_header(const ThingField& field, int role) const;
    void remove_rows(const std::vector<bool>& stays);

    QStringList channels_;
    std::vector<ThingField> fields_;
    mutable ThingMessages messages_;
    std::shared_ptr<const Picture> picture_;
    std::vector<const Thing*> things_;  ///< in the picture; one per row
};

/// Filters and sorts the rows of an ObjectTableModel.
class ObjectFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class Group : std::uint8_t { everything, road_users, one_category };

    explicit ObjectFilter(QObject* parent = nullptr);
    void show_everything() { set({Group::everything, {}, text_}); }
    void show_road_users() { set({Group::road_users, {}, text_}); }
    void show_category(Category category) { set({Group::one_category, category, text_}); }
    /// Shows rows whose id, type, category or channel contains every word; empty: all.
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
