// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// xxHash, 32 bits, seed 0: the checksum of LZ4 frames. (liblz4 has it and keeps it to itself.)
class Xxh32 {
public:
    void add(Bytes bytes) noexcept;
    [[nodiscard]] std::uint32_t value() const noexcept;

private:
    static constexpr std::size_t stripe_bytes = 16;
    static constexpr std::uint32_t prime1 = 2654435761u, prime2 = 2246822519u, prime3 = 3266489917u,
                                   prime4 = 668265263u, prime5 = 374761393u;

    void take_stripe(const std::byte* stripe) noexcept;

    std::array<std::uint32_t, 4> lanes_{prime1 + prime2, prime2, 0, 0u - prime1};
    std::array<std::byte, stripe_bytes> tail_{};
    std::size_t tail_bytes_ = 0;
    std::uint64_t total_bytes_ = 0;
};

}  // namespace ositrace
