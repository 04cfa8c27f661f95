// SPDX-License-Identifier: MPL-2.0
#include "gui/session/live_loader.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/live_feed.hpp>
#include <ositrace/network_source.hpp>

#include "gui/session/trace_loader.hpp"
#include "gui/text/quantity.hpp"

namespace ositrace::gui {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto between_publications = std::chrono::milliseconds(33);
constexpr auto between_states = std::chrono::milliseconds(500);
constexpr auto silence = std::chrono::seconds(2);

LiveLimits limits_of_sources;

QString receiving_text(const LiveProgress::View& view, const LiveLimits& limits)
{
    const auto& status = view.status;
    if (!status.last_frame) return LiveLoader::tr("connected, no message yet");
    const auto silent = std::chrono::floor<std::chrono::seconds>(SteadyClock::now() - *status.last_frame);
    if (silent >= silence) return LiveLoader::tr("no message for %1 s").arg(silent.count());
    const auto mebibytes = [](std::size_t bytes) { return static_cast<qulonglong>(bytes >> 20); };
    const auto counts = view.trace->counts();
    auto text =
        counts.kept < counts.received
            ? LiveLoader::tr("receiving, the last %1 are kept (%2 MiB)")
                  .arg(count_text(counts.kept, "message"))
                  .arg(mebibytes(limits.bytes))
            : LiveLoader::tr("receiving, %1 of %2 MiB used").arg(mebibytes(counts.bytes)).arg(mebibytes(limits.bytes));
    if (status.lost != 0) text += LiveLoader::tr(", %1 lost").arg(count_text(status.lost, "message"));
    return text;
}

/// A LiveFeed of a network address.
class NetworkFeed final : public LiveLoader::Source {
public:
    NetworkFeed(OpenLiveSource open, const LiveFeedOptions& options)
        : limits_(options.limits), feed_(std::move(open), options)
    {
    }
    const LiveProgress& progress() const noexcept override { return feed_.progress(); }
    void request_stop() noexcept override { feed_.request_stop(); }
    QString text(const LiveProgress::View& view) const override
    {
        return view.status.state == LiveState::receiving ? receiving_text(view, limits_)
                                                         : QString::fromStdString(view.status.text);
    }

private:
    LiveLimits limits_;
    LiveFeed feed_;
};

class RunningModel final : public LiveLoader::Source {
public:
    explicit RunningModel(ModelRunOptions options) : run_(std::move(options)) {}
    const LiveProgress& progress() const noexcept override { return run_.progress(); }
    void request_stop() noexcept override { run_.request_stop(); }
    void show_time(Nanoseconds time, bool sought) override { run_.show_time(time, sought); }
    bool may_begin_anew() const noexcept override { return true; }
    QString text(const LiveProgress::View& view) const override
    {
        const auto& status = view.status;
        if (status.state != LiveState::receiving || !status.known_until) return QString::fromStdString(status.text);
        return LiveLoader::tr("computed up to %1").arg(seconds_text(*status.known_until, std::chrono::milliseconds(1)));
    }

private:
    ModelRun run_;
};

}  // namespace

std::function<std::unique_ptr<LiveLoader::Source>()> model_run(ModelRunOptions options)
{
    return [options = std::move(options)] { return std::make_unique<RunningModel>(options); };
}

void set_live_limits(LiveLimits limits) noexcept { limits_of_sources = limits; }
LiveLimits live_limits() noexcept { return limits_of_sources; }

std::function<std::unique_ptr<LiveLoader::Source>()> network_feed(const std::string& address,
                                                                  std::optional<MessageType> type, LiveLimits limits)
{
    return [=] {
        const auto open = [address, type, port = std::uint16_t{0}](const std::stop_token& stop,
                                                                   const std::function<void()>& lost) mutable {
            auto parsed = parse_network_address(address);
            if (port != 0) parsed.port = port;  // a free port that it has listened at before
            NetworkOptions options;
            options.type = type;
            options.max_message_bytes = viewer_open_options(type).max_message_bytes;
            options.stop = stop;
            options.on_open = [&](const NetworkAddress& opened) { port = opened.port; };
            options.on_lost = [lost](const LostMessage&) { lost(); };
            return open_network(parsed, options);
        };
        LiveFeedOptions options;
        options.limits = limits;
        const auto parsed = parse_network_address(address);
        options.waits_for = receiver_listens(parsed) ? "a sender to connect" : "a sender";
        return std::make_unique<NetworkFeed>(open, options);
    };
}

