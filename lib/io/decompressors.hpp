// SPDX-License-Identifier: MPL-2.0
// The decompressors in the rows of decompressor.cpp. They throw Damage::bad_crc after they have output all bytes: then
// the checksum is wrong, or a byte that only the checksum verifies.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <ositrace/error.hpp>

#include "lib/io/decompressor.hpp"

namespace ositrace {

bool is_zstd(Bytes front);
bool is_lz4(Bytes front);
bool is_gzip(Bytes front);
bool is_xz(Bytes front);
bool is_lzma_alone(Bytes front);

/// As DecompressorRow::may_begin.
bool may_begin_zstd(Bytes front);
bool may_begin_xz(Bytes front);

std::unique_ptr<Decompressor> create_zstd_decompressor();
std::unique_ptr<Decompressor> create_lz4_decompressor();
/// Without a window of its own, from which it would copy: all outputs of a frame are consecutive parts of one memory,
/// each with all that is left of it, and stay there until the frame ends.
std::unique_ptr<Decompressor> create_zstd_decompressor_in_place();
/// Output all bytes before an error, which costs a call for each block.
std::unique_ptr<Decompressor> create_zstd_decompressor_by_blocks();
std::unique_ptr<Decompressor> create_lz4_decompressor_by_blocks();
/// These always output all bytes before an error.
std::unique_ptr<Decompressor> create_gzip_decompressor();
std::unique_ptr<Decompressor> create_xz_decompressor();
std::unique_ptr<Decompressor> create_xz_decompressor_for_damage();  ///< its error says that the rest is lost
std::unique_ptr<Decompressor> create_lzma_alone_decompressor();

/// `corrupt zstd data: <reason>`
[[nodiscard]] std::string corrupt_data(std::string_view compression, std::string_view reason);

}  // namespace ositrace
