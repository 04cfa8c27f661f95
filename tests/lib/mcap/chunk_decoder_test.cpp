// SPDX-License-Identifier: MPL-2.0
// A chunk that is read and unpacked in pieces is what it is as a whole, or is left to the decoder of whole chunks.
#include "lib/mcap/chunk_decoder.hpp"

#include <optional>
#include <string>
#include <vector>

#include <lz4frame.h>
#include <zstd.h>

#include <ositrace/error.hpp>

#include "formats/core/crc32.hpp"
#include "formats/mcap/record_parser.hpp"
#include "tests/catch.hpp"
#include "tests/formats/mcap/mcap_bytes.hpp"

using namespace ositrace;

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;

/// Numbers in text: compressible, but not far beyond what memory is taken for at once.
std::string contents()
{
    std::string text;
    std::uint32_t state = 1;
    while (text.size() < 1'500'000) {
        state = state * 1664525 + 1013904223;
        text += std::to_string(state >> 12) + (state % 7 == 0 ? " a text that repeats " : " ");
    }
    return text;
}

std::string by_lz4(const std::string& text, LZ4F_blockMode_t mode, LZ4F_blockSizeID_t size, bool checksums)
{
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.blockMode = mode;
    preferences.frameInfo.blockSizeID = size;
    preferences.frameInfo.contentChecksumFlag = checksums ? LZ4F_contentChecksumEnabled : LZ4F_noContentChecksum;
    preferences.frameInfo.blockChecksumFlag = checksums ? LZ4F_blockChecksumEnabled : LZ4F_noBlockChecksum;
    std::string out(LZ4F_compressFrameBound(text.size(), &preferences), '\0');
    out.resize(LZ4F_compressFrame(out.data(), out.size(), text.data(), text.size(), &preferences));
    return out;
}

/// `states_size`: in the header of the frame.
std::string by_zstd(const std::string& text, bool states_size, bool checksum)
{
    auto* const context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, states_size ? 1 : 0);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum ? 1 : 0);
    std::string out(ZSTD_compressBound(text.size()), '\0');
    out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
    ZSTD_freeCCtx(context);
    return out;
}

/// Two frames, with one between them that decoders skip.
std::string in_two_frames(const std::string& text)
{
    const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
    const auto half = text.size() / 2;
    return by_zstd(text.substr(0, half), true, false) + skipped + by_zstd(text.substr(half), false, true);
}

struct Packed {
    std::string compression, bytes;
};

std::vector<Packed> all_forms(const std::string& text)
{
    return {{"lz4", by_lz4(text, LZ4F_blockIndependent, LZ4F_max256KB, false)},
            {"lz4", by_lz4(text, LZ4F_blockIndependent, LZ4F_max64KB, true)},
            {"lz4", by_lz4(text, LZ4F_blockLinked, LZ4F_max64KB, false)},
            {"lz4", by_lz4(text, LZ4F_blockLinked, LZ4F_max4MB, true)},
            {"lz4", by_lz4(text.substr(0, text.size() / 3), LZ4F_blockLinked, LZ4F_max64KB, true) +
                        by_lz4(text.substr(text.size() / 3), LZ4F_blockIndependent, LZ4F_max1MB, false)},
            {"zstd", by_zstd(text, true, false)},
            {"zstd", by_zstd(text, false, true)},
            {"zstd", in_two_frames(text)},
            {"", text}};
}

std::optional<std::string> in_pieces(const std::string& record, std::size_t piece_bytes)
{
    ChunkDecoder decoder(most_bytes, piece_bytes);
    const auto file = in_memory(bytes_of(record), "a.mcap");
    const auto decoded = decoder.decode(*file, 0, record.size(), false);
    return decoded ? std::optional(std::string(text_of(decoded->records.bytes))) : std::nullopt;
}

/// nullopt: it throws.
std::optional<std::string> as_a_whole(const std::string& record)
try {
    ChunkDecoder decoder(most_bytes);
    const auto chunk = mcap::parse_chunk(bytes_of(record).subspan(mcap::record_prefix_bytes));
    return std::string(text_of(decoder.decode(chunk, nullptr).bytes));
} catch (const Error&) {
    return std::nullopt;
}

std::string chunk_of(const Packed& packed, const std::string& text)
{
    return mcap_bytes::chunk(packed.bytes, packed.compression, text.size(), crc32(bytes_of(text)));
}

/// A file in a store.
class FarFile final : public RandomAccess {
public:
    explicit FarFile(Bytes bytes) : RandomAccess("far.mcap", bytes.size()), bytes_(bytes) {}

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
        return into.size();
    }

    Bytes bytes_;
};

}  // namespace

