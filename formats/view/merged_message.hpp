// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// A singular submessage that stands in several pieces on the wire, copied together: the pieces one after another are
/// the merged message, that is how Protobuf defines merging. Only scans go over the copy; what they find is looked up
/// in the original bytes, so that strings and messages that are handed out do not depend on the copy.
struct MergedMessage {
    struct Piece {
        std::size_t start;       ///< in `bytes`
        Bytes original;          ///< in the payload
        std::uint32_t position;  ///< of the original in the payload
    };
    std::vector<std::byte> bytes;
    std::vector<Piece> pieces;  ///< ascending by start

    void add(Bytes original, std::uint32_t position)
    {
        pieces.push_back({bytes.size(), original, position});
        bytes.insert(bytes.end(), original.begin(), original.end());
    }

    /// The piece that holds a place in `bytes`.
    [[nodiscard]] const Piece& piece_at(std::size_t place) const noexcept
    {
        std::size_t low = 0, high = pieces.size();
        while (high - low > 1) {
            const auto middle = (low + high) / 2;
            (pieces[middle].start <= place ? low : high) = middle;
        }
        return pieces[low];
    }
};

}  // namespace ositrace
