// SPDX-License-Identifier: MPL-2.0
// The frames of a picture: their messages, and the places of their hosts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ositrace/picture_maker.hpp>

#include "lib/picture/ground_truth.hpp"
#include "lib/picture/notes.hpp"

namespace ositrace::picture {

/// A source whose messages can be read.
struct OpenSource {
    std::uint32_t place = 0;
    const PictureSource* source = nullptr;
    std::optional<MessageView> root;     ///< empty: there is nothing to show
    std::optional<MessageView> statics;  ///< root of the frame with the map
    Notes notes;

    [[nodiscard]] bool is(MessageType type) const noexcept { return root && source->channel->type == type; }
};

struct MomentSources {
    explicit MomentSources(std::span<const PictureSource> sources);

    std::vector<OpenSource> open;
    std::vector<GroundTruth> truths;  ///< those of SensorData messages last
    GlobalPoint origin{};
    std::optional<Nanoseconds> time;

    /// The host that the measurements of a source refer to: that of its own ground truth, else of another source, else
    /// its estimate in the source itself. Empty if unknown.
    [[nodiscard]] std::optional<HostPose> host_of(const OpenSource& source) const;

private:
    [[nodiscard]] const HostPose* true_host_of(std::uint32_t source) const noexcept;
    void open_source(std::uint32_t place, const PictureSource& source);
    void find_truths(OpenSource& source);
    void find_origin();
};

/// Shows the places in a HostVehicleData, TrafficUpdate, StreamingUpdate, TrafficCommand, TrafficCommandUpdate or
/// MotionRequest. Broken contents become a note.
void show_other_message(OpenSource& source, Picture& picture);

}  // namespace ositrace::picture
