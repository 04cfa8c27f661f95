// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/flatbuffers/flat_output.hpp"

namespace ositrace {

/// One FlatBuffers table with a vtable of its own, for code that writes few of them: add the fields, write(), then the
/// children, and let the references point to them. (Messages go a faster way, see TableLayout.)
class FlatTableDraft {
public:
    /// `bytes`: 1, 2, 4 or 8.
    void scalar(std::uint16_t slot, std::uint64_t value, std::uint8_t bytes)
    {
        fields_.push_back({slot, bytes, value, 0});
    }
    void reference(std::uint16_t slot) { scalar(slot, 0, 4); }

    /// Appends vtable and table; returns the table's position.
    std::uint32_t write(FlatOutput& out);
    /// After write(): lets a reference point to what stands behind it.
    void point(FlatOutput& out, std::uint16_t slot, std::uint32_t target) const;

private:
    struct Field {
        std::uint16_t slot;
        std::uint8_t bytes;
        std::uint64_t value;
        std::uint32_t place;
    };
    std::vector<Field> fields_;
};

/// Appends a zero-terminated string, 4-aligned; returns its position.
std::uint32_t write_flat_string(FlatOutput& out, std::string_view text);

struct FlatOffsets {
    std::uint32_t position;  ///< of the vector
    std::uint32_t first;     ///< of the first offset; the next one is 4 bytes on
};

/// Appends a vector of `count` offsets, to be pointed later.
FlatOffsets write_flat_offsets(FlatOutput& out, std::size_t count);

}  // namespace ositrace
