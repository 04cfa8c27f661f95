// SPDX-License-Identifier: MPL-2.0
#include <ositrace/network_sink.hpp>

#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/player.hpp>

#include "lib/net/transports.hpp"

namespace ositrace {

namespace net {

namespace {

using std::chrono::steady_clock;

class SenderSink final : public NetworkSink {
public:
    SenderSink(const NetworkAddress& address, NetworkSinkOptions options, std::unique_ptr<Sender> sender)
        : address_(address), options_(std::move(options)), sender_(std::move(sender))
    {
        if (const auto port = sender_->port(); port != 0) address_.port = port;
        if (address.wait)
            options_.wait = address.wait;
        else if (!options_.wait && address.transport == Transport::zmq_pub && !address.subscribers)
            options_.wait = std::chrono::milliseconds(0);
    }

    const NetworkAddress& address() const noexcept override { return address_; }
    NetworkCounts counts() const noexcept override
    {
        auto counts = counts_;
        counts.refused = sender_->refusals();
        return counts;
    }

    void begin(const TraceInfo& info, const PlayStart& start) override;
    void due(const PlayStatus& status) override { step_time_ = status.time; }
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override;
    void finish() override
    {
        if (sender_->finish(options_.linger, options_.stop) || counts_.sent == 0) return;
        --counts_.sent;
        ++counts_.not_delivered;
        counts_.at_least = true;
    }
    void give_up() override { finish(); }

private:
    void check_channel(const Frame& frame, const TraceInfo& info);
    [[noreturn]] void refuse(const TraceInfo& info, const std::string& one, const std::string& other) const;
    [[noreturn]] void fail(Cause cause, const std::string& reason) const
    {
        throw Error(cause, {.file = to_string(address_)}, reason);
    }

    NetworkAddress address_;
    NetworkSinkOptions options_;
    std::unique_ptr<Sender> sender_;
    std::optional<std::uint32_t> channel_;
    std::optional<Nanoseconds> step_time_;  ///< of the step that is due; empty where nobody says
    NetworkCounts counts_;
};

void SenderSink::begin(const TraceInfo& info, const PlayStart&)
{
    if (info.channels.size() > 1 && !address_.topic_parts) refuse(info, info.channels[0].topic, info.channels[1].topic);
    const auto wanted = address_.subscribers.value_or(1);
    if (sender_->receivers() >= wanted) return;
    const bool never = options_.wait == std::chrono::milliseconds(0) && !address_.subscribers;
    if (never && address_.transport == Transport::zmq_push)
        fail(Cause::io, "there is no receiver, and wait=0 does not wait for one");
    if (never) return;
    if (options_.on_waiting) options_.on_waiting(address_);
    const auto deadline = options_.wait ? Deadline(steady_clock::now() + *options_.wait) : Deadline();
    if (sender_->wait_for_receivers(wanted, deadline, options_.stop) || options_.stop.stop_requested()) return;
    const auto found = address_.subscribers
                           ? std::to_string(sender_->receivers()) + " of " + std::to_string(wanted) + " subscribers"
                           : "no receiver";
    fail(Cause::io, found + " within " + std::to_string(options_.wait->count()) + " ms");
}

void SenderSink::take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info)
{
    const auto begun = steady_clock::now();
    for (const auto& frame : frames) {
        check_channel(frame, info);
        const FrameLabel label{info.channels[frame.channel].topic, step_time_.value_or(now)};
        const auto sent = options_.stop.stop_requested() ? Sent::stopped : sender_->send(frame, label, options_.stop);
        ++(sent == Sent::yes ? counts_.sent : counts_.not_delivered);
    }
    counts_.waited += steady_clock::now() - begun;
}

void SenderSink::check_channel(const Frame& frame, const TraceInfo& info)
{
    if (address_.topic_parts) return;
    if (!channel_) channel_ = frame.channel;
    if (*channel_ == frame.channel) return;
    refuse(info, info.channels[*channel_].topic, info.channels[frame.channel].topic);
}

void SenderSink::refuse(const TraceInfo& info, const std::string& one, const std::string& other) const
{
    fail(Cause::usage, std::to_string(info.channels.size()) + " channels ('" + one + "', '" + other +
                           (info.channels.size() > 2 ? "', ...)" : "')") +
                           ": a receiver cannot tell them apart, choose one with --topic");
}

}  // namespace

std::unique_ptr<NetworkSink> sink_of(const NetworkAddress& address, NetworkSinkOptions options,
                                     std::unique_ptr<Sender> sender)
{
    return std::make_unique<SenderSink>(address, std::move(options), std::move(sender));
}

std::unique_ptr<NetworkSink> refuse_web_sink(const NetworkAddress& address, NetworkSinkOptions)
{
    throw Error(Cause::usage, {.file = to_string(address)}, "a page is not served by open_network_sink()");
}

}  // namespace net

std::unique_ptr<NetworkSink> open_network_sink(const NetworkAddress& address, NetworkSinkOptions options)
{
    const auto& row = net::row_of(address.transport);
    if (!row.open_sink)
        throw Error(Cause::usage, {.file = to_string(address)},
                    std::string(row.word) + " receives, it cannot be a sink");
    return row.open_sink(address, std::move(options));
}

}  // namespace ositrace
