// SPDX-License-Identifier: MPL-2.0
#include "gui/compare/comparison_run.hpp"

#include <chrono>
#include <exception>
#include <utility>

#include "gui/session/thread_priority.hpp"

namespace ositrace::gui {

namespace {

using Steady = std::chrono::steady_clock;

double progress_of(const TraceComparison& result) noexcept
{
    return result.pairs == 0 ? 1 : static_cast<double>(result.moments.size()) / static_cast<double>(result.pairs);
}

double progress_of(const EqualityOfTraces& result) noexcept
{
    return result.pairs == 0 ? 1 : static_cast<double>(result.compared) / static_cast<double>(result.pairs);
}

}  // namespace

ComparisonRun::ComparisonRun(const CompareChoice& choice, const std::array<OpenChannel, 2>& channels, QObject* parent)
    : QObject(parent),
      choice_(choice),
      sides_{compared_channel(channels[0], choice.sides[0].set), compared_channel(channels[1], choice.sides[1].set)},
      thread_([this](const std::stop_token& stop) { run(stop); })
{
}

ComparisonRun::~ComparisonRun()
{
    thread_.request_stop();
    thread_.join();  // posted changes are dropped: their receiver is destroyed
}

void ComparisonRun::retire(std::unique_ptr<ComparisonRun> run)
{
    if (!run || !run->is_running()) return;
    run->thread_.request_stop();
    auto* const retired = run.release();
    disconnect(retired, nullptr, nullptr, nullptr);
    connect(retired, &ComparisonRun::changed, retired, [retired] {
        if (!retired->is_running()) retired->deleteLater();
    });
}

void ComparisonRun::post(std::function<void()> change)
{
    QMetaObject::invokeMethod(
        this,
        [this, change = std::move(change)] {
            change();
            emit changed();
        },
        Qt::QueuedConnection);
}

/// Copies the result from time to time: at most five times a second, and in a tenth of the time at most.
template <class Result>
std::function<void(const Result&)> ComparisonRun::reporter(std::shared_ptr<const Result> ComparedTraces::* of)
{
    return [this, of, next = Steady::now()](const Result& so_far) mutable {
        const auto now = Steady::now();
        if (now < next) return;
        auto copy = std::make_shared<const Result>(so_far);
        const auto took = Steady::now() - now;
        next = now + took + std::max<Steady::duration>(std::chrono::milliseconds(200), 10 * took);
        post([this, of, copy = std::move(copy)] {
            progress_ = progress_of(*copy);
            result_.*of = copy;
        });
    };
}

void ComparisonRun::run(const std::stop_token& stop)
{
    lower_thread_priority();
    QString problem;
    ComparedTraces result;
    try {
        const auto& [a, b] = sides_;
        if (choice_.mode == CompareMode::objects) {
            const TraceCompareOptions options{.objects = choice_.objects, .tolerance = {}};
            result.objects = std::make_shared<const TraceComparison>(
                compare_traces(a, b, options, reporter(&ComparedTraces::objects), stop));
        } else {
            result.exact = std::make_shared<const EqualityOfTraces>(
                compare_exactly(a, b, {}, listed_differences, reporter(&ComparedTraces::exact), stop));
        }
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    post([this, problem, result] {
        running_ = false;
        progress_ = 1;
        problem_ = problem;
        if (problem.isEmpty()) result_ = result;
    });
}

}  // namespace ositrace::gui
