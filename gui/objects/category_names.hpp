// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

#include <ositrace/picture.hpp>

namespace ositrace::gui {

/// `moving object`
[[nodiscard]] QString name_of(Category category);

/// Who moves on the road: the host, moving objects, detected moving objects.
[[nodiscard]] bool is_road_user(Category category) noexcept;

}  // namespace ositrace::gui
