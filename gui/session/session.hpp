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

#include "gui/session/loader.hpp"
#include "gui/session/model_choice.hpp"
#include "gui/session/open_channel.hpp"

class QFileSystemWatcher;

namespace ositrace::gui {

/// A file of the session, or a live source.
struct OpenTrace {
    std::filesystem::path file;          ///< or the address of a source: `foxglove://127.0.0.1:8765`
    std::optional<MessageType> type;     ///< type passed to open()
    std::optional<FileStamp> stamp;      ///< of the content that is shown; empty for a pipe
    std::optional<FileStamp> now;        ///< of the current content of the file; empty: the file does not exist
    std::shared_ptr<const Trace> trace;  ///< null until its first messages are read, or if none can be read
    bool whole = false;              ///< trace is the whole file; else its first messages, while the file is being read
    QString problem;                 ///< why it cannot be shown, or not completely; one line
    QStringList notes;               ///< what is unusual about it; a line each
    std::optional<double> progress;  ///< of its index, 0 to 1; empty: unknown
    bool complete = false;           ///< its index is complete
    bool is_live = false;            ///< its messages arrive while it is shown
    QString state;                   ///< of a live source: what it does now
    bool is_well = true;             ///< its messages arrive
    bool goes_on = false;            ///< it was opened again because its file had grown
    std::optional<std::size_t> model_of;  ///< what a model returns: the index of the trace with its inputs

    /// Is it in memory alone?
    [[nodiscard]] bool is_file() const noexcept { return !is_live && !model_of; }

    /// Has the file changed since it was opened?
    [[nodiscard]] bool is_outdated() const noexcept { return stamp && now != stamp; }
    /// Is it the same file, but larger?
    [[nodiscard]] bool has_grown() const noexcept
    {
        return stamp && now && now->device == stamp->device && now->number == stamp->number && now->size > stamp->size;
    }
};

/// The open traces, and their channels on one time axis. Other threads do all the work. GUI thread.
class Session : public QObject {
    Q_OBJECT
public:
    explicit Session(QObject* parent = nullptr);
    ~Session() override;

    /// Adds a file, or a live source: a network address as `osiplay` takes it. What cannot be opened stays on the list
    /// with its problem. `type`: see OpenOptions.
    void open(const std::filesystem::path& file, std::optional<MessageType> type = {});
    void close_all();
    /// Runs a model beside a trace; what it returns is a trace of the session. There is one model at a time: another
    /// one is replaced. The trace must be a file that is open. `from`: the time of the first step; empty: the first
    /// frame.
    void run_model(const ModelChoice& choice, std::size_t input, std::optional<Nanoseconds> from);
    void remove_model();
    [[nodiscard]] bool has_model() const noexcept;
    /// This time is looked at: a model may have to begin anew. `sought`: it was jumped to, not played towards.
    void show_time(Nanoseconds time, bool sought);
    /// The user looks back at earlier messages: they stay when a live source begins again.
    void set_looking_back(bool looks_back);
    /// Opens every file again. The old content is shown until the new content is indexed completely; channels that
    /// still exist keep their settings.
    void reload();
    /// Reloads files automatically when they change, so that files being written can be watched.
    void set_follows(bool follows);
    [[nodiscard]] bool follows() const noexcept { return follows_; }
    [[nodiscard]] bool is_live() const noexcept;
    /// May messages be added for ever? There is a live source, or files are followed.
    [[nodiscard]] bool grows() const noexcept { return follows_ || is_live(); }

    [[nodiscard]] const std::vector<OpenTrace>& traces() const noexcept { return traces_; }
    /// In the order of the files, not of opening. Never null; immutable: every change creates another list.
    [[nodiscard]] const std::shared_ptr<const OpenChannels>& channels() const noexcept { return channels_; }
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept { return extent_of(*channels_); }
    /// Has every file been opened, or failed? Live sources may come later. Until then, channels may be inserted between
    /// the existing ones.
    [[nodiscard]] bool all_opened() const noexcept;
    /// Are all files indexed completely?
    [[nodiscard]] bool is_complete() const noexcept;
    /// Of all indexes together; empty: unknown.
    [[nodiscard]] std::optional<double> progress() const noexcept;

    /// The channel that the arrow keys step through; 0 while nothing is open.
    [[nodiscard]] std::uint32_t active() const noexcept { return active_; }
    void set_active(std::uint32_t source);
    void set_shown(std::uint32_t source, bool shown);
    /// Its colour and opacity in the scene.
    void set_style(std::uint32_t source, const ChannelStyle& style);
    /// Adds a time to those of a channel, besides the alignment of its trace.
    void set_offset(std::uint32_t source, Nanoseconds offset);
    /// Shifts traces that were recorded at different times so that they start together.
    void set_starts_aligned(bool aligned);
    [[nodiscard]] bool starts_aligned() const noexcept { return aligned_; }

signals:
    void traces_changed();    ///< opened, failed, closed, progress, outdated
    void channels_changed();  ///< the list of channels changed
    void times_changed();     ///< the index grew, or the time axis was shifted
    void resumed();           ///< a live source has another sender, whose messages continue the trace
    void shown_changed();
    void active_changed();

private:
    /// `in_whole`: the old content is shown until the file is indexed completely.
    void load(std::size_t number, bool in_whole);
    void start(std::size_t number, Loader* loader);
    [[nodiscard]] Loader* loader_of(const OpenTrace& trace, bool in_whole);
    bool watch(const std::filesystem::path& file);
    void check_files();
    void add_channels(std::size_t number, const std::shared_ptr<const Trace>& trace, const IndexedTimes& times);
    void update_times(std::size_t number, const IndexedTimes& times);
    void change(OpenChannels channels);
    void name_channels(OpenChannels& channels) const;
    void align(OpenChannels& channels) const;

    std::vector<OpenTrace> traces_;
    std::vector<Loader*> loaders_;  ///< children, by index of the trace
    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    /// A child, created with the first file: a session may be created before the application.
    QFileSystemWatcher* watcher_ = nullptr;
    QTimer check_timer_;  ///< a short time after a change, so that changes in a row are handled together
    bool follows_ = false;
    bool looks_back_ = false;
    std::uint32_t active_ = 0;
    bool active_is_chosen_ = false;  ///< by the user
    bool aligned_ = false;
    bool aligned_is_chosen_ = false;  ///< by the user; else it depends on the files
};

/// Throws Error (io) if a file could not be opened, even if its first messages are known; a file that is damaged later
/// is shown up to the damage.
void refuse_unopened(const Session& session);

}  // namespace ositrace::gui
