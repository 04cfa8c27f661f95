// SPDX-License-Identifier: MPL-2.0
// Tables: fields of the frames of a trace as Arrow record batches, straight from the bytes of either encoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/arrow.hpp>
#include <ositrace/encoding.hpp>
#include <ositrace/error.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/lane_frame.hpp>
#include <ositrace/schema.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_map.hpp>

namespace ositrace {

/// What becomes a row. With list columns, a list is never null: a repeated field that is not there has no elements.
enum class TableRows : std::uint8_t {
    /// An element of the first `[*]`, which all columns that have one share; a second `[*]` gives a list column. Where
    /// no column has one: a frame.
    elements,
    /// A frame; every `[*]` gives a list column.
    frames,
    /// An element of the last `[*]`: the `[*]` of all columns lie on the way to it. An outer element without inner ones
    /// is a row whose inner columns are null.
    innermost,
};

/// A column of a table: the name is the caller's.
struct TableColumn {
    std::string name;
    /// A FieldPath (`moving_object[*].base.position.x`), or a fact of the frame: `@frame` (Frame::index, int64),
    /// `@time` (seconds, float64), `@time_ns` and `@log_time_ns` (int64). A message whose only field is `value`, such
    /// as an Identifier, stands for that field.
    std::string path;
};

struct TableOptions {
    TableRows rows = TableRows::elements;
    /// Fields that are not set are their default instead of null.
    bool fill_defaults = false;
};

/// Tables with columns of fixed names.
enum class TableKind : std::uint8_t {
    objects,         ///< moving and stationary objects; of SensorData the detected ones
    lanes,           ///< lanes, with their center lines as lists
    traffic_lights,  ///< a row per bulb, as in OSI
    traffic_signs,   ///< main signs
    reflections,     ///< of lidar and radar in a SensorView
    detections,      ///< of all sensors in the feature data of a SensorData
};

/// From where reflections and detections are seen; all right-handed, x forward, y left, z up.
enum class PointFrame : std::uint8_t {
    sensor,  ///< the frame of the sensor that measured
    host,    ///< the vehicle frame, in which mounting positions are: its origin is the middle of the rear axle
    global,
};

struct NamedTableOptions {
    /// Fields that are not set are their default instead of null.
    bool fill_defaults = false;
    /// Positions, orientations, velocities and accelerations of objects are as seen from the host vehicle of the frame:
    /// from the center of its bounding box, along its axes, less its own velocity and acceleration. Null in frames
    /// without a host vehicle. `speed` stays that over ground.
    bool relative_to_host = false;
    /// The id of the host vehicle, whatever the messages state.
    std::optional<std::uint64_t> host = {};
    /// Objects also have lane coordinates: `s`, `t`, `logical_lane_id`, `physical_lane_id`, `reference_line_id`. They
    /// are those of the first logical_lane_assignment, or else of the position in the lanes of the frame, of an earlier
    /// frame, or of TableLanes. Null where no lane is within LaneFrame::reach.
    bool lane_frame = false;
    /// Reflections and detections also have the columns `x`, `y`, `z`, in metres: of a detection its `position`, of a
    /// reflection half of the way that light travels in `time_of_flight`, in the direction of its ray (of a lidar that
    /// of the view_configuration, listed or of its grid; of a radar the source angles). Null without a distance or a
    /// direction, and seen from the host or globally where the mounting position is not stated, and globally where the
    /// place of the host is not known.
    std::optional<PointFrame> point_frame = {};
};

/// The lanes of a table with lane coordinates.
struct TableLanes {
    std::shared_ptr<const LaneFrame> lanes = {};  ///< before the first frame with reference lines; null: none
    bool replace = false;                         ///< those of the frames, too
};

/// What a table of frames from `first` of a channel on begins with: a map that was given, or else the lanes that the
/// frame has or inherits from those before it, or else those of `find_map`, which may return null. For
/// `is_stopped` see with_static_data().
[[nodiscard]] TableLanes table_lanes(const Trace& trace, std::uint32_t channel, std::uint64_t first,
                                     const std::function<std::shared_ptr<const TraceMap>()>& find_map,
                                     const std::function<bool()>& is_stopped = {});

/// Which columns a table has, compiled for one message type. Immutable and cheap to copy; any thread. Keeps the schema.
///
/// Arrow types: double, float, bool, 32- and 64-bit integers, signed and unsigned, as they are in the schema; string is
/// utf8 (bytes that are no UTF-8 become U+FFFD), bytes is binary. An enum is a dictionary of the names in the schema
/// with int32 indices; a number that the schema does not name is kept: its digits are a further entry of the dictionary
/// (names never begin with a digit), so the dictionary of a later batch may be longer, and begins with that of the
/// earlier one. A field that is not set is null. Fields of the schema carry `unit` (`m/s`) as metadata where OSI states
/// one.
class TablePlan {
public:
    /// Throws Error (usage) naming column and reason: a path that FieldPath refuses, a message that is no value, `[*]`
    /// that do not fit the rows. Cost: under 0.1 ms for a few columns.
    [[nodiscard]] static TablePlan columns(std::shared_ptr<const Schema> schema, const MessageTable& root,
                                           std::span<const TableColumn> columns, const TableOptions& options = {});
    /// Every leaf of the type, named by its path without `[*]`; repeated ones as lists, a row per frame. Messages that
    /// contain their own type are left out.
    [[nodiscard]] static TablePlan all_columns(std::shared_ptr<const Schema> schema, const MessageTable& root,
                                               bool fill_defaults = false);
    /// The columns `wanted` of the fixed table, in that order; empty: all of them. Only what is wanted is decoded.
    /// Throws Error (usage) for a name that is no column of the table (the text lists them), and for a type of message
    /// that has no such table.
    [[nodiscard]] static TablePlan named(TableKind kind, std::shared_ptr<const Schema> schema, const MessageTable& root,
                                         std::span<const std::string> wanted = {},
                                         const NamedTableOptions& options = {});

