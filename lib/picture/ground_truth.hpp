// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <ositrace/picture_maker.hpp>

#include "lib/picture/host_pose.hpp"
#include "lib/picture/line_reader.hpp"
#include "lib/picture/map_cache.hpp"
#include "lib/picture/notes.hpp"

namespace ositrace::picture {

/// A GroundTruth of a moment, wherever it stands.
struct GroundTruth {
    std::uint32_t source = 0;
    const PictureSource* from = nullptr;
    std::string prefix;  ///< of the paths in it: `global_ground_truth.`
    MessageView view;
    std::optional<MessageView> statics;  ///< the one in PictureSource::statics
    bool is_input = false;               ///< of a SensorView in a SensorData
    std::optional<std::uint64_t> host_id;
    std::optional<HostPose> host;
};

/// Reads host_vehicle_id, `otherwise` where there is none, and where that vehicle is.
void find_host(GroundTruth& truth, std::optional<std::uint64_t> otherwise);

/// Some place in it, for a picture without a host: of a moving object, of a stationary one, of a boundary.
[[nodiscard]] std::optional<Vector> some_place_in(const GroundTruth& truth);

/// Are both the same, in messages that came by different ways: of the same time, with the host at the same place.
[[nodiscard]] bool is_same_truth(const GroundTruth& a, const GroundTruth& b);

/// Makes the layers of ground truths.
class GroundTruthPainter {
public:
    /// Keeps the layers of the map. What is broken becomes a note.
    void show(const GroundTruth& truth, GlobalPoint origin, Notes& notes, Picture& picture);
    /// `bytes`: of all messages. Every point of a line takes two or more.
    void begin_picture(std::size_t bytes) { lines_.allow(bytes / 2); }
    /// Behind the last one of a picture.
    void end_picture() { maps_.drop_unused(); }
    [[nodiscard]] LineReader& lines() noexcept { return lines_; }

private:
    struct Part;
    struct Shown;
    void show_part(const Part& part, Shown& shown);
    void show_map(Shown& shown);

    LineReader lines_;
    MapCache maps_;
};

}  // namespace ositrace::picture
