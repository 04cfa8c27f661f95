// SPDX-License-Identifier: MPL-2.0
#include "lib/table/point_columns.hpp"

#include <bit>
#include <map>
#include <string>
#include <utility>

#include <ositrace/picture_maker.hpp>

#include "lib/picture/fields.hpp"
#include "lib/picture/host_pose.hpp"
#include "lib/picture/measured_points.hpp"
#include "lib/picture/moment_sources.hpp"
#include "lib/picture/reflections.hpp"

namespace ositrace::table {

namespace {

using picture::Placement;
using picture::Vector;

/// A sensor of a frame, with its rows.
struct SensorRows {
    std::size_t first = 0, end = 0;
    const SensorList* list = nullptr;
    std::optional<MessageView> sensor;
    std::size_t place = 0;  ///< in its list
};

}  // namespace

struct PointColumns::Implementation {
    PointSources sources;
    std::vector<std::optional<MeasuredPoint>> points;
    std::map<std::pair<const SensorList*, std::size_t>, picture::LidarRays> rays;  ///< by list and place
    bool misses_place = false;

    [[nodiscard]] std::vector<SensorRows> sensors_of(const MessageView& root, const LevelData& sensors,
                                                     const LevelData& rows, std::size_t first) const;
    void place(const SensorRows& of, const std::optional<Placement>& vehicle, Store& store);
    [[nodiscard]] std::optional<Vector> local_point(Store& store, std::size_t row,
                                                    const std::optional<Vector>& direction) const;
};

/// In the order of their entries in the store; empty if these are others than the message has.
std::vector<SensorRows> PointColumns::Implementation::sensors_of(const MessageView& root, const LevelData& sensors,
                                                                 const LevelData& rows, std::size_t first) const
{
    // An offset is written when an entry has its first row.
    const auto begin_of = [&](std::size_t entry) {
        return entry < rows.filled_offsets ? std::size_t{load_le32(rows.offsets.get() + 4 * entry)} : rows.count;
    };
    std::vector<SensorRows> found;
    auto entry = first;
    for (const auto& list : sources.lists) {
        const auto around = list.around.empty() ? std::optional(root) : picture::message_in(root, list.around);
        const auto* const field = around ? picture::repeated_messages(around->table(), list.field) : nullptr;
        if (field == nullptr) continue;
        std::size_t place = 0;
        around->for_each_element(*field, [&](const Value& value) {
            found.push_back({begin_of(entry), begin_of(entry + 1), &list, std::get<MessageView>(value), place++});
            ++entry;
            return true;
        });
    }
    if (entry != sensors.count) found.clear();
    return found;
}

/// In the frame of its sensor. `direction`: of the ray of a lidar; empty: the values of the row have one.
std::optional<Vector> PointColumns::Implementation::local_point(Store& store, std::size_t row,
                                                                const std::optional<Vector>& direction) const
{
    const auto real = [&](std::size_t column) {
        const auto bits = column == none ? std::nullopt : Store::value(store.column(column), row);
        return bits ? std::optional(std::bit_cast<double>(*bits)) : std::nullopt;
    };
    auto distance = real(sources.distance);
    if (const auto time = real(sources.time_of_flight)) distance = picture::distance_of(*time);
    const bool is_return = sources.time_of_flight == none || (distance && *distance > 0);
    if (!distance || !is_return) return std::nullopt;
    if (direction) return picture::is_direction(*direction) ? std::optional(*distance * *direction) : std::nullopt;
    // A writer may omit an angle that is 0.
    const auto azimuth = real(sources.azimuth).value_or(0), elevation = real(sources.elevation).value_or(0);
    if (!picture::is_spherical(*distance, azimuth, elevation)) return std::nullopt;
    const auto [x, y, z] = picture::spherical_point(*distance, azimuth, elevation);
    return Vector{x, y, z};
}

void PointColumns::Implementation::place(const SensorRows& of, const std::optional<Placement>& vehicle, Store& store)
{
    auto mounted = picture::message_in(of.sensor, of.list->mounting);
    picture::RayDirections directions;
    if (of.list->has_rays) {
        if (!mounted) return;
        auto& known = rays[{of.list, of.place}];
        mounted = known.take(*mounted);
        picture::Notes unused;  // of what osiview shows
        directions = known.directions(of.end - of.first, unused);
        if (directions.empty()) return;
    }
    auto placement = vehicle;
    if (sources.frame != PointFrame::sensor) {
        const auto mounting = picture::message_in(mounted, "mounting_position");
        const auto pose = mounting ? picture::pose_of(*mounting) : std::nullopt;
        if (!pose || !vehicle) {
            misses_place = true;
            return;
        }
        placement = vehicle->mounted(*pose);
    }
    for (auto row = of.first; row != of.end; ++row) {
        const auto direction =
            of.list->has_rays ? std::optional(directions[static_cast<std::uint32_t>(row - of.first)]) : std::nullopt;
        const auto local = local_point(store, row, direction);
        if (!local) continue;
        const auto [x, y, z] = placement->to_picture(*local);
        points[row] = MeasuredPoint{x, y, z};
    }
}

PointColumns::PointColumns(PointSources sources)
    : implementation_(new Implementation{std::move(sources), {}, {}, false})
{
}
PointColumns::PointColumns(PointColumns&&) noexcept = default;
PointColumns& PointColumns::operator=(PointColumns&&) noexcept = default;
PointColumns::~PointColumns() = default;

void PointColumns::add(const Frame& frame, const Channel& channel, Store& store, const LevelData& rows,
                       std::size_t first_row, std::size_t first_sensor)
{
    auto& state = *implementation_;
    state.points.resize(first_row);
    state.points.resize(rows.count);
    if (rows.count == first_row) return;
    std::optional<Placement> vehicle = Placement(Vector{});
    if (state.sources.frame == PointFrame::global) {
        const PictureSource source{.frame = &frame, .channel = &channel};
        const picture::MomentSources moment({&source, 1});
        const auto host = moment.open.empty() ? std::nullopt : moment.host_of(moment.open.front());
        vehicle = host ? std::optional(picture::vehicle_frame(*vehicle, *host)) : std::nullopt;
    }
    const MessageView root(frame.bytes, *channel.root, channel.format);
    for (const auto& each : state.sensors_of(root, *rows.parent, rows, first_sensor))
        if (each.first != each.end) state.place(each, vehicle, store);
}

void PointColumns::resize(std::size_t rows) { implementation_->points.resize(rows); }
std::span<const std::optional<MeasuredPoint>> PointColumns::points() const noexcept { return implementation_->points; }
bool PointColumns::misses_place() const noexcept { return implementation_->misses_place; }

}  // namespace ositrace::table
