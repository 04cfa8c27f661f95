// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include <ositrace/trace.hpp>

#include "gui/session/message_times.hpp"

namespace ositrace::gui {

/// The known message times of a trace.
struct IndexedTimes {
    std::vector<std::shared_ptr<const MessageTimes>> channels;  ///< of all channels, never null
    std::optional<double> progress;                             ///< 0 to 1; empty: unknown
    QString problem;                                            ///< why the index ends before the file does
    QStringList notes;                                          ///< warnings of the library about the file
};

/// Identifies the content of a file without reading it.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t number = 0;  ///< of the inode
    std::uint64_t size = 0;
    Nanoseconds changed{};  ///< since 1970
    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

/// Brings a trace into the session, on a separate thread: a file, a live source, what a model returns. GUI thread.
class Loader : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// Starts the thread; connect the signals first.
    virtual void start() = 0;
    /// Requests the end: only ended() is emitted afterwards.
    virtual void stop() = 0;
    /// The session looks at this trace time; `sought`: it was jumped to.
    virtual void show_time(Nanoseconds time, bool sought) { static_cast<void>(time), static_cast<void>(sought); }
    /// The user looks back at earlier messages, not at the last one.
    virtual void set_looking_back(bool looks_back) { static_cast<void>(looks_back); }
    [[nodiscard]] virtual bool has_ended() const noexcept = 0;
    /// Of a file just before it was opened; known at the first signal.
    [[nodiscard]] virtual const std::optional<FileStamp>& stamp() const noexcept = 0;

signals:
    /// The first messages of a file that must be read completely before it can be opened.
    void begun(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    /// The trace is open; contains the first times of each channel. Of a live source also when its channels change, or
    /// when it begins again; while the user looks back, not before.
    void opened(const std::shared_ptr<const ositrace::Trace>& trace, const ositrace::gui::IndexedTimes& times);
    /// Before grown() with messages of a further sender, which continue those of the one before; while the user looks
    /// back, not before.
    void resumed();
    void grown(const ositrace::gui::IndexedTimes& times);
    void failed(const QString& why);
    /// What a source that grows does now; `well`: frames may arrive.
    void state_changed(const QString& text, bool well);
    /// The thread has ended.
    void ended();
};

}  // namespace ositrace::gui
