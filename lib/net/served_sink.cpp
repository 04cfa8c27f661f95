// SPDX-License-Identifier: MPL-2.0
#include "lib/net/served_sink.hpp"

#include <utility>

#include <ositrace/count_text.hpp>
#include <ositrace/error.hpp>
#include <ositrace/player.hpp>

namespace ositrace::net {

ServedSink::ServedSink(const NetworkAddress& address, NetworkSinkOptions options,
                       std::span<const std::string_view> subprotocols, const WebSocketLimits& limits)
    : any_port_(address.port == 0), address_(address), options_(std::move(options))
{
    auto listener = open_listening(address, SocketKind::stream);
    address_.port = port_of(listener);
    server_ = std::make_unique<WebSocketServer>(std::move(listener), subprotocols, limits, *this);
}

void ServedSink::due(const PlayStatus& status) { step_time_ = status.time; }

void ServedSink::wait_for_subscribers()
{
    if (!address_.wait && !address_.subscribers) return;
    const auto wanted = address_.subscribers.value_or(1);
    const auto are_there = [&] { return subscribers_ >= wanted; };
    std::unique_lock lock(mutex_);
    if (are_there()) return;
    if (options_.on_waiting) {
        lock.unlock();
        options_.on_waiting(address_);
        lock.lock();
    }
    if (!address_.wait) {
        changed_.wait(lock, options_.stop, are_there);
        return;
    }
    changed_.wait_for(lock, options_.stop, *address_.wait, are_there);
    if (!are_there() && !options_.stop.stop_requested())
        throw Error(Cause::io, {.file = to_string(address_)},
                    std::to_string(subscribers_) + " of " + std::to_string(wanted) + " subscribers within " +
                        std::to_string(address_.wait->count()) + " ms");
}

void ServedSink::set_subscribers(std::size_t clients)
{
    const std::lock_guard lock(mutex_);
    subscribers_ = clients;
    changed_.notify_all();
}

std::vector<Frame> ServedSink::kept(std::span<const Frame> frames)
{
    std::vector<Frame> all(frames.begin(), frames.end());
    for (auto& frame : all) {
        if (frame.owner) continue;
        const auto copy = std::make_shared<std::vector<std::byte>>(frame.bytes.begin(), frame.bytes.end());
        frame.bytes = *copy;
        frame.owner = copy;
    }
    return all;
}

void ServedSink::end(std::function<void()> last)
{
    server_->drain(options_.linger, options_.stop);
    server_->end([this, last = std::move(last)] {
        server_->drop_queued();
        last();
    });
}

void ServedSink::refused(const std::string& name, const std::string& why) { note(name + " was refused: " + why); }

void ServedSink::count_disconnected(const std::string& name, const ClientCounts& counts, const std::string& why)
{
    why.empty() ? detail(name + " disconnected") : note(name + " disconnected: " + why);
    count(name, counts);
}

void ServedSink::count(const std::string& name, const ClientCounts& counts)
{
    if (counts.dropped != 0)
        note(name + " read too slowly: " + std::to_string(counts.dropped) + " of " +
             count_text(counts.sent + counts.dropped, "message") + (counts.dropped == 1 ? " was" : " were") +
             " dropped");
    const std::lock_guard lock(mutex_);
    counts_.sent += counts.sent;
    counts_.not_delivered += counts.dropped;
}

}  // namespace ositrace::net
