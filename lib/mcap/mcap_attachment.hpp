// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include <ositrace/frame.hpp>

#include "formats/mcap/record_parser.hpp"
#include "lib/io/random_access.hpp"
#include "lib/io/windowed_input.hpp"

namespace ositrace {

/// The attachment whose record content of `length` bytes begins at `content`. Its data stay where they are.
/// Throws Error (malformed) with the offset in the file.
[[nodiscard]] Attachment attachment_in_file(const std::shared_ptr<const RandomAccess>& file, std::uint64_t content,
                                            std::uint64_t length);

/// Takes attachments out of a stream: small ones into memory, others into unnamed temporary files, and none where the
/// file stays.
class AttachmentTaker {
public:
    /// `stays`: the file can be opened again under the name of the source.
    explicit AttachmentTaker(bool stays) : stays_(stays) {}

    struct Taken {
        Attachment attachment;
        std::uint64_t left = 0;   ///< bytes of the record that are still to be passed over
        std::uint64_t after = 0;  ///< of these, those after the known fields
    };
    /// `input` is at a record whose content has `length` bytes. nullopt: a stop was requested, and the stream cannot be
    /// read any further. Throws Error (malformed, truncated, io).
    [[nodiscard]] std::optional<Taken> take(WindowedInput& input, std::uint64_t length, const std::stop_token& stop);

private:
    bool stays_;
    std::shared_ptr<const RandomAccess> file_;
    std::size_t in_memory_ = 0;
};

}  // namespace ositrace
