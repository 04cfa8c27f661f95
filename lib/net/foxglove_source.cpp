// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/stated_channel.hpp>

#include "lib/net/foxglove_protocol.hpp"
#include "lib/net/tcp_connection.hpp"
#include "lib/net/transports.hpp"
#include "lib/net/websocket.hpp"

namespace ositrace::net {

namespace {

/// Servers advertise their channels one after another: the source begins when none came for this long.
constexpr auto more_channels = std::chrono::milliseconds(200);
constexpr std::size_t followed_channels = 65535;

/// The OSI channels of a Foxglove server. Channels that are advertised later are added.
class FoxgloveSource final : public NetworkSource {
public:
    FoxgloveSource(const NetworkAddress& address, const NetworkOptions& options);

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
    void take_data(const foxglove::MessageData& data, std::shared_ptr<const void> owner);
    void add_channels(foxglove::Advertise&& message);
    void note_loss(std::string why);

    NetworkAddress address_;
    NetworkOptions options_;
    std::optional<WebSocketClient> client_;
    ChannelReader reader_;
    TraceInfo info_;
    std::set<foxglove::ChannelId> known_;
    std::map<foxglove::ChannelId, std::uint32_t> places_;
    std::deque<Frame> frames_;  ///< received and not yet read
    std::uint64_t received_ = 0;
    std::uint64_t bytes_ = 0;
    std::uint64_t lost_ = 0;
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
    if (result == WebSocketClient::Result::lost && options_.on_note)  // servers of others end like this, too
        options_.on_note(to_string(address_) + ": the server disconnected without a word; there may have been more");
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
    if (const auto* status = std::get_if<foxglove::Status>(&parsed);
        status && status->level != foxglove::Level::info && options_.on_note)
        options_.on_note(to_string(address_) + ": the server says: " + status->message.substr(0, 200));
}

/// The subscription has the number of the channel's place. A channel that is advertised again keeps it.
void FoxgloveSource::add_channels(foxglove::Advertise&& message)
{
    std::vector<foxglove::Subscription> wanted;
    for (auto& advertised : message.channels) {
        if (!known_.insert(advertised.id).second) continue;
        auto channel = reader_.read(std::move(advertised.channel));
        if (!channel.unviewable.empty() && options_.on_note)
            options_.on_note(to_string(address_) + ": channel '" + channel.topic +
                             "' is left out: " + channel.unviewable);
        if (channel.root == nullptr) continue;
        if (info_.channels.size() == followed_channels)
            throw Error(Cause::limit, "a channel beyond " + std::to_string(followed_channels));
        const auto place = static_cast<std::uint32_t>(info_.channels.size());
        places_.emplace(advertised.id, place);
        wanted.push_back({place, advertised.id});
        info_.channels.push_back(std::move(channel));
    }
    if (!wanted.empty()) client_->send(foxglove::subscribe_text(wanted));
}

void FoxgloveSource::take_data(const foxglove::MessageData& data, std::shared_ptr<const void> owner)
{
    if (data.subscription >= info_.channels.size())
        throw Error(Cause::malformed,
                    "a message of subscription " + std::to_string(data.subscription) + ", which does not exist");
    if (data.time > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        throw Error(Cause::limit, "a message with the time " + std::to_string(data.time) + " ns, beyond 292 years");
    auto& frame = frames_.emplace_back();
    frame.bytes = data.payload;
    frame.owner = std::move(owner);
    frame.channel = data.subscription;
    frame.index = received_++;
    frame.offset = bytes_ - data.payload.size();
    frame.log_time = Nanoseconds(static_cast<std::int64_t>(data.time));
}

void FoxgloveSource::note_loss(std::string why)
{
    ++lost_;
    if (options_.on_lost) options_.on_lost({received_, std::move(why)});
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
