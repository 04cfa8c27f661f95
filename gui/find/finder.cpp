// SPDX-License-Identifier: MPL-2.0
#include "gui/find/finder.hpp"

#include <exception>

#include "gui/quantity.hpp"
#include "gui/session/thread_priority.hpp"

namespace ositrace::gui {

Finder::~Finder()
{
    for (auto& [number, thread] : threads_) thread.request_stop();
    threads_.clear();  // the token is checked at every message
}

void Finder::cancel()
{
    const auto running = threads_.find(number_);
    if (running != threads_.end()) running->second.request_stop();
    ++number_;
}

void Finder::start(OpenChannel channel, Query query, TimeSpan time)
{
    cancel();
    threads_[number_] = std::jthread([this, channel = std::move(channel), query = std::move(query), time,
                                      number = number_](const std::stop_token& stop) {
        run(channel, query, time, number, stop);
        QMetaObject::invokeMethod(this, [this, number] { threads_.erase(number); }, Qt::QueuedConnection);
    });
}

template <class Emit>
void Finder::post(std::uint64_t number, Emit&& emit_it)
{
    QMetaObject::invokeMethod(
        this,
        [this, number, emit_it = std::forward<Emit>(emit_it)] {
            if (number == number_) emit_it();
        },
        Qt::QueuedConnection);
}

void Finder::run(const OpenChannel& channel, const Query& query, TimeSpan time, std::uint64_t number,
                 const std::stop_token& stop)
{
    lower_thread_priority();
    SpanBuilder spans;
    std::uint64_t found = 0;
    const auto report = [&](const QueryBatch& batch) {
        auto update = std::make_shared<FindUpdate>();
        for (const auto& hit : batch.hits) {
            spans.add(hit);
            if (!update->runs.empty() && update->runs.back().last + 1 == hit.number)
                update->runs.back().last = hit.number;
            else
                update->runs.push_back({hit.number, hit.number});
        }
        found += batch.hits.size();
        update->spans = spans.take_changed();
        update->unlisted = spans.unlisted();
        update->found = found;
        update->next = batch.next;
        post(number, [this, update = std::shared_ptr<const FindUpdate>(update)] { emit updated(update); });
    };
    FindEnd end;
    try {
        const auto result =
            search(*channel.trace, channel.in_trace, *channel.channel, query, {.time = time}, report, stop);
        end.stopped = result.stopped;
        if (result.broken != 0)
            end.problem =
                tr("%1 could not be evaluated: %2")
                    .arg(count_text(result.broken, "message"), QString::fromUtf8(result.first_broken->what()));
        if (result.problem) end.problem = QString::fromUtf8(result.problem->what());
    } catch (const std::exception& error) {  // out of memory
        end.problem = QString::fromUtf8(error.what());
    }
    post(number, [this, end] { emit finished(end); });
}

}  // namespace ositrace::gui
