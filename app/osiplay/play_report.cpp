// SPDX-License-Identifier: MPL-2.0
#include "app/osiplay/play_report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <thread>

#include "app/terminal/json.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

double seconds_of(Nanoseconds time) { return static_cast<double>(time.count()) * 1e-9; }

std::string number_text(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
    return text.data();
}

/// The system charges a thread a tick late: less says nothing.
constexpr Nanoseconds worth_a_share = std::chrono::milliseconds(100);

std::optional<double> cpu_percent(const PlayReport& report)
{
    if (report.played < worth_a_share) return {};
    return std::min(report.cpu_percent, 100.0 * std::max(1U, std::thread::hardware_concurrency()));
}

/// `3 dropped, 12 not delivered`; empty: none.
std::string lost_text(const PlayReport& report, const Losses& losses)
{
    std::string text;
    const auto add = [&](std::uint64_t count, const char* how) {
        if (count != 0) text.append(text.empty() ? "" : ", ").append(std::to_string(count)).append(how);
    };
    add(report.lost, " dropped");
    add(losses.not_delivered, " not delivered");
    add(losses.not_received, " not received");
    return text;
}

}  // namespace

std::string short_time_text(Nanoseconds time)
{
    const auto count = static_cast<double>(time.count());
    if (time < Nanoseconds(100)) return std::to_string(time.count()) + " ns";
    if (count < 999.5e3) return number_text(count / 1e3) + " us";
    if (count < 999.5e6) return number_text(count / 1e6) + " ms";
    return duration_text(count / 1e9);
}

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
    if (at_a_rate || !lost.empty()) text += "lost      " + (lost.empty() ? "0" : lost) + '\n';
    if (losses.damage.skipped_frames != 0) text += "skipped   " + std::to_string(losses.damage.skipped_frames) + '\n';
    if (at_a_rate) {
        const auto& late = report.lateness;
        text += "lateness  mean " + short_time_text(late.mean) + ", p50 " + short_time_text(late.p50) + ", p99 " +
                short_time_text(late.p99) + ", max " + short_time_text(late.max) + '\n';
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
    json.member("skipped", losses.damage.skipped_frames);
    json.member("not_delivered", losses.not_delivered).member("not_received", losses.not_received);
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

std::string passed_limit(const PlayReport& report, const Losses& losses, const PlayLimits& limits)
{
    const auto lost = lost_text(report, losses);
    if (limits.lost && !lost.empty()) return "frames were lost: " + lost;
    if (limits.late && report.lateness.max > *limits.late)
        return "a frame came " + short_time_text(report.lateness.max) + " late, the limit is " +
               short_time_text(*limits.late);
    return {};
}

}  // namespace ositrace::app
