// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <limits>
#include <new>

#define ZLIB_CONST
#include <zlib.h>

#include <ositrace/error.hpp>

#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

constexpr int gzip_window_bits = 15 + 16;  // + 16: a gzip header is expected

/// Source: RFC 1952. Members may follow each other, and zeros behind the last (tape blocks) are let pass, as gzip does.
class GzipDecompressor final : public Decompressor {
public:
    GzipDecompressor()
    {
        if (inflateInit2(&stream_, gzip_window_bits) != Z_OK) throw std::bad_alloc();
    }
    GzipDecompressor(const GzipDecompressor&) = delete;
    GzipDecompressor& operator=(const GzipDecompressor&) = delete;
    ~GzipDecompressor() override { inflateEnd(&stream_); }

    Step decompress(Bytes in, std::span<std::byte> out) override
    {
        if (complete_) {
            const auto zeros =
                std::find_if(in.begin(), in.end(), [](std::byte b) { return b != std::byte{0}; }) - in.begin();
            if (zeros != 0 || in.empty()) return {static_cast<std::size_t>(zeros), 0};
            inflateReset(&stream_);
            complete_ = false;
        }
        return inflate_some(in, out);
    }
    bool complete() const noexcept override { return complete_; }

private:
    Step inflate_some(Bytes in, std::span<std::byte> out)
    {
        constexpr std::size_t most = std::numeric_limits<uInt>::max();
        const auto given = static_cast<uInt>(std::min(in.size(), most));
        const auto room = static_cast<uInt>(std::min(out.size(), most));
        stream_.next_in = reinterpret_cast<const Bytef*>(in.data());
        stream_.avail_in = given;
        stream_.next_out = reinterpret_cast<Bytef*>(out.data());
        stream_.avail_out = room;
        const auto result = inflate(&stream_, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        const bool broken = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
        if (broken && stream_.avail_out == room) fail();  // else the next call says so again
        complete_ = result == Z_STREAM_END;
        return {given - stream_.avail_in, room - stream_.avail_out};
    }

    [[noreturn]] void fail() const
    {
        const std::string_view reason = stream_.msg != nullptr ? stream_.msg : "unknown reason";
        if (reason == "incorrect data check" || reason == "incorrect length check")
            throw WrongChecksum(Cause::malformed, corrupt_data("gzip", reason));
        throw Error(Cause::malformed, corrupt_data("gzip", reason));
    }

    z_stream stream_{};
    bool complete_ = false;
};

}  // namespace

/// A length prefix can begin like this (a frame of 559 903 bytes), so that everything fixed in the header is looked at.
bool is_gzip(Bytes front)
{
    if (front.size() < 10) return false;
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(front[i]); };
    const bool known_system = byte(9) <= 13 || byte(9) == 255;
    const bool known_effort = byte(8) == 0 || byte(8) == 2 || byte(8) == 4;
    return byte(0) == 0x1f && byte(1) == 0x8b && byte(2) == 8 && byte(3) < 0x20 && known_effort && known_system;
}

std::unique_ptr<Decompressor> create_gzip_decompressor() { return std::make_unique<GzipDecompressor>(); }

}  // namespace ositrace
