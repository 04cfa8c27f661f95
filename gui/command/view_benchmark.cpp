// SPDX-License-Identifier: MPL-2.0
#include "gui/command/view_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QEventLoop>
#include <QFile>
#include <QImage>
#include <QMetaObject>
#include <QPainter>
#include <QTimer>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>

#include "gui/find/find_panel.hpp"
#include "gui/plot/plot_panel.hpp"
#include "gui/scene/scene_view.hpp"
#include "gui/states/state_view.hpp"
#include "gui/states/states_panel.hpp"
#include "gui/window/viewer_window.hpp"
#include "lib/system/process.hpp"

namespace ositrace::gui {

namespace {

constexpr auto post_interval = std::chrono::milliseconds(2);

}  // namespace

GuiWatchdog::GuiWatchdog(QObject* parent) : QObject(parent), poster_([this](const std::stop_token& stop) { run(stop); })
{
}

GuiWatchdog::~GuiWatchdog()
{
    poster_.request_stop();
    poster_.join();
}

std::chrono::nanoseconds GuiWatchdog::longest_block() const noexcept
{
    const auto posted = posted_.load();
    const auto waits = posted == 0 ? 0 : now() - posted;
    return Clock::duration(std::max(longest_.load(), waits));
}

void GuiWatchdog::reset() noexcept
{
    longest_ = 0;
    if (posted_ != 0) posted_ = now();  // only this thread handles events
}

GuiWatchdog::Clock::rep GuiWatchdog::now() noexcept { return Clock::now().time_since_epoch().count(); }

void GuiWatchdog::answer()
{
    const auto posted = posted_.exchange(0);
    if (posted == 0) return;
    longest_ = std::max(longest_.load(), now() - posted);
}

void GuiWatchdog::run(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(post_interval);
        if (posted_ != 0) continue;
        posted_ = now();
        QMetaObject::invokeMethod(this, &GuiWatchdog::answer, Qt::QueuedConnection);
    }
}

namespace {

using Clock = std::chrono::steady_clock;

constexpr int seeks = 100;
constexpr int memory_samples = 10;  // during playback
constexpr auto longest_wait = std::chrono::minutes(8);

double in_milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

bool wait_for(const std::function<bool()>& condition, std::chrono::nanoseconds patience = longest_wait)
{
    QEventLoop loop;
    QTimer look;
    QDeadlineTimer deadline(std::chrono::duration_cast<std::chrono::milliseconds>(patience));
    bool came = false;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        came = condition();
        if (came || deadline.hasExpired()) loop.quit();
    });
    look.start(1);
    loop.exec();
    return came;
}

/// In MB, from /proc/self/status, which counts in units of 1024 bytes; NaN where the system has none.
double memory(const char* which)
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (status.open(QIODevice::ReadOnly))
        for (const auto& line : status.readAll().split('\n'))
            if (line.startsWith(which)) return line.simplified().split(' ').value(1).toDouble() * 1024 / 1e6;
    return std::numeric_limits<double>::quiet_NaN();
}

/// Seeks to random times, the same in every run; returns the durations, sorted.
std::vector<double> seek_times(ViewerWindow& window)
{
    auto& playback = window.viewer().playback();
    const auto extent = *playback.extent();
    std::mt19937_64 random(1);
    std::uniform_int_distribution<std::int64_t> place(extent.from.count(), extent.to.count());
    std::vector<double> times;
    for (int i = 0; i != seeks; ++i) {
        const auto begun = Clock::now();
        playback.seek(Nanoseconds(place(random)));
        if (!wait_for([&] { return window.is_settled(); })) break;
        times.push_back(in_milliseconds(Clock::now() - begun));
    }
    std::sort(times.begin(), times.end());
    return times;
}

struct Played {
    int messages = 0;
    double per_second = 0;
    std::vector<double> memory;  ///< in MB, at equal intervals
};

