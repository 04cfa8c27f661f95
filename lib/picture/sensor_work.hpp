// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <ositrace/frame_error.hpp>

#include "lib/picture/sensors.hpp"

namespace ositrace::picture {

/// The context for showing the sensors of one source.
struct SensorPainter::Work {
    const Shown& shown;
    const MessageView& root;
    std::optional<HostPose> host;
    Placement vehicle;          ///< frame that sensors are mounted in
    SensorFrame sensor;         ///< the virtual one
    LayerBuilder outlines;      ///< fields of view
    std::size_t elements_left;  ///< of clouds
    std::size_t parts_before;   ///< of the picture

    explicit Work(const Shown& source);
    [[nodiscard]] Notes& notes() const noexcept { return shown.source.notes; }
    /// A sensor at the mounting position of `mounted`, a message with a mounting_position and a sensor_id.
    [[nodiscard]] SensorFrame sensor_in(const std::optional<MessageView>& mounted, std::string kind,
                                        std::uint64_t otherwise) const;
    void add_axes(const SensorFrame& frame) const;
    /// Sensors of a FlatBuffer may share their reflections, so the number of elements that are read is limited by the
    /// size of the message.
    [[nodiscard]] bool may_read_clouds() const noexcept { return elements_left != 0; }
    void add_cloud(std::shared_ptr<const Cloud> cloud);
    /// Adds a note with the source of the host pose, if anything was added.
    void finish();
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
void SensorPainter::Work::for_each(const MessageView& parent, std::string_view field, const std::string& prefix,
                                   const Show& show) const
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

}  // namespace ositrace::picture
