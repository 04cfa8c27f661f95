// SPDX-License-Identifier: MPL-2.0
#include "gui/render/pick_buffer.hpp"

#include <array>
#include <cmath>

#include <ositrace/error.hpp>

namespace ositrace::gui {

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

/// What pick_head of the shaders wrote: the thing from 1, and its layer.
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
    // Flat things write no depth: they lie on the level of their middle.
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
