// SPDX-License-Identifier: MPL-2.0
#include "lib/io/seekable_file.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <unistd.h>

namespace ositrace {

SeekableFile::SeekableFile(FileHandle file, std::filesystem::path name, bool temporary)
    : file_(std::move(file)),
      name_(std::move(name)),
      size_(static_cast<std::uint64_t>(status_of(file_, name_).st_size)),
      temporary_(temporary)
{
}

std::size_t SeekableFile::read_at(std::uint64_t offset, std::span<std::byte> into, std::size_t needed) const
{
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - std::min(size_, offset)));
    std::size_t have = 0;
    while (have < wanted) {
        const auto count = ::pread(file_.get(), into.data() + have, wanted - have, static_cast<off_t>(offset + have));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_system_error(errno, name_);
        if (count == 0 && have >= needed) break;
        if (count == 0)
            throw_shrunk(name_, offset + have, size_, static_cast<std::uint64_t>(status_of(file_, name_).st_size));
        have += static_cast<std::size_t>(count);
    }
    return have;
}

SeekableSource::SeekableSource(std::shared_ptr<const SeekableFile> file, std::uint64_t offset)
    : file_(std::move(file)), position_(offset)
{
}

std::size_t SeekableSource::read(std::span<std::byte> into, std::stop_token stop)
{
    if (stop.stop_requested()) return 0;
    const auto count = file_->read_at(bytes_consumed(), into);
    position_.fetch_add(count, std::memory_order_relaxed);
    return count;
}

bool SeekableSource::skip(std::uint64_t bytes)
{
    position_.fetch_add(bytes, std::memory_order_relaxed);
    return true;
}

}  // namespace ositrace
