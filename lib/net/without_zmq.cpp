// SPDX-License-Identifier: MPL-2.0
// Replaces ZeroMQ in a build without libzmq.
#include <ositrace/error.hpp>

#include "lib/net/receiver.hpp"
#include "lib/net/sender.hpp"

namespace ositrace::net {

namespace {

[[noreturn]] void refuse(const NetworkAddress& address)
{
    throw Error(Cause::unsupported, {.file = to_string(address)},
                "this program was built without ZeroMQ (tcp:// and udp:// are supported)");
}

}  // namespace

std::unique_ptr<Sender> make_zmq_push(const NetworkAddress& address) { refuse(address); }
std::unique_ptr<Sender> make_zmq_pub(const NetworkAddress& address) { refuse(address); }
std::unique_ptr<Receiver> make_zmq_pull(const NetworkAddress& address, const ReceiverOptions&) { refuse(address); }
std::unique_ptr<Receiver> make_zmq_sub(const NetworkAddress& address, const ReceiverOptions&) { refuse(address); }

}  // namespace ositrace::net
