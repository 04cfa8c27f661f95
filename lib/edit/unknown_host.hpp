// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <ositrace/edit_wrap.hpp>
#include <ositrace/message_view.hpp>

namespace ositrace {

/// Is `host` none of the moving objects of a ground truth that has some? nullopt: it is one, or there are none to tell
/// by.
[[nodiscard]] std::optional<UnknownHost> unknown_host(const MessageView& ground_truth,
                                                      std::optional<std::uint64_t> host);

}  // namespace ositrace
