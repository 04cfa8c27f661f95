// SPDX-License-Identifier: MPL-2.0
#include "lib/io/random_access.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <ositrace/error.hpp>

#include "formats/framing/length_prefix.hpp"
#include "lib/io/input_file.hpp"

namespace ositrace {

namespace {

constexpr std::size_t copy_bytes = std::size_t{1} << 20;

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
    : RandomAccess(name, status_of(file, name).bytes), file_(std::move(file)), temporary_(temporary)
{
}

std::string FileAccess::version() const
{
    if (temporary_) return {};
    const auto changed = status_of(file_, name()).changed;
    return std::to_string(changed.seconds) + '.' + std::to_string(changed.nanoseconds);
}

std::uint64_t FileAccess::zeros_end(std::uint64_t offset) const { return end_of_hole(file_, offset, size()); }

std::size_t FileAccess::read_some(std::uint64_t offset, std::span<std::byte> into) const
{
    return ositrace::read_at(file_, offset, into, name());
}

std::uint64_t FileAccess::size_now() const { return status_of(file_, name()).bytes; }

std::shared_ptr<const RandomAccess> open_file(const std::filesystem::path& file)
{
    auto handle = open_for_reading(file);
    if (status_of(handle, file).kind != FileKind::regular)
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
    file_ = create_temporary_file(directory, name_, doing_);
}

void TemporaryFile::append(Bytes bytes)
{
    if (length_prefix::leading_zeros(bytes) != bytes.size())  // a hole: zeros take neither disk nor memory
        write_at(file_, size_, bytes, name_, doing_);
    size_ += bytes.size();
}

std::shared_ptr<const RandomAccess> TemporaryFile::finish()
{
    set_size(file_, size_, name_, doing_);
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
