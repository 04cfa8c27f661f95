// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "lib/picture/sensors.hpp"
#include "lib/trace/frame_error.hpp"

namespace ositrace::picture {

/// What the sensors of one source are shown with.
struct SensorPainter::Work {
    const Shown& shown;
    const MessageView& root;
    Placement vehicle;         ///< frame that sensors are mounted in
    SensorFrame sensor;        ///< the virtual one
    LayerBuilder outlines;     ///< fields of view

    Work(const Shown& source, const Placement& vehicle_frame);
    [[nodiscard]] Notes& notes() const noexcept { return shown.source.notes; }
    /// A sensor where `mounted` says it is mounted: a message with a mounting_position and a sensor_id.
    [[nodiscard]] SensorFrame sensor_in(const std::optional<MessageView>& mounted, std::string kind, std::uint64_t otherwise) const;
    void add_axes(const SensorFrame& frame) const;
    void add_cloud(std::shared_ptr<const Cloud> cloud) const
    {
        if (cloud != nullptr && !cloud->points.empty()) shown.picture.clouds.push_back(std::move(cloud));
    }
    void add_layer(LayerBuilder& layer) const
    {
        if (const auto made = layer.take(); !made->things.empty()) shown.picture.layers.push_back(made);
    }
    /// Calls `show` for the elements of a repeated message; an error of one becomes a note.
    template <class Show>
    void for_each(const MessageView& parent, std::string_view field, const std::string& prefix, const Show& show) const;
    template <class Show>
    void guarded(std::string path, const Show& show) const;
};

template <class Show>
void SensorPainter::Work::guarded(std::string path, const Show& show) const
{
    try {
        show();
    } catch (const Error& error) {
        notes().broken(within_frame(error.within({.field = std::move(path)}), *shown.source.source->frame, {}));
    }
}

template <class Show>
void SensorPainter::Work::for_each(const MessageView& parent, std::string_view field, const std::string& prefix, const Show& show) const
{
    constexpr std::size_t most_sensors = 1000;
    const auto* const row = repeated_messages(parent.table(), field);
    if (row == nullptr) return;
    guarded(prefix + std::string(field), [&] {
        std::size_t place = 0;
        parent.for_each_element(*row, [&](const Value& value) {
            auto path = prefix + std::string(field) + '[' + std::to_string(place) + ']';
            guarded(path, [&] { show(std::get<MessageView>(value), path, place); });
            return ++place < most_sensors;
        });
    });
}

/// The frame that the sensors of a source are mounted in; what is not known of it is said in the notes.
[[nodiscard]] Placement vehicle_of(const SensorPainter::Shown& shown);

}  // namespace ositrace::picture
