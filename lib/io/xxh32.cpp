// SPDX-License-Identifier: MPL-2.0
#include "lib/io/xxh32.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ositrace {

void Xxh32::take_stripe(const std::byte* stripe) noexcept
{
    for (std::size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i] = std::rotl(lanes_[i] + load_le32(stripe + 4 * i) * prime2, 13) * prime1;
}

void Xxh32::add(Bytes bytes) noexcept
{
    total_bytes_ += bytes.size();
    if (tail_bytes_ != 0) {
        const auto count = std::min(bytes.size(), stripe_bytes - tail_bytes_);
        std::copy_n(bytes.data(), count, tail_.data() + tail_bytes_);
        tail_bytes_ += count;
        bytes = bytes.subspan(count);
        if (tail_bytes_ < stripe_bytes) return;
        take_stripe(tail_.data());
    }
    for (; bytes.size() >= stripe_bytes; bytes = bytes.subspan(stripe_bytes)) take_stripe(bytes.data());
    std::copy_n(bytes.data(), bytes.size(), tail_.data());
    tail_bytes_ = bytes.size();
}

std::uint32_t Xxh32::value() const noexcept
{
    std::uint32_t hash = prime5;
    if (total_bytes_ >= stripe_bytes)
        hash = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) + std::rotl(lanes_[3], 18);
    hash += static_cast<std::uint32_t>(total_bytes_);
    std::size_t at = 0;
    for (; at + 4 <= tail_bytes_; at += 4) hash = std::rotl(hash + load_le32(tail_.data() + at) * prime3, 17) * prime4;
    for (; at < tail_bytes_; ++at)
        hash = std::rotl(hash + std::to_integer<std::uint32_t>(tail_[at]) * prime5, 11) * prime1;
    hash = (hash ^ (hash >> 15)) * prime2;
    hash = (hash ^ (hash >> 13)) * prime3;
    return hash ^ (hash >> 16);
}

}  // namespace ositrace
