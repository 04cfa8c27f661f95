// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include <QString>
#include <QStringList>

#include <ositrace/trace.hpp>

#include "gui/session/loader.hpp"

namespace ositrace::gui {

/// How the viewer opens files: every format of the library; `.txth` and JSON lines if the program was built with
/// libprotobuf. `type`: see OpenOptions.
[[nodiscard]] OpenOptions viewer_open_options(std::optional<MessageType> type);

/// Sets the limit for all files opened from now on, instead of the library's default. Call it before any thread opens a
/// file.
void set_max_message_bytes(std::size_t bytes) noexcept;

/// The map of all files opened from now on; empty: each file's own is searched for (see trace_map.hpp). Call it before
/// any thread opens a file, or before a reload.
void set_map_file(const std::filesystem::path& file);

/// The extensions of what it opens: `.osi`, `.mcap`; those of texts if the program was built with libprotobuf.
[[nodiscard]] QStringList opened_extensions();
/// Of what an export or a recording writes; `texts`: those of texts, too.
[[nodiscard]] QStringList written_extensions(bool texts);
/// For the filter of a dialog, compressed files as well: `*.osi *.osi.* *.mcap *.mcap.*`
[[nodiscard]] QString name_patterns(const QStringList& extensions);

/// Empty if it is not a regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::filesystem::path& file) noexcept;

/// Empty if a file begins as a trace does. Reads its first frames.
[[nodiscard]] QString why_not_opened(const std::filesystem::path& file, std::optional<MessageType> type,
                                     const std::stop_token& stop);

/// Opens a file and collects the times of its messages, on a separate thread. GUI thread.
class TraceLoader : public Loader {
    Q_OBJECT
public:
    /// `in_whole`: no signal before the file is indexed completely.
    TraceLoader(std::filesystem::path file, OpenOptions options, bool in_whole, QObject* parent = nullptr);
    /// Waits for the thread; see stop().
    ~TraceLoader() override;
    void start() override;
    void stop() override;
    [[nodiscard]] bool has_ended() const noexcept override { return ended_; }
    [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept override { return stamp_; }

private:
    void run(const std::stop_token& stop);
    [[nodiscard]] std::shared_ptr<const Trace> with_its_map(std::shared_ptr<const Trace> trace);
    void begin();
    void walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop);

    class Notes;

    std::filesystem::path file_;
    std::shared_ptr<Notes> notes_;  ///< shared with what was opened
    OpenOptions options_;
    bool in_whole_;
    std::optional<FileStamp> stamp_;
    std::shared_ptr<const Trace> first_;  ///< first messages, until the file is open
    std::atomic<bool> ended_{false};
    std::jthread thread_;
};

}  // namespace ositrace::gui
