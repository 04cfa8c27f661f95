// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include <QSize>
#include <QStringList>

#include <ositrace/message_type.hpp>

#include "gui/render/camera.hpp"
#include "gui/render/colours.hpp"

namespace ositrace::gui {

/// What the command line asks for.
struct ViewOptions {
    QStringList files;
    std::optional<MessageType> type;  ///< of files that do not say it
    std::optional<std::size_t> max_message_bytes;
    QString layout;    ///< file; empty: as it was left
    std::string time;  ///< as people type it; empty: the first message
    std::optional<View> view;
    std::optional<Theme> theme;
    QSize size{1280, 800};
    bool sized = false;         ///< somebody says the size: else a window is as large as it was left
    QString screenshot;         ///< picture file; empty: a window is opened
    bool whole_window = false;  ///< in the picture
    bool overwrite = false;     ///< a picture that is there
    std::string colour_by;      ///< field of clouds; empty: the first that varies
    bool benchmark = false;
    std::chrono::seconds played_for{5};  ///< by the benchmark
    bool help = false;
    bool version = false;
};

/// Empty with `why` for what cannot be meant.
[[nodiscard]] std::optional<ViewOptions> parse_options(const QStringList& arguments, QString& why);

/// For --help; ends with examples.
[[nodiscard]] const char* help_text() noexcept;

}  // namespace ositrace::gui
