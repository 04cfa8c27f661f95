// SPDX-License-Identifier: MPL-2.0
#include "gui/plot/svg_device.hpp"

#include <algorithm>

#include <QFont>
#include <QFontInfo>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPen>

namespace ositrace::gui {

namespace {

constexpr int dots_per_inch = 96;  // of SVG
constexpr double mm_per_inch = 25.4;

QByteArray number_of(double value)
{
    auto text = QByteArray::number(value, 'f', 2);
    while (text.endsWith('0')) text.chop(1);
    if (text.endsWith('.')) text.chop(1);
    return text == "-0" ? QByteArray("0") : text;
}

QByteArray place_text(const QPointF& place) { return number_of(place.x()) + ' ' + number_of(place.y()); }

QByteArray path_text(const QPainterPath& path)
{
    QByteArray text;
    for (int i = 0; i != path.elementCount(); ++i) {
        const auto element = path.elementAt(i);
        switch (element.type) {
        case QPainterPath::MoveToElement: text += 'M'; break;
        case QPainterPath::LineToElement: text += 'L'; break;
        case QPainterPath::CurveToElement: text += 'C'; break;
        case QPainterPath::CurveToDataElement: text += ' '; break;
        }
        text += place_text(element);
    }
    return text;
}

QByteArray colour_attributes(const char* name, const QColor& colour)
{
    auto text = QByteArray(" ") + name + "=\"" + colour.name().toLatin1() + '"';
    if (colour.alpha() != 255)
        text += QByteArray(" ") + name + "-opacity=\"" + number_of(static_cast<double>(colour.alphaF())) + '"';
    return text;
}

}  // namespace

class SvgDevice::Engine : public QPaintEngine {
public:
    Engine() : QPaintEngine(PaintEngineFeatures(AllFeatures)) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    [[nodiscard]] Type type() const override { return QPaintEngine::User; }

    void updateState(const QPaintEngineState& state) override
    {
        const auto changed = state.state();
        if (changed.testFlag(DirtyPen)) pen_ = state.pen();
        if (changed.testFlag(DirtyBrush)) brush_ = state.brush();
        if (changed.testFlag(DirtyTransform)) transform_ = state.transform();
        if (changed.testFlag(DirtyClipEnabled) && !state.isClipEnabled()) clip_.clear();
        if (changed.testFlag(DirtyClipPath)) clip_to(state.clipPath(), state.clipOperation());
        if (changed.testFlag(DirtyClipRegion)) {
            QPainterPath path;
            path.addRegion(state.clipRegion());
            clip_to(path, state.clipOperation());
        }
    }

    void drawPath(const QPainterPath& path) override { draw(path, true); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override
    {
        QPainterPath path(points[0]);
        for (int i = 1; i < count; ++i) path.lineTo(points[i]);
        if (mode != PolylineMode) path.closeSubpath();
        draw(path, mode != PolylineMode);
    }
    void drawLines(const QLineF* lines, int count) override
    {
        QPainterPath path;
        for (int i = 0; i != count; ++i) {
            path.moveTo(lines[i].p1());
            path.lineTo(lines[i].p2());
        }
        draw(path, false);
    }
    void drawEllipse(const QRectF& rectangle) override
    {
        QPainterPath path;
        path.addEllipse(rectangle);
        draw(path, true);
    }
    void drawTextItem(const QPointF& place, const QTextItem& item) override
    {
        const auto at = transform_.map(place);
        const auto font = item.font();
        body_ += "<text x=\"" + number_of(at.x()) + "\" y=\"" + number_of(at.y()) + "\" font-family=\"" +
                 QFontInfo(font).family().toHtmlEscaped().toUtf8() + "\" font-size=\"" +
                 number_of(QFontInfo(font).pixelSize()) + '"' + colour_attributes("fill", pen_.color()) +
                 clip_attribute() + '>' + item.text().toHtmlEscaped().toUtf8() + "</text>\n";
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}

    [[nodiscard]] const QByteArray& definitions() const noexcept { return definitions_; }
    [[nodiscard]] const QByteArray& body() const noexcept { return body_; }

private:
    void draw(const QPainterPath& path, bool is_filled)
    {
        const bool has_fill = is_filled && brush_.style() != Qt::NoBrush;
        const bool has_pen = pen_.style() != Qt::NoPen;
        if (!has_fill && !has_pen) return;
        body_ += "<path d=\"" + path_text(transform_.map(path)) + '"';
        body_ += has_fill ? colour_attributes("fill", brush_.color()) : QByteArray(" fill=\"none\"");
        if (has_pen) {
            body_ += colour_attributes("stroke", pen_.color()) + " stroke-width=\"" +
                     number_of(std::max(pen_.widthF(), 1.0)) + '"';
            if (pen_.style() == Qt::DotLine) body_ += " stroke-dasharray=\"1 2\"";
        }
        body_ += clip_attribute() + "/>\n";
    }

    void clip_to(const QPainterPath& path, Qt::ClipOperation operation)
    {
        if (operation == Qt::NoClip) return clip_.clear();
        clip_ = "c" + QByteArray::number(++clips_);
        definitions_ +=
            "<clipPath id=\"" + clip_ + "\"><path d=\"" + path_text(transform_.map(path)) + "\"/></clipPath>\n";
    }
    [[nodiscard]] QByteArray clip_attribute() const
    {
        return clip_.isEmpty() ? QByteArray() : " clip-path=\"url(#" + clip_ + ")\"";
    }

    QPen pen_;
    QBrush brush_;
    QTransform transform_;
    QByteArray clip_;
    int clips_ = 0;
    QByteArray definitions_;
    QByteArray body_;
};

SvgDevice::SvgDevice(const QSize& size) : size_(size), engine_(std::make_unique<Engine>()) {}
SvgDevice::~SvgDevice() = default;

QPaintEngine* SvgDevice::paintEngine() const { return engine_.get(); }

int SvgDevice::metric(PaintDeviceMetric metric) const
{
    switch (metric) {
    case PdmWidth: return size_.width();
    case PdmHeight: return size_.height();
    case PdmWidthMM: return static_cast<int>(size_.width() * mm_per_inch / dots_per_inch);
    case PdmHeightMM: return static_cast<int>(size_.height() * mm_per_inch / dots_per_inch);
    case PdmNumColors: return 1 << 24;
    case PdmDepth: return 24;
    case PdmDevicePixelRatio: return 1;
    case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
    default: return dots_per_inch;
    }
}

QByteArray SvgDevice::svg() const
{
    const auto width = QByteArray::number(size_.width()), height = QByteArray::number(size_.height());
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width +
           "\" height=\"" + height + "\" viewBox=\"0 0 " + width + ' ' + height + "\">\n<defs>\n" +
           engine_->definitions() + "</defs>\n" + engine_->body() + "</svg>\n";
}

}  // namespace ositrace::gui
