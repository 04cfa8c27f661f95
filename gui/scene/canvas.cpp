// SPDX-License-Identifier: MPL-2.0
#include "gui/scene/canvas.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include <QImage>
#include <QMetaObject>
#include <QPainter>
#include <QWidget>

#include <ositrace/error.hpp>

#include "gui/render/offscreen_context.hpp"
#include "gui/scene/opengl_canvas.hpp"
#include "gui/scene/overlay.hpp"
#include "gui/scene/overlay_style.hpp"
#include "gui/scene/paint_picture.hpp"

namespace ositrace::gui {

namespace {

/// With OpenGL of EGL: for platforms without OpenGL (offscreen, remote displays).
class EglCanvas final : public QWidget, public OpenGlCanvas {
public:
    /// Throws Error (unsupported) if EGL cannot draw.
    explicit EglCanvas(QWidget* parent);
    ~EglCanvas() override;

    CanvasKind kind() const override { return CanvasKind::egl; }
    QWidget& widget() override { return *this; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void make_current() override { context_.make_current(); }

private:
    void prepare_drawing(const std::stop_token& stop);
    void finish_preparing();

    OffscreenContext context_;
    std::unique_ptr<SlicedDrawing> prepared_;  ///< owned by the thread, together with the context, until it ends
    QString failure_;                          ///< why the preparation failed
    std::jthread preparing_;  ///< compiles the shaders, tens of milliseconds each, outside of the GUI thread
};

EglCanvas::EglCanvas(QWidget* parent) : QWidget(parent)
{
    start_drawing();
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
    prepared_ = lend_drawing();
    context_.release();
    preparing_ = std::jthread([this](const std::stop_token& stop) { prepare_drawing(stop); });
}

EglCanvas::~EglCanvas()
{
    preparing_.request_stop();
    if (preparing_.joinable()) preparing_.join();
    try {
        context_.make_current();
        prepared_.reset();
        drop_drawing();
    } catch (const std::exception&) {
        static_cast<void>(prepared_.release());
        forget_drawing();
    }
}

void EglCanvas::prepare_drawing(const std::stop_token& stop)
{
    try {
        context_.make_current();
        while (!stop.stop_requested() && prepared_->prepare_more()) {
        }
    } catch (const std::exception& error) {
        failure_ = QString::fromUtf8(error.what());
    }
    context_.release();
    QMetaObject::invokeMethod(this, &EglCanvas::finish_preparing, Qt::QueuedConnection);
}

void EglCanvas::finish_preparing()
{
    preparing_.join();
    return_drawing(std::move(prepared_));
    if (failure_.isEmpty()) return;
    try {
        context_.make_current();
    } catch (const std::exception&) {
        forget_drawing();
    }
    report_failure(failure_);
}

void EglCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    try {
        if (!is_lent()) context_.make_current();
        if (const auto* const target = drawn_state()) {
            const auto pixels = target->read();
            QImage image(pixels.data(), target->size().width, target->size().height, QImage::Format_RGBX8888);
            image.setDevicePixelRatio(devicePixelRatioF());
            painter.drawImage(QPoint(), image);
        } else {
            painter.fillRect(rect(), to_qcolor(background_of(state().options.theme)));
        }
    } catch (const std::exception& error) {
        report_failure(QString::fromUtf8(error.what()));
    }
    on_labels(paint_overlay(painter, size(), state()));
    if (is_complete()) on_complete();
}

/// Without OpenGL: the bird's eye view by Qt's painter.
class PainterCanvas final : public QWidget, public Canvas {
public:
    explicit PainterCanvas(QWidget* parent);

    CanvasKind kind() const override { return CanvasKind::painter; }
    QWidget& widget() override { return *this; }
    void show_state(const SceneState& state) override;
    std::optional<Pick> pick(double x, double y, PickOrder order) override;
    QString description() const override { return QStringLiteral("Qt's painter"); }
    bool is_seen() const override { return is_complete(); }
    bool is_complete() const override { return !scene_is_old_; }
    std::chrono::nanoseconds drawn_in() const override { return drawn_in_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    SceneState state_;
    QImage scene_;
    bool scene_is_old_ = true;
    std::chrono::nanoseconds drawn_in_{};
};

PainterCanvas::PainterCanvas(QWidget* parent) : QWidget(parent)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_OpaquePaintEvent);
}

void PainterCanvas::show_state(const SceneState& state)
{
    if (state.picture != state_.picture || state.camera != state_.camera || state.options != state_.options)
        scene_is_old_ = true;
    state_ = state;
    update();
}

void PainterCanvas::paintEvent(QPaintEvent*)
{
    const auto pixels = size() * devicePixelRatioF();
    if (scene_is_old_ || scene_.size() != pixels) {
        const auto start = std::chrono::steady_clock::now();
        auto options = state_.options;
        options.pixel_ratio = static_cast<float>(devicePixelRatioF());
        scene_ = paint_picture(state_.picture ? *state_.picture : Picture{}, state_.camera, options, pixels);
        scene_is_old_ = false;
        drawn_in_ = std::chrono::steady_clock::now() - start;
        on_complete();
    }
    QPainter painter(this);
    scene_.setDevicePixelRatio(devicePixelRatioF());
    painter.drawImage(QPoint(), scene_);
    on_labels(paint_overlay(painter, size(), state_));
}

std::optional<Pick> PainterCanvas::pick(double x, double y, PickOrder order)
{
    if (!state_.picture) return std::nullopt;
    const ViewTransform view(state_.camera, state_.picture->origin, {width(), height()});
    return pick_painted(*state_.picture, view, x, y, state_.options, order);
}

void add_reason(QString& reasons, const QString& reason)
{
    if (reasons.contains(reason)) return;
    if (!reasons.isEmpty()) reasons += QStringLiteral("; ");
    reasons += reason;
}

/// For tests, and for systems with broken drivers.
std::optional<CanvasKind> requested_kind(QString& reason)
{
    const auto wanted = qEnvironmentVariable("OSIVIEW_CANVAS");
    if (wanted == QStringLiteral("window")) return CanvasKind::window;
    if (wanted == QStringLiteral("egl")) return CanvasKind::egl;
    if (wanted != QStringLiteral("painter")) return std::nullopt;
    add_reason(reason, QStringLiteral("OSIVIEW_CANVAS selects the painter"));
    return CanvasKind::painter;
}

}  // namespace

std::unique_ptr<Canvas> make_canvas(QWidget& parent, CanvasKinds failed, QString& reason)
{
    const auto requested = requested_kind(reason);
    const auto may_be = [&](CanvasKind kind) {
        return !failed.test(static_cast<std::size_t>(kind)) && kind >= requested.value_or(kind);
    };
    auto window = WindowOpenGl::none;
    if (may_be(CanvasKind::window)) {
        QString why_not;
        window = window_opengl(why_not);
        if (window == WindowOpenGl::none) add_reason(reason, why_not);
    }
    if (window == WindowOpenGl::by_card || (window != WindowOpenGl::none && requested == CanvasKind::window))
        return make_window_canvas(parent);
    try {
        if (may_be(CanvasKind::egl)) return std::make_unique<EglCanvas>(&parent);
    } catch (const Error& error) {
        add_reason(reason, QString::fromUtf8(error.what()));
    }
    if (window == WindowOpenGl::by_processor) return make_window_canvas(parent);
    return std::make_unique<PainterCanvas>(&parent);
}

}  // namespace ositrace::gui