LiveLoader::LiveLoader(std::function<std::unique_ptr<Source>()> begin, QObject* parent)
    : Loader(parent), begin_(std::move(begin))
{
    state_timer_.setInterval(between_states);
    connect(&state_timer_, &QTimer::timeout, this, &LiveLoader::show_state);
}

LiveLoader::~LiveLoader()
{
    stop();
    if (thread_.joinable()) thread_.join();
}

void LiveLoader::start()
{
    source_ = begin_();
    // Later: there may be no application yet.
    QMetaObject::invokeMethod(&state_timer_, qOverload<>(&QTimer::start), Qt::QueuedConnection);
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void LiveLoader::stop()
{
    if (thread_.get_stop_token().stop_requested()) return;  // the thread may have destroyed the source
    state_timer_.stop();
    if (source_) source_->request_stop();
    thread_.request_stop();
}

void LiveLoader::show_time(Nanoseconds time, bool sought)
{
    if (source_ && !thread_.get_stop_token().stop_requested()) source_->show_time(time, sought);
}

void LiveLoader::run(const std::stop_token& stop)
{
    std::vector<std::shared_ptr<const LiveTrace>> retired;  // freed here: it takes long
    std::uint64_t seen = ~std::uint64_t{0};
    while (!stop.stop_requested()) {
        const auto view = source_->progress().wait(seen, stop);
        if (stop.stop_requested()) break;
        seen = view.version;
        is_held_ = holds_back(view);
        if (is_held_) {
            seen = ~std::uint64_t{0};  // the user may look at the last message at any time
        } else {
            if (trace_ && view.trace != trace_) retired.push_back(trace_);
            publish(view);
        }
        is_behind_ = true;
        QMetaObject::invokeMethod(this, &LiveLoader::show_state, Qt::QueuedConnection);
        if (view.status.state == LiveState::failed && !source_->may_begin_anew())
            emit failed(QString::fromStdString(view.status.text));
        do std::this_thread::sleep_for(between_publications);
        while (is_behind_ && !stop.stop_requested());
        std::erase_if(retired, [](const auto& each) { return each.use_count() == 1; });
    }
    trace_.reset();
    walks_.clear();
    source_.reset();  // here: its own thread may take a while to end
    ended_ = true;
    emit ended();
}

/// A model begins anew because the user asks for another time: that is shown.
bool LiveLoader::holds_back(const LiveProgress::View& view) const
{
    return looks_back_ && !source_->may_begin_anew() && trace_ && trace_->counts().kept != 0 &&
           !view.trace->has_frames_of(*trace_);
}

void LiveLoader::publish(const LiveProgress::View& view)
{
    const bool is_new = view.trace != trace_;
    if (is_new) {
        trace_ = view.trace;
        walks_.clear();
        for (std::uint32_t i = 0; trace_ && i != trace_->info().channels.size(); ++i) walks_.emplace_back(trace_, i);
    }
    const bool is_resumed = !is_new && starts_ != 0 && view.status.starts != starts_;
    if (is_resumed && !looks_back_) emit resumed();
    if (!is_resumed || !looks_back_) starts_ = view.status.starts;
    if (trace_) {
        IndexedTimes times{.channels = {}, .progress = 1.0, .problem = {}, .notes = {}};
        for (auto& walk : walks_) {
            walk.follow(*trace_);
            auto copy = walk.times();
            copy.complete = view.status.state == LiveState::failed || view.status.state == LiveState::ended;
            copy.known_until = view.status.known_until;
            times.channels.push_back(std::make_shared<const MessageTimes>(std::move(copy)));
        }
        if (is_new)
            emit opened(trace_, times);
        else
            emit grown(times);
    }
}

void LiveLoader::show_state()
{
    // After what this arrival has changed is painted: arrivals meanwhile are published together.
    QTimer::singleShot(0, this, [this] { is_behind_ = false; });
    if (thread_.get_stop_token().stop_requested()) return;
    const auto view = source_->progress().view();
    const auto& status = view.status;
    const auto text =
        is_held_ ? tr("the sender has begun again; these are its earlier messages, Live (End) shows the new ones")
                 : source_->text(view);
    if (std::exchange(state_, text) == text) return;
    const bool is_silent =
        !source_->may_begin_anew() && status.last_frame && SteadyClock::now() - *status.last_frame >= silence;
    const bool is_well = status.state == LiveState::receiving || status.state == LiveState::ended ||
                         (source_->may_begin_anew() && status.state == LiveState::waiting);
    emit state_changed(text, is_well && !is_silent && !is_held_);
}

}  // namespace ositrace::gui
