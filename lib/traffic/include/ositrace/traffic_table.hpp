// SPDX-License-Identifier: MPL-2.0
// Tables of what happens in a trace. A table is defined once: its columns and options are rows of data, its rows come
// frame by frame. The command line, Arrow (Python, Spark) and osiview are its faces.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/traffic_frame.hpp>

namespace ositrace {

enum class TrafficColumnKind : std::uint8_t {
    integer,  ///< std::int64_t
    id,       ///< std::uint64_t
    real,     ///< double
    flag,     ///< bool
    word,     ///< std::string_view out of a small vocabulary
    text,     ///< std::string_view
};

struct TrafficColumn {
    std::string_view name;
    TrafficColumnKind kind = TrafficColumnKind::real;
    std::string_view unit = {};  ///< `m/s`; empty: none
    std::string_view text = {};  ///< what it is: formula, source of the definition, when it is null
};

/// A value of a row, of the kind of its column; monostate: null. A double that is not finite counts as null. Texts live
/// until the sink has returned.
using TrafficCell = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string_view>;

/// Null instead of an empty optional.
template <class T>
[[nodiscard]] TrafficCell cell_of(const std::optional<T>& value)
{
    return value ? TrafficCell(*value) : TrafficCell();
}

class TrafficRowSink {
public:
    virtual ~TrafficRowSink() = default;
    /// One cell per column of the table.
    virtual void add(std::span<const TrafficCell> row) = 0;
};

/// An option of a table: `--range M` on the command line, `range=` in Python and Spark.
struct TrafficOption {
    enum class Kind : std::uint8_t { number, text, flag };
    std::string_view name;  ///< `max-range`; in Python max_range
    Kind kind = Kind::number;
    std::string_view value;    ///< name of its value, `M`; empty for a flag
    std::string_view initial;  ///< `100`; empty: none
    std::string_view text;     ///< of the help
};

/// The options of a table, as given.
class TrafficOptions {
public:
    explicit TrafficOptions(std::span<const TrafficOption> known) : known_(known) {}
    /// Throws Error (usage) for an unknown name, and a number that is none or negative. A flag is `true` or `false`.
    void set(std::string_view name, std::string_view value);
    /// As given, else the initial value. Throws Error (usage) where there is neither.
    [[nodiscard]] double number(std::string_view name) const;
    /// Empty where there is neither.
    [[nodiscard]] std::optional<double> number_if_given(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::span<const TrafficOption> known() const noexcept { return known_; }

private:
    [[nodiscard]] const TrafficOption& row(std::string_view name) const;
    std::span<const TrafficOption> known_;
    std::map<std::string, std::string, std::less<>> values_;
};

/// Produces the rows of a table from the frames of a trace, one pass, in order.
class TrafficTable {
public:
    virtual ~TrafficTable() = default;
    /// A frame of the channel that the table is for, or of one that it also reads. Adds its rows, or those of earlier
    /// frames. Throws Error with the place in the payload.
    virtual void add(const Frame& frame, const Channel& channel, TrafficRowSink& rows) = 0;
    /// After the last frame: what is still open.
    virtual void finish(TrafficRowSink& /*rows*/) {}
    /// What the user should know of how the rows came about, a sentence each. After finish().
    [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
};

/// A table that reads the ground truths of one channel.
class TrafficMotionTable : public TrafficTable {
public:
    explicit TrafficMotionTable(TrafficNeeds needs) : needs_(needs) {}
    void add(const Frame& frame, const Channel& channel, TrafficRowSink& rows) final;

protected:
    virtual void add_rows(const TrafficFrame& frame, TrafficRowSink& rows) = 0;

private:
    TrafficNeeds needs_;
    std::optional<TrafficReader> reader_;
};

/// A table: a new one is a row of traffic_tables().
struct TrafficTableRow {
    std::string_view name;     ///< `interactions`: verb, function and Spark table
    std::string_view summary;  ///< of the help: `gap, time to collision ... of pairs of objects`
    std::span<const TrafficColumn> columns;
    std::span<const TrafficOption> options;
    /// The option that is the first word of the command line; empty: none.
    std::string_view operand = {};
    /// Each channel for which this is true has a table of its own.
    bool (*reads)(const Channel& channel);
    /// Frames of these are passed to the tables of all such channels; null: none.
    bool (*also_reads)(const Channel& channel) = nullptr;
    std::unique_ptr<TrafficTable> (*create)(const TrafficOptions& options);
    /// Further lines of the help.
    std::span<const std::string_view> notes = {};
    std::span<const std::string_view> examples = {};
};

/// In the order of the help.
[[nodiscard]] std::span<const TrafficTableRow* const> traffic_tables() noexcept;
/// Null: there is none of this name.
[[nodiscard]] const TrafficTableRow* find_traffic_table(std::string_view name) noexcept;

/// The one loop: a table of the frames of a source.
class TrafficTableReader {
public:
    /// Throws Error (usage) for options that the table refuses, and for a source without a channel that it reads.
    TrafficTableReader(std::shared_ptr<FrameSource> source, const TrafficTableRow& table,
                       const TrafficOptions& options);
    TrafficTableReader(TrafficTableReader&&) noexcept;
    TrafficTableReader& operator=(TrafficTableReader&&) noexcept;
    ~TrafficTableReader();

    /// Reads one frame and adds its rows; false at the end, after the last rows. Throws Error with file, frame, byte
    /// and field, and Error (cancelled) when a stop was requested.
    bool read(TrafficRowSink& rows, std::stop_token stop = {});
    /// Topic of the rows that read() has added last.
    [[nodiscard]] std::string_view topic() const noexcept;
    [[nodiscard]] FrameSource& source() noexcept;
    [[nodiscard]] const TrafficTableRow& table() const noexcept;
    [[nodiscard]] std::vector<std::string> notes() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
