// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

#include <QObject>
#include <QString>

#include "gui/compare/comparison.hpp"

namespace ositrace::gui {

/// What is known of a comparison over time. Immutable.
struct ComparedTraces {
    std::shared_ptr<const TraceComparison> objects;  ///< null in exact mode, and before the first result
    std::shared_ptr<const EqualityOfTraces> exact;   ///< null in the mode of objects, and before the first result
};

/// Compares two channels completely in a separate thread and reports partial results. GUI thread; the destructor waits
/// for the thread, see retire().
class ComparisonRun : public QObject {
    Q_OBJECT
public:
    /// Pairs of messages that differ and are listed; all are counted.
    static constexpr std::size_t listed_differences = 10'000;

    ComparisonRun(const CompareChoice& choice, const std::array<OpenChannel, 2>& channels, QObject* parent = nullptr);
    ~ComparisonRun() override;
    /// Ends it without waiting: it emits nothing any more, and is deleted when its thread ends, or with its parent.
    static void retire(std::unique_ptr<ComparisonRun> run);

    [[nodiscard]] const CompareChoice& choice() const noexcept { return choice_; }
    [[nodiscard]] const ComparedTraces& result() const noexcept { return result_; }
    [[nodiscard]] bool is_running() const noexcept { return running_; }
    /// 0 to 1.
    [[nodiscard]] double progress() const noexcept { return progress_; }
    /// Why it failed; empty if it did not.
    [[nodiscard]] const QString& problem() const noexcept { return problem_; }

signals:
    void changed();  ///< another result, or the end

private:
    void run(const std::stop_token& stop);
    void post(std::function<void()> change);
    template <class Result>
    std::function<void(const Result&)> reporter(std::shared_ptr<const Result> ComparedTraces::* of);

    CompareChoice choice_;
    std::array<ComparedChannel, 2> sides_;
    ComparedTraces result_;
    double progress_ = 0;
    QString problem_;
    bool running_ = true;
    std::jthread thread_;
};

}  // namespace ositrace::gui
