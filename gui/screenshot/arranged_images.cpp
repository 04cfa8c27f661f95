// SPDX-License-Identifier: MPL-2.0
#include "gui/screenshot/arranged_images.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>

#include "gui/quantity.hpp"
#include "gui/scene/overlay_style.hpp"
#include "gui/scene/scene_view.hpp"

namespace ositrace::gui {

namespace {

constexpr int line_between = 2;  // pixels

/// `drive.osi and 1 more    12.500 s`; the channels if the view hides some.
QString caption_at(const SceneMoment& moment, const QStringList& hidden_channels)
{
    QStringList shown;
    for (const auto& each : moment.channels)
        if (!hidden_channels.contains(each)) shown += each;
    const bool all = shown.size() == moment.channels.size();
    return QStringLiteral("%1    %2")
        .arg(all ? moment.files : shown.join(QStringLiteral(", ")),
             seconds_text(moment.time, std::chrono::milliseconds(1)));
}

}  // namespace

ArrangedImages::ArrangedImages(ArrangedScene scene, QSize size) : size_(size)
{
    QRect first({0, 0}, size), second;
    if (scene.second) {
        const int both = size.width() - line_between;
        first.setWidth(std::clamp(static_cast<int>(std::lround(scene.first_share * both)), 1, both - 1));
        second = QRect(first.width() + line_between, 0, both - first.width(), size.height());
    }
    views_.push_back({std::move(scene.first), first, std::make_unique<SceneImages>(first.size())});
    if (scene.second)
        views_.push_back({std::move(*scene.second), second, std::make_unique<SceneImages>(second.size())});
}

QImage ArrangedImages::draw_view(Drawn& drawn, const SceneMoment& moment)
{
    auto state = drawn.view.state;
    state.picture = moment.picture;
    state.camera = drawn.view.camera.place(*moment.picture);
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