TEST_CASE("a chunk is the same in pieces of any size, in every form of its compression")
{
    const auto text = contents();
    for (const auto& packed : all_forms(text)) {
        const auto record = chunk_of(packed, text);
        REQUIRE(as_a_whole(record) == text);
        for (const std::size_t piece : {100u, 4'096u, 70'001u, 262'144u, 10'000'000u})
            CHECK(in_pieces(record, piece) == text);
    }
}

TEST_CASE("one decoder unpacks chunk after chunk in pieces")
{
    const auto text = contents();
    ChunkDecoder decoder(most_bytes, 5'000);
    for (int i = 0; i != 3; ++i)
        for (const auto& packed : all_forms(text)) {
            const auto record = chunk_of(packed, text);
            const auto file = in_memory(bytes_of(record), "a.mcap");
            const auto decoded = decoder.decode(*file, 0, record.size(), i != 0);
            REQUIRE(decoded.has_value());
            CHECK(decoded->record_crc == (i != 0 ? std::optional(crc32(bytes_of(record))) : std::nullopt));
            CHECK(chunk_record_crc(bytes_of(record)) == crc32(bytes_of(record)));
            CHECK(text_of(decoded->records.bytes) == text);
            CHECK(decoded->compression == chunk_compression_name(packed.compression));
            CHECK((decoded->records_offset != 0) == packed.compression.empty());
            if (packed.compression.empty()) CHECK(record.substr(decoded->records_offset) == text);
            CHECK(decoded->stated.uncompressed_crc == crc32(bytes_of(text)));
        }
}

TEST_CASE("a damaged chunk is left to the decoder of whole chunks, wherever the damage is")
{
    const auto text = contents().substr(0, 300'000);
    for (const auto& packed : all_forms(text)) {
        const auto record = chunk_of(packed, text);
        for (std::size_t at = 0; at < record.size(); at += at < 100 ? 1 : record.size() / 97) {
            auto damaged = record;
            damaged[at] ^= 0x10;
            const auto found = in_pieces(damaged, 20'000);
            // Times, and flags that change nothing, may differ.
            CHECK((!found || (*found == text && as_a_whole(damaged) == text)));
        }
    }
}

TEST_CASE(
    "a chunk that is longer or shorter than announced, or has another CRC, is left to the decoder of whole chunks")
{
    const auto text = contents();
    for (const auto& packed : all_forms(text)) {
        const auto crc = crc32(bytes_of(text));
        const auto with = [&](const std::string& bytes, std::uint64_t size, std::uint32_t stated) {
            return in_pieces(mcap_bytes::chunk(bytes, packed.compression, size, stated), 50'000);
        };
        CHECK(with(packed.bytes, text.size(), crc) == text);
        CHECK(with(packed.bytes, text.size(), 0) == text);
        CHECK_FALSE(with(packed.bytes, text.size() - 1, 0));
        CHECK_FALSE(with(packed.bytes, text.size() + 1, 0));
        CHECK_FALSE(with(packed.bytes, text.size(), crc + 1));
        CHECK_FALSE(with(packed.bytes, most_bytes + 1, 0));
        CHECK_FALSE(with(packed.bytes.substr(0, packed.bytes.size() - 1), text.size(), 0));
        CHECK_FALSE(with(packed.bytes + "more", text.size(), 0));
    }
}

TEST_CASE("no chunk, one that is far away, and one of a large announced size are left to the caller")
{
    const auto text = contents();
    const Packed packed{"zstd", by_zstd(text, true, false)};
    const auto record = chunk_of(packed, text);
    ChunkDecoder decoder(most_bytes);
    CHECK_FALSE(decoder.decode(FarFile(bytes_of(record)), 0, record.size(), false));
    CHECK_FALSE(in_pieces(mcap_bytes::chunk(packed.bytes, "brotli", text.size(), 0), 4'096));
    CHECK_FALSE(in_pieces(record.substr(0, 8), 4'096));
    CHECK_FALSE(in_pieces(record.substr(0, 100), 4'096));
    CHECK_FALSE(in_pieces(record + "x", 4'096));
    CHECK_FALSE(in_pieces("\x05" + record.substr(1), 4'096));
    const std::string zeros(20'000'000, '\0');
    CHECK_FALSE(in_pieces(chunk_of({"zstd", by_zstd(zeros, true, false)}, zeros), 4'096));
    CHECK(as_a_whole(chunk_of({"zstd", by_zstd(zeros, true, false)}, zeros)) == zeros);
}
