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

void SlicedDrawing::begin()
{
    stale_ = false;
    late_ = begun_;
    begun_ = more_ = false;  // and stay so when something throws
    spent_ = {};
    auto& target = targets_[1 - shown_];
    if (!target || target->size() != size_) target.emplace(size_);
    renderer_.begin(picture_, camera_, options_, *target);
    begun_ = more_ = true;
    renderer_.finish();
}

bool SlicedDrawing::advance(std::chrono::nanoseconds budget)
{
    const auto start = Clock::now();
    const auto is_over = [&] { return !(begun_ && late_) && Clock::now() - start >= budget; };
    bool stepped = false;
    if (stale_) {
        begin();
        stepped = true;
    }
    while (more_ && !(stepped && is_over())) {
        more_ = renderer_.draw_more();
        renderer_.finish();  // else the slices only queue up, and the last one takes all the time
        stepped = true;
        if (begun_) shown_ = 1 - shown_;
        begun_ = false;
    }
    spent_ += Clock::now() - start;
    if (!more_) drawn_in_ = spent_;
    return more_;
}

}  // namespace ositrace::gui
