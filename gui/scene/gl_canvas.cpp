// SPDX-License-Identifier: MPL-2.0
// The canvas with the OpenGL of the window system, and the detection of that OpenGL.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include <QGuiApplication>
#include <QImage>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>
#include <QSurfaceFormat>

#include "gui/render/load_opengl.hpp"
#include "gui/render/render_target.hpp"
#include "gui/scene/opengl_canvas.hpp"
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

namespace {

WindowOpenGl find_window_opengl(QString& reason)
{
    const auto platform = QGuiApplication::platformName();
    if (platform == QStringLiteral("offscreen") || platform == QStringLiteral("minimal") ||
        platform == QStringLiteral("vnc")) {
        reason = QStringLiteral("the platform '%1' does not provide OpenGL").arg(platform);
        return WindowOpenGl::none;
    }
    QOpenGLContext context;
    context.setFormat(wanted_format());
    if (!context.create()) {
        reason = QStringLiteral("the platform '%1' cannot create an OpenGL context").arg(platform);
        return WindowOpenGl::none;
    }
    const auto version = context.format().version();
    if (version < qMakePair(3, 3)) {
        reason = QStringLiteral("OpenGL %1.%2 found, 3.3 expected").arg(version.first).arg(version.second);
        return WindowOpenGl::none;
    }
    return is_drawn_by_processor(context) ? WindowOpenGl::by_processor : WindowOpenGl::by_card;
}

}  // namespace

WindowOpenGl window_opengl(QString& reason)
{
    // Only before the first canvas: while a context of EGL is current, one of the window system cannot become current.
    static const auto found = [] {
        QString why_not;
        const auto kind = find_window_opengl(why_not);
        return std::pair(kind, why_not);
    }();
    reason = found.second;
    return found.first;
}

namespace {

/// With the OpenGL of the window system.
class GlCanvas final : public QOpenGLWidget, public OpenGlCanvas {
public:
    explicit GlCanvas(QWidget* parent);
    ~GlCanvas() override;

    CanvasKind kind() const override { return CanvasKind::window; }
    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;

protected:
    void initializeGL() override;
    void paintGL() override;
    void paintEvent(QPaintEvent* event) override;
    void make_current() override { makeCurrent(); }
    bool prepare() override;

private:
    void drop_context();
    void clear();
    void draw_overlay();

    std::unique_ptr<ScreenImage> overlay_on_card_;
    QImage overlay_;
    QSize overlay_size_;        ///< size that the overlay was painted for
    double overlay_ratio_ = 0;  ///< its device pixels per pixel
    bool overlay_is_old_ = true;
    bool overlay_is_on_card_ = false;
};

GlCanvas::GlCanvas(QWidget* parent) : QOpenGLWidget(parent)
{
    setFormat(wanted_format());
    setAttribute(Qt::WA_TransparentForMouseEvents);
}

GlCanvas::~GlCanvas()
{
    // The base class destroys the context after this object.
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
        load_opengl([](const char* name) { return QOpenGLContext::currentContext()->getProcAddress(name); });
        start_drawing();
        overlay_on_card_ = std::make_unique<ScreenImage>();
    } catch (const std::exception& error) {
        report_failure(QString::fromUtf8(error.what()));
    }
    // Before the context is destroyed, for example when the window moves to a screen with another driver.
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
    if (!isValid()) report_failure(QStringLiteral("the window has no OpenGL context"));
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
        report_failure(QString::fromUtf8(error.what()));
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
    std::chrono::nanoseconds of_labels{};
    overlay_ = overlay_image(size(), ratio, state(), &of_labels);
    on_labels(of_labels);
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

}  // namespace

std::unique_ptr<Canvas> make_window_canvas(QWidget& parent) { return std::make_unique<GlCanvas>(&parent); }

}  // namespace ositrace::gui
