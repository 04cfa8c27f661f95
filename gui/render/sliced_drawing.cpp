// SPDX-License-Identifier: MPL-2.0
#include "gui/render/sliced_drawing.hpp"

#include <utility>

namespace ositrace::gui {

using Clock = std::chrono::steady_clock;

void SlicedDrawing::set(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options, PixelSize size)
{
    if (picture == picture_ && camera == camera_ && options == options_ && size == size_) return;
    picture_ = std::move(picture);
    camera_ = camera;
    options_ = options;
    size_ = size;
    stale_ = picture_ != nullptr;
}

bool SlicedDrawing::advance(std::chrono::nanoseconds budget)
{
    const auto start = Clock::now();
    if (stale_) {
        stale_ = false;
        more_ = true;
        spent_ = {};
        if (!target_ || target_->size() != size_) target_.emplace(size_);
        renderer_.begin(picture_, camera_, options_, *target_);
    }
    while (more_) {
        more_ = renderer_.draw_more();
        renderer_.finish();  // else the slices only queue up, and the last one takes all the time
        if (Clock::now() - start >= budget) break;
    }
    spent_ += Clock::now() - start;
    if (!more_) drawn_in_ = spent_;
    return more_;
}

}  // namespace ositrace::gui
