// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <QObject>

namespace ositrace::gui {

/// How long the GUI thread was blocked at most: another thread asks it for an answer every few milliseconds, and
/// measures how long that takes to come.
class GuiWatchdog : public QObject {
    Q_OBJECT
public:
    explicit GuiWatchdog(QObject* parent = nullptr);
    ~GuiWatchdog() override;
    /// Since the last reset, with a block whose answer is not given yet. GUI thread.
    [[nodiscard]] std::chrono::nanoseconds longest_block() const noexcept;
    void reset() noexcept;

private:
    using Clock = std::chrono::steady_clock;
    static Clock::rep now() noexcept;
    Q_INVOKABLE void answer();
    void run(const std::stop_token& stop);

    std::atomic<Clock::rep> asked_{0};  ///< when; 0: answered
    std::atomic<Clock::rep> longest_{0};
    std::jthread asker_;
};

}  // namespace ositrace::gui
