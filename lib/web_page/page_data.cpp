// SPDX-License-Identifier: MPL-2.0
#include "lib/web_page/page_data.hpp"

#include <limits>
#include <new>

#include <zlib.h>

namespace ositrace::web_page {

void PageData::number(std::uint64_t value)
{
    while (value > 0x7f) {
        bytes_ += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    bytes_ += static_cast<char>(value);
}

void PageData::text(std::string_view text)
{
    number(text.size());
    bytes_ += text;
}

void PageData::block(std::span<const std::int64_t> values, Order order)
{
    number(values.size());
    number(static_cast<std::uint64_t>(order));
    std::int64_t last = 0, slope = 0;
    for (const auto value : values) {
        const auto predicted = order == Order::unrelated ? 0 : order == Order::similar ? last : last + slope;
        const auto difference = value - predicted;
        number(difference < 0 ? 2 * static_cast<std::uint64_t>(-(difference + 1)) + 1
                              : 2 * static_cast<std::uint64_t>(difference));
        slope = value - last;
        last = value;
    }
}

std::string deflated(std::string_view bytes)
{
    z_stream stream{};
    if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) throw std::bad_alloc();
    std::string packed;
    std::string buffer(std::size_t{1} << 16, '\0');
    int status = Z_OK;
    while (status == Z_OK) {
        if (stream.avail_in == 0 && !bytes.empty()) {
            const auto next = bytes.substr(0, std::numeric_limits<uInt>::max());
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next.data()));
            stream.avail_in = static_cast<uInt>(next.size());
            bytes.remove_prefix(next.size());
        }
        stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        packed.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    deflateEnd(&stream);
    return packed;
}

}  // namespace ositrace::web_page
