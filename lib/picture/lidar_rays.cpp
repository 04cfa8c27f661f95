// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <ositrace/count_text.hpp>

#include "formats/protobuf/field_reader.hpp"
#include "lib/picture/reflections.hpp"

namespace ositrace::picture {

namespace {

/// 0 where it has no direction.
Vector unit_vector(Vector v) noexcept
{
    const double length = v.length();
    if (!(length > 0) || !std::isfinite(length)) return {};
    return {v.x / length, v.y / length, v.z / length};
}

RayGrid grid_of(const MessageView& configuration)
{
    const auto count = [&](std::string_view field) {
        const auto value = integer_in(configuration, field).value_or(0);
        return value < 0 || value > UINT32_MAX ? 0 : static_cast<std::uint32_t>(value);
    };
    return {count("number_of_rays_horizontal"), count("number_of_rays_vertical"),
            real_in(configuration, "field_of_view_horizontal").value_or(0),
            real_in(configuration, "field_of_view_vertical").value_or(0)};
}

bool same_grid(const RayGrid& a, const RayGrid& b) noexcept
{
    return a.columns == b.columns && a.rows == b.rows &&
           std::abs(a.field_of_view_horizontal - b.field_of_view_horizontal) <= 0 &&
           std::abs(a.field_of_view_vertical - b.field_of_view_vertical) <= 0;
}

}  // namespace

const MessageView& LidarRays::take(const MessageView& configuration)
{
    constexpr std::size_t short_enough = 4096;  // bytes
    whole_ = configuration;
    const auto wire = configuration.wire_bytes();
    is_long_ = wire && wire->size() > short_enough;
    if (!is_long_) return *whole_;
    if (wire->size() != bytes_.size() || std::memcmp(wire->data(), bytes_.data(), bytes_.size()) != 0) shorten(*wire);
    short_ = MessageView(short_bytes_, configuration.table(), configuration.format());
    return *short_;
}

void LidarRays::shorten(Bytes wire)
{
    bytes_.clear();
    short_bytes_.clear();
    listed_ = false;
    const auto number_of = [&](std::string_view field) {
        const auto* const row = whole_->table().find(field);
        return row == nullptr || !row->repeated ? 0 : row->number;
    };
    const auto directions = number_of("directions"), timings = number_of("timings");
    bool one_direction = false;  // the first is kept: it shows that there are directions
    for (wire::FieldReader reader(wire); reader.next();) {
        if (reader.number() == timings || (reader.number() == directions && std::exchange(one_direction, true)))
            continue;
        short_bytes_.insert(short_bytes_.end(), reader.field().begin(), reader.field().end());
    }
    bytes_.assign(wire.begin(), wire.end());
}

void LidarRays::make_grid(const RayGrid& grid)
{
    if (grid_ && same_grid(*grid_, grid)) return;
    grid_ = grid;
    azimuths_.clear();
    elevations_.clear();
    for (std::uint32_t column = 0; column < grid.columns; ++column)
        azimuths_.push_back(scene::sine_cosine(grid.azimuth(column)));
    for (std::uint32_t row = 0; row < grid.rows; ++row) elevations_.push_back(scene::sine_cosine(grid.elevation(row)));
}

void LidarRays::read_directions(const FieldRow& row)
{
    if (is_long_ && listed_) return;  // unchanged
    if (row_ != &row) reader_.emplace(row, std::array<std::string_view, 3>{"x", "y", "z"});
    row_ = &row;
    reader_->read(*whole_);
    const auto x = reader_->reals(0), y = reader_->reals(1), z = reader_->reals(2);
    directions_.resize(reader_->rows());
    for (std::size_t i = 0; i < directions_.size(); ++i) directions_[i] = unit_vector({x[i], y[i], z[i]});
    listed_ = is_long_;
}

RayDirections LidarRays::directions(std::size_t count, Notes& notes)
{
    constexpr double widest = 7;  // rad: a little more than all around
    constexpr std::size_t most_rays = 8'000'000;
    const auto refuse = [&](const std::string& why) {
        notes.say(PictureNote::Kind::left_out,
                  count_text(count, "lidar reflection") + ' ' + is_or_are(count) + " not shown: " + why);
        return RayDirections();
    };
    if (count > most_rays) return refuse("they are more than " + std::to_string(most_rays));
    const auto& configuration = is_long_ ? *short_ : *whole_;
    const auto* const row = repeated_messages(configuration.table(), "directions");
    if (row != nullptr && configuration.has(*row)) {
        const auto listed = configuration.wire_bytes() ? 0 : configuration.repeated(*row).size();
        if (listed > count) return refuse("the configuration lists " + count_text(listed, "direction"));
        read_directions(*row);
        if (directions_.size() != count)
            return refuse("the configuration lists " + count_text(directions_.size(), "direction"));
        return RayDirections(directions_);
    }
    const auto grid = grid_of(configuration);
    if (grid.rays() != count)
        return refuse("the configuration has no directions, and a grid of " + std::to_string(grid.columns) + " x " +
                      std::to_string(grid.rows) + " rays");
    if (!(std::abs(grid.field_of_view_horizontal) <= widest) || !(std::abs(grid.field_of_view_vertical) <= widest))
        return refuse("the configuration's field of view is not an angle");
    make_grid(grid);
    return {azimuths_, elevations_};
}

}  // namespace ositrace::picture