/// Plays in a loop, as fast as possible.
Played play(ViewerWindow& window, std::chrono::seconds time)
{
    auto& playback = window.viewer().playback();
    playback.to_start();
    playback.set_mode(PlaybackMode::every_message);
    playback.set_loops(true);
    playback.set_rate(Timeline::max_rate);
    Played played;
    const auto counts = QObject::connect(&window, &ViewerWindow::snapshot_shown, [&] { ++played.messages; });
    const auto begun = Clock::now();
    playback.play();
    for (int i = 0; i != memory_samples; ++i) {
        wait_for([] { return false; }, std::chrono::nanoseconds(time) / memory_samples);
        played.memory.push_back(memory("VmRSS:"));
    }
    playback.pause();
    QObject::disconnect(counts);
    played.per_second = played.messages / std::chrono::duration<double>(Clock::now() - begun).count();
    return played;
}

/// A path to a number that messages of this type have, of a road user if it has one; empty: none.
std::string usual_path(const MessageTable& root)
{
    for (const auto* const each : {"global_ground_truth.moving_object[0].base.position.x",
                                   "moving_object[0].base.position.x", "timestamp.nanos"}) {
        try {
            static_cast<void>(FieldPath::compile(root, each));
            return each;
        } catch (const Error&) {  // another type
        }
    }
    return {};
}

/// Where messages of this type have road users; empty: nowhere.
std::string road_users(const MessageTable& root)
{
    for (const auto* const each : {"global_ground_truth.moving_object[*].", "moving_object[*]."}) {
        try {
            static_cast<void>(FieldPath::compile(root, std::string(each) + "base"));
            return each;
        } catch (const Error&) {  // another type
        }
    }
    return {};
}

/// Time to paint a curve of a million samples with axes and text, the least of some.
double million_painted()
{
    constexpr std::size_t samples = 1'000'000;
    constexpr int tries = 10;
    std::mt19937 random(1);
    Curve curve;
    for (std::size_t i = 0; i != samples; ++i) {
        curve.times.emplace_back(static_cast<std::int64_t>(i) * 1'000'000);
        curve.values.push_back(std::sin(1e-5 * static_cast<double>(i)) + static_cast<double>(random() % 1000) / 1000);
    }
    PlotView view;
    view.resize(1200, 200);
    view.set_extent(TimeSection{curve.times.front(), curve.times.back()});
    PlotLine line{.name = QStringLiteral("samples"), .unit = QStringLiteral("m")};
    line.data = std::make_shared<const PlotData>(std::move(curve));
    view.set_lines({line});
    QImage image(view.size(), QImage::Format_RGB32);
    double least = 1e9;
    for (int i = 0; i != tries; ++i) {
        const auto begun = Clock::now();
        QPainter painter(&image);
        view.paint(painter, view.size());
        painter.end();
        least = std::min(least, in_milliseconds(Clock::now() - begun));
    }
    return least;
}

/// Plots a field of the active channel over all its messages.
void plot_field(ViewerWindow& window, GuiWatchdog& watchdog)
{
    auto& session = window.viewer().session();
    const auto& channel = (*session.channels())[session.active()];
    const auto path = channel.channel->root == nullptr ? std::string() : usual_path(*channel.channel->root);
    if (path.empty()) return;
    watchdog.reset();
    const auto begun = Clock::now();
    auto& plots = *window.findChild<PlotPanel*>();
    plots.plot(session.active(), path);
    if (!wait_for([&] { return plots.model().is_settled(); })) return;
    std::printf("curve of a field       %8.1f ms for %llu messages: %s\n", in_milliseconds(Clock::now() - begun),
                static_cast<unsigned long long>(channel.times->count), path.c_str());
    std::printf("longest GUI block      %8.1f ms while plotting\n", in_milliseconds(watchdog.longest_block()));
    std::printf("1 000 000 samples      %8.1f ms to paint\n", million_painted());
}

