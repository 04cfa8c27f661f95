// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>

#include <QObject>
#include <QString>

#include <ositrace/check.hpp>
#include <ositrace/trace_summary.hpp>

#include "gui/statistics/unlisted_findings.hpp"

namespace ositrace::gui {

/// How much of a trace is read for its statistics and findings.
enum class Depth : std::uint8_t {
    times,  ///< the index, three frames, and of every frame its time
    all,    ///< every frame, once for the statistics and once for the findings of `check`
};

/// Looks at one trace in a thread of its own, and says what is known as soon as it is. GUI thread; its end waits for
/// the thread, see retire().
class Examination : public QObject {
    Q_OBJECT
public:
    /// A trace that is not larger is read as a whole without being asked.
    static constexpr std::uint64_t small_bytes = std::uint64_t{64} << 20;
    /// Findings of one kind that become rows; all are counted and marked.
    static constexpr std::size_t listed_per_kind = 200;

    Examination(std::shared_ptr<const Trace> trace, Depth depth, QObject* parent = nullptr);
    ~Examination() override;
    /// Ends it without waiting: nothing is heard of it any more, and it goes when its thread has ended, or with its
    /// parent.
    static void retire(std::unique_ptr<Examination> examination);

    [[nodiscard]] const std::shared_ptr<const Trace>& trace() const noexcept { return trace_; }
    [[nodiscard]] Depth depth() const noexcept { return depth_; }
    /// The best that is known: first of three frames, then of all times or frames. Empty before.
    [[nodiscard]] const std::optional<TraceSummary>& summary() const noexcept { return summary_; }
    /// Empty until the check has ended, and with Depth::times.
    [[nodiscard]] const std::optional<CheckResult>& findings() const noexcept { return findings_; }
    /// Those that `findings` counts and does not list.
    [[nodiscard]] const std::vector<UnlistedFindings::Place>& unlisted() const noexcept { return unlisted_; }
    /// Ids of rules that nearly every frame breaks, of the channels that break them at all.
    [[nodiscard]] const std::set<std::string>& usual() const noexcept { return usual_; }
    [[nodiscard]] bool is_running() const noexcept { return running_; }
    /// `checking: 42 %`, or why it ended early; empty when all is known.
    [[nodiscard]] const QString& state() const noexcept { return state_; }

signals:
    void changed();  ///< summary, findings or the end
    void state_changed();

private:
    void run(const std::stop_token& stop);
    void summarize_to(const SummaryOptions& options, const QString& what, const std::stop_token& stop);
    void check(const std::stop_token& stop);
    void tell(std::function<void()> change, bool all_of_it);
    [[nodiscard]] std::function<void(double)> progress_of(const QString& what);

    std::shared_ptr<const Trace> trace_;
    Depth depth_;
    std::optional<TraceSummary> summary_;
    std::optional<CheckResult> findings_;
    std::vector<UnlistedFindings::Place> unlisted_;
    std::set<std::string> usual_;
    QString state_;
    bool running_ = true;
    std::jthread thread_;
};

/// What is read of a trace that nobody asked about: all of a small one.
[[nodiscard]] Depth usual_depth(const Trace& trace);

}  // namespace ositrace::gui
