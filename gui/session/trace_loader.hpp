// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"

namespace ositrace::gui {

/// The known message times of a trace.
struct IndexedTimes {
    std::vector<std::shared_ptr<const MessageTimes>> channels;  ///< of all channels, never null
    std::optional<double> progress;                             ///< 0 to 1; empty: unknown
    QString problem;                                            ///< why the index ends before the file does
};

/// Identifies the content of a file without reading it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;  ///< of the inode
    std::uint64_t size = 0;
    Nanoseconds changed{};  ///< since 1970
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Empty if it is not a regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::filesystem::path& file) noexcept;

/// Opens a file and collects the times of its messages, on a separate thread. GUI thread.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    /// `in_whole`: no signal before the file is indexed completely.
    TraceLoader(std::filesystem::path file, OpenOptions options, bool in_whole, QObject* parent = nullptr);
    /// Waits for the thread; see stop().
    ~TraceLoader() override;
    /// Starts the thread; connect the signals first.
    void start();
    /// Requests the end: only ended() is emitted afterwards.
    void stop();
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }
    /// Of the file just before it was opened; known at the first signal.
    [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept { return stamp_; }

signals:
    /// The first messages of a file that must be read completely before it can be opened.
    void begun(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    /// The file is open; contains the first times of each channel.
    void opened(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    void grown(const ositrace::gui::IndexedTimes& times);
    void failed(const QString& why);
    /// The thread has ended.
    void ended();

private:
    void run(const std::stop_token& stop);
    void begin();
    void walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop);

    std::filesystem::path file_;
    OpenOptions options_;
    bool in_whole_;
    std::optional<FileStamp> stamp_;
    std::shared_ptr<const Trace> first_;  ///< first messages, until the file is open
    std::atomic<bool> ended_{false};
    std::jthread thread_;
};

}  // namespace ositrace::gui
