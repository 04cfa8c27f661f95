// SPDX-License-Identifier: MPL-2.0
#include "tests/gui/golden/golden_picture.hpp"

#include <memory>

#include <ositrace/error.hpp>

#include "gui/render/load_opengl.hpp"
#include "gui/render/offscreen_context.hpp"
#include "gui/render/renderer.hpp"

namespace ositrace::test {

namespace {

constexpr gui::PixelSize size{320, 240};

/// One context for all tests; null where EGL does not draw.
gui::OffscreenContext* context()
{
    static const auto made = [] {
        try {
            return std::make_unique<gui::OffscreenContext>();
        } catch (const Error&) {
            return std::unique_ptr<gui::OffscreenContext>();
        }
    }();
    return made.get();
}

}  // namespace

const std::string& why_no_egl()
{
    static const auto why = [] {
        try {
            if (!context()) gui::OffscreenContext();
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
    return compare_with_golden(image, name, gui::describe_opengl());
}

}  // namespace ositrace::test
