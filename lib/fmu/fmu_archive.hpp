// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lib/fmu/zip_file.hpp"

namespace ositrace::fmu {

/// An .fmu is a zip. Its names, sizes and kinds are checked before anything is written: nothing leaves the folder it is
/// unpacked to, and nothing fills the disk.
class FmuArchive {
public:
    /// Throws Error (io, malformed, limit) naming file and entry.
    explicit FmuArchive(const std::filesystem::path& file);

    [[nodiscard]] bool has(const std::string& name) const noexcept;
    /// Throws Error (malformed) when there is no such entry, (limit) when it is longer.
    [[nodiscard]] std::string read(const std::string& name, std::size_t max_bytes) const;
    /// Everything that a model needs to run from the folder of one platform: no sources, no documentation, no other
    /// platform.
    void unpack(const std::filesystem::path& folder, const std::string& platform) const;
    /// The names under `binaries/`.
    [[nodiscard]] std::vector<std::string> platforms() const;

private:
    struct Entry {
        std::string name;  ///< with `/`; a folder's ends with one
        const ZipFile::Entry* packed = nullptr;
        bool executable = false;
    };

    void list_entries();
    [[nodiscard]] Entry checked_entry(const ZipFile::Entry& packed) const;
    void write(const Entry& entry, const std::filesystem::path& to) const;

    std::filesystem::path file_;
    ZipFile zip_;
    std::vector<Entry> entries_;
};

}  // namespace ositrace::fmu
