// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace oracle {

/// Breaks bytes as accidents and attackers do: flips, extreme values, cuts, insertions, copies of other parts.
class Mutation {
public:
    explicit Mutation(std::uint64_t seed) : random_(seed) {}
    void apply(std::vector<std::byte>& bytes)
    {
        for (auto left = 1 + random_() % 4; left > 0 && !bytes.empty(); --left) apply_one(bytes);
    }

private:
    void apply_one(std::vector<std::byte>& bytes)
    {
        static constexpr unsigned extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0xfe, 0x08, 0x04};
        const auto at = place(bytes);
        switch (random_() % 8) {
        case 0:
        case 1: bytes[at] ^= std::byte(1u << random_() % 8); break;
        case 2: bytes[at] = std::byte(extremes[random_() % 8]); break;
        case 3: bytes[at] = std::byte(random_()); break;
        case 4: bytes.resize(at); break;
        case 5: bytes.insert(bytes.begin() + offset(at), 1 + random_() % 4, std::byte(extremes[random_() % 8])); break;
        case 6: bytes.erase(bytes.begin() + offset(at), bytes.begin() + offset(at + 1)); break;
        default: copy_part(bytes, at, place(bytes)); break;
        }
    }
    void copy_part(std::vector<std::byte>& bytes, std::size_t from, std::size_t to)
    {
        for (auto left = 1 + random_() % 8; left > 0 && from < bytes.size() && to < bytes.size(); --left)
            bytes[to++] = bytes[from++];
    }
    std::size_t place(const std::vector<std::byte>& bytes) { return random_() % bytes.size(); }
    static std::ptrdiff_t offset(std::size_t at) { return static_cast<std::ptrdiff_t>(at); }

    std::mt19937_64 random_;
};

}  // namespace oracle
