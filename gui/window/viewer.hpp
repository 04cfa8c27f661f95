// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QObject>

#include "gui/playback/playback_controller.hpp"
#include "gui/selection/selection.hpp"
#include "gui/session/frame_service.hpp"
#include "gui/session/session.hpp"

namespace ositrace::gui {

/// What the window shows, without the window: what is open, where playing is, the moment that belongs to it, what is
/// selected. GUI thread.
class Viewer : public QObject {
    Q_OBJECT
public:
    /// `clock`: of the playback; null: the machine's.
    explicit Viewer(std::function<Nanoseconds()> clock = {}, QObject* parent = nullptr);

    [[nodiscard]] Session& session() noexcept { return session_; }
    [[nodiscard]] PlaybackController& playback() noexcept { return playback_; }
    [[nodiscard]] Selection& selection() noexcept { return selection_; }
    [[nodiscard]] const FrameService& frames() const noexcept { return frames_; }

    /// In place of what is open. `type`: see OpenOptions.
    void open(const std::vector<std::filesystem::path>& files, std::optional<MessageType> type = {});
    /// As soon as the index reaches it: a time as people type it. False: it is none.
    bool go_to(const std::string& typed);
    /// All is read, and no trace has a time like that.
    [[nodiscard]] bool is_out_of_reach() const noexcept { return !out_of_reach_.empty(); }
    [[nodiscard]] std::optional<Nanoseconds> zero_time() const;

    /// What is on the screen; null: nothing yet.
    [[nodiscard]] const std::shared_ptr<const Moment>& moment() const noexcept { return moment_; }
    /// Its time: that of the playback, less what making the moment takes. While nothing is shown, that of the playback.
    [[nodiscard]] Nanoseconds shown_time() const noexcept { return moment_ ? shown_time_ : playback_.time(); }
    /// The message of the active channel in it; empty before the channel's first.
    [[nodiscard]] std::optional<std::uint64_t> shown_number() const;
    /// Is that what belongs to the time now?
    [[nodiscard]] bool is_settled() const noexcept { return generation_ == shown_generation_; }
    /// What stands on the screen because something cannot be shown, a line each.
    [[nodiscard]] QStringList problems() const;

signals:
    void moment_changed();
    void time_shown();  ///< the same moment belongs to another time
    void problems_changed();

private:
    void take_channels();
    void take_times();
    void ask(bool anew);
    void take_time();
    void take(const std::shared_ptr<const Moment>& moment);
    void go_on_to_wanted();
    [[nodiscard]] MomentRequest request_now() const;

    Session session_;
    PlaybackController playback_;
    Selection selection_;
    std::shared_ptr<const OpenChannels> channels_ = session_.channels();  ///< since they changed last
    std::shared_ptr<const Moment> moment_;
    std::uint64_t generation_ = 0;  ///< of the last request
    std::uint64_t shown_generation_ = 0;
    std::uint64_t anew_ = 0;  ///< the last generation that differs by more than its time
    Nanoseconds shown_time_{};
    MomentKey asked_;                        ///< of the last request
    std::vector<Nanoseconds> asked_shifts_;  ///< of the channels, then
    Nanoseconds asked_time_{};
    std::optional<std::string> wanted_;  ///< a time that the index has not reached
    std::string out_of_reach_;           ///< what was wanted, and is nowhere
    QString missed_;                     ///< a time that was asked for and is not there; until somebody goes elsewhere
    bool going_ = false;
    FrameService frames_;  ///< the last member: its thread ends first
};

}  // namespace ositrace::gui
