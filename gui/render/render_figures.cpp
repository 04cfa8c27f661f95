// SPDX-License-Identifier: MPL-2.0
#include "gui/render/render_figures.hpp"

#include <algorithm>
#include <vector>

#include "gui/render/egl_context.hpp"
#include "gui/render/sliced_drawing.hpp"

namespace ositrace::gui {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::nanoseconds;

constexpr double turn_per_frame = 0.02;  // radians
constexpr int picks = 9;

nanoseconds median_of(std::vector<nanoseconds>& times)
{
    if (times.empty()) return {};
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Returns the whole; `slowest_step` grows.
nanoseconds draw_all(SlicedDrawing& drawing, nanoseconds& slowest_step)
{
    nanoseconds whole{};
    for (bool more = true; more;) {
        const auto start = Clock::now();
        more = drawing.advance({});
        const nanoseconds step = Clock::now() - start;
        slowest_step = std::max(slowest_step, step);
        whole += step;
    }
    return whole;
}

nanoseconds measure_picks(SlicedDrawing& drawing, PixelSize size)
{
    std::vector<nanoseconds> times;
    for (int i = 0; i <= picks; ++i) {
        const auto start = Clock::now();
        [[maybe_unused]] const auto pick = drawing.pick(size.width * (i + 1) / (picks + 2.0), size.height / 2.0);
        if (i > 0) times.push_back(Clock::now() - start);  // the first compiles shaders
    }
    return median_of(times);
}

}  // namespace

RenderFigures measure_rendering(const std::shared_ptr<const Picture>& picture, Camera camera,
                                const RenderOptions& options, PixelSize size, std::size_t frames)
{
    const EglContext context;
    SlicedDrawing drawing;
    RenderFigures figures{.renderer = describe_opengl(), .frames = frames};
    for (const auto& cloud : picture->clouds) figures.points += cloud->points.size();
    nanoseconds ignored{};
    std::vector<nanoseconds> times;
    for (std::size_t i = 0; i <= frames; ++i) {
        drawing.set(picture, camera, options, size);
        const auto whole = draw_all(drawing, i == 0 ? ignored : figures.slowest_step);
        camera.yaw += turn_per_frame;
        if (i == 0) {
            figures.first = whole;
        } else {
            times.push_back(whole);
        }
    }
    figures.slowest = times.empty() ? nanoseconds() : *std::max_element(times.begin(), times.end());
    figures.median = median_of(times);
    figures.pick = measure_picks(drawing, size);
    return figures;
}

}  // namespace ositrace::gui
