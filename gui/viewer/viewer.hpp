// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QTimer>

#include "gui/playback/playback_controller.hpp"
#include "gui/render/options.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/session.hpp"
#include "gui/snapshot/frame_service.hpp"

namespace ositrace::gui {

struct SceneMark;

/// The state of the window without its widgets: open traces, playback, the snapshot at its time, and the selection. GUI
/// thread.
class Viewer : public QObject {
    Q_OBJECT
public:
    /// `clock`: of the playback; null: the system's.
    explicit Viewer(std::function<Nanoseconds()> clock = {}, QObject* parent = nullptr);
    ~Viewer() override;

    [[nodiscard]] Session& session() noexcept { return session_; }
    [[nodiscard]] PlaybackController& playback() noexcept { return playback_; }
    [[nodiscard]] Selection& selection() noexcept { return selection_; }
    [[nodiscard]] const FrameService& frames() const noexcept { return frames_; }

    /// Replaces the open files, if at least one of these can be opened. With a live source among them (see
    /// Session::open()), the time follows the last message. `type`: see OpenOptions.
    void open(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type = {});
    void open_additional(const std::vector<std::filesystem::path>& files);
    /// To the last message, and those to come, instead of a time that is still awaited.
    void go_live();
    /// Runs a model beside a trace, from the time on; if it records, from the first frame on.
    void run_model(const ModelChoice& choice, std::size_t input);
    /// Seeks to a typed time as soon as the index reaches it. Returns false if it is not a time.
    bool go_to(const std::string& typed);
    /// Everything is read, and no trace has the requested calendar time.
    [[nodiscard]] bool is_out_of_reach() const noexcept { return !out_of_reach_.empty(); }
    [[nodiscard]] std::optional<Nanoseconds> zero_time() const;

    /// How long moving objects have trails; 0: none.
    void set_trail(Nanoseconds length);
    [[nodiscard]] Nanoseconds trail() const noexcept { return trail_; }

    /// While playing, the scene shows motion between messages: see shown_picture().
    void set_interpolates(bool on);
    [[nodiscard]] bool interpolates() const noexcept { return interpolates_; }
    /// The picture of the snapshot; while it plays with motion between messages, its road users at shown_time(). Null
    /// without a snapshot.
    [[nodiscard]] std::shared_ptr<const Picture> shown_picture() const;

    /// The snapshot on the screen; null: nothing yet.
    [[nodiscard]] const std::shared_ptr<const Snapshot>& snapshot() const noexcept { return snapshot_; }
    /// The time on the screen, which may be behind that of the playback while a snapshot is built. While nothing is
    /// shown, the time of the playback.
    [[nodiscard]] Nanoseconds shown_time() const noexcept { return snapshot_ ? shown_time_ : playback_.time(); }
    /// Number of the message of the active channel on the screen; empty before its first.
    [[nodiscard]] std::optional<std::uint64_t> shown_number() const;
    /// Does the screen show the time of the playback?
    [[nodiscard]] bool is_settled() const noexcept { return generation_ == shown_generation_; }
    /// Compares channels in every snapshot; null: nothing. The sources of `choice` are those of the current channels:
    /// when these change, nothing is compared until this is called again.
    void compare(std::shared_ptr<const CompareChoice> choice);
    /// May be null.
    [[nodiscard]] const std::shared_ptr<const CompareChoice>& compared() const noexcept { return compared_; }
    /// The problems shown on the screen, a line each: session_problems(), then those of the snapshot.
    [[nodiscard]] QStringList problems() const;
    /// Those that are the same at all times.
    [[nodiscard]] QStringList session_problems() const;
    /// Of each channel: has its file changed since it was opened?
    [[nodiscard]] std::vector<bool> outdated() const;

signals:
    /// None of the files can be opened; those that are open stay.
    void open_refused(const QString& why);
    /// The next snapshot has a trace that the one before did not have: one that was opened, or what a sender sends
    /// since it has come back or begun again.
    void new_scene();
    void snapshot_changed();
    void time_shown();  ///< the same snapshot is shown for another time
    void problems_changed();

private:
    void open_now(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type);
    [[nodiscard]] bool shows_new_trace(const OpenChannels& before) const;
    void update_channels();
    void update_times();
    void go_live_with_new_sources(bool was_live);
    void show_time_to_model();
    void request_snapshot(bool anew);
    void show_time();
    void show_snapshot(const std::shared_ptr<const Snapshot>& snapshot);
    void seek_pending();
    [[nodiscard]] SnapshotRequest request_now() const;

    Session session_;
    PlaybackController playback_;
    Selection selection_;
    std::shared_ptr<const OpenChannels> channels_ = session_.channels();  ///< at their last change
    std::shared_ptr<const Snapshot> snapshot_;
    std::shared_ptr<const CompareChoice> compared_;
    std::uint64_t generation_ = 0;  ///< of the last request
    std::uint64_t shown_generation_ = 0;
    std::uint64_t anew_generation_ =
        0;  ///< the last generation that was requested because something other than the time changed
    Nanoseconds shown_time_{};
    SnapshotKey requested_key_;                  ///< of the last request
    std::vector<Nanoseconds> requested_shifts_;  ///< shifts of the channels at the last request
    Nanoseconds requested_time_{};
    std::optional<std::string> pending_time_;  ///< a requested time that the index has not reached yet
    std::string out_of_reach_;                 ///< a requested time that no trace has
    QString missed_time_;                      ///< why the requested time is not shown; until the next seek
    bool seeking_ = false;
    Nanoseconds trail_{};
    bool interpolates_ = false;
    QTimer sought_;         ///< runs out when no seek follows: a model may begin anew
    FrameService frames_;   ///< with the next one the last members, so that their threads end first
    std::jthread checker_;  ///< of files that are to be opened
};

/// The problems of a snapshot of these channels, a line each. `outdated`: see Viewer::outdated(). Any thread.
[[nodiscard]] QStringList snapshot_problems(const Snapshot& snapshot, const OpenChannels& channels,
                                            const std::vector<bool>& outdated);

/// The results of the comparison of the messages that the scene shows; none if others are compared, or too many.
[[nodiscard]] std::vector<SceneMark> marks_of(const Snapshot& snapshot);
/// The colours of what was compared, under the same condition: detections with a partner green, ghosts red, and the
/// true objects that were missed orange.
[[nodiscard]] std::vector<ThingTint> tints_of(const Snapshot& snapshot);

}  // namespace ositrace::gui
