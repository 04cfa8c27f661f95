// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <ositrace/network_sink.hpp>
#include <ositrace/network_source.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/trace/sample_frames.hpp"

using namespace std::chrono_literals;

/// A sink and what a player would hand it.
struct Sending {
    std::stop_source stop;
    std::unique_ptr<ositrace::NetworkSink> sink;
    ositrace::TraceInfo info;

    explicit Sending(const std::string& address, ositrace::NetworkSinkOptions options = {})
    {
        options.stop = stop.get_token();
        sink = ositrace::open_network_sink(ositrace::parse_network_address(address), std::move(options));
        add_channel("front");
    }
    void add_channel(const std::string& topic) { info.channels.emplace_back().topic = topic; }
    [[nodiscard]] std::uint16_t port() const { return sink->address().port; }
    void begin() { sink->begin(info, {{}, ositrace::Nanoseconds(1), {}}); }
    void take(const std::string& payload, std::uint32_t channel = 0)
    {
        const auto owner = std::make_shared<const std::string>(payload);
        ositrace::Frame frame;
        frame.bytes = ositrace::bytes_of(*owner);
        frame.owner = owner;
        frame.channel = channel;
        sink->take({&frame, 1}, {}, info);
    }
    [[nodiscard]] std::uint64_t sent() const { return sink->counts().sent; }
    [[nodiscard]] std::uint64_t not_delivered() const { return sink->counts().not_delivered; }
};

/// Asks again and again, for 20 s at most.
inline bool comes_true(const std::function<bool()>& condition)
{
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(1ms);
    }
    return true;
}

/// A source whose type is given, so that opening it does not wait.
struct Receiving {
    std::stop_source stop;
    std::vector<std::string> lost, notes;
    std::uint64_t lost_messages = 0;
    std::unique_ptr<ositrace::NetworkSource> source;

    explicit Receiving(const std::string& address, std::size_t limit = 1 << 20, bool next_sender = false)
    {
        ositrace::NetworkOptions options;
        options.type = ositrace::MessageType::sensor_view;
        options.encoding = ositrace::Encoding::protobuf;
        options.max_message_bytes = limit;
        options.next_sender = next_sender;
        options.on_lost = [this](const ositrace::LostMessage& message) {
            lost.push_back(std::to_string(message.frame) + ": " + message.why);
            lost_messages += message.count;
        };
        options.on_note = [this](const std::string& note) { notes.push_back(note); };
        source = ositrace::open_network(ositrace::parse_network_address(address), options);
    }
    [[nodiscard]] std::uint16_t port() const { return source->address().port; }
    /// The payload of the next frame, or how it ended.
    std::string read()
    {
        std::string payload;
        const auto error = error_of([&] {
            ositrace::Frame frame;
            payload = source->read(frame, stop.get_token()) ? std::string(ositrace::text_of(frame.bytes)) : "<end>";
            return 0;
        });
        return error.empty() ? payload : error;
    }
    /// Reads until the source has taken so many bytes, the last of them of a message that has only begun, and stops.
    bool takes(std::uint64_t bytes)
    {
        return comes_true([&] {
            stop = std::stop_source();
            const std::jthread stopper([ending = stop]() mutable {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
                ending.request_stop();
            });
            return read() == "<end>" && source->bytes_consumed() == bytes;
        });
    }
};

inline std::string address_text(const std::string& transport, std::uint16_t port, const std::string& options = {})
{
    return transport + "://127.0.0.1:" + std::to_string(port) + options;
}
