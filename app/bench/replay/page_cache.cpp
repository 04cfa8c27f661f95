// SPDX-License-Identifier: MPL-2.0
#include "app/bench/replay/page_cache.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "app/bench/replay/mapped_file.hpp"

namespace ositrace::bench {

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
