// SPDX-License-Identifier: MPL-2.0
#include <chrono>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include <ositrace/network_sink.hpp>
#include <ositrace/network_source.hpp>
#ifdef OSITRACE_WEB_SINK
#include <ositrace/web_sink.hpp>
#endif

#include "app/osiplay/sink_kinds.hpp"
#include "app/terminal/quantity.hpp"

namespace ositrace::app {
namespace {

class ReportingNetworkSink final : public FrameSink {
public:
    ReportingNetworkSink(std::unique_ptr<NetworkSink> sink, const SinkContext& context)
        : sink_(std::move(sink)), messages_(context.messages), losses_(context.losses)
    {
    }

    void begin(const TraceInfo& info, const PlayStart& start) override { sink_->begin(info, start); }
    void due(const PlayStatus& status) override { sink_->due(status); }
    void waiting(const PlayWait& wait) override { sink_->waiting(wait); }
    void take(std::span<const Frame> frames, Nanoseconds now, const TraceInfo& info) override
    {
        sink_->take(frames, now, info);
    }
    void delivered(const PlayStatus& status) override { sink_->delivered(status); }
    void finish() override
    {
        sink_->finish();
        report();
    }
    void failed(const std::string& why) override { sink_->failed(why); }
    void give_up() override
    {
        sink_->give_up();
        report();
    }

private:
    void report()
    {
        const auto counts = sink_->counts();
        losses_.not_delivered.frames += counts.not_delivered;
        losses_.not_delivered.at_least |= counts.at_least;
        if (counts.not_delivered == 0) return;
        std::string refused;
        if (const auto& [parts, error] = counts.refused; parts != 0)
            refused = " (the system refused " + count_text(parts, "part") +
                      ", the last one: " + std::generic_category().message(error) + ")";
        messages_.warning(to_string(sink_->address()) + ": " + (counts.at_least ? "at least " : "") +
                          std::to_string(counts.not_delivered) + " of " +
                          std::to_string(counts.sent + counts.not_delivered) + " frames not delivered" + refused);
    }

    std::unique_ptr<NetworkSink> sink_;
    Messages& messages_;
    Losses& losses_;
};

/// Reports what a peer did: the first few events one by one, then their number once a second, because a hostile peer
/// can cause any number.
class PeerLines {
public:
    /// `events`: as the last line names them, `messages were lost`.
    PeerLines(std::string address, std::string_view events, Messages& messages)
        : address_(std::move(address)), events_(events), messages_(messages)
    {
    }
    PeerLines(const PeerLines&) = delete;
    PeerLines& operator=(const PeerLines&) = delete;
    ~PeerLines()
    {
        if (lines_ > listed)
            messages_.warning(address_ + ": " + std::to_string(count_) + " " + std::string(events_) + " in total");
    }

    void add(const LostMessage& lost)
    {
        const auto since = due(lost.count);
        if (since == 0) return;
        const auto how_many = since == 1 ? " a message was lost: "
                              : since == lost.count
                                  ? " " + std::to_string(since) + " messages were lost: "
                                  : " " + std::to_string(since) + " more messages were lost, the last one: ";
        messages_.warning(address_ + ": before frame " + std::to_string(lost.frame) + how_many + lost.why);
    }
    /// `text` begins with the address.
    void add(const std::string& text)
    {
        const std::lock_guard lock(mutex_);
        if (const auto since = due(1))
            messages_.warning(since == 1 ? text : text + " (and " + std::to_string(since - 1) + " more such lines)");
    }

private:
    /// How many events a line is to report now; 0: none yet.
    std::uint64_t due(std::uint64_t more)
    {
        const auto now = std::chrono::steady_clock::now();
        count_ += more;
        if (++lines_ > listed && now - last_ < std::chrono::seconds(1)) return 0;
        last_ = now;
        return count_ - std::exchange(reported_, count_);
    }

    static constexpr std::uint64_t listed = 5;
    std::string address_;
    std::string_view events_;
    Messages& messages_;
    std::mutex mutex_;
    std::uint64_t count_ = 0;  ///< of messages or notes
    std::uint64_t lines_ = 0;
    std::uint64_t reported_ = 0;
    std::chrono::steady_clock::time_point last_;
};

}  // namespace

CreatedSink make_network_sink(const SinkRequest& request, const SinkContext& context)
{
    const auto address = parse_network_address(request.text);
    NetworkSinkOptions options;
    options.stop = context.stop;
    auto& messages = context.messages;
    options.on_waiting = [&messages](const NetworkAddress& opened) {
        const auto whom = opened.subscribers ? count_text(*opened.subscribers, "subscriber") : "a receiver";
        messages.warning(to_string(opened) + ": waiting for " + whom +
                         (sender_listens(opened) ? " to connect" : " that listens there"));
    };
    options.on_note = [lines = std::make_shared<PeerLines>(request.text, "notes about clients", messages)](
                          const std::string& text) { lines->add(text); };
    options.on_detail = [&messages](const std::string& text) { messages.detail(text); };
#ifdef OSITRACE_WEB_SINK
    const auto open = address.transport == Transport::web ? open_web_sink : open_network_sink;
#else
    const auto open = open_network_sink;
#endif
    auto sink = open(address, std::move(options));
    context.damage.listen([to = sink.get()](const std::string& what) { to->tell_of_damage(what); });
    return {std::make_unique<ReportingNetworkSink>(std::move(sink), context), nullptr};
}

std::unique_ptr<FrameSource> open_network_source(const std::string& address, const InputOptions& input,
                                                 const SinkContext& context)
{
    auto& messages = context.messages;
    const auto open = input.open_options();
    const auto parsed = parse_network_address(address);
    context.losses.not_received.at_least = parsed.transport == Transport::udp;  // what the network loses is not known
    NetworkOptions options;
    options.type = open.type;
    options.encoding = open.encoding;
    options.layout = open.layout;
    options.schema = open.schema;
    options.max_message_bytes = open.max_message_bytes;
    options.stop = context.stop;
    options.on_open = [&messages](const NetworkAddress& opened) {
        messages.warning(to_string(opened) + ": waiting for messages");
    };
    options.on_note = [lines = std::make_shared<PeerLines>(address, "notes", messages)](const std::string& text) {
        lines->add(text);
    };
    options.on_server_warning =
        [&warnings = context.losses.server_warnings, address,
         lines = std::make_shared<PeerLines>(address, "warnings of the server", messages)](const std::string& text) {
            ++warnings.count;
            warnings.last = text;
            lines->add(address + ": the server warns: " + text);
        };
    options.on_cut_off = [&losses = context.losses, &messages](const std::string& text) {
        losses.cut_off = true;
        messages.error(text);
    };
    options.on_lost =
        [&losses = context.losses,
         lines = std::make_shared<PeerLines>(address, "messages were lost", messages)](const LostMessage& lost) {
            losses.not_received.frames += lost.count;
            losses.not_received.at_least |= lost.at_least;
            lines->add(lost);
        };
    return open_network(parsed, options);
}

}  // namespace ositrace::app
