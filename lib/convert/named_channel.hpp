// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/frame.hpp>

namespace ositrace {

/// A topic from the name of a single-channel file: the custom part of a standard name, the stem of any other; the type
/// where that leaves nothing.
[[nodiscard]] std::string topic_from_name(const std::filesystem::path& file, const Channel& channel);

/// Puts the versions that a standard name states into the metadata of the channel, the OSI version only when the first
/// payload claims none.
void add_versions_from_name(Channel& channel, const std::filesystem::path& file, Bytes first_payload);

}  // namespace ositrace
