// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "gui/session/open_channel.hpp"

namespace ositrace::gui {

class TraceLoader;
struct IndexedTimes;

/// A file of the session.
struct OpenTrace {
    std::filesystem::path file;
    std::shared_ptr<const Trace> trace;  ///< null until its first messages are read, and where none can be
    bool whole = false;                  ///< trace is all of the file; else its first messages, while the file is read
    QString problem;                     ///< why it cannot be shown, or not to its end; one line
    std::optional<double> progress;      ///< of its index, 0 to 1; empty where nobody knows
    bool complete = false;               ///< its index is
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

    [[nodiscard]] const std::vector<OpenTrace>& traces() const noexcept { return traces_; }
    /// Never null; immutable: another list after every change.
    [[nodiscard]] const std::shared_ptr<const OpenChannels>& channels() const noexcept { return channels_; }
    [[nodiscard]] std::optional<TimeSection> extent() const noexcept { return extent_of(*channels_); }
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
    void add_channels(std::size_t number, const std::shared_ptr<const Trace>& trace, const IndexedTimes& times);
    void take_times(std::size_t number, const IndexedTimes& times);
    void change(OpenChannels channels);
    void name_channels(OpenChannels& channels) const;
    void align(OpenChannels& channels) const;

    std::vector<OpenTrace> traces_;
    std::vector<TraceLoader*> loaders_;  ///< children, by trace
    std::shared_ptr<const OpenChannels> channels_ = std::make_shared<const OpenChannels>();
    std::uint64_t closings_ = 0;
    std::uint32_t active_ = 0;
    bool active_is_chosen_ = false;      ///< by a person
    bool aligned_ = false;
};

}  // namespace ositrace::gui