    /// The names of all columns that named() has for a type; empty where the type has no such table.
    [[nodiscard]] static std::vector<std::string> names(TableKind kind, const MessageTable& root,
                                                        const NamedTableOptions& options = {});
    /// Has it lane coordinates?
    [[nodiscard]] bool has_lane_frame() const noexcept;

    struct Column {
        std::string name;
        std::string unit;  ///< `m/s`; empty: none
        std::string path;  ///< below the root; empty for a computed one
    };
    [[nodiscard]] const std::vector<Column>& columns() const noexcept;
    [[nodiscard]] const MessageTable& root() const noexcept;
    /// Fills `out`, which the caller releases: a struct, a child per column.
    void export_schema(ArrowSchema* out) const;

    struct Implementation;
    [[nodiscard]] const Implementation& implementation() const noexcept { return *implementation_; }

private:
    explicit TablePlan(std::shared_ptr<const Implementation> implementation);
    std::shared_ptr<const Implementation> implementation_;
};

/// Collects the rows of messages and hands them out as a record batch. One thread at a time; batches are independent of
/// it and of each other, and may be released by any thread. Cost: a walk over the bytes of a message, in which other
/// fields are skipped by their length.
class TableBuilder {
public:
    static constexpr std::size_t default_max_batch_bytes = std::size_t{4} << 30;

    /// Columns of one batch use at most `max_batch_bytes` of memory, beyond which is Error (limit): a hostile message
    /// of a few MB could need terabytes.
    TableBuilder(TablePlan plan, Format format, std::size_t max_batch_bytes = default_max_batch_bytes,
                 TableLanes lanes = {});
    TableBuilder(TableBuilder&&) noexcept;
    TableBuilder& operator=(TableBuilder&&) noexcept;
    ~TableBuilder();

    /// Adds the rows of a frame; its bytes are borrowed until return. Its time is read from the payload where the frame
    /// has none and a column needs it. Throws Error (malformed, limit) with offset and field in the payload; then no
    /// row of the frame was added.
    void add(const Frame& frame);
    /// Frames, whether there are rows, and bytes of the columns since the last finish().
    [[nodiscard]] std::size_t frames() const noexcept;
    [[nodiscard]] bool has_rows() const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;
    /// Whether there are rows and bytes() >= `bytes`, at less cost. Frames that have that many bytes and no row are
    /// forgotten.
    [[nodiscard]] bool has_reached(std::size_t bytes);
    /// Moves the rows so far into `out`, which the caller releases: a struct array, a child per column. Throws Error
    /// (limit).
    void finish(ArrowArray* out);
    /// Did a frame of the rows so far have no host vehicle from which columns are seen?
    [[nodiscard]] bool misses_host() const noexcept;
    /// Did a frame so far not state where a sensor is, as NamedTableOptions::point_frame needs it?
    [[nodiscard]] bool misses_place() const noexcept;

    struct Implementation;

private:
    std::unique_ptr<Implementation> implementation_;
};

struct TableReaderOptions {
    std::uint32_t channel = 0;                       ///< frames of others are passed over
    std::size_t batch_bytes = std::size_t{8} << 20;  ///< a batch ends after the frame that reaches this size
    /// Is called for a frame that cannot be read into columns; true: it is left out. Null: the error is thrown.
    std::function<bool(const Error&)> on_error = {};
    TableLanes lanes = {};
};

/// The table of a stream of frames, batch by batch. One thread at a time. Memory: one batch, and what the source has.
class TableReader {
public:
    /// `plan` was made for the root of the channel.
    TableReader(std::shared_ptr<FrameSource> source, TablePlan plan, TableReaderOptions options = {});
    TableReader(TableReader&&) noexcept;
    TableReader& operator=(TableReader&&) noexcept;
    ~TableReader();

    /// The next batch, which has rows and which the caller releases; false at the end, and `out` is untouched. Throws
    /// Error with file, frame, byte and field, and Error (cancelled) when a stop was requested; after an error there
    /// are no more batches.
    bool read(ArrowArray* out, std::stop_token stop = {});
    [[nodiscard]] const TablePlan& plan() const noexcept;
    [[nodiscard]] FrameSource& source() noexcept;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// Hands a reader to a consumer of Arrow streams, which releases it. An Error is EIO and the text of its
/// get_last_error().
void export_stream(TableReader reader, ArrowArrayStream* out, std::stop_token stop = {});

/// One row per payload (`plan` with TableRows::frames): `payloads` is a binary, large_binary or binary_view array, of
/// which the caller keeps the ownership. A null payload gives a null row. Throws Error (usage) for another array, and
/// what TableBuilder::add() throws with the row as frame.
void decode_payloads(const TablePlan& plan, Format format, const ArrowSchema& schema, const ArrowArray& payloads,
                     ArrowArray* out);

}  // namespace ositrace
