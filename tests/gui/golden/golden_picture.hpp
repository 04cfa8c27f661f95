// SPDX-License-Identifier: MPL-2.0
// Pictures as they should be: PNG files beside this one, drawn by EGL without text.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <QImage>

#include "gui/render/camera.hpp"
#include "gui/render/options.hpp"
#include "tests/gui/golden/golden_compare.hpp"

namespace ositrace::test {

using namespace gui;

/// Why this machine draws nothing without a window; empty where it does.
[[nodiscard]] const std::string& why_no_egl();

/// 320x240, without multisampling: the same bits from the same driver.
[[nodiscard]] QImage draw(const std::shared_ptr<const Picture>& picture, const gui::Camera& camera,
                          const gui::RenderOptions& options);

/// Compares a picture of this driver, see golden_compare.hpp.
[[nodiscard]] std::optional<Difference> compare_with_golden(const QImage& image, const std::string& name);

}  // namespace ositrace::test
