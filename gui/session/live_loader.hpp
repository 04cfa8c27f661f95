// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <QTimer>

#include <ositrace/live_progress.hpp>
#include <ositrace/model_run.hpp>

#include "gui/session/loader.hpp"

namespace ositrace::gui {

/// Publishes what arrives in a LiveProgress: at most 30 times a second, and never more than the GUI thread takes. When
/// the sender begins again while the user looks back, the earlier messages stay published (and in memory, beside the
/// new ones) until the user looks at the last message again. GUI thread.
class LiveLoader : public Loader {
    Q_OBJECT
public:
    /// Something that fills a LiveProgress on a thread of its own; destroyed by another thread.
    class Source {
    public:
        virtual ~Source() = default;
        [[nodiscard]] virtual const LiveProgress& progress() const noexcept = 0;
        virtual void request_stop() noexcept = 0;
        /// The session looks at this trace time; `sought`: it was jumped to. GUI thread.
        virtual void show_time(Nanoseconds time, bool sought) { static_cast<void>(time), static_cast<void>(sought); }
        /// After its end, too, show_time() may begin it anew.
        [[nodiscard]] virtual bool may_begin_anew() const noexcept { return false; }
        /// One line for a status with frames.
        [[nodiscard]] virtual QString text(const LiveProgress::View& view) const = 0;
    };

    /// `begin` starts the source, in start().
    explicit LiveLoader(std::function<std::unique_ptr<Source>()> begin, QObject* parent = nullptr);
    /// Waits for the threads; see stop().
    ~LiveLoader() override;
    void start() override;
    void stop() override;
    void show_time(Nanoseconds time, bool sought) override;
    void set_looking_back(bool looks_back) override { looks_back_ = looks_back; }
    [[nodiscard]] bool has_ended() const noexcept override { return ended_; }
    [[nodiscard]] const std::optional<FileStamp>& stamp() const noexcept override { return stamp_; }

private:
    void run(const std::stop_token& stop);
    [[nodiscard]] bool holds_back(const LiveProgress::View& view) const;
    void publish(const LiveProgress::View& view);
    Q_INVOKABLE void show_state();

    std::function<std::unique_ptr<Source>()> begin_;
    std::optional<FileStamp> stamp_;  ///< none
    std::unique_ptr<Source> source_;
    std::shared_ptr<const LiveTrace> trace_;  ///< the published one
    std::vector<TimesWalk> walks_;            ///< by channel
    std::uint64_t starts_ = 0;                ///< of the status that was published
    std::atomic<bool> is_behind_{false};      ///< the GUI thread has not taken what was published
    std::atomic<bool> looks_back_{false};
    std::atomic<bool> is_held_{false};  ///< the sender has begun again, which is not published yet
    std::atomic<bool> ended_{false};
    QTimer state_timer_;  ///< silence is seen by the clock alone
    QString state_;
    std::jthread thread_;
};

/// A model beside a trace.
[[nodiscard]] std::function<std::unique_ptr<LiveLoader::Source>()> model_run(ModelRunOptions options);

/// A network address as `osiplay` takes it. `type`: see OpenOptions.
[[nodiscard]] std::function<std::unique_ptr<LiveLoader::Source>()> network_feed(const std::string& address,
                                                                                std::optional<MessageType> type,
                                                                                LiveLimits limits);

/// Sets the memory for the frames of each live source opened from now on.
void set_live_limits(LiveLimits limits) noexcept;
[[nodiscard]] LiveLimits live_limits() noexcept;

}  // namespace ositrace::gui
