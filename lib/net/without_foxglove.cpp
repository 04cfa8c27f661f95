// SPDX-License-Identifier: MPL-2.0
// Replaces Foxglove in a build without Boost.Beast or nlohmann-json.
#include <ositrace/error.hpp>

#include "lib/net/transports.hpp"

namespace ositrace::net {

namespace {

[[noreturn]] void without_foxglove(const NetworkAddress& address)
{
    throw Error(Cause::unsupported, {.file = to_string(address)},
                "this program was built without Foxglove (Boost.Beast and nlohmann-json)");
}

}  // namespace

std::unique_ptr<NetworkSink> open_foxglove_sink(const NetworkAddress& address, NetworkSinkOptions)
{
    without_foxglove(address);
}
std::unique_ptr<NetworkSource> open_foxglove_source(const NetworkAddress& address, const NetworkOptions&)
{
    without_foxglove(address);
}

}  // namespace ositrace::net
