// SPDX-License-Identifier: MPL-2.0
// A table as a tree of what is wanted of each message, and the levels that its values make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/element_name.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/table.hpp>

namespace ositrace::table {

inline constexpr std::size_t none = SIZE_MAX;

/// How a value is stored until a batch is finished.
enum class Storage : std::uint8_t { one_byte, four_bytes, eight_bytes, text, binary };

/// The values of one leaf.
struct ColumnRow {
    FieldKind kind = FieldKind::double_;
    Storage storage = Storage::eight_bytes;
    const EnumTable* enumeration = nullptr;
    std::size_t level = 0;
    std::size_t place = 0;           ///< in LevelRow::columns
    std::uint64_t default_bits = 0;  ///< where it is not set
};

/// Entries that are one thing: level 0 has one per frame, another one per element of a repeated field.
struct LevelRow {
    std::size_t parent = none;
    std::vector<std::size_t> columns;
    std::vector<std::size_t> children;  ///< levels
};

struct Node;

/// What is done with a field of a message, or with one of its elements.
struct Action {
    enum class What : std::uint8_t {
        value,     ///< of a singular field, into `column`
        message,   ///< a singular message: on with `child` in the same entry
        elements,  ///< of a repeated field: each is an entry of `level`
        index,     ///< element `argument` of a repeated field, in the same entry
        id,        ///< the element with this id
        named,     ///< the element with this name
        probable,  ///< the one with the highest `probability`; without any the first
        name,      ///< of `source_reference`: the name, into `column`
    };
    const FieldRow* field = nullptr;
    What what = What::value;
    std::size_t column = none;  ///< of a scalar, string or bytes
    std::unique_ptr<Node> child;
    std::size_t level = none;
    std::uint64_t argument = 0;
    std::string argument_name{};
    NameFields names{};         ///< named: of an element; name: of the element that has the field
    std::size_t shapes = none;  ///< elements: place of what is known of their shapes
    std::size_t pick = none;    ///< index, id, named: place of what is known of the picks so far; probable: of two
    std::size_t source = none;  ///< elements of a fixed table: the column that tells where a row is from
    std::uint64_t source_bits = 0;
    std::size_t next = none;           ///< another action for the same field, in Node::actions
    std::vector<std::size_t> zeros{};  ///< columns that are 0 where the message is there without their value
};

/// What is wanted of a message.
struct Node {
    explicit Node(const MessageTable& message) : table(&message) {}

    /// The first action for what the wire says; `none`: unwanted, or of another wire type than the field.
    [[nodiscard]] std::size_t find(std::uint32_t tag) const noexcept
    {
        if (tag < by_tag.size()) return by_tag[tag] == 0 ? none : by_tag[tag] - 1u;
        return large.empty() ? none : find_large(tag);
    }
    void index();

    const MessageTable* table;
    std::vector<Action> actions;
    std::vector<std::uint32_t> by_tag;                           ///< place in `actions` + 1
    std::vector<std::pair<std::uint32_t, std::size_t>> large{};  ///< tags beyond

private:
    [[nodiscard]] std::size_t find_large(std::uint32_t tag) const noexcept;
};

/// A column of the table.
struct Output {
    enum class Make : std::uint8_t {
        column,     ///< as it was read
        first_set,  ///< of several columns
        length,     ///< of the vector of three columns
        equal,      ///< is the first column of integers equal to the first one of the others that is set; else null
        relative,   ///< a component of a vector or orientation, as seen from the host vehicle; see `axis`
        lane,       ///< a LaneValue of the row; see `axis`
        point,      ///< x, y or z of what was measured; see `axis`
    };
    std::string name;
    std::string unit;
    std::string path;
    Make make = Make::column;
    std::vector<std::size_t> columns;  ///< empty: a column without values
    FieldKind kind = FieldKind::double_;
    /// Of an enum: by the source of a row, where rows have several.
    std::vector<const EnumTable*> enums;
    std::vector<std::string> words;  ///< of the column that tells the source
    bool filled = false;             ///< the default instead of null
    /// Of a LaneValue and of a point: which one. Of a relative one: which of the first three columns. Then there are
    /// those of roll, pitch and yaw, the id, and those with the id of the host vehicle.
    std::size_t axis = 0;
    /// Of a relative one and of is_host: the id of the host vehicle, instead of what the columns state.
    std::optional<std::uint64_t> host = {};
};

/// Lane coordinates of an object, in the order of their columns.
enum class LaneValue : std::uint8_t { s, t, logical_lane, physical_lane, reference_line };

/// What they are made of: columns of the rows, or none.
struct LaneSources {
    std::size_t x = none, y = none, z = none;
    std::size_t lane = none, s = none, t = none;  ///< of logical_lane_assignment
};

/// Where the sensors of a kind are in a message: `feature_data.lidar_sensor`.
struct SensorList {
    std::string around;     ///< the message that has the list; empty: the root
    std::string field;      ///< the list
    std::string mounting;   ///< the message in a sensor that has its mounting position
    bool has_rays = false;  ///< its directions are those of the configuration of a lidar
};

/// What the places of measurements are made of: columns of the rows, or none.
struct PointSources {
    PointFrame frame = PointFrame::sensor;
    std::size_t distance = none, azimuth = none, elevation = none;
    std::size_t time_of_flight = none;
    std::vector<SensorList> lists;  ///< in the order of the trees
};

/// Facts of a frame.
enum class FrameFact : std::uint8_t { index, time, time_ns, log_time_ns };
inline constexpr std::size_t frame_facts = 4;

/// Is a fact a field of the message, whose default it has where it is not set?
[[nodiscard]] inline bool is_filled(FrameFact fact, const MessageTable& root)
{
    return (fact == FrameFact::time || fact == FrameFact::time_ns) && root.find("timestamp") != nullptr;
}

/// Adds paths to trees.
class PlanBuilder {
public:
    explicit PlanBuilder(const MessageTable& root);

