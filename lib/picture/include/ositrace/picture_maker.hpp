// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <ositrace/picture.hpp>

namespace ositrace {

/// One frame of a picture. Its pointers must be valid during the call only.
struct PictureSource {
    const Frame* frame = nullptr;  ///< null: nothing to show, the place in the list is kept
    const Channel* channel = nullptr;
    const Frame* statics =
        nullptr;  ///< a frame of the same channel with the map that this one lacks (see MapFinder); null: none
    std::uint64_t statics_number =
        0;                 ///< of that frame in its channel, for the note that says where the map comes from
    bool is_past = false;  ///< its channel has been silent since: only its map is shown, and its host's pose used
    bool shown = true;     ///< false: only its host's pose is used, for what other sources measure from it
};

/// Makes pictures of frames: each from its own frames alone, so that seeking equals playing; the geometry of a map that
/// stays the same (equal bytes) is kept between calls. Reads through views and columns; what is broken in a frame
/// becomes a note, not an error. Use one per thread and reuse it. Memory: a small multiple of the largest moment.
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
