// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <QByteArray>
#include <QPaintDevice>
#include <QSize>

namespace ositrace::gui {

/// A device whose painting becomes an SVG drawing: lines, areas and text, as shapes and text. (QtSvg is no dependency:
/// plots paint few kinds of things.) Pictures are not drawn.
class SvgDevice : public QPaintDevice {
public:
    explicit SvgDevice(const QSize& size);
    ~SvgDevice() override;
    /// The drawing, after the painter has ended.
    [[nodiscard]] QByteArray svg() const;

    [[nodiscard]] QPaintEngine* paintEngine() const override;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override;

private:
    class Engine;
    QSize size_;
    std::unique_ptr<Engine> engine_;
};

}  // namespace ositrace::gui
