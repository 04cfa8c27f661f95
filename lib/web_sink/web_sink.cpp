// SPDX-License-Identifier: MPL-2.0
#include <ositrace/web_sink.hpp>

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <ositrace/count_text.hpp>
#include <ositrace/picture_maker.hpp>
#include <ositrace/player.hpp>
#include <ositrace/web_page.hpp>

#include "lib/net/served_sink.hpp"
#include "lib/system/process.hpp"
#include "lib/web_sink/last_frames.hpp"
#include "lib/web_sink/web_request.hpp"

namespace ositrace {

namespace web_sink {

namespace {

using net::ClientCounts;
using net::ClientId;
using net::Delivery;

/// For the thread that makes pictures.
constexpr std::size_t most_waiting_steps = 16;
/// Of a browser: what it shows is not much older than what is played.
constexpr std::size_t most_queued_steps = 8;
/// A page sends nothing.
constexpr std::size_t most_received_bytes = 1024;
constexpr auto notice_interval = std::chrono::seconds(1);

constexpr std::array subprotocols{page_subprotocol};

net::WebSocketLimits limits_of_page()
{
    net::WebSocketLimits limits;
    limits.queued_steps = most_queued_steps;
    limits.received_bytes = most_received_bytes;
    return limits;
}

/// What is shown at a time.
struct Step {
    std::uint64_t number = 0;
    Nanoseconds time{};
    std::vector<ShownChannel> channels;
};

struct Browser {
    std::string name;
    bool has_sent = false;
    std::uint64_t dropped_told = 0;
};

class WebSink final : public net::ServedSink {
public:
    WebSink(const NetworkAddress& address, NetworkSinkOptions options);
    WebSink(const WebSink&) = delete;
    WebSink& operator=(const WebSink&) = delete;
    ~WebSink() override
    {
        end_painting();
        stop();
    }

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void waiting(const PlayWait& wait) override;
    void finish() override;
    void failed(const std::string& why) override { notify("end", "The replay has ended: " + why); }
    void tell_of_damage(const std::string& what) override;

private:
    // Of the thread that makes pictures.
    void paint(const std::stop_token& stop);
    [[nodiscard]] std::optional<Step> next_step(const std::stop_token& stop);
    void paint(const Step& step);
    void end_step();  ///< of any thread

    // Of the server's thread.
    std::optional<net::HttpAnswer> answer(const net::HttpRequest& request) override
    {
        return answer_to(request, address_.host);
    }
    void opened(ClientId client, const std::string& name) override;
    /// Browsers open connections ahead that they do not use: no reason for a warning.
    void refused(const std::string& name, const std::string& why) override { detail(name + " was refused: " + why); }
    void received(ClientId client, bool text, Bytes message) override;
    void closed(ClientId client, const ClientCounts& counts, const std::string& why) override;
    void tick() override;
    void serve(const PageMessage& start, const PageMoment& moment, std::uint64_t step);
    void send_start(ClientId client);
    void send_layer(ClientId client, const PageLayer& layer, const std::shared_ptr<const std::size_t>& needed);
    void send_frame(ClientId client);
    void count_browsers();

    // Of any thread.
    void notify(const std::string& id, const std::string& text);
    void end_painting();

    // Of the player's thread.
    LastFrames last_;
    std::uint64_t steps_ = 0;
    bool is_paused_ = false;

    // mutex_ guards the following.
    std::deque<Step> waiting_steps_;
    std::optional<Step> newest_;
    std::string title_;
    std::size_t browsers_ = 0;
    std::size_t unserved_ = 0;  ///< steps that are no longer in waiting_steps_
    bool is_damaged_ = false;

    // Of the thread that makes pictures.
    PictureMaker pictures_;
    std::optional<PageStream> stream_;
    std::size_t streamed_channels_ = 0;

    // Of the server's thread. What the last moment consists of: new browsers receive it.
    std::map<ClientId, Browser> clients_;
    PageMessage start_, frame_;
    std::uint64_t step_ = 0;
    std::map<std::uint64_t, std::pair<PageLayer, std::shared_ptr<std::size_t>>>
        layers_;                                  ///< with WebSocketMessage::needed
    std::map<std::string, std::string> notices_;  ///< messages by their ids
    std::chrono::steady_clock::time_point noticed_{};

