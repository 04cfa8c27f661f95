// SPDX-License-Identifier: MPL-2.0
#include <array>

#include "lib/picture/field_of_view.hpp"
#include "lib/picture/sensor_work.hpp"

namespace ositrace::picture {

namespace {

constexpr std::array<std::string_view, 5> physical_sensors{"generic", "radar", "lidar", "camera", "ultrasonic"};

}  // namespace

void SensorPainter::add_view(Work& work, const MessageView& physical, const std::string& kind, const std::string& path,
                             std::size_t place)
{
    auto configuration = message_in(physical, "view_configuration");
    auto* const rays =
        configuration && kind == "lidar" ? &reflections_.rays_of(work.shown.source.place, path) : nullptr;
    if (rays != nullptr) configuration = rays->take(*configuration);
    const auto sensor = work.sensor_in(configuration, kind, place);
    work.add_axes(sensor);
    Reach reach;
    work.guarded(path + ".reflection", [&] {
        if (!work.may_read_clouds()) return;
        if (kind == "lidar")
            work.add_cloud(reflections_.lidar(physical, rays, sensor, path + ".reflection", work.notes(), reach));
        if (kind == "radar")
            work.add_cloud(reflections_.radar(physical, sensor, path + ".reflection", work.notes(), reach));
    });
    if (!configuration) return;
    if (const auto view = field_of_view_in(*configuration, reach))
        add_field_of_view(work.outlines, sensor, *view, path + ".view_configuration");
}

void SensorPainter::add_views(Work& work, const MessageView& sensor_view, const std::string& prefix)
{
    for (const auto kind : physical_sensors) {
        work.for_each(sensor_view, std::string(kind) + "_sensor_view", prefix,
                      [&](const MessageView& physical, const std::string& path, std::size_t i) {
                          add_view(work, physical, std::string(kind), path, i);
                      });
    }
}

void SensorPainter::show_sensor_view(const Shown& shown)
{
    Work work(shown);
    add_views(work, work.root, "");
    work.finish();
}

void SensorPainter::show_configuration(const Shown& shown)
{
    Work work(shown);
    if (const auto view = field_of_view_in(work.root, {}))
        add_field_of_view(work.outlines, work.sensor, *view, "field_of_view_horizontal");
    for (const auto kind : physical_sensors) {
        work.for_each(work.root, std::string(kind) + "_sensor_view_configuration", "",
                      [&](const MessageView& configuration, const std::string& path, std::size_t i) {
                          const auto sensor = work.sensor_in(configuration, std::string(kind), i);
                          work.add_axes(sensor);
                          if (const auto view = field_of_view_in(configuration, {}))
                              add_field_of_view(work.outlines, sensor, *view, path);
                      });
    }
    work.finish();
}

}  // namespace ositrace::picture
