// SPDX-License-Identifier: MPL-2.0
// Inputs that need no disk.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "lib/io/random_access.hpp"
#include "tests/fuzz/fuzzing.hpp"

namespace fuzzing {

/// Hands the bytes out in pieces of at most `piece`, as a pipe does.
class MemorySource final : public ositrace::ByteSource {
public:
    MemorySource(Bytes bytes, std::size_t piece) : bytes_(bytes), piece_(std::max<std::size_t>(1, piece)) {}

    std::size_t read(std::span<std::byte> into, std::stop_token) override
    {
        const auto count = std::min({into.size(), piece_, bytes_.size() - at_});
        if (count != 0) std::memcpy(into.data(), bytes_.data() + at_, count);
        at_ += count;
        return count;
    }
    const std::filesystem::path& name() const noexcept override { return name_; }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return at_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return bytes_.size(); }

private:
    std::filesystem::path name_ = "fuzz.osi";
    Bytes bytes_;
    std::size_t piece_;
    std::size_t at_ = 0;
};

inline std::shared_ptr<const ositrace::RandomAccess> memory_file(Bytes bytes)
{
    return ositrace::in_memory(bytes, "fuzz.osi");
}

}  // namespace fuzzing
