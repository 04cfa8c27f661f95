// SPDX-License-Identifier: MPL-2.0
#include "formats/core/crc32.hpp"
#include "tests/catch.hpp"

#include <random>
#include <vector>

#include <zlib.h>

using namespace ositrace;

namespace {

std::vector<std::byte> random_bytes(std::size_t count)
{
    std::mt19937 random(1);
    std::vector<std::byte> bytes(count);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

std::uint32_t by_zlib(Bytes bytes, std::uint32_t crc = 0)
{
    return static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

TEST_CASE("the CRC of every length and place is zlib's, in every way to compute it")
{
    const auto data = random_bytes(3000);
    for (const std::size_t begin : {0, 1, 7, 16, 63})
        for (std::size_t length = 0; begin + length <= data.size(); ++length) {
            const auto bytes = Bytes(data).subspan(begin, length);
            const auto front = Bytes(data).first(begin);
            const auto expected = by_zlib(bytes, by_zlib(front));
            for (auto way = CrcWay::tables; way <= best_crc_way(); way = static_cast<CrcWay>(static_cast<int>(way) + 1))
                if (crc32(bytes, by_zlib(front), way) != expected)
                    FAIL("from " << begin << ", " << length << " bytes, way " << static_cast<int>(way));
            if (crc32(bytes) != by_zlib(bytes)) FAIL("from " << begin << ", " << length << " bytes");
        }
    SUCCEED();
}

TEST_CASE("a CRC goes on over pieces of any length, and those of two ranges join")
{
    const auto data = random_bytes(5000);
    const auto whole = by_zlib(data);
    for (std::size_t cut = 0; cut <= data.size(); cut += 13) {
        const auto front = Bytes(data).first(cut), back = Bytes(data).subspan(cut);
        if (crc32(back, crc32(front)) != whole) FAIL("gone on behind " << cut << " bytes");
        if (crc32_joined(crc32(front), crc32(back), back.size()) != whole) FAIL("joined at " << cut << " bytes");
    }
    SUCCEED();
}
