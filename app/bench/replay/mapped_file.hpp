// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <filesystem>

#include <ositrace/bytes.hpp>

namespace ositrace::bench {

/// Open for reading. Throws Error (io).
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& file);
    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    [[nodiscard]] int descriptor() const noexcept { return descriptor_; }

private:
    int descriptor_;
};

/// A mapping of a whole file, which must not be empty; touched pages count as memory of this process. Throws Error
/// (io).
class MappedFile {
public:
    explicit MappedFile(const std::filesystem::path& file);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    [[nodiscard]] Bytes bytes() const noexcept { return {static_cast<const std::byte*>(address_), size_}; }
    [[nodiscard]] void* address() const noexcept { return address_; }

private:
    OpenFile file_;
    std::size_t size_;
    void* address_;
};

/// Asks the system to drop a file from the page cache. Throws Error (io).
void drop_from_page_cache(const std::filesystem::path& file);

/// The fraction of a file in the page cache, 0 to 1. Throws Error (io).
[[nodiscard]] double share_in_page_cache(const std::filesystem::path& file);

}  // namespace ositrace::bench
