// SPDX-License-Identifier: MPL-2.0
#include "gui/render/sliced_drawing.hpp"

#include <utility>

namespace ositrace::gui {

using Clock = std::chrono::steady_clock;

void SlicedDrawing::set(std::shared_ptr<const Picture> picture, const Camera& camera, const RenderOptions& options,
                        PixelSize size)
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
    begun_ = more_ = false;  // and remain false if something throws
    spent_ = {};
    auto& target = targets_[1 - shown_];
    if (!target || target->size() != size_) target.emplace(size_);
    renderer_.begin(picture_, camera_, options_, *target);
    begun_ = more_ = true;
    renderer_.finish();
}

bool SlicedDrawing::prepare(bool (Renderer::*one)())
{
    const bool more = (renderer_.*one)();
    renderer_.finish();
    return more;
}

void SlicedDrawing::draw_more()
{
    const bool shapes = renderer_.has_more_shapes();
    more_ = renderer_.draw_more();
    renderer_.finish();  // else the slices only queue up, and the last one takes all the time
    if (!shapes && std::exchange(begun_, false)) shown_ = 1 - shown_;
}

bool SlicedDrawing::prepare_more()
{
    if (draws_soon_) draws_soon_ = prepare(&Renderer::prepare_drawing);
    return draws_soon_;
}

bool SlicedDrawing::advance(std::chrono::nanoseconds budget)
{
    const auto start = Clock::now();
    bool stepped = false;
    const auto may_step = [&] { return !std::exchange(stepped, true) || Clock::now() - start < budget; };
    while (draws_soon_ && may_step()) prepare_more();
    if (draws_soon_) return true;
    while (begun_ && may_step()) draw_more();  // pictures that come faster than they are drawn are seen all the same
    if (stale_ && !begun_ && may_step()) begin();
    while (more_ && may_step()) draw_more();
    spent_ += Clock::now() - start;
    if (is_complete()) drawn_in_ = spent_;
    while (is_complete() && picks_soon_ && may_step()) picks_soon_ = prepare(&Renderer::prepare_picking);
    return !is_idle();
}

}  // namespace ositrace::gui
