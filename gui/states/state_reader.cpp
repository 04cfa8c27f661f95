// SPDX-License-Identifier: MPL-2.0
#include "gui/states/state_reader.hpp"

#include <exception>
#include <utility>

#include "gui/quantity.hpp"
#include "gui/session/thread_priority.hpp"
#include "gui/session/wait_for_messages.hpp"

namespace ositrace::gui {

StateReader::~StateReader()
{
    for (auto& [number, thread] : threads_) thread.request_stop();
    threads_.clear();  // the token is checked at every message
}

void StateReader::cancel()
{
    const auto running = threads_.find(number_);
    if (running != threads_.end()) running->second.request_stop();
    ++number_;
}

void StateReader::start(OpenChannel channel, SeriesPlan plan)
{
    cancel();
    threads_[number_] = std::jthread(
        [this, channel = std::move(channel), plan = std::move(plan), number = number_](const std::stop_token& stop) {
            run(channel, plan, number, stop);
            QMetaObject::invokeMethod(this, [this, number] { threads_.erase(number); }, Qt::QueuedConnection);
        });
}

template <class Emit>
void StateReader::post(std::uint64_t number, Emit&& emit_it)
{
    QMetaObject::invokeMethod(
        this,
        [this, number, emit_it = std::forward<Emit>(emit_it)] {
            if (number == number_) emit_it();
        },
        Qt::QueuedConnection);
}

void StateReader::run(const OpenChannel& channel, const SeriesPlan& plan, std::uint64_t number,
                      const std::stop_token& stop)
{
    lower_thread_priority();
    StateRuns runs;
    std::stop_source ended;
    const std::stop_callback stopped(stop, [&] { ended.request_stop(); });
    QString problem;
    try {
        const auto report = [&](SeriesBatch batch) {
            const auto update = std::make_shared<const StateUpdate>(runs.add(std::move(batch)));
            post(number, [this, update] { emit updated(update); });
            if (runs.is_full()) ended.request_stop();
        };
        SeriesOptions options;
        const auto wait_for_more = [&](std::uint64_t next) {
            post(number, [this] { emit finished({}); });
            return wait_for_messages(channel, next, ended.get_token());
        };
        if (grows(channel)) options.wait_for_more = wait_for_more;
        const auto end =
            read_series(*channel.trace, channel.in_trace, *channel.channel, plan, options, report, ended.get_token());
        if (end.broken != 0)
            problem = tr("%1 could not be read: %2")
                          .arg(count_text(end.broken, "message"), QString::fromUtf8(end.first_broken->what()));
        if (end.left_out != 0)
            problem = tr("%1 are left out: there are too many rows").arg(count_text(end.left_out, "value"));
        if (runs.is_full()) problem = tr("only the first %1 are shown").arg(count_text(StateRuns::most_runs, "change"));
        if (end.problem) problem = QString::fromUtf8(end.problem->what());
    } catch (const std::exception& error) {  // out of memory
        problem = QString::fromUtf8(error.what());
    }
    post(number, [this, problem] { emit finished(problem); });
}

}  // namespace ositrace::gui
