// SPDX-License-Identifier: MPL-2.0
#include "tests/gui/golden/golden_picture.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <ositrace/error.hpp>

#include "gui/render/egl_context.hpp"
#include "gui/render/renderer.hpp"
#include "tests/places.hpp"

namespace ositrace::test {

namespace {

constexpr gui::PixelSize size{320, 240};
const QString driver_key = QStringLiteral("driver");

/// One context for all tests; null where EGL does not draw.
gui::EglContext* context()
{
    static const auto made = [] {
        try {
            return std::make_unique<gui::EglContext>();
        } catch (const Error&) {
            return std::unique_ptr<gui::EglContext>();
        }
    }();
    return made.get();
}

QString file_of(const std::string& name)
{
    return QString::fromStdString((source_folder() / "tests" / "gui" / "golden" / (name + ".png")).string());
}

bool differ(QRgb a, QRgb b) noexcept
{
    const auto far = [](int x, int y) { return std::abs(x - y) > 8; };
    return far(qRed(a), qRed(b)) || far(qGreen(a), qGreen(b)) || far(qBlue(a), qBlue(b));
}

}  // namespace

const std::string& why_no_egl()
{
    static const auto why = [] {
        try {
            if (!context()) gui::EglContext();
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    }();
    return why;
}

QImage draw(const std::shared_ptr<const Picture>& picture, const gui::Camera& camera, const gui::RenderOptions& options)
{
    context()->make_current();
    const gui::RenderTarget target(size);
    gui::Renderer renderer;
    renderer.draw(picture, camera, options, target);
    const auto pixels = target.read();
    return QImage(pixels.data(), size.width, size.height, QImage::Format_RGBX8888)
        .convertToFormat(QImage::Format_RGB32);
}

std::optional<Difference> compare_with_golden(const QImage& image, const std::string& name)
{
    const auto driver = QString::fromStdString(gui::describe_opengl());
    if (std::getenv("OSITRACE_MAKE_GOLDEN")) {
        auto kept = image;
        kept.setText(driver_key, driver);
        kept.save(file_of(name), "PNG", 0);
    }
    QImage golden(file_of(name));
    if (golden.isNull() || golden.size() != image.size()) return std::nullopt;
    Difference difference{.same_driver = golden.text(driver_key) == driver};
    golden = golden.convertToFormat(QImage::Format_RGB32);
    int differing = 0;
    difference.same_bits = true;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const auto a = image.pixel(x, y), b = golden.pixel(x, y);
            if (a != b) difference.same_bits = false;
            if (differ(a, b)) ++differing;
        }
    }
    difference.share = static_cast<double>(differing) / (image.width() * image.height());
    return difference;
}

}  // namespace ositrace::test
