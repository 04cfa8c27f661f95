// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include <ositrace/error.hpp>

#include "lib/io/byte_source.hpp"
#include "lib/io/decompressor.hpp"
#include "lib/io/seekable_file.hpp"

namespace ositrace {

/// Where a compressed file does not unpack.
struct CompressionDamage {
    std::uint64_t offset = 0;  ///< in the compressed file: nothing came out of the bytes from here on
    std::uint64_t bytes = 0;  ///< up to the next compressed frame, or the end; 0: all came out, and a checksum is wrong
    std::uint64_t from =
        0;  ///< in what came out: of the same compressed frame; a wrong byte may be in it, as no checksum proves it
    std::uint64_t to = 0;  ///< behind it the next compressed frame follows, or nothing
    Error error;
};

/// What still comes out of a damaged compressed file: of each compressed frame (a member of gzip, a stream of xz) what
/// stands in front of its damage, and behind the damage the next frame that begins like one. As many bytes as the file
/// has may be unpacked a second time, where a decoder went on over the beginning of the next frame.
class DamagedCompression final : public ByteSource {
public:
    /// `on_damage` is called by read(), in the order of the file.
    DamagedCompression(const DecompressorRow& row, std::shared_ptr<const SeekableFile> file,
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
    void pass_checksum(const Error& error, const std::stop_token& stop);
    void pass_damage(const Error& error, const std::stop_token& stop);
    [[nodiscard]] std::uint64_t next_frame(std::uint64_t from, const std::stop_token& stop) const;
    void begin_frame(std::uint64_t offset);

    const DecompressorRow& row_;
    std::shared_ptr<const SeekableFile> file_;
    std::function<void(const CompressionDamage&)> on_damage_;
    std::unique_ptr<Decompressor> decompressor_;  ///< null: nothing follows any more
    std::unique_ptr<std::byte[]> input_;
    Bytes waiting_;                        ///< in input_
    std::atomic<std::uint64_t> taken_{0};  ///< of the file
    std::uint64_t used_ = 0;               ///< up to here something came out
    std::uint64_t frame_ = 0;              ///< where the compressed frame at hand begins
    std::uint64_t again_ = 0;              ///< bytes that were unpacked twice
    std::uint64_t made_ = 0;
    std::uint64_t made_before_frame_ = 0;
};

}  // namespace ositrace
