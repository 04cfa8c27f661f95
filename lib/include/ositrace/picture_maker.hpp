// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <span>

#include <ositrace/export.hpp>
#include <ositrace/picture.hpp>

namespace ositrace {

/// One frame of a moment. Both must outlive the call only.
struct PictureSource {
    const Frame* frame = nullptr;
    const Channel* channel = nullptr;
    const Frame* statics = nullptr;  ///< a frame of the same channel with the map that this one lacks; null: none
};

/// Makes pictures of frames: each from its own frames alone, so that seeking equals playing; the geometry of a map that stays the same
/// (equal bytes) is kept between calls. Reads through views and columns; what is broken in a frame becomes a note, not an error.
/// Use one per thread and reuse it.
class OSITRACE_API PictureMaker {
public:
    PictureMaker();
    PictureMaker(PictureMaker&&) noexcept;
    PictureMaker& operator=(PictureMaker&&) noexcept;
    ~PictureMaker();

    [[nodiscard]] std::shared_ptr<const Picture> make(std::span<const PictureSource> sources);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace ositrace
