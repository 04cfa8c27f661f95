// SPDX-License-Identifier: MPL-2.0
#include "lib/picture/cloud_builder.hpp"

#include <algorithm>
#include <utility>

namespace ositrace::picture {

CloudBuilder::CloudBuilder(Category category, const SensorFrame& sensor, std::string path, std::string_view what,
                           const ElementColumns& columns)
    : cloud_(std::make_shared<Cloud>()), columns_(&columns), rows_(columns.rows())
{
    cloud_->key = {sensor.source, category, sensor.id};
    cloud_->name = sensor.name() + ": " + std::string(what);
    cloud_->path = std::move(path);
    cloud_->sensor = to_point(sensor.placement.to_picture({}));
    cloud_->points.resize(columns.rows());
}

std::shared_ptr<const Cloud> CloudBuilder::finish(std::string_view first, Notes& notes)
{
    auto& cloud = *cloud_;
    const auto rows = columns_->rows();
    const auto every = columns_->every();
    const bool all = count_ == rows;
    cloud.points.resize(count_);
    rows_.resize(count_);
    columns_->add_fields(cloud, rows_, all);
    for (auto& field : extra_) {
        measure(field);
        cloud.fields.push_back(std::move(field));
    }
    const auto wanted = std::ranges::find(cloud.fields, first, &CloudField::name);
    if (wanted != cloud.fields.end()) std::rotate(cloud.fields.begin(), wanted, wanted + 1);
    if (!all || every != 1) {
        for (auto& row : rows_) row *= static_cast<std::uint32_t>(every);
        cloud.elements = std::move(rows_);
    }
    cloud.left_out = columns_->elements() - count_;
    if (every != 1)
        notes.say(PictureNote::Kind::left_out, cloud.name + ": of " + std::to_string(columns_->elements()) +
                                                   " only one in " + std::to_string(every) +
                                                   " is shown, because there are so many");
    return cloud_;
}

}  // namespace ositrace::picture
