// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <future>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <ositrace/convert.hpp>
#include <ositrace/edit/static.hpp>
#include <ositrace/error.hpp>
#include <ositrace/player.hpp>
#include <ositrace/stated_channel.hpp>
#include <ositrace/transcoder.hpp>

#include "lib/net/foxglove_protocol.hpp"
#include "lib/net/map_expander.hpp"
#include "lib/net/served_sink.hpp"
#include "lib/net/transports.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::net {

namespace {

using std::chrono::steady_clock;

/// Of the trace: each is advertised to every client with a schema of about 60 kB.
constexpr std::size_t offered_channels = 1024;
constexpr std::size_t max_subscriptions = 4096;  ///< of a client
/// Steps that the server's thread has not taken from the player.
constexpr std::size_t max_waiting_steps = 64;
constexpr auto time_interval = std::chrono::milliseconds(100);
constexpr auto status_interval = std::chrono::seconds(1);
/// Clients are warned if more than 1 % of the frames were later.
constexpr auto noticeable_lateness = std::chrono::milliseconds(10);
/// A warning of losses is withdrawn after so long without one.
constexpr auto quiet_time = std::chrono::seconds(3);

std::uint64_t unsigned_time(Nanoseconds time)
{
    return static_cast<std::uint64_t>(std::max<Nanoseconds::rep>(0, time.count()));
}

/// A message that clients receive when they subscribe. The payload in the form in which it is sent is made once.
struct KeptMessage {
    Frame frame;
    std::uint64_t time = 0;
    std::uint64_t step = 0;  ///< its number
    Bytes sent_bytes = {};
    std::shared_ptr<const void> sent_owner = nullptr;
    std::size_t map_parts = 0;  ///< of which this is the last message
};

/// A field of the map. A trace may send it only once.
struct MapPart {
    std::shared_ptr<KeptMessage> last;  ///< that had it
    std::uint64_t messages = 0;         ///< that had it
};

struct ServedChannel {
    Channel channel;
    std::shared_ptr<const std::string> advertisement;
    std::optional<Transcoder> to_protobuf;
    std::shared_ptr<KeptMessage> last;
    std::map<std::string_view, MapPart> map;  ///< by field
    std::set<std::pair<ClientId, foxglove::SubscriptionId>> subscribers;
    bool failure_is_noted = false;
};

/// A status. Its text never changes: viewers keep an alert for each text that they receive.
struct Notice {
    std::string_view id;
    foxglove::Level level;
    std::string_view text;
};

constexpr Notice late_notice{"late", foxglove::Level::warning, "more than 1 % of the frames are over 10 ms late"};
constexpr Notice lost_notice{"lost", foxglove::Level::warning, "frames are dropped because the replay is late"};
constexpr Notice slow_notice{"slow", foxglove::Level::warning,
                             "messages are dropped because this client reads too slowly"};
constexpr Notice map_notice{"map", foxglove::Level::warning,
                            "the trace sends its map only once, and Lichtblick removes what the next message lacks: "
                            "foxglove://?static=expand sends it with every message"};

/// Is something lost now, or was it a short while ago? Known from a count of losses.
class Losing {
public:
    [[nodiscard]] bool is_losing(std::uint64_t count, steady_clock::time_point now)
    {
        if (std::exchange(count_, count) != count) last_ = now;
        return last_ && now - *last_ < quiet_time;
    }

private:
    std::uint64_t count_ = 0;
    std::optional<steady_clock::time_point> last_;
};

/// A message that a new subscription receives.
struct EarlierMessage {
    std::shared_ptr<KeptMessage> message;
    std::size_t channel = 0;
    foxglove::SubscriptionId subscription = 0;
};

struct ServedClient {
    std::string name;
    std::map<foxglove::SubscriptionId, std::size_t> subscriptions;  ///< to indices of channels
    Losing losing = {};
    std::uint64_t dropped_told = 0;
    bool is_warned = false;  ///< of its losses
};

/// A Foxglove server.
class FoxgloveSink final : public ServedSink {
public:
    FoxgloveSink(const NetworkAddress& address, NetworkSinkOptions options);
    FoxgloveSink(const FoxgloveSink&) = delete;
    FoxgloveSink& operator=(const FoxgloveSink&) = delete;
    ~FoxgloveSink() override { stop(); }

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void waiting(const PlayWait& wait) override;
    void delivered(const PlayStatus& status) override;
    void finish() override;
    void failed(const std::string& why) override;
    void tell_of_damage(const std::string& what) override;

private:
    // Of the player's thread.
    void offer_channels(const TraceInfo& info);

