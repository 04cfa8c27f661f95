// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>

namespace ositrace::bench {

/// The usual loop: std::ifstream, length, payload. Calls visit(bytes) with every frame of a length-prefixed file.
template <class Visit>
void for_each_frame_of(const std::filesystem::path& file, Visit&& visit)
{
    std::ifstream in(file, std::ios::binary);
    std::string payload;
    for (std::uint32_t length = 0; in.read(reinterpret_cast<char*>(&length), sizeof length);) {
        payload.resize(length);
        if (!in.read(payload.data(), static_cast<std::streamsize>(length)))
            throw Error(Cause::truncated, {.file = file}, "ends within a frame");
        visit(bytes_of(payload));
    }
}

}  // namespace ositrace::bench
