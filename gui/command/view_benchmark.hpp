// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include <QObject>
#include <QString>

namespace ositrace::gui {

/// Measures the longest block of the GUI thread: another thread posts an event to it every few milliseconds and
/// measures the time until it is handled.
class GuiWatchdog : public QObject {
    Q_OBJECT
public:
    explicit GuiWatchdog(QObject* parent = nullptr);
    ~GuiWatchdog() override;
    /// Since the last reset, including the current block. GUI thread.
    [[nodiscard]] std::chrono::nanoseconds longest_block() const noexcept;
    void reset() noexcept;

private:
    using Clock = std::chrono::steady_clock;
    static Clock::rep now() noexcept;
    Q_INVOKABLE void answer();
    void run(const std::stop_token& stop);

    std::atomic<Clock::rep> posted_{0};  ///< time of the event; 0: handled
    std::atomic<Clock::rep> longest_{0};
    std::jthread poster_;
};

class ViewerWindow;

/// Prints the times from `begun` to the first picture and to the complete first frame, the duration of seeks, the
/// messages shown per second, the time to read and paint a curve, the longest block of the GUI thread, and the resident
/// memory, also during playback. Call it just after opening the files. Returns an empty text, or the error.
[[nodiscard]] QString run_benchmark(ViewerWindow& window, std::chrono::steady_clock::time_point begun,
                                    std::chrono::seconds played_for);

}  // namespace ositrace::gui
