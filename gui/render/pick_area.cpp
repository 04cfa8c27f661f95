// SPDX-License-Identifier: MPL-2.0
#include "gui/render/pick_area.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <ositrace/error.hpp>

#include "gui/render/tessellate.hpp"

namespace ositrace::gui {

namespace {

double value_at(const std::array<double, 4>& plane, const Vector& place) noexcept
{
    return plane[0] * place[0] + plane[1] * place[1] + plane[2] * place[2] + plane[3];
}

Vector middle_of(const Point& a, const Point& b) noexcept { return 0.5 * (to_vector(a) + to_vector(b)); }

/// How far the segment shader draws beside a highlighted line: twice its width at a sharp corner, and its smooth edges.
double pixels_beside(float width) noexcept { return 2 * static_cast<double>(width) + 3; }

/// An upright segment: its width in pixels is that of its start everywhere, so a ball does not contain it.
bool is_upright(const Segment& segment) noexcept
{
    const float across = std::hypot(segment.to[0] - segment.from[0], segment.to[1] - segment.from[1]);
    return segment.metres > 0 && segment.from != segment.to && across < 1e-4F;
}

}  // namespace

PickArea::PickArea(const ViewTransform& view, double x, double y, int side) noexcept
    : metres_per_pixel_(view.metres_per_pixel())
{
    const auto& m = view.matrix();
    const auto size = view.size();
    const double middle[] = {2 * x / size.width - 1, 1 - 2 * y / size.height};
    const double half[] = {static_cast<double>(side) / size.width, static_cast<double>(side) / size.height};
    for (int k = 0; k < 4; ++k) depth_[static_cast<std::size_t>(k)] = m(3, k);
    for (int i = 0; i < 4; ++i) {
        auto& plane = sides_[static_cast<std::size_t>(i)];
        const int axis = i / 2;
        const double sign = i % 2 ? 1 : -1;
        for (int k = 0; k < 4; ++k)
            plane[static_cast<std::size_t>(k)] = half[axis] * m(3, k) + sign * (m(axis, k) - middle[axis] * m(3, k));
        const double unit = length({plane[0], plane[1], plane[2]});
        for (auto& number : plane) number /= unit;
    }
}

bool PickArea::may_show_ball(const Vector& centre, double radius, double pixels) const noexcept
{
    constexpr double rounding = 1e-6, nearest = 0.02;  // precision of a graphics card; of the shaders
    const double depth = std::max(value_at(depth_, centre) + radius, nearest);
    const double reach = radius + rounding * length(centre) + (pixels + 1) * metres_per_pixel_ * depth;
    return std::none_of(sides_.begin(), sides_.end(),
                        [&](const Plane& side) { return value_at(side, centre) < -reach; });
}

bool PickArea::may_show(const BoxMark& box, float pixel_ratio) const noexcept
{
    return may_show_ball(to_vector(box.centre), reach_of(box), pixels_beside(edge_pixels(box, pixel_ratio)));
}

bool PickArea::may_show(const Segment& segment, float around) const noexcept
{
    if (is_upright(segment)) return true;
    const double half = length(to_vector(segment.to) - to_vector(segment.from)) / 2;
    return may_show_ball(middle_of(segment.from, segment.to),
                         half + static_cast<double>(segment.metres) + static_cast<double>(around),
                         pixels_beside(segment.pixels));
}

bool PickArea::may_show_triangle(const Point& a, const Point& b, const Point& c) const noexcept
{
    const auto middle = middle_of(a, b);
    return may_show_ball(middle, std::max(length(to_vector(a) - middle), length(to_vector(c) - middle)), 0);
}

namespace {

bool is_surface(Category category) noexcept
{
    switch (category) {
    case Category::lane:
    case Category::logical_lane:
    case Category::detected_lane:
    case Category::field_of_view: return true;
    default: return false;
    }
}

/// Reads what pick_head of the shaders wrote: the number of the thing, from 1, and its layer.
const Thing* thing_at(const Picture& picture, const std::array<GLuint, 2>& written) noexcept
{
    if (written[0] == 0 || written[1] >= picture.layers.size()) return nullptr;
    const auto& things = picture.layers[written[1]]->things;
    return written[0] <= things.size() ? &things[written[0] - 1] : nullptr;
}

}  // namespace

PickBuffer::PickBuffer()
{
    glBindRenderbuffer(GL_RENDERBUFFER, things_.get());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RG32UI, side, side);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_.get());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, side, side);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, things_.get());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.get());
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        throw Error(Cause::unsupported, "the OpenGL driver refuses an off-screen picture of 32-bit integers");
    }
}

void PickBuffer::begin(DrawContext& context, double x, double y) const
{
    const auto size = context.view->size();
    context.picking = true;
    context.crop = {static_cast<float>(2 * x / size.width - 1), static_cast<float>(1 - 2 * y / size.height),
                    static_cast<float>(size.width) / side, static_cast<float>(size.height) / side};
    glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
    glViewport(0, 0, side, side);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthMask(GL_TRUE);
    constexpr GLuint nothing[4] = {};
    constexpr GLfloat far = 1;
    glClearBufferuiv(GL_COLOR, 0, nothing);
    glClearBufferfv(GL_DEPTH, 0, &far);
}

std::optional<Pick> PickBuffer::read(const Picture& picture, const ViewTransform& view, double x, double y) const
{
    std::array<std::array<GLuint, 2>, static_cast<std::size_t>(side * side)> things{};
    std::array<float, static_cast<std::size_t>(side * side)> depths{};
    glBindFramebuffer(GL_READ_FRAMEBUFFER, frame_.get());
    glReadPixels(0, 0, side, side, GL_RG_INTEGER, GL_UNSIGNED_INT, things.data());
    glReadPixels(0, 0, side, side, GL_DEPTH_COMPONENT, GL_FLOAT, depths.data());
    std::optional<std::size_t> best;
    double best_score = 1e9;
    for (std::size_t i = 0; i < things.size(); ++i) {
        const auto* thing = thing_at(picture, things[i]);
        if (!thing) continue;
        const int dx = static_cast<int>(i) % side - side / 2, dy = static_cast<int>(i) / side - side / 2;
        double score = std::hypot(dx, dy);
        if (is_surface(thing->key.category)) {
            if (score > 1) continue;
            score += side;
        }
        if (score < best_score) {
            best_score = score;
            best = i;
        }
    }
    if (!best) return std::nullopt;
    const auto& thing = *thing_at(picture, things[*best]);
    const float depth = depths[*best];
    // Flat things write no depth: they lie at the level of their centre.
    auto place = depth < 1
                     ? view.at_depth(x, y, static_cast<double>(depth))
                     : view.on_level(x, y, static_cast<double>(thing.centre[2])).value_or(to_vector(thing.centre));
    return Pick{.key = thing.key,
                .thing = &thing,
                .path = thing.path,
                .place = place + picture.origin,
                .depth = dot(place - view.eye(), view.forward())};
}

}  // namespace ositrace::gui
