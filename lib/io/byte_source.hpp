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
#include <ositrace/random_access.hpp>

namespace ositrace {

/// A stream of bytes: a file, a pipe, decompressed bytes. No seek. One thread at a time, except where noted.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    /// Reads at least one byte into `into` (not empty) and returns the number; 0 = the end, or a stop was requested.
    /// Blocks on pipes until a stop is requested. Throws Error naming the file.
    virtual std::size_t read(std::span<std::byte> into, std::stop_token stop) = 0;
    /// Skips bytes without reading them. False, without effect, where the source does not support it.
    virtual bool skip(std::uint64_t) { return false; }
    /// The number of zero bytes that read() would return next, as far as that is known without reading them.
    [[nodiscard]] virtual std::uint64_t zeros_ahead() const { return 0; }
    /// As errors name it.
    [[nodiscard]] virtual const std::filesystem::path& name() const noexcept = 0;
    /// The offset at which read() would end now; empty where it is unknown (pipe, compressed, followed).
    [[nodiscard]] virtual std::optional<std::uint64_t> end() const = 0;
    /// The same bytes at the same offsets, where they can be read again; null for pipes, standard input, decompressed
    /// and followed sources. Throws Error (io).
    [[nodiscard]] virtual std::shared_ptr<const RandomAccess> random_access() const { return nullptr; }
    /// For progress: bytes read from the (compressed) file, and its size where known. Any thread.
    [[nodiscard]] virtual std::uint64_t bytes_consumed() const noexcept = 0;
    [[nodiscard]] virtual std::optional<std::uint64_t> bytes_total() const noexcept = 0;
};

/// A source that returns bytes again that were read from `rest`, and then those of `rest`.
[[nodiscard]] std::unique_ptr<ByteSource> put_back(Bytes front, std::unique_ptr<ByteSource> rest);

/// Reads until `into` is full; fewer bytes only at the end or when a stop was requested.
std::size_t read_fully(ByteSource& source, std::span<std::byte> into, std::stop_token stop);

}  // namespace ositrace
