// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_source.hpp>

#include <deque>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>

#include "lib/net/transports.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

namespace net {

namespace {

class ReceiverSource final : public NetworkSource {
public:
    ReceiverSource(const NetworkAddress& address, const NetworkOptions& options, MakeReceiver* make_receiver);
    ~ReceiverSource() override;

    const TraceInfo& info() const noexcept override { return info_; }
    const NetworkAddress& address() const noexcept override { return address_; }
    std::uint64_t lost() const noexcept override { return lost_; }
    std::uint64_t bytes_consumed() const noexcept override { return receiver_->bytes(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    bool read(Frame& frame, std::stop_token stop) override;

private:
    void recognize_channel(const NetworkOptions& options);
    [[nodiscard]] Channel channel_of(const NetworkOptions& options) const;
    bool receive(Received& message, const std::stop_token& stop);
    void note_loss(std::string why, std::uint64_t count);

    NetworkAddress address_;
    std::function<void(const LostMessage&)> on_lost_;
    std::function<void(const std::string&)> on_note_;
    std::unique_ptr<Receiver> receiver_;
    TraceInfo info_;
    std::deque<Received> first_;  ///< received for the recognition, and not yet read
    std::uint64_t received_ = 0;
    std::uint64_t read_ = 0;
    std::uint64_t lost_ = 0;
};

ReceiverSource::ReceiverSource(const NetworkAddress& address, const NetworkOptions& options,
                               MakeReceiver* make_receiver)
    : address_(address), on_lost_(options.on_lost), on_note_(options.on_note)
{
    receiver_ =
        make_receiver(address, {options.max_message_bytes, options.next_sender,
                                [this](std::string why, std::uint64_t count) { note_loss(std::move(why), count); },
                                [this](const std::string& text) {
                                    if (on_note_) on_note_(to_string(address_) + ": " + text);
                                }});
    if (const auto port = receiver_->port(); port != 0) address_.port = port;
    info_.file = to_string(address_);
    info_.container.name = row_of(address.transport).word;
    info_.compression = "none";
    if (options.on_open) options.on_open(address_);
    recognize_channel(options);
}

ReceiverSource::~ReceiverSource()
try {
    receiver_->end();
} catch (...) {  // no memory for the text
}

/// One message is nearly always enough to recognise encoding and type. If it is ambiguous, more messages are used.
void ReceiverSource::recognize_channel(const NetworkOptions& options)
{
    const bool known = options.type && options.encoding && (*options.encoding == Encoding::protobuf || options.layout);
    while (true) {
        Received message;
        if (!known) {
            if (receive(message, options.stop))
                first_.push_back(std::move(message));
            else if (options.stop.stop_requested())
                throw Error(Cause::cancelled, {.file = to_string(address_)}, "stopped before the first message");
            else if (first_.empty())
                throw Error(Cause::truncated, {.file = to_string(address_)},
                            "the sender disconnected before the first message");
            else
                return info_.channels.push_back(channel_of(options));
        }
        try {
            return info_.channels.push_back(channel_of(options));
        } catch (const Error& error) {
            if (error.cause() != Cause::ambiguous || first_.size() >= recognition_payloads)
                throw error.within({.file = to_string(address_)});
        }
    }
}

Channel ReceiverSource::channel_of(const NetworkOptions& options) const
{
    std::vector<Bytes> payloads;
    for (const auto& message : first_) payloads.push_back(message.bytes);
    auto schema = options.schema ? options.schema : Schema::built_in();
    const auto recognized =
        recognize(payloads, *schema, {options.type, options.encoding, options.layout, std::nullopt});
    auto channel = recognized_channel(recognized, std::move(schema));
    if (!options.topic.empty()) channel.topic = options.topic;
    return channel;
}

bool ReceiverSource::receive(Received& message, const std::stop_token& stop)
try {
    while (receiver_->receive(message, stop)) {
        if (is_left_out(message.bytes, address_, on_note_)) continue;
        ++received_;
        return true;
    }
    return false;
} catch (const Error& error) {
    throw error.within({.file = to_string(address_), .frame = received_, .offset = std::nullopt, .field = {}});
}

void ReceiverSource::note_loss(std::string why, std::uint64_t count)
{
    lost_ += count;
    if (on_lost_) on_lost_({received_, std::move(why), count, address_.transport == Transport::udp});
}

bool ReceiverSource::read(Frame& frame, std::stop_token stop)
{
    if (stop.stop_requested()) return false;
    Received message;
    if (!first_.empty()) {
        message = std::move(first_.front());
        first_.pop_front();
    } else if (!receive(message, stop)) {
        return false;
    }
    frame = Frame{};
    frame.bytes = message.bytes;
    frame.owner = std::move(message.owner);
    frame.index = read_++;
    frame.offset = message.offset;
    return true;
}

}  // namespace

std::string ended_after(std::string_view part)
{
    return "the stream ended after " + std::string(part) + " of a message";
}

bool is_left_out(Bytes message, const NetworkAddress& address, const std::function<void(const std::string&)>& on_note)
{
    if (!message.empty()) return false;
    if (on_note) on_note(to_string(address) + ": an empty message is left out");
    return true;
}

std::unique_ptr<NetworkSource> source_of(const NetworkAddress& address, const NetworkOptions& options,
                                         MakeReceiver* make_receiver)
{
    return std::make_unique<ReceiverSource>(address, options, make_receiver);
}

}  // namespace net

std::unique_ptr<NetworkSource> open_network(const NetworkAddress& address, const NetworkOptions& options)
{
    const auto& row = net::row_of(address.transport);
    if (!row.open_source)
        throw Error(Cause::usage, {.file = to_string(address)},
                    std::string(row.word) + " sends, it cannot be a source");
    const NetworkAddress unset;
    const bool has_options_of_a_sink = address.wait || address.subscribers || address.flatbuffers ||
                                       address.expand_static || address.pace != unset.pace ||
                                       address.part_bytes != unset.part_bytes;
    if (has_options_of_a_sink)
        throw Error(Cause::usage, {.file = to_string(address)},
                    "wait, subscribers, flatbuffers, static, pace and part are options of a sink");
    return row.open_source(address, options);
}

}  // namespace ositrace
