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
#include "gui/session/times_walk.hpp"

namespace ositrace::gui {

/// What is known of the messages of a trace.
struct IndexedTimes {
    std::vector<std::shared_ptr<const MessageTimes>> channels;  ///< of all, never null
    std::optional<double> progress;                             ///< 0 to 1; empty where nobody knows how much is left
    QString problem;                                            ///< why the index ends before the file does
};

/// Which content a name in the file system has, as far as that can be seen without reading it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;  ///< of the inode
    std::uint64_t size = 0;
    Nanoseconds changed{};  ///< since 1970
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Empty where there is no regular file.
[[nodiscard]] std::optional<FileStamp> stamp_of(const std::filesystem::path& file) noexcept;

/// Opens a file and learns the times of its messages, on a thread of its own. GUI thread.
class TraceLoader : public QObject {
    Q_OBJECT
public:
    /// `in_whole`: nothing is shown until all is known.
    TraceLoader(std::filesystem::path file, OpenOptions options, bool in_whole, QObject* parent = nullptr);
    /// Waits for the thread; see stop().
    ~TraceLoader() override;
    /// Whoever wants to hear of it is connected.
    void start();
    /// No signal comes any more but ended().
    void stop();
    [[nodiscard]] bool has_ended() const noexcept { return ended_; }
    /// Of the file just before it was opened; known when the first signal comes.
    [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept { return stamp_; }

signals:
    /// The file must be read to its end before it can be opened: these are its first messages, until it is.
    void begun(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    /// With the first times of each channel: something can be shown.
    void opened(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    void grown(const ositrace::gui::IndexedTimes& times);
    void failed(const QString& why);
    /// The thread has nothing more to do.
    void ended();

private:
    void run(const std::stop_token& stop);
    void begin();
    void walk(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop);

    std::filesystem::path file_;
    OpenOptions options_;
    bool in_whole_;
    std::optional<FileStamp> stamp_;
    std::shared_ptr<const Trace> first_;  ///< messages, until the file is open
    std::atomic<bool> ended_{false};
    std::jthread thread_;
};

}  // namespace ositrace::gui
