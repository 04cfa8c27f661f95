// SPDX-License-Identifier: MPL-2.0
#include "lib/io/file_source.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "lib/io/input_file.hpp"
#include "lib/io/random_access.hpp"

namespace ositrace {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds follow_interval{50};

/// Less than the kernel accepts in one call.
constexpr std::size_t max_read_bytes = std::size_t{1} << 30;

}  // namespace

FileSource::FileSource(FileHandle file, std::filesystem::path name, FileSourceOptions options)
    : file_(std::move(file)), name_(std::move(name)), follow_(options.follow), position_(options.offset)
{
    const auto status = status_of(file_, name_);
    regular_ = status.kind == FileKind::regular;
    if (regular_) size_ = status.bytes;
    expect_to_read_all(file_, status.kind);
}

std::unique_ptr<FileSource> FileSource::open(const std::filesystem::path& file, FileSourceOptions options)
{
    auto source = std::make_unique<FileSource>(open_for_reading(file), input_name(file), options);
    if (is_standard_input(file) && source->regular_) {
        source->start_ = position_of(source->file_);
        source->size_ = source->size_now();
    }
    return source;
}

std::size_t FileSource::read(std::span<std::byte> into, std::stop_token stop)
{
    into = into.first(std::min(into.size(), max_read_bytes));
    const auto count = regular_ ? read_regular(into, stop) : wait_.read(file_, into, stop, name_);
    position_.fetch_add(count, std::memory_order_relaxed);
    return count;
}

std::size_t FileSource::read_regular(std::span<std::byte> into, const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const auto count = read_at(file_, start_ + bytes_consumed(), into, name_);
        if (count > 0) return count;
        check_not_shrunk();
        if (!follow_ || wait_.pause(steady_clock::now() + follow_interval, stop) == Waited::stopped) return 0;
    }
    return 0;
}

void FileSource::check_not_shrunk()
{
    const auto size = size_now();
    if (size < size_) throw_shrunk(name_, bytes_consumed(), size_, size);
    size_ = size;
}

std::uint64_t FileSource::size_now() const
{
    const auto size = status_of(file_, name_).bytes;
    return size - std::min(size, start_);
}

std::optional<std::uint64_t> FileSource::end() const
{
    if (!regular_ || follow_) return std::nullopt;
    const auto size = size_now();
    if (size == 0) return std::nullopt;  // the size of a file in /proc is 0
    return size;
}

std::shared_ptr<const RandomAccess> FileSource::random_access() const
{
    if (!end() || name_ == input_name("-")) return nullptr;
    return open_file(name_);
}

std::optional<std::uint64_t> FileSource::bytes_total() const noexcept
{
    if (!regular_ || follow_) return std::nullopt;
    return size_;
}

}  // namespace ositrace
