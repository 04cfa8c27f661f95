// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

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

    /// Is output missing before `to`? Not where only a checksum is wrong.
    [[nodiscard]] bool lacks_output() const noexcept { return bytes != 0 || error.damage() != Damage::bad_crc; }
};

/// What is known of the compressed frames of a file while it is read: written by the thread that decompresses, ahead of
/// the thread that reads. Memory: at most 65 536 places that were not taken yet; further ones are added to the last.
class CompressionLog {
public:
    struct News {
        std::vector<CompressionDamage> damages;  ///< since the last call, in the order of the file
        /// Offset in the output from which on no checksum has confirmed it, and no damage is known either.
        std::uint64_t open_from = 0;
    };
    [[nodiscard]] News take();

    /// The output before this offset is complete.
    void confirm(std::uint64_t made);
    /// The output from `damage.to` on comes from another compressed frame.
    void add(CompressionDamage damage);

private:
    std::mutex mutex_;
    News news_;
};

/// The contents of a damaged compressed file: the part of each compressed frame (a gzip member, an xz stream) before
/// its damage. After damage the next beginning of a compressed frame is searched. Where a decoder read beyond the
/// beginning of the next frame, bytes are unpacked twice, at most as many as the file has.
class DamagedCompression final : public ByteSource {
public:
    /// `log` is written by read(), before it returns the output after a damaged place.
    DamagedCompression(const DecompressorRow& row, std::shared_ptr<const RandomAccess> file,
                       std::shared_ptr<CompressionLog> log);

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
    [[nodiscard]] std::uint64_t next_frame(std::uint64_t from, const std::stop_token& stop);
    void search_at(std::uint64_t offset);
    void begin_frame(std::uint64_t offset);

    const DecompressorRow& row_;
    std::shared_ptr<const RandomAccess> file_;
    std::shared_ptr<CompressionLog> log_;
    std::unique_ptr<Decompressor> decompressor_;  ///< null: at the end of the file
    std::unique_ptr<std::byte[]> input_;
    Bytes waiting_;                        ///< in input_ or searched_
    std::vector<std::byte> searched_;      ///< of the file, where the next frame was searched
    std::uint64_t searched_at_ = 0;        ///< offset of searched_
    std::atomic<std::uint64_t> taken_{0};  ///< of the file
    std::uint64_t used_ = 0;               ///< output ends with the bytes before this
    std::uint64_t frame_ = 0;              ///< begin of the current compressed frame
    std::uint64_t again_ = 0;              ///< bytes that were unpacked twice
    std::uint64_t made_ = 0;
    std::uint64_t made_before_frame_ = 0;
};

}  // namespace ositrace
