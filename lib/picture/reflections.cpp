// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/reflections.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ositrace::picture {

namespace {

/// Counts elements without a point, by reason. An element without a time of flight is no return, which is not reported.
class Missed {
public:
    void add(double time_of_flight) noexcept
    {
        if (time_of_flight == 0) return;
        if (!std::isfinite(time_of_flight))
            ++not_finite_;
        else
            ++(time_of_flight < 0 ? negative_ : far_);
    }
    void add_nowhere() noexcept { ++nowhere_; }
    void tell(std::string_view what, Notes& notes) const
    {
        const auto tell_one = [&](std::uint64_t count, std::string_view why) {
            if (count != 0) notes.leave_out(what, why, count);
        };
        tell_one(negative_, "with a negative time of flight");
        tell_one(not_finite_, "with a time of flight that is not finite");
        tell_one(far_, "over 100 km away");
        tell_one(nowhere_, "without a direction");
    }

private:
    std::uint64_t negative_ = 0, not_finite_ = 0, far_ = 0, nowhere_ = 0;
};

}  // namespace

ElementColumns* ReflectionPainter::columns_of(const MessageView& sensor_view)
{
    constexpr std::array<std::string_view, 3> needed{"time_of_flight", "source_horizontal_angle",
                                                     "source_vertical_angle"};
    const auto* const row = repeated_messages(sensor_view.table(), "reflection");
    if (row == nullptr || !sensor_view.has(*row)) return nullptr;
    auto& columns = columns_.try_emplace(row, *row, needed).first->second;
    columns.read(sensor_view);
    return columns.rows() == 0 ? nullptr : &columns;
}

LidarRays& ReflectionPainter::rays_of(std::uint32_t source, const std::string& path)
{
    constexpr std::size_t most_sensors = 64;
    if (rays_.size() >= most_sensors) rays_.clear();
    return rays_[{source, path}];
}

std::shared_ptr<const Cloud> ReflectionPainter::lidar(const MessageView& sensor_view, LidarRays* rays,
                                                      const SensorFrame& sensor, std::string path, Notes& notes,
                                                      Reach& reach)
{
    const auto* const columns = columns_of(sensor_view);
    if (columns == nullptr) return nullptr;
    if (rays == nullptr) {
        notes.leave_out("lidar reflection", "without a view_configuration, which has the direction of its ray,",
                        columns->elements());
        return nullptr;
    }
    const auto directions = rays->directions(columns->elements(), notes);
    const auto times = columns->reals("time_of_flight");
    if (directions.empty() || times.empty()) return nullptr;
    CloudBuilder cloud(Category::lidar_reflection, sensor, std::move(path), "reflections", *columns);
    const FastPlacement place(sensor.placement);
    std::vector<float> distances;
    Missed missed;
    distances.reserve(times.size());
    const auto every = columns->every();
    float farthest = 0;
    for (std::size_t row = 0; row < times.size(); ++row) {
        const auto distance = static_cast<float>(distance_of(times[row]));
        if (distance <= 0) {
            missed.add(times[row]);
            continue;
        }
        const auto direction = directions[static_cast<std::uint32_t>(row * every)];
        if (!is_direction(direction)) {
            missed.add_nowhere();
            continue;
        }
        const auto [x, y, z] = to_point(direction);
        cloud.add(row, place(distance * x, distance * y, distance * z));
        distances.push_back(distance);
        farthest = std::max(farthest, distance);
    }
    missed.tell("lidar reflection", notes);
    reach.distance = static_cast<double>(farthest);
    cloud.add_field("distance", "m", std::move(distances));
    return cloud.finish("signal_strength", notes);
}

std::shared_ptr<const Cloud> ReflectionPainter::radar(const MessageView& sensor_view, const SensorFrame& sensor,
                                                      std::string path, Notes& notes, Reach& reach)
{
    const auto* const columns = columns_of(sensor_view);
    if (columns == nullptr) return nullptr;
    const auto times = columns->reals("time_of_flight");
    const auto azimuths = columns->reals("source_horizontal_angle"),
               elevations = columns->reals("source_vertical_angle");
    if (times.empty() || azimuths.empty() || elevations.empty()) return nullptr;
    CloudBuilder cloud(Category::radar_reflection, sensor, std::move(path), "reflections", *columns);
    const FastPlacement place(sensor.placement);
    std::vector<float> distances;
    Missed missed;
    for (std::size_t row = 0; row < times.size(); ++row) {
        const auto distance = static_cast<float>(distance_of(times[row]));
        if (distance <= 0) {
            missed.add(times[row]);
            continue;
        }
        if (!(std::abs(azimuths[row]) <= largest_beam_angle) || !(std::abs(elevations[row]) <= largest_beam_angle)) {
            missed.add_nowhere();
            continue;
        }
        const auto [x, y, z] =
            spherical_point(distance, static_cast<float>(azimuths[row]), static_cast<float>(elevations[row]));
        cloud.add(row, place(x, y, z));
        distances.push_back(distance);
        reach.distance = std::max(reach.distance, static_cast<double>(distance));
    }
    missed.tell("radar reflection", notes);
    cloud.add_field("distance", "m", std::move(distances));
    return cloud.finish("signal_strength", notes);
}

}  // namespace ositrace::picture
