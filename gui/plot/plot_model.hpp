// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <QAbstractTableModel>
#include <QJsonObject>
#include <QObject>
#include <QString>

#include <ositrace/frame.hpp>

#include "gui/plot/plot_data.hpp"
#include "gui/plot/plot_reader.hpp"
#include "gui/session/session.hpp"

namespace ositrace::gui {

/// What a user has put into a plot: an expression of a channel. The channel is found again after a reload, and in other
/// files that have one of the same topic and type.
struct PlotEntry {
    std::size_t trace_number = 0;  ///< index of the file
    std::string topic;
    std::string type_name;
    std::size_t rank = 0;  ///< of several such channels of a file: which one
    std::string expression;
    std::set<std::string> hidden{};  ///< names of curves
    std::size_t plot = 0;            ///< of those side by side
    friend bool operator==(const PlotEntry&, const PlotEntry&) = default;
};

/// The curves of plots over the open channels: read in the background, kept while files are reloaded. GUI thread.
class PlotModel : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t most_entries = 64;
    static constexpr std::size_t most_plots = 4;

    /// `session` must outlive it.
    explicit PlotModel(Session& session, QObject* parent = nullptr);
    ~PlotModel() override;

    /// Adds an expression of a channel. Returns an empty text, or why it is refused.
    QString add(std::uint32_t source, const std::string& expression);
    void remove(std::size_t entry);
    void clear();
    void set_hidden(std::size_t line, bool hidden);
    /// Plots side by side: at least one. A new expression is added to the current one.
    [[nodiscard]] std::size_t plots() const noexcept { return x_names_.size(); }
    [[nodiscard]] std::size_t current_plot() const noexcept { return current_; }
    void set_current_plot(std::size_t plot);
    /// Adds an empty one, which is the current one then.
    void add_plot();
    /// With its curves.
    void remove_plot(std::size_t plot);
    void move(std::size_t entry, std::size_t plot);
    /// The curve that is the x axis of the current plot instead of the time, by its name; empty: the time.
    void set_x_name(const std::string& name);
    [[nodiscard]] const std::string& x_name() const noexcept { return x_names_[current_]; }

    /// A line per curve; an entry without curves has one without data.
    [[nodiscard]] const std::vector<PlotLine>& lines() const noexcept { return lines_; }
    [[nodiscard]] std::size_t entry_of(std::size_t line) const { return entries_of_lines_[line]; }
    [[nodiscard]] std::optional<std::size_t> x_line(std::size_t plot = 0) const noexcept;
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }
    [[nodiscard]] const PlotEntry& entry(std::size_t i) const { return entries_[i].entry; }
    /// Index of the channel of an entry; empty: it is not open.
    [[nodiscard]] std::optional<std::uint32_t> source_of(std::size_t entry) const { return entries_[entry].source; }
    /// Of an entry: `reading: 1 234 messages`, what is missing, or empty.
    [[nodiscard]] QString state(std::size_t entry) const;
    /// Is nothing being read?
    [[nodiscard]] bool is_settled() const noexcept;

    [[nodiscard]] QJsonObject to_json() const;
    /// Replaces everything; ignores what is no entry.
    void from_json(const QJsonObject& object);

signals:
    void lines_changed();    ///< their number, names or plots
    void plots_changed();    ///< the number of plots, or which one is the current one
    void data_changed();     ///< their values, times or states
    void entries_changed();  ///< by the user: for undo

private:
    struct Entry {
        PlotEntry entry;
        std::size_t colour = 0;                        ///< of its first curve
        std::map<std::string, std::size_t> colours{};  ///< of its other curves, by name
        std::optional<std::uint32_t> source{};         ///< empty: no such channel
        std::shared_ptr<const Trace> read_from{};      ///< what `update` is of, or is being read
        bool read_as_assumed = false;                  ///< MessageTimes::all_assumed at that time
        bool is_current = false;                       ///< `update` is of `read_from`
        std::optional<CurveExpression> expression{};
        std::shared_ptr<const Channel> channel{};  ///< that the expression was compiled for
        QString refusal{};                         ///< why it cannot be compiled
        QString unit{};
        PlotReader* reader = nullptr;  ///< shared by entries that were added together
        std::size_t place_in_reader = 0;
        std::shared_ptr<const PlotUpdate> update{};
        std::size_t place_in_update = 0;

        [[nodiscard]] const std::vector<PlotUpdate::NamedCurve>& curves() const
        {
            return update->curves[place_in_update];
        }
    };

    void follow_session();
    void resolve(Entry& entry) const;
    void read_new();
    void stop_reading(Entry& entry);
    void take(PlotReader* reader, const std::shared_ptr<const PlotUpdate>& update);
    void list_lines();
    void update_shifts();
    [[nodiscard]] std::size_t next_colour() const;
    [[nodiscard]] std::size_t colour_of(Entry& entry, const std::string& curve) const;

    Session& session_;
    std::vector<Entry> entries_;
    std::vector<PlotLine> lines_;
    std::vector<std::size_t> entries_of_lines_;
    std::vector<std::string> x_names_ = {{}};  ///< by plot
    std::size_t current_ = 0;
};

/// The curves of plots as rows: colour, name, value at the cursor, unit, least, greatest and mean value of the visible
/// times. The check box hides a curve.
class PlotList : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column : int { name_column, value_column, unit_column, least_column, most_column, mean_column, column_count };

    /// `plot` must outlive it.
    explicit PlotList(PlotModel& plot, QObject* parent = nullptr);
    /// Of the screen.
    void show_time(Nanoseconds time);
    /// Whose least, greatest and mean values are listed; empty: those of all samples.
    void set_visible(const std::optional<TimeSection>& visible);
    /// Where the value of a cell of these columns is; empty: it is none.
    [[nodiscard]] std::optional<Nanoseconds> time_of(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const QModelIndex& index) const;
    [[nodiscard]] std::optional<double> number(const QModelIndex& index) const;
    [[nodiscard]] QString tip(const QModelIndex& index) const;
    void note_data();

    PlotModel& plot_;
    Nanoseconds time_{};
    TimeSection visible_{Nanoseconds::min(), Nanoseconds::max()};
    int rows_ = 0;
};

}  // namespace ositrace::gui
