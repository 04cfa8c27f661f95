// SPDX-License-Identifier: MPL-2.0
// Outputs that appear complete or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

#include <ositrace/bytes.hpp>
#include <ositrace/export.hpp>

namespace ositrace {

/// Writes a file, which appears under its name when it is complete and on the disk; `-`, pipes and devices are written
/// in place. `content` is called once with what appends bytes; if it throws, nothing appears. Throws Error: exists
/// (without `overwrite`), io.
OSITRACE_API void write_file(const std::filesystem::path& file, bool overwrite,
                             const std::function<void(const std::function<void(Bytes)>& append)>& content);
OSITRACE_API void write_file(const std::filesystem::path& file, bool overwrite, Bytes content);

/// A file or folder that others write and that then gets its name. Until publish() it is hidden beside its place,
/// `.ositrace-<process>-<n>.tmp`, and locked (flock); destroyed without publish(), it is removed with what is in it.
/// What a killed process left is removed when the next one is created there.
class OSITRACE_API PendingOutput {
public:
    enum class Kind : std::uint8_t { file, folder };

    /// Throws Error: exists (without `overwrite`), io (no such directory, no permission).
    PendingOutput(const std::filesystem::path& target, Kind kind, bool overwrite);
    PendingOutput(const PendingOutput&) = delete;
    PendingOutput& operator=(const PendingOutput&) = delete;
    ~PendingOutput();

    /// The hidden one, which exists and is empty.
    [[nodiscard]] std::filesystem::path path() const;
    /// Throws Error: exists when something else got the name meanwhile (without `overwrite`), io. A folder replaces an
    /// empty one only.
    void publish();

private:
    std::unique_ptr<class PendingFile> pending_;
};

}  // namespace ositrace
