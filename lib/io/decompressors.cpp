// SPDX-License-Identifier: MPL-2.0
#include "lib/io/decompressors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <new>

#include <lz4frame.h>
#include <lzma.h>
#define ZLIB_CONST
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY  // a parameter, no function
#include <zstd.h>
#include <zstd_errors.h>

#include <ositrace/error.hpp>

namespace ositrace {

namespace {

/// A format of blocks. `by_blocks`: no call decodes more than one block, so that an error loses only the damaged block.
/// The last byte of a block is passed by itself, as a stored block is output as far as it was passed, and the frame may
/// end with an error (its length, a checksum) in the same call.
class BlockDecompressor : public Decompressor {
public:
    Step decompress(Bytes in, std::span<std::byte> out) final
    {
        if (in.empty() && complete()) return {};
        if (!by_blocks_) return decode_noted(in, out);
        if (!drained_) {
            const auto rest = decode_noted(in.first(0), out);
            if (rest.made != 0) return rest;
        }
        const auto wanted = hint_ > header_bytes_ ? hint_ - header_bytes_ : hint_;
        const auto given = wanted > 1 ? wanted - 1 : 1;
        return decode_noted(in.first(std::min(in.size(), given)), out);
    }
    bool complete() const noexcept final { return begun_ && hint_ == 0; }
    void restart() final
    {
        reset();
        hint_ = 0;
        begun_ = false;
        drained_ = true;
    }

protected:
    /// `header_bytes`: of the header of the next block, which decoders request together with a block.
    BlockDecompressor(bool by_blocks, std::size_t header_bytes) noexcept
        : by_blocks_(by_blocks), header_bytes_(header_bytes)
    {
    }

    /// `hint`: the number of bytes that the decoder requests next, 0 at an end.
    virtual Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) = 0;
    virtual void reset() = 0;
    [[nodiscard]] bool begun() const noexcept { return begun_; }

private:
    Step decode_noted(Bytes in, std::span<std::byte> out)
    {
        std::size_t hint = 0;
        const auto done = decode(in, out, hint);
        hint_ = hint;
        begun_ = true;
        drained_ = done.made < out.size();
        return done;
    }

    bool by_blocks_;
    std::size_t header_bytes_;
    std::size_t hint_ = 0;
    bool begun_ = false;
    bool drained_ = true;
};

/// A larger window (zstd --ultra --long) needs more memory than an untrusted file may use.
constexpr int max_window_log = 27;

class ZstdDecompressor final : public BlockDecompressor {
public:
    enum class Output : std::uint8_t { anywhere, in_place };
    explicit ZstdDecompressor(bool by_blocks, Output output = Output::anywhere)
        : BlockDecompressor(by_blocks, block_header_bytes),
          stream_(ZSTD_createDStream()),
          in_place_(output == Output::in_place)
    {
        if (!stream_) throw std::bad_alloc();
        ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, max_window_log);
        // A library that does not know it copies, as without it.
        if (in_place_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_stableOutBuffer, 1);
    }

private:
    Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) override
    {
        if (!in_place_ || !begun() || complete()) place_ = out.data();
        const auto before = static_cast<std::size_t>(out.data() - place_);
        ZSTD_inBuffer input{in.data(), in.size(), 0};
        ZSTD_outBuffer output{place_, before + out.size(), before};
        hint = ZSTD_decompressStream(stream_.get(), &output, &input);
        if (ZSTD_getErrorCode(hint) == ZSTD_error_checksum_wrong)
            throw Error(Cause::malformed, {}, corrupt_data("zstd", ZSTD_getErrorName(hint)), Damage::bad_crc);
        if (ZSTD_isError(hint)) throw Error(Cause::malformed, corrupt_data("zstd", ZSTD_getErrorName(hint)));
        return {input.pos, output.pos - before};
    }

    void reset() override { ZSTD_DCtx_reset(stream_.get(), ZSTD_reset_session_only); }

    struct Free {
        void operator()(ZSTD_DStream* stream) const noexcept { ZSTD_freeDStream(stream); }
    };
    static constexpr std::size_t block_header_bytes = 3;

    std::unique_ptr<ZSTD_DStream, Free> stream_;
    bool in_place_;
    std::byte* place_ = nullptr;  ///< of the output of the frame
};