    std::jthread painter_;
};

WebSink::WebSink(const NetworkAddress& address, NetworkSinkOptions options)
    : ServedSink(address, std::move(options), subprotocols, limits_of_page())
{
    painter_ = std::jthread([this](const std::stop_token& stop) { paint(stop); });
    start();
}

void WebSink::begin(const TraceInfo& info, const PlayStart&)
{
    {
        const std::lock_guard lock(mutex_);
        title_ = info.file.empty() ? std::string("live") : info.file.filename().string();
    }
    const bool is_bracketed = address_.host.find(':') != std::string::npos;
    const auto host = address_.host == "*" ? machine_name() : is_bracketed ? "[" + address_.host + "]" : address_.host;
    note("open http://" + host + ":" + std::to_string(address_.port) + "/ in a browser");
    wait_for_subscribers();
}

void WebSink::take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
{
    const auto time = step_time(now);
    last_.add_channels(info);
    for (const auto& frame : kept(frames)) last_.add(frame, time);
    Step step{++steps_, time, last_.shown(time)};
    const std::lock_guard lock(mutex_);
    if (browsers_ != 0) {
        if (waiting_steps_.size() == most_waiting_steps) {
            waiting_steps_.pop_front();
            counts_.not_delivered += browsers_;
        }
        waiting_steps_.push_back(step);
    }
    newest_ = std::move(step);
    changed_.notify_all();
}

void WebSink::waiting(const PlayWait& wait)
{
    if (std::exchange(is_paused_, wait.rate == 0) != is_paused_)
        notify("pause", is_paused_ ? "The replay is paused." : "");
}

void WebSink::tell_of_damage(const std::string& what)
{
    {
        const std::lock_guard lock(mutex_);
        if (std::exchange(is_damaged_, true)) return;
    }
    notify("damage", "Damage in the trace, the first place: " + what);
}

void WebSink::finish()
{
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, options_.stop, options_.linger,
                          [&] { return waiting_steps_.empty() && unserved_ == 0; });
    }
    end_painting();
    end([this] {
        for (const auto& [client, browser] : clients_) count(browser.name, server_->counts(client));
    });
}

void WebSink::end_painting()
{
    if (!painter_.joinable()) return;
    painter_.request_stop();
    painter_.join();
}

void WebSink::paint(const std::stop_token& stop)
{
    while (const auto step = next_step(stop)) {
        try {
            paint(*step);
        } catch (const std::exception& error) {  // no memory
            note("a step is not shown: " + std::string(error.what()));
            {
                const std::lock_guard lock(mutex_);
                counts_.not_delivered += browsers_;
            }
            end_step();
        }
    }
}

/// The step is served, or never will be.
void WebSink::end_step()
{
    const std::lock_guard lock(mutex_);
    --unserved_;
    changed_.notify_all();
}

std::optional<Step> WebSink::next_step(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return !waiting_steps_.empty(); }) || stop.stop_requested())
        return std::nullopt;
    auto step = std::move(waiting_steps_.front());
    waiting_steps_.pop_front();
    ++unserved_;
    return step;
}

void WebSink::paint(const Step& step)
{
    const auto picture = pictures_.make(sources_of(step.channels));
    if (!stream_ || step.channels.size() != streamed_channels_) {
        PageFacts facts;
        {
            const std::lock_guard lock(mutex_);
            facts.title = title_;
        }
        for (const auto& each : step.channels) facts.sources.push_back(each.channel->topic);
        streamed_channels_ = step.channels.size();
        stream_.emplace(facts, address_.points_per_cloud);
    }
    auto moment = stream_->add(step.time, *picture);
    server_->post([this, start = stream_->start(), moment = std::move(moment), number = step.number] {
        const std::shared_ptr<WebSink> ends(this, [](WebSink* sink) { sink->end_step(); });
        serve(start, moment, number);
    });
}

