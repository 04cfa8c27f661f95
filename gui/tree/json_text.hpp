// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <QString>

#include <ositrace/message_view.hpp>

namespace ositrace::gui {

/// JSON of a message or a list, for the clipboard; of one with more than 20 000 values or 1 MiB of strings a line that
/// says so: the GUI thread writes it. Throws what MessageView throws.
[[nodiscard]] QString json_text(const MessageView& message);
[[nodiscard]] QString json_text(const RepeatedView& elements);

}  // namespace ositrace::gui
