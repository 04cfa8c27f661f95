// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/play_report.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <ositrace/message_type.hpp>

#include "app/terminal/json.hpp"
#include "app/terminal/printable.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

/// The system accounts processor time in ticks: for a shorter replay the share is meaningless.
constexpr Nanoseconds least_for_cpu = std::chrono::milliseconds(100);

std::optional<double> cpu_percent(const PlayReport& report)
{
    if (report.played < least_for_cpu) return {};
    return std::min(report.cpu_percent, 100.0 * std::max(1U, std::thread::hardware_concurrency()));
}

/// `3 dropped, 12 not delivered`; empty: none that are known.
std::string lost_text(const PlayReport& report, const Losses& losses)
{
    std::string text;
    const auto add = [&](NetworkLoss loss, const char* how) {
        if (loss.frames == 0) return;
        text.append(text.empty() ? "" : ", ").append(loss.at_least ? "at least " : "");
        text.append(std::to_string(loss.frames)).append(how);
    };
    add({report.lost, false}, " dropped");
    add(losses.not_delivered, " not delivered");
    add(losses.not_received, " not received");
    return text;
}

bool is_lower_bound(const Losses& losses) { return losses.not_delivered.at_least || losses.not_received.at_least; }

constexpr auto redraw_every = std::chrono::milliseconds(100);

Nanoseconds system_time() { return std::chrono::system_clock::now().time_since_epoch(); }

/// Lists all message types: the list is at the start of the log, and a stream may add channels later.
PerformanceLogOptions log_options(bool overwrite)
{
    PerformanceLogOptions options{"osiplay", {}, overwrite};
    for (const auto& row : message_types()) options.messages.emplace_back(row.full_name);
    return options;
}

}  // namespace

std::string long_wait_text(const Frame& frame, Nanoseconds wait)
{
    const auto when =
        wait == Nanoseconds::max() ? std::string("never due") : "due in " + decimal_text(seconds_of(wait), 1) + " s";
    const auto time = frame.time ? ", because its time is " + decimal_text(seconds_of(*frame.time), 1) + " s" : "";
    return "frame " + std::to_string(frame.index) + " is " + when + time;
}

std::string text_of(const PlayReport& report, const Losses& losses, bool at_a_rate)
{
    std::string text = "frames    " + std::to_string(report.frames) + '\n';
    if (at_a_rate) text += "late      " + std::to_string(report.late) + '\n';
    const auto lost = lost_text(report, losses);
    const std::string none = is_lower_bound(losses) ? "at least 0" : "0";
    if (at_a_rate || !lost.empty()) text += "lost      " + (lost.empty() ? none : lost) + '\n';
    if (const auto& [count, last] = losses.server_warnings; last)
        text += "warnings  " + std::to_string(count) + " of the server, the last one: " + printable(*last) + '\n';
    if (losses.skipped != 0) text += "skipped   " + std::to_string(losses.skipped) + '\n';
    if (at_a_rate) {
        const auto& late = report.lateness;
        text += "lateness  mean " + duration_text(late.mean) + ", p50 " + duration_text(late.p50) + ", p99 " +
                duration_text(late.p99) + ", max " + duration_text(late.max) + '\n';
    }
    text += "played    " + duration_text(seconds_of(report.played)) + '\n';
    if (const auto percent = cpu_percent(report)) text += "cpu       " + decimal_text(*percent, 1) + " % of one core\n";
    return text;
}

std::string json_of(const PlayReport& report, const Losses& losses)
{
    JsonWriter json;
    json.begin_object().member("format", std::uint64_t{1});
    json.member("frames", report.frames).member("late", report.late).member("lost", report.lost);
    json.member("skipped", losses.skipped);
    json.member("not_delivered", losses.not_delivered.frames).member("not_received", losses.not_received.frames);
    json.member("at_least", is_lower_bound(losses));
    json.member("server_warnings", losses.server_warnings.count)
        .member("last_server_warning", losses.server_warnings.last);
    json.key("lateness_ns").begin_object();
    json.key("mean").nanoseconds(report.lateness.mean.count());
    json.key("p50").nanoseconds(report.lateness.p50.count());
    json.key("p99").nanoseconds(report.lateness.p99.count());
    json.key("max").nanoseconds(report.lateness.max.count()).end_object();
    json.member("seconds", seconds_of(report.played))
        .member("cpu_percent", cpu_percent(report))
        .member("stopped", report.stopped);
    return json.end_object().text();
}

