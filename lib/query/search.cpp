// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>

#include <ositrace/query.hpp>

#include "lib/io/ordered_workers.hpp"
#include "lib/system/processors.hpp"

namespace ositrace {

namespace {

using Clock = std::chrono::steady_clock;

/// What a job finds in the messages [first, next).
struct Part {
    QueryBatch batch;
    std::uint64_t messages = 0, broken = 0;
    std::optional<Error> first_broken, problem;
    bool is_end = false;  ///< of the channel, or of what can be read
};

class Search {
public:
    Search(const Trace& trace, std::uint32_t in_trace, const Channel& viewed, const Query& query,
           const QueryOptions& options, const std::stop_token& stop)
        : trace_(trace), in_trace_(in_trace), viewed_(viewed), query_(query), options_(options), stop_(stop)
    {
    }

    Part read(std::uint64_t first, std::uint64_t to)
    {
        auto evaluator = idle();
        Part part;
        auto number = first;
        try {
            for (; number < to && !stop_.stop_requested(); ++number) evaluate(*evaluator, number, part);
        } catch (const Error& error) {
            if (error.cause() != Cause::usage) part.problem = error;  // usage: the end of the channel
            part.is_end = true;
        }
        part.batch.next = number;
        const std::scoped_lock lock(mutex_);
        evaluators_.push_back(std::move(evaluator));
        return part;
    }

private:
    std::unique_ptr<QueryEvaluator> idle()
    {
        const std::scoped_lock lock(mutex_);
        if (evaluators_.empty()) return std::make_unique<QueryEvaluator>(query_);
        auto evaluator = std::move(evaluators_.back());
        evaluators_.pop_back();
        return evaluator;
    }

    void evaluate(QueryEvaluator& evaluator, std::uint64_t number, Part& part)
    {
        const auto frame = trace_.frame(in_trace_, number);
        const auto time = frame.known_time();
        const bool is_bounded = options_.time.from || options_.time.to;
        if (is_bounded && (!time || !options_.time.contains(*time))) return;
        ++part.messages;
        QueryHit hit{number, time, {}, false};
        try {
            const MessageView message(frame.bytes, query_.root(), viewed_.format);
            if (!evaluator.find(message, hit.matches)) return;
            hit.has_more = evaluator.has_more();
            part.batch.hits.push_back(std::move(hit));
        } catch (const Error& error) {
            ++part.broken;
            if (!part.first_broken)
                part.first_broken =
                    error.within({.file = trace_.info().file, .frame = frame.index, .offset = {}, .field = {}});
        }
    }

    const Trace& trace_;
    std::uint32_t in_trace_;
    const Channel& viewed_;
    const Query& query_;
    const QueryOptions& options_;
    const std::stop_token& stop_;
    std::mutex mutex_;  // guards evaluators_
    std::vector<std::unique_ptr<QueryEvaluator>> evaluators_;
};

/// Enough for a job to be worth a hand-over, few enough that a stop and the first hits need not wait.
std::uint64_t messages_at_once(const Trace& trace, std::uint32_t in_trace, std::uint64_t first)
{
    constexpr std::uint64_t bytes = std::uint64_t{1} << 20, most = 256;
    try {
        // Of the second one: the first may have the map.
        const auto usual = std::max<std::uint64_t>(trace.frame_bytes(in_trace, first + 1), 1);
        return std::clamp<std::uint64_t>(bytes / usual, 1, most);
    } catch (const Error&) {  // there is no such message: reading it reports why
        return 1;
    }
}

unsigned usual_threads() { return std::min(usable_processors(), 2U); }

}  // namespace

QueryEnd search(const Trace& trace, std::uint32_t in_trace, const Channel& viewed, const Query& query,
                const QueryOptions& options, const std::function<void(QueryBatch)>& on_batch,
                const std::stop_token& stop)
{
    Search work(trace, in_trace, viewed, query, options, stop);
    const auto threads = options.threads == 0 ? usual_threads() : options.threads;
    OrderedWorkers<Part> workers(threads - 1);
    const auto most_waiting = std::size_t{4} * threads;
    auto next = std::max(options.first, trace.first_frame(in_trace));
    auto size = messages_at_once(trace, in_trace, next);
    QueryEnd end;
    QueryBatch batch{{}, next};
    auto begun = Clock::now();
    for (bool is_end = false; !is_end && !stop.stop_requested();) {
        while (workers.size() < most_waiting && next < options.to) {
            const auto to = options.to - next > size ? next + size : options.to;
            workers.add([&work, first = next, to] { return work.read(first, to); });
            next = to;
        }
        if (workers.size() == 0) break;
        auto part = workers.take();
        end.messages += part.messages;
        end.broken += part.broken;
        if (!end.first_broken) end.first_broken = part.first_broken;
        if (part.problem) end.problem = part.problem;
        is_end = part.is_end;
        std::ranges::move(part.batch.hits, std::back_inserter(batch.hits));
        batch.next = part.batch.next;
        if (is_end && !part.problem) {
            while (workers.size() != 0) static_cast<void>(workers.take());  // of what was beyond the end
            on_batch(std::exchange(batch, {{}, batch.next}));
            begun = Clock::now();
            const auto kept = trace.first_frame(in_trace);
            next = std::max(batch.next, kept);
            is_end = batch.next >= kept && !(options.wait_for_more && options.wait_for_more(next));
            size = messages_at_once(trace, in_trace, next);
            continue;
        }
        if (Clock::now() - begun < options.batch_time) continue;
        on_batch(std::exchange(batch, {{}, batch.next}));
        begun = Clock::now();
    }
    end.stopped = stop.stop_requested();
    on_batch(std::move(batch));
    return end;
}

}  // namespace ositrace