constexpr std::uint32_t zstd_magic = ZSTD_MAGICNUMBER;
constexpr std::size_t skippable_header_bytes = 8;

class Lz4Decompressor final : public BlockDecompressor {
public:
    explicit Lz4Decompressor(bool by_blocks) : BlockDecompressor(by_blocks, block_header_bytes)
    {
        LZ4F_dctx* context = nullptr;
        if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) throw std::bad_alloc();
        context_.reset(context);
    }

private:
    Step decode(Bytes in, std::span<std::byte> out, std::size_t& hint) override
    {
        auto taken = in.size();
        auto made = out.size();
        hint = LZ4F_decompress(context_.get(), out.data(), &made, in.data(), &taken, nullptr);
        if (!LZ4F_isError(hint)) return {taken, made};
        const std::string_view name = LZ4F_getErrorName(hint);  // the error codes are in the static library only
        if (name == "ERROR_contentChecksum_invalid")
            throw Error(Cause::malformed, {}, corrupt_data("lz4", name), Damage::bad_crc);
        throw Error(Cause::malformed, corrupt_data("lz4", name));
    }

    void reset() override { LZ4F_resetDecompressionContext(context_.get()); }

    struct Free {
        void operator()(LZ4F_dctx* context) const noexcept { LZ4F_freeDecompressionContext(context); }
    };
    static constexpr std::size_t block_header_bytes = 4;

    std::unique_ptr<LZ4F_dctx, Free> context_;
};

constexpr int gzip_window_bits = 15 + 16;  // + 16: a gzip header is expected

/// RFC 1952. Members may follow each other; zeros after the last one (tape blocks) are ignored, as by gzip.
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
    void restart() override
    {
        inflateReset(&stream_);
        complete_ = false;
    }

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
        if (broken && stream_.avail_out == room) fail();  // else the next call fails
        complete_ = result == Z_STREAM_END;
        return {given - stream_.avail_in, room - stream_.avail_out};
    }

    [[noreturn]] void fail() const
    {
        const std::string_view reason = stream_.msg != nullptr ? stream_.msg : "unknown reason";
        if (reason == "incorrect data check" || reason == "incorrect length check")
            throw Error(Cause::malformed, {}, corrupt_data("gzip", reason), Damage::bad_crc);
        throw Error(Cause::malformed, corrupt_data("gzip", reason));
    }

    z_stream stream_{};
    bool complete_ = false;
};

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
    LzmaDecompressor(bool alone, std::string_view advice) : alone_(alone), advice_(advice) { begin(); }
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
    void restart() override
    {
        begin();
        failed_ = LZMA_OK;
    }

private:
    /// Uses the memory of the stream before.
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
            throw Error(Cause::limit, "the memory for this xz data, " + std::to_string(lzma_memusage(&stream_)) +
                                          " bytes, exceeds the limit of " + std::to_string(max_memory_bytes) +
                                          " bytes");
        const bool broken = result != LZMA_OK && result != LZMA_STREAM_END && result != LZMA_BUF_ERROR;
        if (broken && stream_.avail_out != out.size())
            failed_ = result;  // the bytes before the damage are returned first
        else if (broken)
            throw Error(Cause::malformed, corrupt_data("xz", reason_of(result)).append(advice_));
        complete_ = result == LZMA_STREAM_END;
        return {in.size() - stream_.avail_in, out.size() - stream_.avail_out};
    }

    lzma_stream stream_ = LZMA_STREAM_INIT;
    bool alone_;
    std::string_view advice_;  ///< follows the reason of an error
    bool complete_ = false;
    lzma_ret failed_ = LZMA_OK;
};

}  // namespace

std::string corrupt_data(std::string_view compression, std::string_view reason)
{
    return "corrupt " + std::string(compression) + " data: " + std::string(reason);
}