/// The map first: without it the frame says little.
void WebSink::serve(const PageMessage& start, const PageMoment& moment, std::uint64_t step)
{
    if (clients_.empty()) return;  // they have gone meanwhile
    step_ = step;
    frame_ = moment.frame;
    const bool is_new = std::exchange(start_, start) != start;
    if (is_new) layers_.clear();
    std::set<std::uint64_t> shown;
    for (const auto& layer : moment.layers) shown.insert(layer.number);
    std::erase_if(layers_, [&](const auto& each) {
        if (shown.contains(each.first)) return false;
        *each.second.second = 0;
        return true;
    });
    for (const auto& [client, browser] : clients_)
        if (is_new) send_start(client);
    for (const auto& layer : moment.layers) {
        const auto [place, added] = layers_.try_emplace(layer.number, layer, std::make_shared<std::size_t>(1));
        if (!added) continue;
        for (const auto& [client, browser] : clients_) send_layer(client, layer, place->second.second);
    }
    for (const auto& [client, browser] : clients_) send_frame(client);
}

void WebSink::send_start(ClientId client)
{
    server_->send(client, {false, Delivery::always, {}, bytes_of(*start_), start_});
}

void WebSink::send_layer(ClientId client, const PageLayer& layer, const std::shared_ptr<const std::size_t>& needed)
{
    server_->send(client, {false, Delivery::may_drop, {}, bytes_of(*layer.message), layer.message, step_, needed});
}

void WebSink::send_frame(ClientId client)
{
    server_->send(client, {false, Delivery::may_drop, {}, bytes_of(*frame_), frame_, step_});
}

void WebSink::opened(ClientId client, const std::string& name)
{
    detail(name + " connected");
    clients_.emplace(client, Browser{name});
    for (const auto& [id, message] : notices_) server_->send(client, {false, Delivery::always, message});
    if (frame_) {
        send_start(client);
        for (const auto& [number, layer] : layers_) send_layer(client, layer.first, layer.second);
        send_frame(client);
    }
    count_browsers();
}

void WebSink::received(ClientId client, bool, Bytes)
{
    auto& browser = clients_.at(client);
    if (!std::exchange(browser.has_sent, true)) note(browser.name + " sent a message: a page sends none");
}

void WebSink::closed(ClientId client, const ClientCounts& counts, const std::string& why)
{
    const auto browser = clients_.extract(client);
    count_disconnected(browser.mapped().name, counts, why);
    count_browsers();
    if (!clients_.empty()) return;
    start_ = frame_ = nullptr;  // soon it is not the current one
    layers_.clear();
}

/// The first browser receives the current step, also in a pause.
void WebSink::count_browsers()
{
    {
        const std::lock_guard lock(mutex_);
        browsers_ = clients_.size();
        if (browsers_ == 0)
            waiting_steps_.clear();
        else if (!frame_ && waiting_steps_.empty() && unserved_ == 0 && newest_)
            waiting_steps_.push_back(*newest_);
    }
    set_subscribers(clients_.size());
}

void WebSink::tick()
{
    const auto now = std::chrono::steady_clock::now();
    if (now - noticed_ < notice_interval) return;
    noticed_ = now;
    for (auto& [client, browser] : clients_) {
        const auto dropped = server_->counts(client).dropped;
        if (std::exchange(browser.dropped_told, dropped) == dropped) continue;
        server_->send(client, {false, Delivery::always,
                               page_notice("slow", "This browser reads too slowly: it missed " +
                                                       count_text(dropped, "message") + ".")});
    }
}

void WebSink::notify(const std::string& id, const std::string& text)
{
    server_->post([this, id, is_over = text.empty(), message = page_notice(id, text)] {
        if (is_over)
            notices_.erase(id);
        else
            notices_[id] = message;
        for (const auto& [client, browser] : clients_) server_->send(client, {false, Delivery::always, message});
    });
}

}  // namespace

}  // namespace web_sink

std::unique_ptr<NetworkSink> open_web_sink(const NetworkAddress& address, NetworkSinkOptions options)
{
    return std::make_unique<web_sink::WebSink>(address, std::move(options));
}

}  // namespace ositrace
