// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/arranged_images.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>
#include <QString>

#include <ositrace/error.hpp>

#include "gui/render/offscreen_context.hpp"
#include "gui/render/render_target.hpp"
#include "gui/render/renderer.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/overlay_style.hpp"
#include "gui/scene/paint_picture.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

constexpr int samples = 4;  // per pixel

constexpr int line_between = 2;  // pixels

/// `drive.osi and 1 more    12.500 s`; the channels if the view hides some.
QString caption_at(const SceneMoment& moment, const QStringList& hidden_channels)
{
    if (moment.files.isEmpty()) return {};
    QStringList shown;
    for (const auto& each : moment.channels)
        if (!hidden_channels.contains(each)) shown += each;
    const bool all = shown.size() == moment.channels.size();
    return QStringLiteral("%1    %2")
        .arg(all ? moment.files : shown.join(QStringLiteral(", ")),
             seconds_text(moment.time, std::chrono::milliseconds(1)));
}

}  // namespace

struct SceneImages::OpenGl {
    OffscreenContext context;
    RenderTarget target;
    Renderer renderer;

    explicit OpenGl(QSize size) : target({size.width(), size.height()}, samples) {}

    QImage draw(const SceneState& state)
    {
        context.make_current();
        renderer.draw(state.picture, state.camera, state.options, target);
        const auto pixels = target.read();
        const auto size = target.size();
        const QImage image(pixels.data(), size.width, size.height, QImage::Format_RGBX8888);
        return image.convertToFormat(QImage::Format_RGB32);
    }
};

SceneImages::SceneImages(QSize size, double scale) : size_(size), scale_(scale)
{
    if (qEnvironmentVariable("OSIVIEW_CANVAS") == QStringLiteral("painter")) {
        why_painted_ = "OSIVIEW_CANVAS selects the painter";
        return;
    }
    try {
        opengl_ = std::make_unique<OpenGl>(size);
    } catch (const Error& error) {
        why_painted_ = error.what();
    }
}

SceneImages::~SceneImages() = default;

QImage SceneImages::draw(SceneState state)
{
    if (!opengl_) state.camera.view = View::bird;
    state.options.pixel_ratio = static_cast<float>(scale_);
    const bool is_same = !scene_.isNull() && state.picture == shown_.picture && state.camera == shown_.camera &&
                         state.options == shown_.options;
    if (!is_same) scene_ = drawn(state);
    QImage image = scene_;
    image.setDevicePixelRatio(scale_);
    QPainter painter(&image);
    paint_overlay(painter, image.deviceIndependentSize().toSize(), state);
    painter.end();
    image.setDevicePixelRatio(1);
    shown_ = std::move(state);
    return image;
}

QImage SceneImages::drawn(const SceneState& state)
{
    if (opengl_) {
        try {
            return opengl_->draw(state);
        } catch (const Error& error) {
            why_painted_ = error.what();
            opengl_.reset();
        }
    }
    auto camera = state.camera;
    camera.view = View::bird;
    return paint_picture(*state.picture, camera, state.options, size_);
}

ArrangedImages::ArrangedImages(ArrangedScene scene, QSize size, double scale) : size_(size), scale_(scale)
{
    QRect first({0, 0}, size), second;
    if (scene.second) {
        const int both = size.width() - line_between;
        first.setWidth(std::clamp(static_cast<int>(std::lround(scene.first_share * both)), 1, both - 1));
        second = QRect(first.width() + line_between, 0, both - first.width(), size.height());
    }
    views_.push_back({std::move(scene.first), first, std::make_unique<SceneImages>(first.size(), scale)});
    if (scene.second)
        views_.push_back({std::move(*scene.second), second, std::make_unique<SceneImages>(second.size(), scale)});
}

QImage ArrangedImages::draw_view(Drawn& drawn, const SceneMoment& moment) const
{
    auto state = drawn.view.state;
    state.picture = moment.picture;
    state.camera =
        drawn.view.camera.place(*moment.picture, {static_cast<int>(std::lround(drawn.area.width() / scale_)),
                                                  static_cast<int>(std::lround(drawn.area.height() / scale_))});
    state.caption = caption_at(moment, drawn.view.hidden_channels);
    state.notes = moment.notes;
    state.marks = moment.marks;
    state.options.hidden_sources = hidden_sources(moment.channels, drawn.view.hidden_channels);
    return drawn.images->draw(std::move(state));
}

QImage ArrangedImages::draw(const SceneMoment& moment)
{
    if (views_.size() == 1) return draw_view(views_.front(), moment);
    QImage image(size_, QImage::Format_RGB32);
    image.fill(faint_text(views_.front().view.state.options.theme));
    QPainter painter(&image);
    for (auto& each : views_) painter.drawImage(each.area.topLeft(), draw_view(each, moment));
    return image;
}

std::string ArrangedImages::why_painted() const
{
    for (const auto& each : views_)
        if (const auto& why = each.images->why_painted(); !why.empty()) return why;
    return {};
}

}  // namespace ositrace::gui