    // Of the server's thread.
    void opened(ClientId client, const std::string& name) override;
    void received(ClientId client, bool text, Bytes message) override;
    void closed(ClientId client, const ClientCounts& counts, const std::string& why) override;
    void tick() override;
    void add_channel(const Channel& channel);
    void serve(std::span<const Frame> frames, std::uint64_t time);
    [[nodiscard]] Frame with_map(const Frame& frame);
    void subscribe(ClientId client, const foxglove::Subscribe& message);
    [[nodiscard]] std::string subscribe(ClientId client, const foxglove::Subscription& wanted,
                                        std::vector<EarlierMessage>& earlier);
    void unsubscribe(ClientId client, const foxglove::Unsubscribe& message);
    void add_earlier(std::size_t place, foxglove::SubscriptionId subscription,
                     std::vector<EarlierMessage>& earlier) const;
    void send(ServedChannel& channel, const std::shared_ptr<KeptMessage>& message, ClientId client,
              foxglove::SubscriptionId subscription);
    bool make_sendable(ServedChannel& channel, KeptMessage& message);
    void send_advertisements(ClientId client, std::size_t from);
    void advance_time();
    void send_time();
    void send_statuses();
    void set_status(foxglove::Level level, std::string_view text, std::string_view id);
    void show(const Notice& notice, bool holds);
    void complain(ClientId client, const std::string& what);
    void complain(ClientId client, const std::vector<std::string>& what);
    void count_subscribers();

    std::size_t offered_ = 0;  ///< channels of the trace
    std::uint64_t taken_steps_ = 0;

    // mutex_ guards the following.
    std::size_t waiting_steps_ = 0;
    PlayStatus status_;  ///< without its step and info
    std::uint64_t late_frames_ = 0;
    std::string first_damage_;
    PlayWait wait_;
    steady_clock::time_point wait_began_{};
    std::uint64_t wait_after_ = 0;  ///< number of the step before it; 0: none

    std::vector<ServedChannel> channels_;
    std::optional<MapExpander> expander_;
    std::map<ClientId, ServedClient> clients_;
    std::optional<std::uint64_t> time_;
    std::uint64_t step_ = 0;  ///< number of the last
    std::string session_;
    steady_clock::time_point time_sent_{}, statuses_sent_{};
    Losing losing_;
    std::map<std::string_view, std::string> statuses_;  ///< by id; new clients receive them
};

FoxgloveSink::FoxgloveSink(const NetworkAddress& address, NetworkSinkOptions options)
    : ServedSink(address, std::move(options), foxglove::subprotocols, WebSocketLimits{}),
      session_(std::to_string(std::chrono::system_clock::now().time_since_epoch().count()))
{
    if (address.expand_static) expander_.emplace();
    start();
}

void FoxgloveSink::begin(const TraceInfo& info, const PlayStart&)
{
    offer_channels(info);
    const auto where = "listens at port " + std::to_string(address_.port);
    any_port_ ? note(where) : detail(where);
    wait_for_subscribers();
}

void FoxgloveSink::offer_channels(const TraceInfo& info)
{
    if (info.channels.size() > offered_channels)
        throw Error(Cause::limit, {.file = to_string(address_)},
                    "the number of channels (" + std::to_string(info.channels.size()) + ") exceeds the limit of " +
                        std::to_string(offered_channels) + ": choose some with --topic");
    const auto first = info.channels.begin() + static_cast<std::ptrdiff_t>(offered_);
    server_->post([this, added = std::vector<Channel>(first, info.channels.end())] {
        const auto before = channels_.size();
        for (const auto& channel : added) add_channel(channel);
        for (const auto& [client, served] : clients_) send_advertisements(client, before);
    });
    offered_ = info.channels.size();
}

void FoxgloveSink::take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
{
    const auto begun = steady_clock::now();
    if (info.channels.size() > offered_) offer_channels(info);
    auto taken = kept(frames);
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, options_.stop, [&] { return waiting_steps_ < max_waiting_steps; });
        ++waiting_steps_;
    }
    ++taken_steps_;
    server_->post([this, taken = std::move(taken), time = unsigned_time(step_time(now))] {
        serve(taken, time);
        const std::lock_guard lock(mutex_);
        --waiting_steps_;
        changed_.notify_all();
    });
    const std::lock_guard lock(mutex_);
    counts_.waited += steady_clock::now() - begun;
}

void FoxgloveSink::waiting(const PlayWait& wait)
{
    const std::lock_guard lock(mutex_);
    wait_ = wait;
    wait_began_ = steady_clock::now();
    wait_after_ = taken_steps_;
}

