// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <ositrace/error.hpp>

#include "lib/picture/reflections.hpp"

namespace ositrace::picture {

namespace {

constexpr Point nowhere{0, 0, 0};

Point unit_vector(double x, double y, double z) noexcept
{
    const double length = std::sqrt(x * x + y * y + z * z);
    if (!(length > 0) || !std::isfinite(length)) return nowhere;
    return to_point({x / length, y / length, z / length});
}

RayGrid grid_of(const MessageView& configuration)
{
    const auto count = [&](std::string_view field) {
        const auto value = integer_in(configuration, field).value_or(0);
        return value < 0 || value > UINT32_MAX ? 0 : static_cast<std::uint32_t>(value);
    };
    return {count("number_of_rays_horizontal"), count("number_of_rays_vertical"), real_in(configuration, "field_of_view_horizontal").value_or(0),
            real_in(configuration, "field_of_view_vertical").value_or(0)};
}

bool same_grid(const RayGrid& a, const RayGrid& b) noexcept
{
    return a.columns == b.columns && a.rows == b.rows && std::abs(a.field_of_view_horizontal - b.field_of_view_horizontal) <= 0
        && std::abs(a.field_of_view_vertical - b.field_of_view_vertical) <= 0;
}

}  // namespace

void LidarRays::make_grid(const RayGrid& grid)
{
    if (grid_ && same_grid(*grid_, grid)) return;
    bytes_.clear();
    grid_ = grid;
    directions_.clear();
    directions_.reserve(grid.rays());
    std::vector<scene::SineCosine> azimuths;
    for (std::uint32_t column = 0; column < grid.columns; ++column) azimuths.push_back(scene::sine_cosine(grid.azimuth(column)));
    for (std::uint32_t row = 0; row < grid.rows; ++row) {
        const auto elevation = scene::sine_cosine(grid.elevation(row));
        for (const auto& azimuth : azimuths)
            directions_.push_back(to_point({elevation.cosine * azimuth.cosine, elevation.cosine * azimuth.sine, elevation.sine}));
    }
}

void LidarRays::read_directions(const MessageView& configuration, const FieldRow& row)
{
    const auto wire = configuration.wire_bytes();
    if (wire && row_ == &row && !bytes_.empty() && std::ranges::equal(*wire, bytes_)) return;
    grid_.reset();
    bytes_.clear();
    if (row_ != &row) reader_.emplace(row, std::array<std::string_view, 3>{"x", "y", "z"});
    row_ = &row;
    reader_->read(configuration);
    const auto x = reader_->reals(0), y = reader_->reals(1), z = reader_->reals(2);
    directions_.resize(reader_->rows());
    for (std::size_t i = 0; i < directions_.size(); ++i) directions_[i] = unit_vector(x[i], y[i], z[i]);
    if (wire) bytes_.assign(wire->begin(), wire->end());
}

std::span<const Point> LidarRays::directions(const MessageView& lidar_sensor_view, std::size_t count, Notes& notes)
{
    constexpr double widest = 7;  // rad: a little more than all around
    constexpr std::size_t most_rays = 8'000'000;
    const auto configuration = message_in(lidar_sensor_view, "view_configuration");
    const auto* const row = configuration ? repeated_messages(configuration->table(), "directions") : nullptr;
    const auto refuse = [&](const std::string& why) {
        notes.say(PictureNote::Kind::left_out, std::to_string(count) + " lidar reflections are not shown: " + why);
        return std::span<const Point>();
    };
    if (count > most_rays) return refuse("they are more than " + std::to_string(most_rays));
    if (!configuration) return refuse("there is no view_configuration that says where the rays go");
    if (row != nullptr && configuration->has(*row)) {
        const auto listed = configuration->wire_bytes() ? 0 : configuration->repeated(*row).size();
        if (listed > count) return refuse("the configuration lists " + std::to_string(listed) + " directions");
        read_directions(*configuration, *row);
        if (directions_.size() != count) return refuse("the configuration lists " + std::to_string(directions_.size()) + " directions");
        return directions_;
    }
    const auto grid = grid_of(*configuration);
    if (grid.rays() != count)
        return refuse("the configuration has no directions, and a grid of " + std::to_string(grid.columns) + " x " + std::to_string(grid.rows) + " rays");
    if (!(std::abs(grid.field_of_view_horizontal) <= widest) || !(std::abs(grid.field_of_view_vertical) <= widest))
        return refuse("the configuration's field of view is no angle");
    make_grid(grid);
    return directions_;
}

}  // namespace ositrace::picture
