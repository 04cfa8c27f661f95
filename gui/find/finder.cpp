// SPDX-License-Identifier: MPL-2.0
#include "gui/find/finder.hpp"

#include <algorithm>
#include <exception>

#include <QStringList>

#include "gui/session/open_channel.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

void FoundRuns::add(MessageRun run)
{
    const auto join = [&](std::vector<MessageRun>& runs, const MessageRun& next) {
        if (!runs.empty() && next.first <= runs.back().last + 1 + gap_)
            runs.back().last = next.last;
        else
            runs.push_back(next);
    };
    join(runs_, run);
    while (runs_.size() > most_runs) {
        gap_ = 2 * gap_ + 1;
        std::vector<MessageRun> joined;
        for (const auto& each : runs_) join(joined, each);
        runs_ = std::move(joined);
    }
}

namespace {

/// What a query compares and no message has.
QStringList never_set(const OpenChannel& channel, const Query& query, TimeSpan time, const std::stop_token& stop)
{
    QStringList missing;
    for (const auto& path : query.paths()) {
        std::stop_source found;
        const std::stop_callback stopped(stop, [&] { found.request_stop(); });
        const auto has_it = Query::compile("has(" + path + ")", query.root());
        search(
            *channel.trace, channel.in_trace, *channel.channel, has_it, {.time = time},
            [&](const QueryBatch& batch) {
                if (!batch.hits.empty()) found.request_stop();
            },
            found.get_token());
        if (!found.stop_requested()) missing += QString::fromStdString(path);
    }
    return missing;
}

}  // namespace

void Finder::start(OpenChannel channel, Query query, TimeSpan time)
{
    thread_.start(
        [this, channel = std::move(channel), query = std::move(query), time](
            const LatestThread::Post& post, const std::stop_token& stop) { run(channel, query, time, post, stop); });
}

void Finder::run(const OpenChannel& channel, const Query& query, TimeSpan time, const LatestThread::Post& post,
                 const std::stop_token& stop)
{
    SpanBuilder spans;
    std::uint64_t found = 0, cut = 0;
    const auto report = [&](const QueryBatch& batch) {
        auto update = std::make_shared<FindUpdate>();
        for (const auto& hit : batch.hits) {
            spans.add(hit);
            cut += hit.has_more ? 1 : 0;
            if (!update->runs.empty() && update->runs.back().last + 1 == hit.number)
                update->runs.back().last = hit.number;
            else
                update->runs.push_back({hit.number, hit.number});
        }
        found += batch.hits.size();
        update->spans = spans.take_changed();
        update->unlisted = spans.unlisted();
        update->cut = cut;
        update->found = found;
        update->next = batch.next;
        post([this, update = std::shared_ptr<const FindUpdate>(update)] { emit updated(update); });
    };
    FindEnd end;
    try {
        QueryOptions options{.time = time};
        const auto wait_for_more = [&](std::uint64_t next) {
            post([this] { emit finished({}); });
            return wait_for_messages(channel, next, stop);
        };
        if (grows(channel)) options.wait_for_more = wait_for_more;
        const auto result = search(*channel.trace, channel.in_trace, *channel.channel, query, options, report, stop);
        end.stopped = result.stopped;
        if (result.broken != 0)
            end.problem =
                tr("%1 could not be evaluated: %2")
                    .arg(count_text(result.broken, "message"), QString::fromUtf8(result.first_broken->what()));
        if (result.problem) end.problem = QString::fromUtf8(result.problem->what());
        if (found == 0 && !end.stopped && end.problem.isEmpty())
            if (const auto missing = never_set(channel, query, time, stop); !missing.isEmpty())
                end.problem = tr("never set: %1").arg(missing.join(QStringLiteral(", ")));
    } catch (const std::exception& error) {  // out of memory
        end.problem = QString::fromUtf8(error.what());
    }
    post([this, end] { emit finished(end); });
}

}  // namespace ositrace::gui
