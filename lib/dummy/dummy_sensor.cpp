// SPDX-License-Identifier: MPL-2.0
#include <ositrace/dummy_sensor.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/dummy/dummy_form.hpp"
#include "lib/dummy/wire_sensor_data.hpp"
#include "lib/dummy/wire_sensor_view.hpp"

namespace ositrace {

namespace dummy {

namespace {

/// Reads the wire and writes the wire.
class WireSensor final : public SensorForm {
public:
    explicit WireSensor(DummySensorOptions options) : options_(std::move(options)) {}

    Format open(const Channel& sensor_view) override
    {
        const auto encoding = options_.encoding.value_or(sensor_view.format.encoding);
        const Format format{encoding, Layout::numbered};
        schema_ = sensor_view.schema;
        in_.emplace(sensor_view);
        out_.emplace(format, sensor_view.format, *sensor_view.root);
        return format;
    }
    void deserialize(Bytes sensor_view) override
    {
        received_ = sensor_view;
        in_->read(sensor_view);
    }
    void calculate(Nanoseconds now) override
    {
        content_.time = now;
        content_.sensor_id = in_->sensor_id();
        content_.mounting = in_->mounting();
        detect_objects();
        content_.lidars.resize(in_->lidars());
        for (std::size_t i = 0; i != in_->lidars(); ++i) detect_points(in_->lidar(i), content_.lidars[i]);
    }
    void serialize(ByteBuffer& out) override
    {
        out_->write(content_, options_.carry_input ? std::optional(received_) : std::nullopt, out);
    }

private:
    /// The host's place among the objects: the last one of that id.
    [[nodiscard]] std::optional<std::size_t> host() const
    {
        for (auto i = in_->objects(); in_->host_id() && i != 0; --i)
            if (in_->id(i - 1) == *in_->host_id()) return i - 1;
        return std::nullopt;
    }
    void detect_objects()
    {
        content_.objects.clear();
        const auto place = host();
        if (!place) return;
        const SensorFrame frame(options_.nominal_range, in_->pose(*place), in_->to_rear(*place),
                                in_->mounting().value_or(Pose{}));
        for (std::size_t i = 0; i != in_->objects(); ++i) {
            if (in_->id(i) == *in_->host_id()) continue;
            const auto type = in_->type(i);
            if (const auto seen = frame.see(in_->pose(i), type.value_or(0)))
                content_.objects.push_back(
                    {in_->id(i), *seen, in_->dimension(i), type, in_->vehicle_classification(i)});
        }
    }
    static void detect_points(const WireSensorView::Lidar& lidar, std::vector<Spherical>& points)
    {
        points.clear();
        for (const auto time : lidar.times_of_flight())
            points.push_back(detection_of(lidar.grid, points.size() * reflections_per_detection, time));
    }

    DummySensorOptions options_;
    std::shared_ptr<const Schema> schema_;
    std::optional<WireSensorView> in_;
    std::optional<WireSensorData> out_;
    Bytes received_;
    SensorDataContent content_;
};

}  // namespace

}  // namespace dummy

std::unique_ptr<SensorModel> dummy_sensor(const DummySensorOptions& options)
{
    if (!std::isfinite(options.nominal_range) || options.nominal_range < 0)
        throw Error(Cause::usage, "nominal_range is a number of metres, not " + std::to_string(options.nominal_range));
    return dummy::model_of(std::make_unique<dummy::WireSensor>(options), options.observer);
}

}  // namespace ositrace
