// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Bytes in order: a file, a pipe, something decompressed. No seek. One thread at a time, except where noted.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Reads at least one byte into `into` (not empty) and returns how many; 0 = the end, or a stop was requested.
    /// Blocks on pipes; a stop ends that. Throws Error naming the file.
    virtual std::size_t read(std::span<std::byte> into, std::stop_token stop) = 0;
    /// Steps over bytes without reading them. False, and nothing was done: this source cannot.
    virtual bool skip(std::uint64_t) { return false; }
    /// How errors call it.
    [[nodiscard]] virtual const std::filesystem::path& name() const noexcept = 0;
    /// Where read() would end now, counted as offsets of this source are; empty when nobody knows (pipe, compressed,
    /// followed).
    [[nodiscard]] virtual std::optional<std::uint64_t> end() const = 0;
    /// For progress: bytes taken from the file itself (compressed, where it is), and its size where known. Any thread.
    [[nodiscard]] virtual std::uint64_t bytes_consumed() const noexcept = 0;
    [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const noexcept = 0;
};

/// The source again with bytes in front that were read from it to look at them.
[[nodiscard]] std::unique_ptr<ByteSource> put_back(Bytes front, std::unique_ptr<ByteSource> rest);

/// Reads until `into` is full; fewer bytes only at the end or when a stop was requested.
std::size_t read_fully(ByteSource& source, std::span<std::byte> into, std::stop_token stop);

}  // namespace ositrace
