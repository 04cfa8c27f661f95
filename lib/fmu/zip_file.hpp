// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lib/system/file.hpp"

namespace ositrace::fmu {

/// A zip file as FMI has them: its files are stored or deflated, without encryption, in one part. Every length and
/// offset is checked before it is used; names are what the file says.
class ZipFile {
public:
    struct Entry {
        std::string name;
        std::uint64_t offset = 0;        ///< of its header in the file
        std::uint64_t packed_bytes = 0;  ///< in the file
        std::uint64_t bytes = 0;         ///< unpacked
        std::uint32_t checksum = 0;
        std::uint16_t method = 0;
        std::uint16_t flags = 0;
        std::uint16_t unix_mode = 0;  ///< 0: packed on another system
    };
    using Take = std::function<void(std::string_view piece)>;

    /// Reads the list of its files, of at most `max_entries`. Throws Error (io, malformed, limit).
    ZipFile(const std::filesystem::path& file, std::uint64_t max_entries);
    ZipFile(const ZipFile&) = delete;
    ZipFile& operator=(const ZipFile&) = delete;

    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }
    /// Its bytes, piece by piece, never more than its list says. Throws Error (io, malformed), at the latest at the
    /// end.
    void read(const Entry& entry, const Take& take) const;

private:
    /// Where the list is.
    struct List {
        std::uint64_t offset = 0, bytes = 0, count = 0;
    };

    [[nodiscard]] std::string bytes_at(std::uint64_t offset, std::uint64_t count) const;
    [[nodiscard]] List find_list() const;
    [[nodiscard]] List list_of_64_bits(std::uint64_t locator) const;
    void inflate(const Entry& entry, std::uint64_t offset, const Take& take) const;
    [[noreturn]] void refuse(std::string_view reason) const;
    [[noreturn]] void refuse(const Entry& entry, std::string_view reason) const;

    std::filesystem::path file_;
    FileHandle handle_;
    std::uint64_t size_ = 0;
    std::vector<Entry> entries_;
};

}  // namespace ositrace::fmu