void FoxgloveSink::delivered(const PlayStatus& status)
{
    const std::lock_guard lock(mutex_);
    status_ = status;
    status_.step = {};
    status_.info = nullptr;
    if (status.late > noticeable_lateness) late_frames_ += status.step.size();
}

void FoxgloveSink::tell_of_damage(const std::string& what)
{
    const std::lock_guard lock(mutex_);
    if (first_damage_.empty()) first_damage_ = what;
}

void FoxgloveSink::failed(const std::string& why)
{
    server_->post([this, why] { set_status(foxglove::Level::error, "the replay ended: " + why, "end"); });
}

void FoxgloveSink::finish()
{
    // What was posted before is done when this is done.
    std::promise<void> done;
    server_->post([&] {
        send_statuses();
        done.set_value();
    });
    done.get_future().wait();
    end([this] {
        send_statuses();
        for (const auto& [client, served] : clients_) count(served.name, server_->counts(client));
    });
}

void FoxgloveSink::add_channel(const Channel& channel)
{
    ServedChannel served;
    served.channel = channel;
    if (expander_) expander_->add_channel(channel);
    auto offered = channel;
    const Format protobuf{Encoding::protobuf, channel.format.layout};
    if (channel.root && channel.format.encoding == Encoding::flatbuffers && !address_.flatbuffers) {
        offered = converted_channel(channel, protobuf);
        served.to_protobuf.emplace(*channel.root, channel.format, offered.format);
    }
    const std::vector<foxglove::Advertisement> advertised{
        {channels_.size() + 1, {offered.topic, stated_encoding(offered), stated_schema(offered)}}};
    served.advertisement = std::make_shared<const std::string>(foxglove::advertise_text(advertised));
    channels_.push_back(std::move(served));
}

void FoxgloveSink::opened(ClientId client, const std::string& name)
{
    detail(name + " connected");
    clients_.emplace(client, ServedClient{name, {}});
    server_->send(client, {true, Delivery::always, foxglove::server_info_text("osiplay", session_)});
    send_advertisements(client, 0);
    for (const auto& [id, text] : statuses_) server_->send(client, {true, Delivery::always, text});
    if (time_) server_->send(client, {false, Delivery::newest_only, foxglove::time_message(*time_)});
}

void FoxgloveSink::send_advertisements(ClientId client, std::size_t from)
{
    for (; from < channels_.size(); ++from) {
        const auto& text = channels_[from].advertisement;
        server_->send(client, {true, Delivery::always, {}, bytes_of(*text), text});
    }
}

void FoxgloveSink::received(ClientId client, bool text, Bytes message)
try {
    if (!text) return complain(client, "unexpected binary message: this server accepts no published messages");
    const auto parsed = foxglove::parse_client_text(text_of(message));
    if (const auto* wanted = std::get_if<foxglove::Subscribe>(&parsed))
        subscribe(client, *wanted);
    else if (const auto* unwanted = std::get_if<foxglove::Unsubscribe>(&parsed))
        unsubscribe(client, *unwanted);
    else
        complain(client, "op '" + std::get<foxglove::UnknownOp>(parsed).op.substr(0, 40) + "' is not supported");
} catch (const Error& error) {
    complain(client, error.what());
}

/// Sends what was sent before: the map, which may come only once, and the last message; in their order and with their
/// times, so that the time goes backward once at most. Viewers forget all that they show when it does: what a client
/// received of its other subscriptions comes again.
void FoxgloveSink::subscribe(ClientId client, const foxglove::Subscribe& message)
{
    std::vector<std::string> refused;
    std::vector<EarlierMessage> earlier;
    const auto before = clients_.at(client).subscriptions;
    for (const auto& wanted : message.subscriptions)
        if (auto why = subscribe(client, wanted, earlier); !why.empty()) refused.push_back(std::move(why));
    const auto is_past = [this](const EarlierMessage& each) { return each.message->time < *time_; };
    if (std::ranges::any_of(earlier, is_past))
        for (const auto& [id, place] : before) add_earlier(place, id, earlier);
    std::ranges::stable_sort(earlier, {}, [](const EarlierMessage& each) { return each.message->step; });
    for (const auto& each : earlier) send(channels_[each.channel], each.message, client, each.subscription);
    complain(client, refused);
    count_subscribers();
}

