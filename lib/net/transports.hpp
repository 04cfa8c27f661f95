// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <string_view>

#include <ositrace/network_address.hpp>

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
    bool knows_receivers;                                           ///< a sender can wait for a receiver
    std::unique_ptr<Sender> (*make_sender)(const NetworkAddress&);  ///< null: receives only
    std::unique_ptr<Receiver> (*make_receiver)(const NetworkAddress&, const ReceiverOptions&);  ///< null: sends only
};

[[nodiscard]] const TransportRow& row_of(Transport transport) noexcept;

}  // namespace ositrace::net
