// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <new>

#include <lzma.h>

#include <ositrace/error.hpp>

#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

/// xz -9 needs 65 MiB; a header may claim 4 GiB.
constexpr std::uint64_t max_memory_bytes = std::uint64_t{256} << 20;

std::string_view reason_of(lzma_ret result)
{
    switch (result) {
    case LZMA_FORMAT_ERROR: return "not a header of this format";
    case LZMA_OPTIONS_ERROR: return "unknown options in the header";
    case LZMA_DATA_ERROR: return "broken block or checksum";
    default: return "unexpected state of the decoder";
    }
}

class LzmaDecompressor final : public Decompressor {
public:
    /// `alone`: the older format of `.lzma`, in which nothing follows the first stream.
    LzmaDecompressor(bool alone, std::string_view behind_error) : alone_(alone), behind_error_(behind_error)
    {
        begin();
    }
    LzmaDecompressor(const LzmaDecompressor&) = delete;
    LzmaDecompressor& operator=(const LzmaDecompressor&) = delete;
    ~LzmaDecompressor() override { lzma_end(&stream_); }

    Step decompress(Bytes in, std::span<std::byte> out) override
    {
        if (!complete_) return decode(in, out);
        // Streams may be padded with zeros and follow each other.
        const auto zeros =
            std::find_if(in.begin(), in.end(), [](std::byte b) { return b != std::byte{0}; }) - in.begin();
        if (zeros != 0 || in.empty() || alone_) return {static_cast<std::size_t>(zeros), 0};
        begin();
        return decode(in, out);
    }
    bool complete() const noexcept override { return complete_; }

private:
    void begin()
    {
        const auto result = alone_ ? lzma_alone_decoder(&stream_, max_memory_bytes)
                                   : lzma_stream_decoder(&stream_, max_memory_bytes, 0);
        if (result != LZMA_OK) throw std::bad_alloc();
        complete_ = false;
    }

    Step decode(Bytes in, std::span<std::byte> out)
    {
        stream_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
        stream_.avail_in = in.size();
        stream_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
        stream_.avail_out = out.size();
        const auto result = failed_ != LZMA_OK ? failed_ : lzma_code(&stream_, LZMA_RUN);
        if (result == LZMA_MEM_ERROR) throw std::bad_alloc();
        if (result == LZMA_MEMLIMIT_ERROR)
            throw Error(Cause::limit, "xz data that needs " + std::to_string(lzma_memusage(&stream_)) +
                                          " bytes of memory, the limit is " + std::to_string(max_memory_bytes));
        const bool broken = result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR;
        if (broken && stream_.avail_out != out.size())
            failed_ = result;  // what stands in front of it goes out first
        else if (broken)
            throw Error(Cause::malformed, corrupt_data("xz", reason_of(result)).append(behind_error_));
        complete_ = result == LZMA_STREAM_END;
        return {in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    }

    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool alone_;
    std::string_view behind_error_;  ///< of the reason
    bool complete_ = false;
    lzma_ret failed_ = LZMA_OK;
};

}  // namespace

bool is_xz(Bytes front)
{
    using namespace std::string_view_literals;
    return text_of(front).starts_with(
        "\xfd"
        "7zXZ\0"sv);
}

/// { u8 properties; u32 dictionary; u64 unpacked size or all ones }, then the coder's first byte, which is always 0.
/// There is no magic: every encoder in the field writes the default properties and a dictionary of 2^n or 3 * 2^n
/// bytes.
bool is_lzma_alone(Bytes front)
{
    if (front.size() < 14 || front[0] != std::byte{0x5d} || front[13] != std::byte{0}) return false;
    const auto dictionary = load_le32(front.data() + 1);
    const auto unpacked = load_le64(front.data() + 5);
    const bool usual_size =
        std::has_single_bit(dictionary) || (dictionary % 3 == 0 && std::has_single_bit(dictionary / 3));
    return dictionary >= 4096 && usual_size && (unpacked == ~std::uint64_t{0} || unpacked < std::uint64_t{1} << 38);
}

std::unique_ptr<Decompressor> create_xz_decompressor() { return std::make_unique<LzmaDecompressor>(false, ""); }
std::unique_ptr<Decompressor> create_lzma_alone_decompressor() { return std::make_unique<LzmaDecompressor>(true, ""); }

// Blocks of xz have no magic to be found by; most files are of one block anyway.
std::unique_ptr<Decompressor> create_xz_decompressor_for_damage()
{
    return std::make_unique<LzmaDecompressor>(false, "; of an xz stream nothing behind that comes back");
}

}  // namespace ositrace
