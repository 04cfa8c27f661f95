// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <QObject>
#include <QString>

#include <ositrace/check.hpp>
#include <ositrace/trace_summary.hpp>

namespace ositrace::gui {

/// Number of frames that violate a rule: by its id, then by the topic of the channel.
using BrokenFrames = std::map<std::string, std::map<std::string, std::uint64_t, std::less<>>, std::less<>>;

/// Places of findings that are counted but not listed, so that the whole timeline is marked. Bounded: some thousand
/// places of each kind; more are merged with their neighbours.
class UnlistedFindings {
public:
    static constexpr std::size_t most_places = 4096;  ///< per kind

    /// Findings of one kind in neighbouring frames.
    struct Place {
        Finding finding;  ///< the first of them; message: the description of the rule
        std::uint64_t count = 0;
    };

    void add(const UnlistedFinding& finding);
    [[nodiscard]] std::vector<Place> places() const;
    /// Number of frames with findings, by the id of the rule and the topic of the channel.
    [[nodiscard]] const BrokenFrames& frames() const noexcept { return frames_; }

private:
    struct Kind {
        std::map<std::uint64_t, Place> by_frame;
        std::uint64_t frames_in_place = 1;
        std::optional<std::uint64_t> last_frame;
        void thin_out();
    };
    std::map<std::string, Kind, std::less<>> kinds_;  ///< by id
    BrokenFrames frames_;
};

/// How much of a trace is read for statistics and findings.
enum class Depth : std::uint8_t {
    times,  ///< the index, three frames, and the time of every frame
    all,    ///< every frame, once for the statistics and once for the findings of `check`
};

/// Reads a trace in a separate thread and reports results as they become known. GUI thread; the destructor waits for
/// the thread, see retire().
class Examination : public QObject {
    Q_OBJECT
public:
    /// A trace of at most this size is read completely without a request.
    static constexpr std::uint64_t small_bytes = std::uint64_t{64} << 20;
    /// Findings per kind that are listed as rows; all are counted and marked.
    static constexpr std::size_t listed_per_kind = 200;

    Examination(std::shared_ptr<const Trace> trace, Depth depth, QObject* parent = nullptr);
    ~Examination() override;
    /// Ends it without waiting: it emits nothing any more, and is deleted when its thread ends, or with its parent.
    static void retire(std::unique_ptr<Examination> examination);

    [[nodiscard]] const std::shared_ptr<const Trace>& trace() const noexcept { return trace_; }
    [[nodiscard]] Depth depth() const noexcept { return depth_; }
    /// The best summary so far: first of three frames, then of all times or frames. Empty before.
    [[nodiscard]] const std::optional<TraceSummary>& summary() const noexcept { return summary_; }
    /// Empty until the check ends, and with Depth::times.
    [[nodiscard]] const std::optional<CheckResult>& findings() const noexcept { return findings_; }
    /// The findings that `findings` counts but does not list.
    [[nodiscard]] const std::vector<UnlistedFindings::Place>& unlisted() const noexcept { return unlisted_; }
    /// Ids of the rules that nearly every frame violates, in the channels that violate them at all.
    [[nodiscard]] const std::set<std::string>& usual() const noexcept { return usual_; }
    [[nodiscard]] bool is_running() const noexcept { return running_; }
    /// `checking: 42 %`, or why it ended early; empty when complete.
    [[nodiscard]] const QString& state() const noexcept { return state_; }

signals:
    void changed();  ///< new summary, new findings, or the end
    void state_changed();

private:
    void run(const std::stop_token& stop);
    void summarize_to(const SummaryOptions& options, const QString& what, const std::stop_token& stop);
    void check(const std::stop_token& stop);
    void post(std::function<void()> change, bool all_of_it);
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

/// How much is read without a request: all of a small trace.
[[nodiscard]] Depth usual_depth(const Trace& trace);

}  // namespace ositrace::gui
