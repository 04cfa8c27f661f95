// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/gl_canvas.hpp"

#include <QGuiApplication>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>

#include "gui/render/egl_context.hpp"
#include "gui/render/screen_image.hpp"
#include "gui/scene/overlay.hpp"

namespace ositrace::gui {

namespace {

constexpr std::chrono::milliseconds at_once{10};  // then the thread looks after its other duties

QSurfaceFormat wanted_format()
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

}  // namespace

bool opengl_works(QString& reason)
{
    const auto platform = QGuiApplication::platformName();
    if (platform == QStringLiteral("offscreen") || platform == QStringLiteral("minimal") || platform == QStringLiteral("vnc")) {
        reason = QStringLiteral("the platform '%1' has no OpenGL").arg(platform);
        return false;
    }
    QOpenGLContext context;
    context.setFormat(wanted_format());
    if (!context.create()) {
        reason = QStringLiteral("the platform '%1' makes no OpenGL context").arg(platform);
        return false;
    }
    const auto version = context.format().version();
    if (version < qMakePair(3, 3)) {
        reason = QStringLiteral("OpenGL %1.%2 found, 3.3 expected").arg(version.first).arg(version.second);
        return false;
    }
    return true;
}

GlCanvas::GlCanvas(QWidget* parent) : QOpenGLWidget(parent)
{
    setFormat(wanted_format());
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

GlCanvas::~GlCanvas()
{
    // The context goes after this object, in the base class.
    if (context()) disconnect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::drop_context);
    drop_context();
}

void GlCanvas::drop_context()
{
    if (!context()) return;
    makeCurrent();
    drawing_.reset();
    overlay_on_card_.reset();
    doneCurrent();
}

void GlCanvas::initializeGL()
{
    try {
        drawing_ = std::make_unique<SlicedDrawing>();
        overlay_on_card_ = std::make_unique<ScreenImage>();
        description_ = QString::fromStdString(describe_opengl());
    } catch (const std::exception& error) {
        give_up(error);
    }
    // Before the context goes, as when the window moves to another screen of another driver.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::drop_context, Qt::UniqueConnection);
    overlay_is_old_ = true;
}

void GlCanvas::show_state(const SceneState& state)
{
    state_ = state;
    if (!failure_.isEmpty()) state_.notes += failure_;
    is_asked_ = true;
    overlay_is_old_ = true;
    update();
}

void GlCanvas::give_up(const std::exception& error)
{
    drawing_.reset();
    failure_ = description_ = QString::fromUtf8(error.what());
    state_.notes += failure_;
    overlay_is_old_ = true;
}

void GlCanvas::paintGL()
{
    is_asked_ = false;
    bool more = false;
    try {
        if (drawing_) more = draw_picture();
    } catch (const std::exception& error) {
        give_up(error);
    }
    if (!drawing_) clear();
    try {
        if (overlay_on_card_) draw_overlay();
    } catch (const std::exception& error) {
        give_up(error);
        overlay_on_card_.reset();
    }
    more && drawing_ ? update() : on_complete();
}

void GlCanvas::clear()
{
    const auto background = background_of(state_.options.theme);
    auto& opengl = *context()->functions();
    opengl.glClearColor(background[0], background[1], background[2], 1);
    opengl.glClear(GL_COLOR_BUFFER_BIT);
}

/// True: there is more to draw.
bool GlCanvas::draw_picture()
{
    const double ratio = devicePixelRatioF();
    const PixelSize size{static_cast<int>(width() * ratio), static_cast<int>(height() * ratio)};
    auto options = state_.options;
    options.pixel_ratio = static_cast<float>(ratio);
    auto picture = state_.picture ? state_.picture : std::make_shared<const Picture>();
    if (!state_.picture && drawing_->target()) picture = nullptr;
    if (picture) drawing_->set(std::move(picture), state_.camera, options, size);
    const bool more = drawing_->advance(at_once);
    if (drawing_->target()) drawing_->target()->blit_to(defaultFramebufferObject());
    return more;
}

void GlCanvas::draw_overlay()
{
    const double ratio = devicePixelRatioF();
    if (overlay_is_old_ || overlay_.size() != this->size() * ratio) {
        overlay_ = overlay_image(this->size(), ratio, state_);
        overlay_is_old_ = false;
        overlay_on_card_->set({overlay_.constBits(), static_cast<std::size_t>(overlay_.sizeInBytes())}, {overlay_.width(), overlay_.height()});
    }
    overlay_on_card_->draw();
}

std::optional<Pick> GlCanvas::pick(double x, double y)
{
    if (!drawing_) return std::nullopt;
    std::optional<Pick> found;
    makeCurrent();
    try {
        found = drawing_->pick(x * devicePixelRatioF(), y * devicePixelRatioF());
    } catch (const std::exception& error) {
        give_up(error);
        update();
    }
    doneCurrent();
    return found;
}

}  // namespace ositrace::gui
