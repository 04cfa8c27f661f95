// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/picture.hpp>
#include <ositrace/picture_maker.hpp>

#include "lib/picture/host_pose.hpp"
#include "lib/picture/lane_boundaries.hpp"
#include "lib/picture/lanes.hpp"
#include "lib/picture/line_points.hpp"
#include "lib/picture/notes.hpp"

namespace ositrace::picture {

/// One layer of a map.
struct MapPart {
    std::shared_ptr<const Layer> layer;
    Notes notes;
    BoundaryLines lines;  ///< of layers with boundaries
};

/// The layers of maps, kept while the bytes of their source are equal. A part of a FlatBuffers message has no byte
/// range of its own: its layer is built again, and the old one is kept if both are equal.
class MapCache {
public:
    /// The source of a part.
    struct Content {
        std::uint32_t source = 0;
        std::string path;  ///< of the ground truth and the part
        MessageView ground_truth;
        std::span<const std::string_view> fields;  ///< of the ground truth
        const Frame* frame = nullptr;              ///< that contains it
        bool keeps_frame = false;                  ///< the frame is probably shown again
        std::shared_ptr<const Schema> schema;
        GlobalPoint origin{};
        HostLanes host;
    };
    /// The part, built by `build` if it is not cached. Valid until the next call of drop_unused(). Throws what `build`
    /// throws.
    const MapPart& get(const Content& content, const std::function<MapPart()>& build);
    /// Drops the parts that were not used since the last call.
    void drop_unused();

private:
    struct Entry {
        MapPart part;
        std::vector<std::byte> bytes;       ///< Protobuf: of all elements, each after its length
        std::shared_ptr<const void> owner;  ///< of a frame that is shown again; while it lives, its bytes do not change
        const std::byte* frame_bytes = nullptr;
        std::shared_ptr<const Schema> schema;
        const MessageTable* table = nullptr;
        GlobalPoint origin{};
        HostLanes host;
        bool used = true;
        [[nodiscard]] bool is_for(const Content& content) const;
        [[nodiscard]] bool has_bytes_of(const Content& content) const;
        void remember(const Content& content);
    };
    std::map<std::pair<std::uint32_t, std::string>, Entry> entries_;
};

/// A GroundTruth message, top-level or inside another message.
struct GroundTruth {
    std::uint32_t source = 0;
    const PictureSource* from = nullptr;
    std::string prefix;  ///< of the paths in it: `global_ground_truth.`
    MessageView view;
    std::optional<MessageView> statics;  ///< the ground truth in PictureSource::statics
    std::optional<std::uint64_t> host_id;
    std::optional<HostPose> host;
};

/// Reads host_vehicle_id, or uses `otherwise` without one, and finds that vehicle.
void find_host(GroundTruth& truth, std::optional<std::uint64_t> otherwise);

/// A place in it, for a picture without a host: of a moving object, a stationary object or a boundary.
[[nodiscard]] std::optional<Vector> some_place_in(const GroundTruth& truth);

/// Are both the same ground truth in different messages? They have the same time, and the host at the
/// same place; without a host, all moving objects.
[[nodiscard]] bool is_same_truth(const GroundTruth& a, const GroundTruth& b);

/// Builds the layers of ground truths.
class GroundTruthPainter {
public:
    /// Keeps the layers of the map. A broken part becomes a note.
    void show(const GroundTruth& truth, GlobalPoint origin, Notes& notes, Picture& picture);
    /// `bytes`: of all messages. Every point of a line takes two or more.
    void begin_picture(std::size_t bytes) { lines_.allow(bytes / 2); }
    /// Call it after the last ground truth of a picture.
    void end_picture() { maps_.drop_unused(); }
    [[nodiscard]] LinePointReader& lines() noexcept { return lines_; }

private:
    struct Part;
    struct Shown;
    void show_part(const Part& part, Shown& shown);
    void show_map(Shown& shown);

    LinePointReader lines_;
    MapCache maps_;
};

}  // namespace ositrace::picture
