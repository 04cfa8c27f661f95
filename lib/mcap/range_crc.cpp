// SPDX-License-Identifier: MPL-2.0
#include "lib/mcap/range_crc.hpp"

#include <algorithm>
#include <vector>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "lib/mcap/file_records.hpp"

namespace ositrace {

std::uint32_t range_crc(const SeekableFile& file, std::uint64_t from, std::uint64_t end, const std::stop_token& stop)
{
    std::vector<std::byte> piece(std::size_t{1} << 20);
    std::uint32_t crc = 0;
    for (auto offset = from; offset < end;) {
        if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = file.name()}, "stopped");
        const auto wanted =
            std::span(piece).first(static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - offset)));
        read_exactly(file, offset, wanted);
        crc = crc32(wanted, crc);
        offset += wanted.size();
    }
    return crc;
}

}  // namespace ositrace