/// The last message of a channel, and the last ones with each part of the map.
void FoxgloveSink::add_earlier(std::size_t place, foxglove::SubscriptionId subscription,
                               std::vector<EarlierMessage>& earlier) const
{
    const auto& channel = channels_[place];
    if (!channel.last) return;
    std::set<std::shared_ptr<KeptMessage>> messages{channel.last};
    for (const auto& [field, part] : channel.map) messages.insert(part.last);
    for (const auto& each : messages) earlier.push_back({each, place, subscription});
}

/// Returns why it cannot.
std::string FoxgloveSink::subscribe(ClientId client, const foxglove::Subscription& wanted,
                                    std::vector<EarlierMessage>& earlier)
{
    auto& subscriptions = clients_.at(client).subscriptions;
    const auto name = "subscription " + std::to_string(wanted.id);
    if (wanted.channel == 0 || wanted.channel > channels_.size())
        return name + ": there is no channel " + std::to_string(wanted.channel);
    if (subscriptions.contains(wanted.id)) return name + " exists already";
    if (subscriptions.size() >= max_subscriptions)
        return name + " exceeds the limit of " + std::to_string(max_subscriptions);
    const auto place = static_cast<std::size_t>(wanted.channel - 1);
    subscriptions.emplace(wanted.id, place);
    channels_[place].subscribers.emplace(client, wanted.id);
    add_earlier(place, wanted.id, earlier);
    return {};
}

void FoxgloveSink::unsubscribe(ClientId client, const foxglove::Unsubscribe& message)
{
    auto& subscriptions = clients_.at(client).subscriptions;
    std::vector<std::string> refused;
    for (const auto id : message.subscriptions) {
        const auto found = subscriptions.find(id);
        if (found == subscriptions.end()) {
            refused.push_back("there is no subscription " + std::to_string(id));
            continue;
        }
        channels_[found->second].subscribers.erase({client, id});
        subscriptions.erase(found);
    }
    complain(client, refused);
    count_subscribers();
}

void FoxgloveSink::count_subscribers()
{
    set_subscribers(static_cast<std::size_t>(
        std::ranges::count_if(clients_, [](const auto& client) { return !client.second.subscriptions.empty(); })));
}

void FoxgloveSink::closed(ClientId client, const ClientCounts& counts, const std::string& why)
{
    const auto served = clients_.extract(client);
    const auto& name = served.mapped().name;
    for (const auto& [id, place] : served.mapped().subscriptions) channels_[place].subscribers.erase({client, id});
    count_disconnected(name, counts, why);
    count_subscribers();
}

/// All messages of a step have its time in the trace: log times may be of another clock than OSI timestamps.
void FoxgloveSink::serve(std::span<const Frame> frames, std::uint64_t time)
{
    time_ = time;
    ++step_;
    send_time();
    for (const auto& taken : frames) {
        const auto frame = with_map(taken);
        auto& channel = channels_.at(frame.channel);
        channel.last = std::make_shared<KeptMessage>(KeptMessage{frame, time, step_});
        for (const auto field : map_fields(frame.bytes, channel.channel)) {
            auto& part = channel.map[field];
            if (part.last) --part.last->map_parts;
            part.last = channel.last;
            ++part.last->map_parts;
            ++part.messages;
        }
        for (const auto& [field, part] : channel.map)
            if (part.messages == 1 && part.last != channel.last) show(map_notice, true);
        for (const auto& [client, subscription] : channel.subscribers)
            send(channel, channel.last, client, subscription);
    }
}

/// A message that cannot be edited stays as it is.
Frame FoxgloveSink::with_map(const Frame& frame)
{
    if (!expander_) return frame;
    try {
        return expander_->expand(frame);
    } catch (const Error& error) {
        auto& channel = channels_.at(frame.channel);
        if (!std::exchange(channel.failure_is_noted, true))
            note("channel '" + channel.channel.topic + "': the map is not added: " + error.what());
        return frame;
    }
}

/// However slowly the client reads, it receives the last message with each part of the map, and directly before each
/// message the time: viewers show a message at the last time that they received.
void FoxgloveSink::send(ServedChannel& channel, const std::shared_ptr<KeptMessage>& message, ClientId client,
                        foxglove::SubscriptionId subscription)
{
    if (!make_sendable(channel, *message)) return;
    std::shared_ptr<const std::size_t> needed;
    if (message->map_parts != 0) needed = {message, &message->map_parts};
    server_->send(client,
                  {false, Delivery::may_drop, foxglove::data_head(subscription, message->time), message->sent_bytes,
                   message->sent_owner, step_, std::move(needed), foxglove::time_message(message->time)});
}