std::string exceeded_limit(const PlayReport& report, const Losses& losses, const PlayLimits& limits)
{
    const auto lost = lost_text(report, losses);
    if (limits.lost && !lost.empty()) return "frames were lost: " + lost;
    if (limits.late && report.lateness.max > *limits.late)
        return "a frame was " + duration_text(report.lateness.max) + " late, the limit is " +
               duration_text(*limits.late);
    return {};
}

StatusLine::StatusLine(Messages& messages)
    : messages_(messages), thread_([this](const std::stop_token& stop) { draw(stop); })
{
}

StatusLine::~StatusLine()
{
    thread_.request_stop();
    thread_.join();
    messages_.clear_progress();
}

void StatusLine::update(const PlayStatus& status)
{
    const std::lock_guard lock(mutex_);
    Shown next{status.position.time, status.now,  status.lost,
               status.frame_bytes,   status.late, std::chrono::steady_clock::now()};
    if (latest_) {
        next.played = latest_->played;
        next.advanced = latest_->advanced;
        if (status.follows) {
            next.played += next.at - latest_->at;
            next.advanced += std::chrono::duration<double>(next.now) - std::chrono::duration<double>(latest_->now);
        }
    }
    latest_ = next;
}

std::string StatusLine::text_of(const Shown& shown)
{
    constexpr std::chrono::duration<double> averaged(1);
    if (recent_.empty() || recent_.back().played != shown.played) recent_.push_back(shown);
    while (recent_.size() > 2 && shown.played - recent_[1].played >= averaged) recent_.pop_front();
    const auto played = shown.played - recent_.front().played;
    std::string text = decimal_text(seconds_of(shown.time), 1) + " s";
    if (paused_)
        text += ", paused";
    else if (played >= averaged)
        text += ", rate " + decimal_text((shown.advanced - recent_.front().advanced) / played, 2);
    text += ", late " + duration_text(shown.late) + ", frame " + bytes_text(shown.frame_bytes);
    if (shown.lost != 0) text += ", " + std::to_string(shown.lost) + " lost";
    return text;
}

void StatusLine::draw(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, stop, redraw_every, [&] { return stop.stop_requested(); })) {
        const auto shown = latest_;
        lock.unlock();
        if (shown) messages_.status(text_of(*shown));
        lock.lock();
    }
}

PlayLog::PlayLog(const std::filesystem::path& file, bool overwrite) : log_(file, log_options(overwrite))
{
    std::uint32_t place = 0;
    for (const auto& name : log_options(overwrite).messages) messages_[name] = place++;
}

void PlayLog::add(PerformanceEvent event, Nanoseconds at, const PlayStatus& status)
{
    for (const auto& frame : status.step) {
        const auto message = messages_.find(status.info->channels.at(frame.channel).type_name);
        if (message != messages_.end()) log_.add(event, at, status.now, message->second, 0, frame.bytes.size());
    }
}

void PlayLog::step_is_due(const PlayStatus& status, bool at_a_rate)
{
    const auto now = system_time();
    add(PerformanceEvent::start_source_calculation, at_a_rate ? now - status.late : last_done_.value_or(now), status);
    add(PerformanceEvent::start_serialize, now, status);
}

void PlayLog::step_is_done(const PlayStatus& status)
{
    last_done_ = system_time();
    add(PerformanceEvent::stop_serialize, *last_done_, status);
}

void PlayLog::close() { log_.close(); }

}  // namespace ositrace::app