    /// The column of a path, which equal paths share. `into`: the column that it must be.
    std::size_t add(const FieldPath& path, std::size_t tree = 0, std::size_t into = none);
    std::size_t add(FrameFact fact);
    /// The same of a value that is 0 where its message is there without it, as that of an identifier.
    std::size_t add_or_zero(const FieldPath& path, std::size_t tree = 0, std::size_t into = none);
    /// The column of the names of elements, `path` being that to their `source_reference`.
    std::size_t add_name(const FieldPath& path, std::size_t tree, std::size_t into);
    /// The entries of a path to elements that are messages, whatever is read of them.
    void add_elements(const FieldPath& path, std::size_t tree);
    std::size_t add_column(FieldKind kind, const EnumTable* enumeration, std::size_t level);
    std::size_t add_level(std::size_t parent);
    /// From now on the first, second ... `[*]` of every path makes entries of these levels, whatever the tree; `column`
    /// of the last one gets the tree.
    void share_rows(std::vector<std::size_t> levels_of_rows, std::size_t column)
    {
        shared_levels_ = std::move(levels_of_rows);
        source_column_ = column;
    }

    /// From now on `candidate[0]` is the most probable candidate.
    void pick_most_probable() { picks_most_probable_ = true; }

    std::vector<Node> trees;
    std::vector<ColumnRow> columns;
    std::vector<LevelRow> levels;
    std::vector<std::size_t> facts;  ///< columns, by FrameFact
    std::size_t picks = 0;
    std::size_t shapes = 0;

private:
    std::size_t walk(const FieldPath& path, std::size_t tree, std::size_t into);
    Action& action(Node& node, const FieldPath::Step& step, std::size_t level, std::size_t tree);
    static Action* known_action(Node& node, const FieldPath::Step& step, Action::What what);

    std::vector<std::size_t> shared_levels_;
    std::size_t source_column_ = none;
    bool picks_most_probable_ = false;
};

/// How probable a candidate is; of a type whose elements state it. Null: they do not.
[[nodiscard]] inline const FieldRow* probability_of(const MessageTable& candidate) noexcept
{
    const auto* const field = candidate.find("probability");
    return field != nullptr && field->kind == FieldKind::double_ && !field->repeated ? field : nullptr;
}

}  // namespace ositrace::table

namespace ositrace {

struct TablePlan::Implementation {
    std::shared_ptr<const Schema> schema;
    const MessageTable* root = nullptr;
    std::vector<table::Node> trees;  ///< walked in this order
    std::vector<table::ColumnRow> column_rows;
    std::vector<table::LevelRow> levels;
    std::vector<std::size_t> facts;
    std::size_t picks = 0;
    std::size_t shapes = 0;
    std::size_t row_level = 0;
    bool keeps_empty = true;  ///< an outer element without inner ones is a row
    std::size_t source_column = table::none;
    std::optional<table::LaneSources> lanes;    ///< of a table with lane coordinates
    std::optional<table::PointSources> points;  ///< of one with the places of measurements
    std::vector<table::Output> outputs;
    std::vector<TablePlan::Column> columns;

    /// Moves what was built here and makes it ready to be walked.
    void take(table::PlanBuilder&& builder);
};

}  // namespace ositrace
