// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <QObject>

#include "gui/session/moment.hpp"
#include "gui/session/moment_request.hpp"

namespace ositrace::gui {

/// Makes moments on a thread of its own. One request waits at most, and one answer: later ones take their places, so
/// that scrubbing never queues. GUI thread.
class FrameService : public QObject {
    Q_OBJECT
public:
    /// A quarter of the memory, 384 MiB at most.
    [[nodiscard]] static std::size_t default_cache_budget() noexcept;

    explicit FrameService(std::size_t cache_budget = default_cache_budget(), QObject* parent = nullptr);
    ~FrameService() override;

    void request(MomentRequest request);
    /// Answers to what was requested until now are dropped.
    void forget();
    [[nodiscard]] std::size_t cache_bytes() const noexcept { return cache_bytes_; }

signals:
    /// In the GUI thread; generations count up, some are left out.
    void ready(const std::shared_ptr<const ositrace::gui::Moment>& moment);

private:
    void run(const std::stop_token& stop);
    [[nodiscard]] std::optional<MomentRequest> take(const std::stop_token& stop);
    [[nodiscard]] bool is_asked() const;
    void hand_over(std::shared_ptr<const Moment> moment);
    Q_INVOKABLE void deliver();

    std::size_t cache_budget_;
    std::atomic<std::size_t> cache_bytes_{0};
    mutable std::mutex mutex_;  // guards the slots
    std::condition_variable_any asked_;
    std::optional<MomentRequest> request_;
    std::shared_ptr<const Moment> answer_;
    std::uint64_t last_requested_ = 0;
    std::uint64_t forgotten_ = 0;  ///< generations up to this one are dropped
    std::jthread worker_;
};

}  // namespace ositrace::gui
