// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct zip;

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
    struct Close {
        void operator()(zip* archive) const noexcept;
    };
    struct Entry {
        std::string name;  ///< with `/`; a folder's ends with one
        std::uint64_t index = 0;
        std::uint64_t bytes = 0;
        bool executable = false;
    };

    void list_entries();
    [[nodiscard]] Entry checked_entry(std::uint64_t index) const;
    void write(const Entry& entry, const std::filesystem::path& to) const;
    template <class Take>
    void read_entry(const Entry& entry, Take&& take) const;

    std::filesystem::path file_;
    std::unique_ptr<zip, Close> archive_;
    std::vector<Entry> entries_;
};

}  // namespace ositrace::fmu
