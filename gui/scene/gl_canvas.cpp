// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/gl_canvas.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>

#include "gui/render/screen_image.hpp"
#include "gui/scene/overlay.hpp"

namespace ositrace::gui {

namespace {

QSurfaceFormat wanted_format()
{
    QSurfaceFormat format;
    format.setVersion(3, 3);
    format.setProfile(QSurfaceFormat::CoreProfile);
    return format;
}

bool is_drawn_by_processor(QOpenGLContext& context)
{
    QOffscreenSurface surface;
    surface.setFormat(context.format());
    surface.create();
    if (!context.makeCurrent(&surface)) return false;
    const auto renderer =
        QByteArray(reinterpret_cast<const char*>(context.functions()->glGetString(GL_RENDERER))).toLower();
    context.doneCurrent();
    constexpr std::array known{"llvmpipe", "softpipe", "swrast", "swiftshader", "software"};
    return std::any_of(known.begin(), known.end(), [&](const char* each) { return renderer.contains(each); });
}

}  // namespace

WindowOpenGl window_opengl(QString& reason)
{
    const auto platform = QGuiApplication::platformName();
    if (platform == QStringLiteral("offscreen") || platform == QStringLiteral("minimal") ||
        platform == QStringLiteral("vnc")) {
        reason = QStringLiteral("the platform '%1' has no OpenGL").arg(platform);
        return WindowOpenGl::none;
    }
    QOpenGLContext context;
    context.setFormat(wanted_format());
    if (!context.create()) {
        reason = QStringLiteral("the platform '%1' makes no OpenGL context").arg(platform);
        return WindowOpenGl::none;
    }
    const auto version = context.format().version();
    if (version < qMakePair(3, 3)) {
        reason = QStringLiteral("OpenGL %1.%2 found, 3.3 expected").arg(version.first).arg(version.second);
        return WindowOpenGl::none;
    }
    return is_drawn_by_processor(context) ? WindowOpenGl::by_processor : WindowOpenGl::by_card;
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
    drop_drawing();
    overlay_on_card_.reset();
    doneCurrent();
}

void GlCanvas::initializeGL()
{
    try {
        start_drawing();
        overlay_on_card_ = std::make_unique<ScreenImage>();
    } catch (const std::exception& error) {
        give_up(QString::fromUtf8(error.what()));
    }
    // Before the context goes, as when the window moves to another screen of another driver.
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &GlCanvas::drop_context, Qt::UniqueConnection);
    overlay_is_on_card_ = false;
}

void GlCanvas::show_state(const SceneState& state)
{
    overlay_is_old_ = true;
    OpenGlCanvas::show_state(state);
}

void GlCanvas::paintEvent(QPaintEvent* event)
{
    QOpenGLWidget::paintEvent(event);
    if (!isValid()) give_up(QStringLiteral("the window gets no OpenGL context"));
}

void GlCanvas::paintGL()
{
    if (const auto* const target = drawn_state())
        target->blit_to(defaultFramebufferObject());
    else
        clear();
    try {
        if (overlay_on_card_ && overlay_size_.isValid()) draw_overlay();
    } catch (const std::exception& error) {
        overlay_on_card_.reset();
        give_up(QString::fromUtf8(error.what()));
    }
    if (is_complete()) on_complete();
}

void GlCanvas::clear()
{
    const auto background = background_of(state().options.theme);
    auto& opengl = *context()->functions();
    opengl.glClearColor(background[0], background[1], background[2], 1);
    opengl.glClear(GL_COLOR_BUFFER_BIT);
}

bool GlCanvas::prepare()
{
    const double ratio = devicePixelRatioF();
    if (!overlay_is_old_ && overlay_size_ == size() && !(overlay_ratio_ < ratio) && !(overlay_ratio_ > ratio))
        return false;
    overlay_size_ = size();
    overlay_ratio_ = ratio;
    overlay_ = overlay_image(size(), ratio, state());
    overlay_is_old_ = overlay_is_on_card_ = false;
    return true;
}

void GlCanvas::draw_overlay()
{
    prepare();
    if (overlay_.isNull()) return;
    if (!std::exchange(overlay_is_on_card_, true))
        overlay_on_card_->set({overlay_.constBits(), static_cast<std::size_t>(overlay_.sizeInBytes())},
                              {overlay_.width(), overlay_.height()});
    overlay_on_card_->draw();
}

}  // namespace ositrace::gui
