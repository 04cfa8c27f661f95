// SPDX-License-Identifier: MPL-2.0
#include "lib/io/random_access.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/file_handle.hpp"

namespace ositrace {

namespace {

std::uint64_t file_size(const FileHandle& file, const std::filesystem::path& name)
{
    return static_cast<std::uint64_t>(status_of(file, name).st_size);
}

constexpr std::size_t copy_bytes = std::size_t{1} << 20;

/// Without a name; where the file system has no unnamed files, the name is removed at once.
FileHandle open_temporary(const std::filesystem::path& directory)
{
    FileHandle file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) return file;
    auto name = temporary_name(directory, "ositrace-");
    file = FileHandle(::mkostemp(name.data(), O_CLOEXEC));
    if (file) ::unlink(name.c_str());
    return file;
}

void write_fully(const FileHandle& file, Bytes bytes, const std::filesystem::path& name, const std::string& doing)
{
    while (!bytes.empty()) {
        const auto count = ::write(file.get(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw_system_error(errno, name, doing);
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
}

class MemoryAccess final : public RandomAccess {
public:
    MemoryAccess(Bytes bytes, std::filesystem::path name, std::shared_ptr<const void> owner)
        : RandomAccess(std::move(name), bytes.size()), bytes_(bytes), owner_(std::move(owner))
    {
    }
    [[nodiscard]] bool is_local() const override { return true; }

private:
    std::size_t read_some(std::uint64_t offset, std::span<std::byte> into) const override
    {
        std::memcpy(into.data(), bytes_.data() + offset, into.size());
        return into.size();
    }

    Bytes bytes_;
    std::shared_ptr<const void> owner_;
};

}  // namespace

std::size_t RandomAccess::read_at(std::uint64_t offset, std::span<std::byte> into, std::size_t needed) const
{
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), size_ - std::min(size_, offset)));
    std::size_t have = 0;
    while (have < wanted) {
        const auto count = read_some(offset + have, into.subspan(have, wanted - have));
        if (count == 0 && have >= needed) break;
        if (count == 0) throw_shrunk(name_, offset + have, size_, std::min(size_now(), offset + have));
        if (count > wanted - have)
            throw Error(Cause::io, {.file = name_, .offset = offset + have}, "more bytes were read than requested");
        have += count;
    }
    return have;
}

void read_exactly(const RandomAccess& file, std::uint64_t offset, std::span<std::byte> into)
{
    const auto got = file.read_at(offset, into);
    if (got != into.size())
        throw Error(Cause::truncated, {.file = file.name(), .offset = offset},
                    "the file is truncated: it ends " + std::to_string(into.size() - got) + " bytes too early");
}

FileAccess::FileAccess(FileHandle file, std::filesystem::path name, bool temporary)
    : RandomAccess(name, file_size(file, name)), file_(std::move(file)), temporary_(temporary)
{
}

std::string FileAccess::version() const
{
    if (temporary_) return {};
    const auto changed = status_of(file_, name()).st_mtim;
    return std::to_string(changed.tv_sec) + '.' + std::to_string(changed.tv_nsec);
}

std::uint64_t FileAccess::zeros_end(std::uint64_t offset) const
{
    const auto data = ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_DATA);
    if (data < 0) return errno == ENXIO ? std::max(offset, size()) : offset;
    return std::clamp(static_cast<std::uint64_t>(data), offset, std::max(offset, size()));
}

std::size_t FileAccess::read_some(std::uint64_t offset, std::span<std::byte> into) const
{
    for (;;) {
        const auto count = ::pread(file_.get(), into.data(), into.size(), static_cast<off_t>(offset));
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno != EINTR) throw_system_error(errno, name());
    }
}

std::uint64_t FileAccess::size_now() const { return file_size(file_, name()); }

std::shared_ptr<const RandomAccess> open_file(const std::filesystem::path& file)
{
    auto handle = open_for_reading(file);
    if (!S_ISREG(status_of(handle, file).st_mode))
        throw Error(Cause::unsupported, {.file = file}, "is not a regular file, so it cannot be read at offsets");
    return std::make_shared<FileAccess>(std::move(handle), file);
}

std::shared_ptr<const RandomAccess> in_memory(Bytes bytes, std::filesystem::path name,
                                              std::shared_ptr<const void> owner)
{
    return std::make_shared<MemoryAccess>(bytes, std::move(name), std::move(owner));
}

TemporaryFile::TemporaryFile(std::filesystem::path name, std::string_view doing) : name_(std::move(name))
{
    const auto directory = temporary_directory();
    doing_ = std::string(doing) + " into " + directory.string() + " (TMPDIR chooses another place)";
    file_ = open_temporary(directory);
    if (!file_) throw_system_error(errno, name_, doing_);
}

void TemporaryFile::append(Bytes bytes)
{
    size_ += bytes.size();
    if (length_prefix::leading_zeros(bytes) == bytes.size())  // a hole: gigabytes of zeros take neither disk nor memory
        ::lseek(file_.get(), static_cast<off_t>(size_), SEEK_SET);
    else
        write_fully(file_, bytes, name_, doing_);
}

std::shared_ptr<const RandomAccess> TemporaryFile::finish()
{
    if (::ftruncate(file_.get(), static_cast<off_t>(size_)) != 0) throw_system_error(errno, name_, doing_);
    return std::make_shared<FileAccess>(std::move(file_), name_, true);
}

std::shared_ptr<const RandomAccess> in_temporary_file(std::filesystem::path name,
                                                      const std::function<std::size_t(std::span<std::byte> into)>& read)
{
    TemporaryFile file(std::move(name), "unpacking");
    const auto buffer = std::make_unique_for_overwrite<std::byte[]>(copy_bytes);
    while (const auto count = read({buffer.get(), copy_bytes})) file.append({buffer.get(), count});
    return file.finish();
}

std::shared_ptr<const RandomAccess> unpacked_file(ByteSource& source, const std::stop_token& stop)
{
    auto file = in_temporary_file(source.name(), [&](std::span<std::byte> into) { return source.read(into, stop); });
    if (stop.stop_requested()) throw Error(Cause::cancelled, {.file = source.name()}, "stopped while unpacking");
    return file;
}

SeekableSource::SeekableSource(std::shared_ptr<const RandomAccess> file, std::uint64_t offset, std::uint64_t end)
    : file_(std::move(file)), position_(offset), end_(end)
{
}

std::size_t SeekableSource::read(std::span<std::byte> into, std::stop_token stop)
{
    if (stop.stop_requested()) return 0;
    const auto left = end_ - std::min(end_, bytes_consumed());
    if (into.size() > left) into = into.first(static_cast<std::size_t>(left));
    const auto count = file_->read_at(bytes_consumed(), into);
    position_.fetch_add(count, std::memory_order_relaxed);
    return count;
}

std::uint64_t SeekableSource::zeros_ahead() const
{
    const auto position = bytes_consumed();
    return file_->zeros_end(position) - position;
}

bool SeekableSource::skip(std::uint64_t bytes)
{
    position_.fetch_add(bytes, std::memory_order_relaxed);
    return true;
}

}  // namespace ositrace
