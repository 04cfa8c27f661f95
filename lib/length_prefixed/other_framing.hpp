// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"

namespace ositrace {

struct FramingProblem {
    std::string text = {};         ///< why it cannot be read; empty: nothing is known
    bool may_be_standard = false;  ///< with a damaged first length
};
[[nodiscard]] Error error_of(Cause cause, const std::filesystem::path& file, const FramingProblem& problem);

struct OtherFraming {
    std::unique_ptr<ByteSource> source;
    FramingProblem problem = {};
};

/// The source, unless its messages are recognised to be separated in another way than by lengths of 4 bytes, least
/// significant first: by varints, by lengths of another size or in the other byte order, by a text (as OSI had before
/// 3.2), by nothing, or not at all, as there is one. Then it is a source of the same messages with such lengths, and
/// options.on_warning gets an Error with Damage::other_framing. `front`: the first bytes, which the source returns
/// again. Reads more only if they are not those of a message with a length. Where the messages only begin like this, as
/// damage or the end follows, it is the problem; a live source with such messages is refused at once. Throws Error (io,
/// cancelled; malformed).
[[nodiscard]] OtherFraming with_lengths(std::unique_ptr<ByteSource> source, Bytes front, const OpenOptions& options);

}  // namespace ositrace
