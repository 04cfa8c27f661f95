// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/network_address.hpp>
#include <ositrace/network_sink.hpp>
#include <ositrace/network_source.hpp>

#include "lib/net/receiver.hpp"
#include "lib/net/sender.hpp"

namespace ositrace::net {

/// A row for each word before `://`. A new transport is a row here and its files.
struct TransportRow {
    std::string_view word;
    Transport transport;
    std::uint16_t default_port;  ///< 0: the address must contain one
    bool may_listen;             ///< either end may listen or connect
    bool sender_listens;
    bool receiver_listens;
    bool knows_receivers;           ///< a sender can wait for a receiver
    std::string_view default_host;  ///< empty: the address must contain one
    std::unique_ptr<NetworkSink> (*open_sink)(const NetworkAddress&, NetworkSinkOptions);  ///< null: receives only
    std::unique_ptr<NetworkSource> (*open_source)(const NetworkAddress&, const NetworkOptions&);  ///< null: sends only
};

/// Of a transport that transmits one channel.
[[nodiscard]] std::unique_ptr<NetworkSink> sink_of(const NetworkAddress& address, NetworkSinkOptions options,
                                                   std::unique_ptr<Sender> sender);
template <auto make_sender>
std::unique_ptr<NetworkSink> open_sink(const NetworkAddress& address, NetworkSinkOptions options)
{
    return sink_of(address, std::move(options), make_sender(address));
}
using MakeReceiver = std::unique_ptr<Receiver>(const NetworkAddress&, const ReceiverOptions&);
[[nodiscard]] std::unique_ptr<NetworkSource> source_of(const NetworkAddress& address, const NetworkOptions& options,
                                                       MakeReceiver* make_receiver);
template <auto make_receiver>
std::unique_ptr<NetworkSource> open_source(const NetworkAddress& address, const NetworkOptions& options)
{
    return source_of(address, options, make_receiver);
}

/// Why the last message of a source is lost; `part`: what has arrived of it.
[[nodiscard]] std::string ended_after(std::string_view part);
/// Sources of all transports leave out empty messages, with a note: they say nothing (OSMPCNetworkProxy sends one where
/// a step has no message), and in an `.osi` file they are damage.
[[nodiscard]] bool is_left_out(Bytes message, const NetworkAddress& address,
                               const std::function<void(const std::string&)>& on_note);

/// Pages are served by open_web_sink() of ositrace_web_sink: who only sends frames does not link how they look. Throws
/// Error (usage).
[[noreturn]] std::unique_ptr<NetworkSink> refuse_web_sink(const NetworkAddress& address, NetworkSinkOptions options);
[[nodiscard]] std::unique_ptr<NetworkSink> open_foxglove_sink(const NetworkAddress& address,
                                                              NetworkSinkOptions options);
[[nodiscard]] std::unique_ptr<NetworkSource> open_foxglove_source(const NetworkAddress& address,
                                                                  const NetworkOptions& options);

[[nodiscard]] const TransportRow& row_of(Transport transport) noexcept;

}  // namespace ositrace::net
