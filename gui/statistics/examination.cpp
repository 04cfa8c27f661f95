// SPDX-License-Identifier: MPL-2.0
#include "gui/statistics/examination.hpp"

#include <chrono>
#include <exception>
#include <system_error>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/rules.hpp>

#include "gui/session/trace_loader.hpp"
#include "lib/system/thread.hpp"

namespace ositrace::gui {

void UnlistedFindings::add(const UnlistedFinding& finding)
{
    if (!finding.frame) return;
    auto found = kinds_.find(finding.kind.id);
    if (found == kinds_.end()) found = kinds_.try_emplace(finding.kind.id).first;
    auto& kind = found->second;
    const auto channel = std::string(finding.channel.substr(0, 4096));
    if (std::exchange(kind.last_frame, finding.frame) != finding.frame) ++frames_[finding.kind.id][channel];
    const auto [at, is_new] = kind.by_frame.try_emplace(*finding.frame / kind.frames_in_place);
    auto& place = at->second;
    ++place.count;
    if (!is_new) return;
    place.finding = {.id = finding.kind.id,
                     .severity = finding.kind.severity,
                     .file = {},
                     .frame = finding.frame,
                     .time = finding.time,
                     .byte = {},
                     .channel = channel,
                     .field = {},
                     .message = finding.kind.description};
    if (kind.by_frame.size() > most_places) kind.thin_out();
}

void UnlistedFindings::Kind::thin_out()
{
    frames_in_place *= 2;
    for (auto& [frame, place] : std::exchange(by_frame, {})) {
        auto& both = by_frame[frame / 2];
        if (both.count == 0) both.finding = std::move(place.finding);
        both.count += place.count;
    }
}

std::vector<UnlistedFindings::Place> UnlistedFindings::places() const
{
    std::vector<Place> places;
    for (const auto& [id, kind] : kinds_)
        for (const auto& [frame, place] : kind.by_frame) places.push_back(place);
    return places;
}

namespace {

/// `broken`: counted from the findings that are not listed.
std::set<std::string> usual_rules(const CheckResult& result, BrokenFrames broken, const TraceSummary& summary)
{
    constexpr double nearly_all = 0.9;
    constexpr std::uint64_t fewest = 10;  // frames: with fewer, all marks are visible
    std::set<std::pair<std::string, std::uint64_t>> listed;
    for (const auto& finding : result.findings)
        if (finding.frame && listed.emplace(finding.id, *finding.frame).second) ++broken[finding.id][finding.channel];
    std::set<std::string> usual;
    for (const auto& [id, channels] : broken) {
        std::uint64_t found = 0, all = 0;
        for (const auto& [topic, frames] : channels) {
            found += frames;
            for (const auto& channel : summary.channels)
                if (topic.empty() || channel.channel.topic == topic) all += channel.frames;
        }
        if (all >= fewest && static_cast<double>(found) >= nearly_all * static_cast<double>(all)) usual.insert(id);
    }
    return usual;
}

}  // namespace

Depth usual_depth(const Trace& trace)
{
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(trace.info().file, failed);
    return !failed && bytes <= Examination::small_bytes ? Depth::all : Depth::times;
}

Examination::Examination(std::shared_ptr<const Trace> trace, Depth depth, QObject* parent)
    : QObject(parent),
      trace_(std::move(trace)),
      depth_(depth),
      thread_([this](const std::stop_token& stop) { run(stop); })
{
}

Examination::~Examination()
{
    thread_.request_stop();
    thread_.join();  // posted changes are dropped: their receiver is destroyed
}

void Examination::retire(std::unique_ptr<Examination> examination)
{
    if (!examination || !examination->is_running()) return;
    examination->thread_.request_stop();
    auto* const retired = examination.release();
    disconnect(retired, nullptr, nullptr, nullptr);
    connect(retired, &Examination::changed, retired, [retired] {
        if (!retired->is_running()) retired->deleteLater();
    });
}

void Examination::post(std::function<void()> change, bool all_of_it)
{
    QMetaObject::invokeMethod(
        this,
        [this, change = std::move(change), all_of_it] {
            change();
            if (all_of_it)
                emit changed();
            else
                emit state_changed();
        },
        Qt::QueuedConnection);
}

void Examination::run(const std::stop_token& stop)
{
    lower_thread_priority();
    QString problem;
    try {
        summarize_to({}, tr("reading"), stop);
        const bool all = depth_ == Depth::all;
        summarize_to({.full = all, .times = !all}, all ? tr("reading frames") : tr("reading times"), stop);
        if (all) check(stop);
    } catch (const std::exception& error) {
        problem = QString::fromUtf8(error.what());
    }
    post(
        [this, problem] {
            running_ = false;
            state_ = problem;
        },
        true);
}

/// Reports the progress, at most ten times a second.
std::function<void(double)> Examination::progress_of(const QString& what)
{
    using Clock = std::chrono::steady_clock;
    return [this, what, last = Clock::time_point{}](double done) mutable {
        const auto now = Clock::now();
        if (now - last < std::chrono::milliseconds(100)) return;
        last = now;
        post([this, text = tr("%1: %2 %").arg(what).arg(static_cast<int>(100 * done))] { state_ = text; }, false);
    };
}

void Examination::summarize_to(const SummaryOptions& options, const QString& what, const std::stop_token& stop)
{
    auto with_progress = options;
    with_progress.on_progress = [progress = progress_of(what)](std::uint64_t frames, std::uint64_t of) mutable {
        progress(of == 0 ? 0 : static_cast<double>(frames) / static_cast<double>(of));
    };
    auto summary = std::make_shared<TraceSummary>(summarize(*trace_, with_progress, stop));
    post([this, summary] { summary_ = std::move(*summary); }, true);
}

void Examination::check(const std::stop_token& stop)
{
    const auto& file = trace_->info().file;
    if (std::error_code failed; !std::filesystem::is_regular_file(file, failed))
        throw Error(Cause::unsupported, {.file = file},
                    "the check needs a regular file, which can be read a second time");
    CheckOptions options;
    if (!trace_->info().container.several_channels)
        options.open = viewer_open_options(trace_->info().channels.front().type);
    options.listed_per_kind = listed_per_kind;
    options.rules = RuleSet::built_in();
    UnlistedFindings unlisted;
    options.on_unlisted = [&](const UnlistedFinding& finding) { unlisted.add(finding); };
    options.on_progress = [progress = progress_of(tr("checking"))](std::uint64_t, std::uint64_t bytes,
                                                                   std::optional<std::uint64_t> of) mutable {
        progress(of && *of != 0 ? static_cast<double>(bytes) / static_cast<double>(*of) : 0);
    };
    auto result = std::make_shared<CheckResult>(check_trace(file, options, stop));
    auto places = std::make_shared<std::vector<UnlistedFindings::Place>>(unlisted.places());
    post(
        [this, result, places, frames = unlisted.frames()] {
            findings_ = std::move(*result);
            unlisted_ = std::move(*places);
            usual_ = usual_rules(*findings_, frames, *summary_);
        },
        true);
}

}  // namespace ositrace::gui
