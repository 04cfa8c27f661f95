// SPDX-License-Identifier: MPL-2.0
#include "lib/io/decompressor.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/io/decompressors.hpp"

namespace ositrace {

namespace {

constexpr std::size_t input_bytes = std::size_t{256} << 10;

class DecompressedSource final : public ByteSource {
public:
    DecompressedSource(const DecompressorRow& row, std::unique_ptr<ByteSource> source)
        : row_(row),
          decompressor_(row.create()),
          source_(std::move(source)),
          input_(std::make_unique_for_overwrite<std::byte[]>(input_bytes))
    {
    }

    std::size_t read(std::span<std::byte> into, std::stop_token stop) override
    {
        for (;;) {
            const auto step = decompress(into);
            waiting_ = waiting_.subspan(step.taken);
            taken_ += step.taken;
            if (step.made != 0) return step.made;
            if (step.taken != 0) continue;
            if (!refill(stop)) return 0;
        }
    }
    const std::filesystem::path& name() const noexcept override { return source_->name(); }
    std::optional<std::uint64_t> end() const override { return std::nullopt; }
    std::uint64_t bytes_consumed() const noexcept override { return source_->bytes_consumed(); }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return source_->bytes_total(); }

private:
    Decompressor::Step decompress(std::span<std::byte> into)
    try {
        return decompressor_->decompress(waiting_, into);
    } catch (const Error& error) {
        throw error.within({.file = name(), .offset = taken_});
    }

    bool refill(const std::stop_token& stop)
    {
        if (!waiting_.empty())
            throw Error(Cause::malformed, {.file = name(), .offset = taken_},
                        corrupt_data(row_.compression, "bytes after its end"));
        const auto count = source_->read({input_.get(), input_bytes}, stop);
        waiting_ = {input_.get(), count};
        if (count != 0) return true;
        if (stop.stop_requested() || decompressor_->complete()) return false;
        throw Error(Cause::truncated, {.file = name(), .offset = taken_},
                    "the file is truncated: it ends in the middle of its " + std::string(row_.compression) + " data");
    }

    const DecompressorRow& row_;
    std::unique_ptr<Decompressor> decompressor_;
    std::unique_ptr<ByteSource> source_;
    std::unique_ptr<std::byte[]> input_;
    Bytes waiting_;            ///< in input_
    std::uint64_t taken_ = 0;  ///< of the compressed file
};

constexpr std::array decompressor_rows{
    DecompressorRow{"zstd", is_zstd, create_zstd_decompressor, create_zstd_decompressor_by_blocks, may_begin_zstd},
    DecompressorRow{"lz4", is_lz4, create_lz4_decompressor, create_lz4_decompressor_by_blocks, is_lz4},
    DecompressorRow{"gzip", is_gzip, create_gzip_decompressor, create_gzip_decompressor, is_gzip},
    DecompressorRow{"xz", is_xz, create_xz_decompressor, create_xz_decompressor_for_damage, may_begin_xz},
    DecompressorRow{"xz", is_lzma_alone, create_lzma_alone_decompressor, create_lzma_alone_decompressor, is_lzma_alone},
};

}  // namespace

std::span<const DecompressorRow> decompressors() noexcept { return decompressor_rows; }

const DecompressorRow* decompressor_of(Bytes front) noexcept
{
    const auto row = std::find_if(decompressor_rows.begin(), decompressor_rows.end(),
                                  [&](const DecompressorRow& r) { return r.recognizes(front); });
    return row == decompressor_rows.end() ? nullptr : &*row;
}

std::unique_ptr<ByteSource> decompressed(const DecompressorRow& row, std::unique_ptr<ByteSource> source)
{
    return std::make_unique<DecompressedSource>(row, std::move(source));
}

}  // namespace ositrace
