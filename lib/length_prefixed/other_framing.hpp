// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>

#include <ositrace/trace.hpp>

#include "lib/io/byte_source.hpp"

namespace ositrace {

/// The source, unless its messages are recognised to be separated in another way than by lengths of 4 bytes, least
/// significant first: by varints, by lengths of another size or in the other byte order, by a text (as OSI had before
/// 3.2), by nothing, or not at all, as there is one. Then it is a source of the same messages with such lengths, and
/// options.on_warning gets an Error with Damage::other_framing. `front`: the first bytes, which the source returns
/// again. Reads more only if they are not those of a message with a length. Throws Error (io, cancelled).
[[nodiscard]] std::unique_ptr<ByteSource> with_lengths(std::unique_ptr<ByteSource> source, Bytes front,
                                                       const OpenOptions& options);

}  // namespace ositrace
