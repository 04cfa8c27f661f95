// SPDX-License-Identifier: MPL-2.0
// The variants that convert frames in memory, and those that convert a whole file; the rows are in convert_command.cpp.
// All borrow the sample.
#pragma once

#include <filesystem>
#include <string>

#include "app/bench/core/round.hpp"
#include "app/bench/core/sample.hpp"

namespace ositrace::bench {

// Protobuf to FlatBuffers. The results are read back by the other side's code: ours by flatc's, the naive one's by
// ours.
[[nodiscard]] Variant memcpy_of_flat(const Sample& sample);
[[nodiscard]] Variant libprotobuf_parse(const Sample& sample);
[[nodiscard]] Variant naive_to_flat(const Sample& sample);
[[nodiscard]] Variant naive_to_flat_fresh(const Sample& sample);
[[nodiscard]] Variant ours_to_flat(const Sample& sample);

// FlatBuffers to Protobuf.
[[nodiscard]] Variant memcpy_of_protobuf(const Sample& sample);
[[nodiscard]] Variant naive_to_protobuf(const Sample& sample);
[[nodiscard]] Variant naive_to_protobuf_verified(const Sample& sample);
[[nodiscard]] Variant ours_to_protobuf(const Sample& sample);

// Whole files, from the page cache to a folder.

/// One direction: a length-prefixed file in one encoding, and the name of the output in the other.
struct FileTask {
    const Sample& sample;
    Format from, to;
    std::filesystem::path in, folder;
    [[nodiscard]] std::filesystem::path output(const std::string& variant) const;
};

[[nodiscard]] Variant copy_file_by_cp(const FileTask& task);
[[nodiscard]] Variant naive_file(const FileTask& task);
[[nodiscard]] Variant our_file(const FileTask& task, unsigned threads);

}  // namespace ositrace::bench
