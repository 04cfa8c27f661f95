// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <QSize>
#include <QStringList>

#include <ositrace/message_type.hpp>
#include <ositrace/transcoder.hpp>

#include <ositrace/palette.hpp>
#include "app/terminal/command.hpp"
#include "gui/render/camera.hpp"

namespace ositrace::gui {

/// The options of the command line.
struct ViewOptions {
    QStringList files;
    QStringList reports;              ///< of checkers, among the words                ///< or addresses of live sources
    std::optional<MessageType> type;  ///< of files whose content does not determine it
    std::size_t max_message_bytes = default_max_message_bytes;
    bool follow = false;                    ///< files that grow
    std::optional<std::size_t> keep_bytes;  ///< of the messages of each live source
    QString map;                            ///< OpenDRIVE file; empty: that of each trace
    QString layout;                         ///< file; empty: as in the last session
    std::string time;                       ///< as typed; empty: the first message; of a video a section
    std::optional<View> view;
    std::optional<Theme> theme;
    QSize size{1280, 800};
    bool sized = false;            ///< the size was specified; else a window has that of the last session
    QString screenshot;            ///< picture file; empty: a window is opened
    QString video;                 ///< folder, pattern or file of a video, `-`: standard output; empty: none
    QString web;                   ///< HTML file of a web page; empty: none
    std::size_t points = 0;        ///< of each cloud on the page, at most; 0: none
    std::string fps = "30";        ///< frames per second of the video, as typed
    double rate = 1;               ///< trace seconds per second of the video
    std::string_view needs_video;  ///< an option that was given; empty: none
    bool whole_window = false;     ///< draw the whole window
    bool overwrite = false;        ///< replace an existing picture or video
    std::string colour_by;         ///< field of clouds; empty: the first that varies
    bool benchmark = false;
    std::chrono::seconds played_for{5};  ///< duration of the benchmark's playback
    /// A picture, a video or a web page is written; no window is opened.
    [[nodiscard]] bool writes() const { return !screenshot.isEmpty() || !video.isEmpty() || !web.isEmpty(); }
    /// `--time` is a section.
    [[nodiscard]] bool writes_section() const { return !video.isEmpty() || !web.isEmpty(); }
};

/// The options, which are read into `options`, as rows of the help, the man page and the completions.
void declare(app::Options& to, ViewOptions& options);

/// Throws Error (usage) for options that do not fit together.
void check(const ViewOptions& options);

}  // namespace ositrace::gui
