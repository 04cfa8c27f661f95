// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/stated_channel.hpp>

#include "formats/core/too_few_bytes.hpp"
#include "lib/net/foxglove_protocol.hpp"
#include "lib/net/tcp_connection.hpp"
#include "lib/net/transports.hpp"
#include "lib/net/websocket.hpp"

namespace ositrace::net {

namespace {

/// Servers advertise their channels one after another: the source begins when none came for this long.
constexpr auto more_channels = std::chrono::milliseconds(200);
constexpr std::size_t followed_channels = 65535;

/// At most 200 bytes of what a server says, in whole characters.
std::string shortened(const std::string& text)
{
    constexpr std::size_t longest = 200;
    if (text.size() <= longest) return text;
    auto end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
    return text.substr(0, end) + "...";
}

/// In words of known servers: `dropped`, `dropping messages`, `Send buffer limit reached`.
bool says_dropped(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](char each) { return each >= 'A' && each <= 'Z' ? each | 0x20 : each; });
    return text.find("drop") != text.npos || text.find("buffer limit") != text.npos;
}

/// The OSI channels of a Foxglove server. Channels that are advertised later are added.
class FoxgloveSource final : public NetworkSource {
public:
    FoxgloveSource(const NetworkAddress& address, const NetworkOptions& options);
    ~FoxgloveSource() override;

