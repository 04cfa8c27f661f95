// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "gui/session/open_channel.hpp"
#include "gui/session/trace_loader.hpp"

class QFileSystemWatcher;

namespace ositrace::gui {

/// A file of the session.
struct OpenTrace {
    std::filesystem::path file;
    std::optional<MessageType> type;     ///< as it was opened with
    std::optional<FileStamp> stamp;      ///< of the content that is shown; empty of a pipe
    std::optional<FileStamp> now;        ///< of the content that its name has now; empty: there is none
    std::shared_ptr<const Trace> trace;  ///< null until its first messages are read, and where none can be
    bool whole = false;                  ///< trace is all of the file; else its first messages, while the file is read
    QString problem;                     ///< why it cannot be shown, or not to its end; one line
    std::optional<double> progress;      ///< of its index, 0 to 1; empty where nobody knows
    bool complete = false;               ///< its index is

    /// Has the file changed since it was opened?
    [[nodiscard]] bool is_outdated() const noexcept { return stamp && now != stamp; }
};

/// What is open: traces, and their channels on one time axis. All work is done by other threads. GUI thread.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Beside what is open already. What cannot be opened stays on the list and says why. `type`: see OpenOptions.
    void open(const std::filesystem::path& file, std::optional<MessageType> type = {});
    void close_all();
    /// Opens every file anew. What is shown stays until all of the new content is known; channels that are still there
    /// stay what they are.
    void reload();
    /// Files that change are reloaded by themselves: what another program writes is shown.
    void set_follows(bool follows);
    [[nodiscard]] bool follows() const noexcept { return follows_; }

    [[nodiscard]] const std::vector<OpenTrace>& traces() const noexcept { return traces_; }
    /// In the order of the files, whichever is opened first. Never null; immutable: another list after every change.
    [[nodiscard]] const std::shared_ptr<const OpenChannels>& channels() const noexcept { return channels_; }
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept { return extent_of(*channels_); }
    /// Has every file been opened, or failed? Before, channels of another one may come between those that are there.
    [[nodiscard]] bool all_opened() const noexcept;
    /// Are all files indexed to their ends?
    [[nodiscard]] bool is_complete() const noexcept;
    /// Of all indexes together; empty where nobody knows.
    [[nodiscard]] std::optional<double> progress() const noexcept;

    /// The channel that is stepped through and whose message stands in the tree; 0 while nothing is open.
    [[nodiscard]] std::uint32_t active() const noexcept { return active_; }
    void set_active(std::uint32_t source);
    void set_shown(std::uint32_t source, bool shown);
    /// Traces that were recorded at different times begin together.
    void set_starts_aligned(bool aligned);
    [[nodiscard]] bool starts_aligned() const noexcept { return aligned_; }

signals:
    void traces_changed();    ///< opened, failed, closed, their progress
    void channels_changed();  ///< another number of channels
    void times_changed();     ///< more is known of the index, or the axis was shifted
    void shown_changed();
    void active_changed();

private:
    /// `in_whole`: what is shown stays until all is known.
    void load(std::size_t number, bool in_whole);
    bool watch(const std::filesystem::path& file);
    void look_at_files();
    void add_channels(std::size_t number, const std::shared_ptr<const Trace>& trace, const IndexedTimes& times);
    void take_times(std::size_t number, const IndexedTimes& times);
    void change(OpenChannels channels);
    void name_channels(OpenChannels& channels) const;
    void align(OpenChannels& channels) const;

    std::vector<OpenTrace> traces_;
    std::vector<TraceLoader*> loaders_;  ///< children, by trace
    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    /// A child, since the first file was opened: a session may begin before the application.
    QFileSystemWatcher* watcher_ = nullptr;
    QTimer look_;  ///< a while after a change: those that follow at once are seen with it
    bool follows_ = false;
    std::uint32_t active_ = 0;
    bool active_is_chosen_ = false;  ///< by a person
    bool aligned_ = false;
    bool aligned_is_chosen_ = false;  ///< by a person; else it depends on the files
};

}  // namespace ositrace::gui