/// Only what somebody has subscribed to is converted.
bool FoxgloveSink::make_sendable(ServedChannel& channel, KeptMessage& message)
{
    if (message.sent_owner) return true;
    message.sent_bytes = message.frame.bytes;
    message.sent_owner = message.frame.owner;
    if (!channel.to_protobuf) return true;
    const auto converted = std::make_shared<ByteBuffer>();
    try {
        channel.to_protobuf->transcode(message.frame.bytes, *converted);
    } catch (const Error& error) {
        message.sent_owner = nullptr;
        const std::lock_guard lock(mutex_);
        ++counts_.not_delivered;
        if (!std::exchange(channel.failure_is_noted, true))
            note("channel '" + channel.channel.topic + "': frame " + std::to_string(message.frame.index) +
                 " cannot be converted to Protobuf: " + error.what());
        return false;
    }
    message.sent_bytes = converted->bytes();
    message.sent_owner = converted;
    return true;
}

/// To the time of the replay, which is past the last step and not yet at the next.
void FoxgloveSink::advance_time()
{
    const std::lock_guard lock(mutex_);
    if (step_ == 0 || wait_after_ != step_) return;  // steps that the server's thread has not served come first
    const std::chrono::duration<double, std::nano> waited = steady_clock::now() - wait_began_;
    const Nanoseconds played(static_cast<std::int64_t>(waited.count() * wait_.rate));
    const auto left = distance(wait_.time, wait_.until);
    time_ = std::max(*time_, unsigned_time(wait_.time + std::min(played, left)));
}

void FoxgloveSink::send_time()
{
    time_sent_ = steady_clock::now();
    for (const auto& [client, served] : clients_)
        server_->send(client, {false, Delivery::newest_only, foxglove::time_message(*time_)});
}

void FoxgloveSink::tick()
{
    const auto now = steady_clock::now();
    if (time_ && now - time_sent_ >= time_interval) {
        advance_time();
        send_time();
    }
    if (now - statuses_sent_ < status_interval) return;
    statuses_sent_ = now;
    send_statuses();
}

void FoxgloveSink::send_statuses()
{
    PlayStatus status;
    std::uint64_t late = 0;
    std::string damage;
    {
        const std::lock_guard lock(mutex_);
        status = status_;
        late = late_frames_;
        damage = first_damage_;
    }
    const auto now = steady_clock::now();
    show(late_notice, late * 100 > status.frames);
    show(lost_notice, losing_.is_losing(status.lost, now));
    if (!damage.empty())
        set_status(foxglove::Level::warning, "damage in the trace, the first place: " + damage, "damage");
    for (auto& [client, served] : clients_) {
        const auto dropped = server_->counts(client).dropped;
        const bool holds = served.losing.is_losing(dropped, now);
        const auto& [id, level, text] = slow_notice;
        if (std::exchange(served.dropped_told, dropped) != dropped)
            server_->send(client, {true, Delivery::always, foxglove::status_text(level, text, id, dropped)});
        else if (served.is_warned && !holds)
            server_->send(client, {true, Delivery::always, foxglove::remove_status_text(id)});
        served.is_warned = holds;
    }
}

/// Once for an id.
void FoxgloveSink::set_status(foxglove::Level level, std::string_view text, std::string_view id)
{
    const auto [status, added] = statuses_.try_emplace(id, foxglove::status_text(level, text, id));
    if (!added) return;
    for (const auto& [client, served] : clients_) server_->send(client, {true, Delivery::always, status->second});
}

void FoxgloveSink::show(const Notice& notice, bool holds)
{
    if (holds) return set_status(notice.level, notice.text, notice.id);
    if (statuses_.erase(notice.id) == 0) return;
    for (const auto& [client, served] : clients_)
        server_->send(client, {true, Delivery::always, foxglove::remove_status_text(notice.id)});
}

void FoxgloveSink::complain(ClientId client, const std::string& what)
{
    note(clients_.at(client).name + " sent " + what);
    const auto id = "request: " + what;  // each text has an id of its own
    server_->send(client, {true, Delivery::always, foxglove::status_text(foxglove::Level::error, what, id)});
}

/// One answer to one request.
void FoxgloveSink::complain(ClientId client, const std::vector<std::string>& what)
{
    if (what.empty()) return;
    const auto others = what.size() - 1;
    complain(client, others == 0 ? what.front() : what.front() + " (and " + std::to_string(others) + " more like it)");
}

}  // namespace

std::unique_ptr<NetworkSink> open_foxglove_sink(const NetworkAddress& address, NetworkSinkOptions options)
{
    return std::make_unique<FoxgloveSink>(address, std::move(options));
}

}  // namespace ositrace::net
