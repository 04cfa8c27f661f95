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

#include "gui/session/snapshot.hpp"

namespace ositrace::gui {

/// Builds snapshots on a separate thread. At most one request and one answer wait; newer ones replace them, so that
/// scrubbing never queues up. GUI thread.
class FrameService : public QObject {
    Q_OBJECT
public:
    /// A quarter of the memory, at most 384 MiB.
    [[nodiscard]] static std::size_t default_cache_budget() noexcept;

    explicit FrameService(std::size_t cache_budget = default_cache_budget(), QObject* parent = nullptr);
    ~FrameService() override;

    void request(SnapshotRequest request);
    /// Drops the answers to all requests so far.
    void forget();
    [[nodiscard]] std::size_t cache_bytes() const noexcept { return cache_bytes_; }

signals:
    /// Emitted in the GUI thread; generations increase, some are skipped.
    void ready(const std::shared_ptr<const ositrace::gui::Snapshot>& snapshot);

private:
    void run(const std::stop_token& stop);
    [[nodiscard]] std::optional<SnapshotRequest> wait_for_request(const std::stop_token& stop);
    [[nodiscard]] bool has_request() const;
    void publish(std::shared_ptr<const Snapshot> snapshot);
    Q_INVOKABLE void deliver();

    std::size_t cache_budget_;
    std::atomic<std::size_t> cache_bytes_{0};
    mutable std::mutex mutex_;  // guards request_, answer_, last_requested_ and forgotten_
    std::condition_variable_any request_arrived_;
    std::optional<SnapshotRequest> request_;
    std::shared_ptr<const Snapshot> answer_;
    std::uint64_t last_requested_ = 0;
    std::uint64_t forgotten_ = 0;  ///< snapshots up to this generation are dropped
    std::jthread worker_;
};

}  // namespace ositrace::gui
