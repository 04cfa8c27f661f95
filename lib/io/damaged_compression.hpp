// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include <ositrace/error.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

/// A damaged place of a compressed file.
struct CompressionDamage {
    std::uint64_t offset = 0;  ///< in the compressed file: bytes from here on were lost
    std::uint64_t bytes = 0;  ///< up to the next compressed frame, or the end; 0: a checksum is wrong, no byte was lost
    /// Range of the output that comes from the same compressed frame: no checksum confirms it.
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    Error error;
};

/// The contents of a damaged compressed file: the part of each compressed frame (a gzip member, an xz stream) before
/// its damage. After damage the next beginning of a compressed frame is searched. Where a decoder read beyond the
/// beginning of the next frame, bytes are unpacked twice, at most as many as the file has.
class DamagedCompression final : public ByteSource {
public:
    /// `on_damage` is called by read(), in the order of the file.
    DamagedCompression(const DecompressorRow& row, std::shared_ptr<const RandomAccess> file,
                       std::function<void(const CompressionDamage&)> on_damage);

    /// Throws Error (io).
    std::size_t read(std::span<std::byte> into, std::stop_token stop) override;
    const std::filesystem::path& name() const noexcept override { return file_->name(); }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return taken_; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return file_->size(); }

private:
    bool refill();
    [[nodiscard]] Decompressor::Step step(std::span<std::byte> into);
    void skip_damage(const Error& error, const std::stop_token& stop);
    [[nodiscard]] std::uint64_t next_frame(std::uint64_t from, const std::stop_token& stop) const;
    void begin_frame(std::uint64_t offset);

    const DecompressorRow& row_;
    std::shared_ptr<const RandomAccess> file_;
    std::function<void(const CompressionDamage&)> on_damage_;
    std::unique_ptr<Decompressor> decompressor_;  ///< null: at the end of the file
    std::unique_ptr<std::byte[]> input_;
    Bytes waiting_;                        ///< in input_
    std::atomic<std::uint64_t> taken_{0};  ///< of the file
    std::uint64_t used_ = 0;               ///< output ends with the bytes before this
    std::uint64_t frame_ = 0;              ///< begin of the current compressed frame
    std::uint64_t again_ = 0;              ///< bytes that were unpacked twice
    std::uint64_t made_ = 0;
    std::uint64_t made_before_frame_ = 0;
};

}  // namespace ositrace