/// pzstd writes a skippable frame first; lz4 has the same kind of frame, so the next frame decides.
bool is_zstd(Bytes front)
{
    if (front.size() < skippable_header_bytes) return false;
    const auto magic = load_le32(front.data());
    if ((magic & ZSTD_MAGIC_SKIPPABLE_MASK) != ZSTD_MAGIC_SKIPPABLE_START) return magic == zstd_magic;
    const auto content = std::size_t{load_le32(front.data() + 4)};
    if (front.size() < skippable_header_bytes + content + sizeof magic) return false;
    return load_le32(front.data() + skippable_header_bytes + content) == zstd_magic;
}

/// RFC 8878: the bits of the frame header, and the header of the first block.
bool may_begin_zstd(Bytes front)
{
    constexpr std::size_t block_header_bytes = 3;
    constexpr std::uint32_t max_block = 128 << 10, reserved_type = 3;
    constexpr std::array<std::size_t, 4> dictionary_bytes{0, 1, 2, 4}, size_bytes{0, 2, 4, 8};
    if (front.size() < 5 || load_le32(front.data()) != zstd_magic) return is_zstd(front);  // a skippable frame
    const auto bits = std::to_integer<unsigned>(front[4]);
    const bool single_segment = (bits & 0x20) != 0, reserved = (bits & 0x08) != 0;
    if (reserved) return false;
    const auto size = bits >> 6 == 0 && single_segment ? 1 : size_bytes[bits >> 6];
    const auto header = 5 + (single_segment ? 0 : 1) + dictionary_bytes[bits & 3] + size;
    if (front.size() < header + block_header_bytes) return true;
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(front[header + i]); };
    const auto block = byte(0) | byte(1) << 8 | byte(2) << 16;
    return (block >> 1 & 3) != reserved_type && block >> 3 <= max_block;
}

std::unique_ptr<Decompressor> create_zstd_decompressor() { return std::make_unique<ZstdDecompressor>(false); }
std::unique_ptr<Decompressor> create_zstd_decompressor_by_blocks() { return std::make_unique<ZstdDecompressor>(true); }
std::unique_ptr<Decompressor> create_zstd_decompressor_in_place()
{
    return std::make_unique<ZstdDecompressor>(false, ZstdDecompressor::Output::in_place);
}

bool is_lz4(Bytes front)
{
    constexpr std::uint32_t magic = 0x184D2204;
    // The two version bits after it must be 01.
    return front.size() >= 5 && load_le32(front.data()) == magic && std::to_integer<unsigned>(front[4]) >> 6 == 1;
}

std::unique_ptr<Decompressor> create_lz4_decompressor() { return std::make_unique<Lz4Decompressor>(false); }
std::unique_ptr<Decompressor> create_lz4_decompressor_by_blocks() { return std::make_unique<Lz4Decompressor>(true); }

/// A length prefix can have the same first bytes (a frame of 559 903 bytes), so all fixed parts of the header are
/// checked.
bool is_gzip(Bytes front)
{
    if (front.size() < 10) return false;
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(front[i]); };
    const bool known_system = byte(9) <= 13 || byte(9) == 255;
    const bool known_effort = byte(8) == 0 || byte(8) == 2 || byte(8) == 4;
    return byte(0) == 0x1f && byte(1) == 0x8b && byte(2) == 8 && byte(3) < 0x20 && known_effort && known_system;
}

std::unique_ptr<Decompressor> create_gzip_decompressor() { return std::make_unique<GzipDecompressor>(); }

bool is_xz(Bytes front)
{
    using namespace std::string_view_literals;
    return text_of(front).starts_with(
        "\xfd"
        "7zXZ\0"sv);
}

/// { u8 magic[6], flags[2]; u32 crc of the flags }
bool may_begin_xz(Bytes front)
{
    constexpr std::size_t magic_bytes = 6, flags_bytes = 2;
    if (front.size() < magic_bytes + flags_bytes + 4) return true;
    const auto flags = front.subspan(magic_bytes, flags_bytes);
    return lzma_crc32(reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size(), 0) ==
           load_le32(front.data() + magic_bytes + flags_bytes);
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

// Blocks of xz have no magic, and most files have one block.
std::unique_ptr<Decompressor> create_xz_decompressor_for_damage()
{
    return std::make_unique<LzmaDecompressor>(false, "; the rest of the xz stream is lost");
}

}  // namespace ositrace
