// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <span>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

namespace ositrace {

/// The channel of a file whose frames all have one type, recognised by its first payloads, its name and the options.
/// Throws Error naming the file.
[[nodiscard]] Channel recognize_channel(const std::filesystem::path& file, std::span<const Bytes> first_payloads,
                                        const OpenOptions& options);

}  // namespace ositrace
