// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <ositrace/picture.hpp>
#include <ositrace/trail_finder.hpp>

namespace ositrace {

/// One frame of a picture. Its pointers must be valid during the call only.
struct PictureSource {
    const Frame* frame = nullptr;  ///< null: nothing to show, but the source keeps its index
    const Channel* channel = nullptr;
    const Frame* statics = nullptr;      ///< the frame with the map that `frame` lacks (see MapFinder); may be null
    std::uint64_t statics_number = 0;    ///< its number in the channel, for the note about the source of the map
    std::string_view statics_name = {};  ///< of a map beside the trace, instead of the number
    bool statics_replace = false;        ///< shown instead of what `frame` has
    const Trails* trails = nullptr;      ///< of its moving objects and detections; may be null
    bool is_past = false;  ///< no message for some time: only its map is shown, and the pose of its host is used
    bool shown = true;     ///< false: only the pose of its host is used, for measurements of other sources
};

/// Builds pictures from frames. A picture depends on its frames alone, so that seeking and playing give the same one;
/// the geometry of a map that does not change (equal bytes) is kept between calls. Damage in a frame becomes a note,
/// not an error. Use one PictureMaker per thread and reuse it. Memory: a small multiple of the largest set of frames.
class PictureMaker {
public:
    PictureMaker();
    PictureMaker(PictureMaker&&) noexcept;
    PictureMaker& operator=(PictureMaker&&) noexcept;
    ~PictureMaker();

    /// Never null. Throws std::bad_alloc only.
    [[nodiscard]] std::shared_ptr<const Picture> make(std::span<const PictureSource> sources);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