/// The types of all road users over all messages of the active channel, and when one of them brakes hard.
void look_over_time(ViewerWindow& window, GuiWatchdog& watchdog)
{
    auto& session = window.viewer().session();
    const auto& channel = (*session.channels())[session.active()];
    const auto users = channel.channel->root == nullptr ? std::string() : road_users(*channel.channel->root);
    if (users.empty()) return;
    watchdog.reset();
    auto begun = Clock::now();
    auto& states = *window.findChild<StatesPanel*>();
    states.set_fields({QString::fromStdString(users + "type")});
    if (!wait_for([&] { return states.is_settled(); })) return;
    std::printf("states of a field      %8.1f ms, %zu rows\n", in_milliseconds(Clock::now() - begun),
                states.view().curves().size());
    begun = Clock::now();
    auto& found = *window.findChild<FindPanel*>();
    found.find(QString::fromStdString(users + "base.acceleration.x < -4"));
    if (!wait_for([&] { return found.is_settled(); })) return;
    std::printf("find in time           %8.1f ms, %d rows\n", in_milliseconds(Clock::now() - begun),
                found.found().rowCount());
    std::printf("longest GUI block      %8.1f ms meanwhile\n", in_milliseconds(watchdog.longest_block()));
}

/// The processor time that the paused window takes, as a part of the time.
double idle_load()
{
    constexpr auto time = std::chrono::seconds(5);
    const auto begun = own_processor_time();
    QEventLoop loop;
    QTimer::singleShot(time, &loop, &QEventLoop::quit);
    loop.exec();
    return std::chrono::duration<double>(own_processor_time() - begun) / time;
}

}  // namespace

QString run_benchmark(ViewerWindow& window, Clock::time_point begun, std::chrono::seconds played_for)
{
    auto& viewer = window.viewer();
    std::optional<GuiWatchdog> started(std::in_place);
    auto& watchdog = *started;
    const auto has_failed = [&] { return viewer.session().is_complete() && viewer.session().channels()->empty(); };
    if (!wait_for([&] { return window.is_seen() || has_failed(); }) || has_failed())
        return viewer.problems().join(QLatin1Char('\n'));
    std::printf("first picture          %8.1f ms after the start: clouds coarsely\n",
                in_milliseconds(Clock::now() - begun));
    if (!wait_for([&] { return window.is_settled(); }))
        return QStringLiteral("the first frame was not drawn within 8 minutes");
    std::printf(
        "first frame            %8.1f ms after the start: complete; %.1f ms of processor time, %.0f MB of "
        "memory at most\n",
        in_milliseconds(Clock::now() - begun), in_milliseconds(own_processor_time()), memory("VmHWM:"));
    if (!wait_for([&] { return viewer.session().is_complete(); }))
        return QStringLiteral("the index was not complete within 8 minutes");
    if (!viewer.playback().extent()) return QStringLiteral("there is no message to show");
    std::printf("index complete         %8.1f ms after the start\n", in_milliseconds(Clock::now() - begun));
    std::printf("longest GUI block      %8.1f ms while opening\n", in_milliseconds(watchdog.longest_block()));
    watchdog.reset();
    const auto times = seek_times(window);
    if (times.empty()) return QStringLiteral("no seek was completed within 8 minutes");
    std::printf("seek, 50 %%             %8.1f ms\nseek, 95 %%             %8.1f ms of %zu\n", times[times.size() / 2],
                times[times.size() * 95 / 100], times.size());
    std::printf("longest GUI block      %8.1f ms while seeking\n", in_milliseconds(watchdog.longest_block()));
    watchdog.reset();
    const auto played = play(window, played_for);
    std::printf("every message          %8.1f per second, %d in total\n", played.per_second, played.messages);
    std::printf("longest GUI block      %8.1f ms while playing\n", in_milliseconds(watchdog.longest_block()));
    plot_field(window, watchdog);
    look_over_time(window, watchdog);
    started.reset();  // it takes time
    std::printf("paused                 %8.2f %% of a processor\n", 100 * idle_load());
    std::printf("memory while playing  ");
    for (const auto each : played.memory) std::printf(" %.0f", each);
    std::printf(" MB\nresident memory        %8.1f MB, %.1f at most\n", memory("VmRSS:"), memory("VmHWM:"));
    std::printf("cache                  %8.1f MB\n", static_cast<double>(viewer.frames().cache_bytes()) / 1e6);
    std::printf("drawn by               %s\n", qUtf8Printable(window.scene().renderer_description()));
    return {};
}

}  // namespace ositrace::gui
