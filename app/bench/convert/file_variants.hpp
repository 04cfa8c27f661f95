// SPDX-License-Identifier: MPL-2.0
// The variants that convert a whole file, from the page cache to a folder.
#pragma once

#include <filesystem>

#include "app/bench/core/round.hpp"
#include "app/bench/core/sample.hpp"

namespace ositrace::bench {

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

/// The contents of a file in one of the encodings, as canonical Protobuf.
void add_file(Answer& answer, const std::filesystem::path& file, const Sample& sample);

}  // namespace ositrace::bench
