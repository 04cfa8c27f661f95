// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QString>

#include <ositrace/query.hpp>

#include "gui/find/finder.hpp"
#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

/// What a search has found and in which channel.
struct FoundList {
    OpenChannel channel;
    Query query;
    std::vector<std::shared_ptr<const FoundSpan>> spans;  ///< in the order of their first messages
};

/// `moving object 42`, `lane boundary [3]`; empty for the message itself.
[[nodiscard]] QString object_text(const FoundSpan& span);
/// `base.acceleration.x = -7.2 at 1.500 s to -4.1 at 1.600 s`: every compared value; of numbers the range over the
/// span.
[[nodiscard]] QString values_text(const FoundSpan& span, const FoundList& list);
/// The list with a header, a line per span: times in seconds, numbers of messages, object, and the first, least and
/// greatest value of each field. Any thread.
[[nodiscard]] QByteArray csv_of(const FoundList& list);

/// A row per span.
class FoundModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { time, object, values, duration, message, column_count };

    using QAbstractTableModel::QAbstractTableModel;
    void clear();
    /// Begins an empty list.
    void begin(OpenChannel channel, Query query);
    /// The times have changed.
    void set_channel(OpenChannel channel);
    void add(const std::vector<std::pair<std::size_t, FoundSpan>>& spans);

    /// Empty before the first search.
    [[nodiscard]] const std::optional<FoundList>& list() const noexcept { return list_; }
    /// The first span that begins after, or the last one that begins before a message; empty: none.
    [[nodiscard]] std::optional<int> next_after(std::uint64_t message) const;
    [[nodiscard]] std::optional<int> last_before(std::uint64_t message) const;

    /// A value in the list.
    struct Extreme {
        int row = 0;
        std::uint64_t message = 0;
        double value = 0;
    };
    struct Extremes {
        Extreme least, most;
    };
    /// Of the first compared value, if it is a real number. Linear in the number of rows.
    [[nodiscard]] std::optional<Extremes> extremes() const;
    /// `-7.2 at 1.500 s, moving object 42`
    [[nodiscard]] QString text_of(const Extreme& extreme) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const FoundSpan& span, int column) const;

    std::optional<FoundList> list_;
};

}  // namespace ositrace::gui
