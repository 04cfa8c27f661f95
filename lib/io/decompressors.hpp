// SPDX-License-Identifier: MPL-2.0
// What stands behind the rows of decompressor.cpp: a file for each library.
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

std::unique_ptr<Decompressor> create_zstd_decompressor();
std::unique_ptr<Decompressor> create_lz4_decompressor();
/// What stands in front of an error comes out before it, which costs a call for each block.
std::unique_ptr<Decompressor> create_zstd_decompressor_by_blocks();
std::unique_ptr<Decompressor> create_lz4_decompressor_by_blocks();
/// These hand out what stands in front of an error in any case.
std::unique_ptr<Decompressor> create_gzip_decompressor();
std::unique_ptr<Decompressor> create_xz_decompressor();
std::unique_ptr<Decompressor> create_xz_decompressor_for_damage();  ///< says what that means
std::unique_ptr<Decompressor> create_lzma_alone_decompressor();

/// All that was compressed came out: wrong is a checksum of it, or a byte that no decoder notices.
class WrongChecksum : public Error {
public:
    using Error::Error;
};

/// `corrupt zstd data: <reason>`
[[nodiscard]] std::string corrupt_data(std::string_view compression, std::string_view reason);

}  // namespace ositrace
