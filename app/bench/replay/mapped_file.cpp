// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/mapped_file.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::bench {

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const char* what)
{
    throw Error(Cause::io, {.file = file}, what + (": " + std::generic_category().message(errno)));
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& file) : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC))
{
    if (descriptor_ < 0) fail(file, "cannot be opened");
}

OpenFile::~OpenFile() { ::close(descriptor_); }

MappedFile::MappedFile(const std::filesystem::path& file)
    : file_(file),
      size_(std::filesystem::file_size(file)),
      address_(::mmap(nullptr, size_, PROT_READ, MAP_SHARED, file_.descriptor(), 0))
{
    if (address_ == MAP_FAILED) fail(file, "cannot be mapped");
}

MappedFile::~MappedFile() { ::munmap(address_, size_); }

void drop_from_page_cache(const std::filesystem::path& file)
{
    const OpenFile open(file);
    ::fsync(open.descriptor());  // pages that are not on the disk yet cannot be dropped
    if (const int error = ::posix_fadvise(open.descriptor(), 0, 0, POSIX_FADV_DONTNEED); error != 0)
        throw Error(Cause::io, {.file = file},
                    "the page cache cannot be dropped: " + std::generic_category().message(error));
}

double share_in_page_cache(const std::filesystem::path& file)
{
    const MappedFile mapped(file);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((mapped.bytes().size() + page - 1) / page);
    if (::mincore(mapped.address(), mapped.bytes().size(), pages.data()) != 0)
        throw Error(Cause::io, {.file = file}, "mincore: " + std::generic_category().message(errno));
    const auto resident = std::ranges::count_if(pages, [](unsigned char flags) { return (flags & 1) != 0; });
    return static_cast<double>(resident) / static_cast<double>(pages.size());
}

}  // namespace ositrace::bench
