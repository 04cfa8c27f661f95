// SPDX-License-Identifier: MPL-2.0
// What the sinks that are servers of WebSockets have in common.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ositrace/network_sink.hpp>

#include "lib/net/websocket.hpp"

namespace ositrace::net {

/// What clients do is handled by the server's thread alone; the player only hands over its frames.
class ServedSink : public NetworkSink, public WebSocketEvents {
public:
    const NetworkAddress& address() const noexcept override { return address_; }
    NetworkCounts counts() const noexcept override
    {
        const std::lock_guard lock(mutex_);
        return counts_;
    }
    void due(const PlayStatus& status) override;
    void give_up() override { finish(); }

    void refused(const std::string& name, const std::string& why) override;

protected:
    /// Listens. The constructor of a sink ends with start(), its destructor begins with stop(): the server's thread
    /// uses all of the sink.
    ServedSink(const NetworkAddress& address, NetworkSinkOptions options,
               std::span<const std::string_view> subprotocols, const WebSocketLimits& limits);
    void start() { server_->start(); }
    void stop() { server_->end({}); }

    // Of the player's thread.
    /// Waits for as many subscribers as the address requires. Throws Error (io) if they are fewer within its time.
    void wait_for_subscribers();
    /// The frames with memory of their own, and the time of the step.
    [[nodiscard]] static std::vector<Frame> kept(std::span<const Frame> frames);
    [[nodiscard]] Nanoseconds step_time(Nanoseconds now) const noexcept { return step_time_.value_or(now); }
    /// Waits until the clients have received everything, for as long as the options say, and ends the server. `last` is
    /// called by its thread when nothing more is sent.
    void end(std::function<void()> last);

    // Of the server's thread.
    void count_disconnected(const std::string& name, const ClientCounts& counts, const std::string& why);
    void count(const std::string& name, const ClientCounts& counts);
    void set_subscribers(std::size_t clients);

    void note(const std::string& text) const
    {
        if (options_.on_note) options_.on_note(to_string(address_) + ": " + text);
    }
    void detail(const std::string& text) const
    {
        if (options_.on_detail) options_.on_detail(to_string(address_) + ": " + text);
    }

    bool any_port_ = false;  ///< the system has chosen it
    NetworkAddress address_;
    NetworkSinkOptions options_;
    mutable std::mutex mutex_;  // guards counts_, subscribers_, and what the sink says
    std::condition_variable_any changed_;
    NetworkCounts counts_;
    std::unique_ptr<WebSocketServer> server_;

private:
    std::size_t subscribers_ = 0;           ///< clients that receive something
    std::optional<Nanoseconds> step_time_;  ///< of the step that is due; empty where nobody says
};

}  // namespace ositrace::net