    const TraceInfo& info() const noexcept override { return info_; }
    const NetworkAddress& address() const noexcept override { return address_; }
    std::uint64_t lost() const noexcept override { return lost_; }
    std::uint64_t bytes_consumed() const noexcept override { return bytes_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    bool read(Frame& frame, std::stop_token stop) override;

private:
    void connect(const std::stop_token& stop);
    void await_channels(const std::stop_token& stop);
    WebSocketClient::Result receive(const Deadline& deadline, const std::stop_token& stop);
    void take(WebSocketClient::Message&& message);
    void take_text(std::string_view text);
    void take_warning(const std::string& text);
    void take_data(const foxglove::MessageData& data, std::shared_ptr<const void> owner);
    void add_channels(foxglove::Advertise&& message);
    [[nodiscard]] std::optional<std::uint32_t> withdrawn_place_of(const StatedChannel& stated);
    [[nodiscard]] std::optional<std::uint32_t> new_place_of(StatedChannel&& stated);
    void remove_channels(const foxglove::Unadvertise& message);
    void note(const std::string& text) const
    {
        if (options_.on_note) options_.on_note(to_string(address_) + ": " + text);
    }
    void note_loss(std::string why, std::uint64_t count = 1, bool at_least = false);

    NetworkAddress address_;
    NetworkOptions options_;
    std::optional<WebSocketClient> client_;
    ChannelReader reader_;
    TraceInfo info_;
    // A place is an index of info_.channels.
    /// What the server offers; no place: a channel that is left out.
    std::map<foxglove::ChannelId, std::optional<std::uint32_t>> offered_;
    std::multimap<std::string, std::uint32_t> withdrawn_;  ///< by topic: what it may offer again
    std::map<foxglove::SubscriptionId, std::uint32_t> places_;
    std::vector<foxglove::SubscriptionId> subscriptions_;  ///< by place: the last one
    foxglove::SubscriptionId next_subscription_ = 0;
    std::deque<Frame> frames_;  ///< received and not yet read
    std::uint64_t received_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t lost_ = 0;
    std::uint64_t dropped_ = 0;  ///< by the server, as it says
    bool drops_some_ = false;    ///< it says so, without a number
};

FoxgloveSource::FoxgloveSource(const NetworkAddress& address, const NetworkOptions& options)
    : address_(address), options_(options), reader_({options.type, options.layout, options.schema})
{
    info_.file = to_string(address_);
    info_.container.name = row_of(address_.transport).word;
    info_.compression = "none";
    info_.may_grow = true;
    if (options_.on_open) options_.on_open(address_);
    connect(options_.stop);
    await_channels(options_.stop);
}

FoxgloveSource::~FoxgloveSource()
try {
    if (const auto bytes = client_->unfinished_bytes(); bytes != 0) note_loss(ended_after(byte_count(bytes)));
} catch (...) {  // no memory for the text
}

void FoxgloveSource::connect(const std::stop_token& stop)
try {
    TcpConnection connection(address_, false);
    if (!connection.wait(std::nullopt, stop)) throw Error(Cause::cancelled, "stopped before the server accepted");
    // A message has its opcode, subscription and time before its payload.
    const auto longest = options_.max_message_bytes + foxglove::data_head_bytes;
    const auto text = to_string(address_);
    client_.emplace(connection.release(), text.substr(text.find("://") + 3), foxglove::subprotocols, longest, stop);
} catch (const Error& error) {
    throw error.within({.file = to_string(address_), .frame = {}, .offset = {}, .field = {}});
}

void FoxgloveSource::await_channels(const std::stop_token& stop)
{
    while (true) {
        const auto deadline = info_.channels.empty() || !frames_.empty()
                                  ? Deadline()
                                  : Deadline(std::chrono::steady_clock::now() + more_channels);
        if (!frames_.empty()) return;
        switch (receive(deadline, stop)) {
        case WebSocketClient::Result::message: break;
        case WebSocketClient::Result::timed_out: return;
        case WebSocketClient::Result::stopped:
            throw Error(Cause::cancelled, {.file = to_string(address_)}, "stopped before the first message");
        case WebSocketClient::Result::closed:
        case WebSocketClient::Result::lost:
            if (!info_.channels.empty()) return;
            throw Error(Cause::truncated, {.file = to_string(address_)},
                        "the server disconnected before it offered an OSI channel");
        }
    }
}

WebSocketClient::Result FoxgloveSource::receive(const Deadline& deadline, const std::stop_token& stop)
try {
    WebSocketClient::Message message;
    const auto result = client_->receive(message, deadline, stop);
    if (result == WebSocketClient::Result::lost)
        if (const auto report = std::exchange(options_.on_cut_off, nullptr))
            report(to_string(address_) +
                   ": the server disconnected without closing the WebSocket: messages may be missing");
    if (result != WebSocketClient::Result::message) return result;
    bytes_ += message.bytes.size();
    try {
        take(std::move(message));
    } catch (const Error& error) {
        note_loss(error.what());
    }
    return result;
} catch (const Error& error) {
    throw error.within({.file = to_string(address_), .frame = received_, .offset = {}, .field = {}});
}

void FoxgloveSource::take(WebSocketClient::Message&& message)
{
    if (message.text) return take_text(text_of(message.bytes));
    const auto parsed = foxglove::parse_server_binary(message.bytes);
    if (const auto* data = std::get_if<foxglove::MessageData>(&parsed)) take_data(*data, std::move(message.owner));
}

void FoxgloveSource::take_text(std::string_view text)
{
    auto parsed = foxglove::parse_server_text(text);
    if (auto* advertised = std::get_if<foxglove::Advertise>(&parsed)) return add_channels(std::move(*advertised));
    if (const auto* withdrawn = std::get_if<foxglove::Unadvertise>(&parsed)) return remove_channels(*withdrawn);
    const auto* const status = std::get_if<foxglove::Status>(&parsed);
    if (status == nullptr) return;
    if (status->dropped > dropped_)
        note_loss("the server says: " + shortened(status->message),
                  status->dropped - std::exchange(dropped_, status->dropped));
    else if (status->level != foxglove::Level::info)
        take_warning(status->message);
}

/// A server may say only in words that it drops messages, once or again and again: at least one is lost.
void FoxgloveSource::take_warning(const std::string& text)
{
    if (options_.on_server_warning) options_.on_server_warning(shortened(text));
    if (dropped_ == 0 && says_dropped(text) && !std::exchange(drops_some_, true))
        note_loss("the server drops messages, and does not say how many", 1, true);
}

/// A server forgets the subscriptions of a channel that it withdraws: each offer is subscribed to with a new number.
void FoxgloveSource::add_channels(foxglove::Advertise&& message)
{
    for (const auto& refused : message.refused) note(refused);
    std::vector<foxglove::Subscription> wanted;
    for (auto& advertised : message.channels) {
        const auto [offer, added] = offered_.try_emplace(advertised.id);
        if (!added) continue;
        auto place = withdrawn_place_of(advertised.channel);
        if (!place) place = new_place_of(std::move(advertised.channel));
        offer->second = place;
        if (!place) continue;
        const auto subscription = next_subscription_++;
        if (*place < subscriptions_.size())
            places_.erase(std::exchange(subscriptions_[*place], subscription));
        else
            subscriptions_.push_back(subscription);
        places_.emplace(subscription, *place);
        wanted.push_back({subscription, advertised.id});
    }
    if (!wanted.empty()) client_->send(foxglove::subscribe_text(wanted));
}

/// A channel that is offered again, even with another id, is the same one.
std::optional<std::uint32_t> FoxgloveSource::withdrawn_place_of(const StatedChannel& stated)
{
    const auto [first, last] = withdrawn_.equal_range(stated.topic);
    for (auto withdrawn = first; withdrawn != last; ++withdrawn) {
        const auto place = withdrawn->second;
        const auto& channel = info_.channels[place];
        const auto& schema = channel.schema_record;
        const bool has_same_schema = schema && stated.schema ? *schema == *stated.schema : schema == stated.schema;
        if (channel.message_encoding != stated.message_encoding || !has_same_schema) continue;
        withdrawn_.erase(withdrawn);
        return place;
    }
    return std::nullopt;
}

/// Empty: the channel is left out.
std::optional<std::uint32_t> FoxgloveSource::new_place_of(StatedChannel&& stated)
{
    auto channel = reader_.read(std::move(stated));
    if (!channel.unviewable.empty()) note("channel '" + channel.topic + "' is left out: " + channel.unviewable);
    if (channel.root == nullptr) return std::nullopt;
    if (info_.channels.size() == followed_channels) {
        note("channel '" + channel.topic + "' is left out: the number of channels exceeds the limit of " +
             std::to_string(followed_channels));
        return std::nullopt;
    }
    info_.channels.push_back(std::move(channel));
    return static_cast<std::uint32_t>(info_.channels.size() - 1);
}

/// Messages that the server had sent before may still arrive.
void FoxgloveSource::remove_channels(const foxglove::Unadvertise& message)
{
    for (const auto id : message.channels) {
        const auto offer = offered_.find(id);
        if (offer == offered_.end()) continue;
        if (const auto place = offer->second) withdrawn_.emplace(info_.channels[*place].topic, *place);
        offered_.erase(offer);
    }
}

void FoxgloveSource::take_data(const foxglove::MessageData& data, std::shared_ptr<const void> owner)
{
    const auto place = places_.find(data.subscription);
    if (place == places_.end())
        throw Error(Cause::malformed,
                    "a message of subscription " + std::to_string(data.subscription) + ", which does not exist");
    if (data.time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(Cause::limit, "a message with the time " + std::to_string(data.time) + " ns, beyond 292 years");
    if (is_left_out(data.payload, address_, options_.on_note)) return;
    auto& frame = frames_.emplace_back();
    frame.bytes = data.payload;
    frame.owner = std::move(owner);
    frame.channel = place->second;
    frame.index = received_++;
    frame.offset = bytes_ - data.payload.size();
    frame.log_time = Nanoseconds(static_cast<std::int64_t>(data.time));
}

void FoxgloveSource::note_loss(std::string why, std::uint64_t count, bool at_least)
{
    lost_ += count;
    if (options_.on_lost) options_.on_lost({received_, std::move(why), count, at_least});
}

bool FoxgloveSource::read(Frame& frame, std::stop_token stop)
{
    while (frames_.empty()) {
        const auto result = receive(std::nullopt, stop);
        if (result != WebSocketClient::Result::message) return false;
    }
    frame = std::move(frames_.front());
    frames_.pop_front();
    return true;
}

}  // namespace

std::unique_ptr<NetworkSource> open_foxglove_source(const NetworkAddress& address, const NetworkOptions& options)
{
    return std::make_unique<FoxgloveSource>(address, options);
}

}  // namespace ositrace::net
