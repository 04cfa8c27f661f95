// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/frame.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/picture.hpp>

#include "lib/picture/lane_boundaries.hpp"
#include "lib/picture/lanes.hpp"
#include "lib/picture/notes.hpp"

namespace ositrace::picture {

/// One layer of a map.
struct MapPart {
    std::shared_ptr<const Layer> layer;
    Notes notes;
    BoundaryLines lines;  ///< of layers with boundaries
};

/// The layers of maps, kept as long as what they were made of stays the same to the byte. A FlatBuffer has no bytes of
/// its own for a part of a message: there the layer is made again, and the old one stays where the new one equals it.
class MapCache {
public:
    /// What a part is made of.
    struct Content {
        std::uint32_t source = 0;
        std::string path;  ///< of the ground truth and the part
        MessageView ground_truth;
        std::span<const std::string_view> fields;  ///< of the ground truth
        const Frame* frame = nullptr;              ///< that it stands in
        bool keeps_frame = false;                  ///< that frame probably comes again
        std::shared_ptr<const Schema> schema;
        GlobalPoint origin{};
        HostLanes host;
    };
    /// The part, from `build` where it is not known. Valid until the next call of drop_unused(). Throws what `build`
    /// throws.
    const MapPart& get(const Content& content, const std::function<MapPart()>& build);
    /// Forgets the parts that nobody asked for since the last call.
    void drop_unused();

private:
    struct Entry {
        MapPart part;
        std::vector<std::byte> bytes;  ///< Protobuf: of all elements, each behind its length
        std::shared_ptr<const void>
            owner;  ///< of a frame that comes again; while it lives, its bytes are what they were
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

}  // namespace ositrace::picture
