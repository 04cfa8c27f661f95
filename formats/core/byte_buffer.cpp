// SPDX-License-Identifier: MPL-2.0
#include <ositrace/byte_buffer.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#elif defined(_WIN32)
#include <malloc.h>
#endif

namespace ositrace {

namespace {

constexpr std::size_t cache_line = 64;
constexpr std::size_t large_page = std::size_t{2} << 20;

// Large contents that are put in one after the other differ a little in size: some room lets the same memory serve them
// all.
std::size_t with_room(std::size_t bytes)
{
    constexpr std::size_t step = std::size_t{64} << 10;
    return bytes < step || bytes > std::numeric_limits<std::size_t>::max() - step ? bytes : (bytes / step + 1) * step;
}

// What fills large pages begins with one and gets them, where the system has some: a sixth of the time of a conversion
// that is as fast as memory.
std::byte* allocate(std::size_t bytes)
{
    const auto alignment = bytes < 2 * large_page ? cache_line : large_page;
    if (bytes > std::numeric_limits<std::size_t>::max() - alignment) throw std::bad_alloc();
    const auto rounded = (bytes + alignment - 1) / alignment * alignment;
#if defined(_WIN32)
    auto* const memory = ::_aligned_malloc(rounded, alignment);
#else
    auto* const memory = std::aligned_alloc(alignment, rounded);
#endif
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == large_page) static_cast<void>(::madvise(memory, bytes / large_page * large_page, MADV_HUGEPAGE));
#endif
    return static_cast<std::byte*>(memory);
}

}  // namespace

void ByteBuffer::Free::operator()(std::byte* memory) const noexcept
{
#if defined(_WIN32)
    ::_aligned_free(memory);
#else
    std::free(memory);
#endif
}

ByteBuffer::ByteBuffer(ByteBuffer&& other) noexcept
    : storage_(std::move(other.storage_)),
      capacity_(std::exchange(other.capacity_, 0)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0))
{
}

ByteBuffer& ByteBuffer::operator=(ByteBuffer&& other) noexcept
{
    storage_ = std::move(other.storage_);
    capacity_ = std::exchange(other.capacity_, 0);
    begin_ = std::exchange(other.begin_, 0);
    end_ = std::exchange(other.end_, 0);
    return *this;
}

void ByteBuffer::clear(std::size_t capacity)
{
    begin_ = end_ = 0;
    if (capacity_ < headroom + capacity) {
        storage_.reset();  // the contents are not wanted: free before allocating
        capacity_ = 0;
        const auto bytes = with_room(headroom + capacity);
        storage_.reset(allocate(bytes));
        capacity_ = bytes;
    }
    begin_ = end_ = headroom;
}

void ByteBuffer::clear_to_back(std::size_t capacity)
{
    clear(capacity);
    begin_ = end_ = capacity_;
}

void ByteBuffer::append(Bytes bytes)
{
    if (bytes.empty()) return;
    std::memcpy(reserve_back(bytes.size()), bytes.data(), bytes.size());
    end_ += bytes.size();
}

void ByteBuffer::resize(std::size_t size)
{
    if (size > this->size()) reserve_back(size - this->size());
    end_ = begin_ + size;
}

void ByteBuffer::prepend(Bytes bytes)
{
    if (bytes.empty()) return;
    std::memcpy(reserve_front(bytes.size()) - bytes.size(), bytes.data(), bytes.size());
    begin_ -= bytes.size();
}

void ByteBuffer::grow_back(std::size_t count)
{
    const auto front = std::max(begin_, headroom);
    move_to(front + std::max(size() + count, size() * 2), front);
}

void ByteBuffer::grow_front(std::size_t count)
{
    const auto room = std::max(count, size()) + headroom;
    const auto room_at_end = capacity_ - end_;
    move_to(room + size() + room_at_end, room);
}

void ByteBuffer::move_to(std::size_t new_capacity, std::size_t new_begin)
{
    std::unique_ptr<std::byte[], Free> bigger(allocate(new_capacity));
    const auto kept = size();
    if (kept != 0) std::memcpy(bigger.get() + new_begin, data(), kept);
    storage_ = std::move(bigger);
    capacity_ = new_capacity;
    begin_ = new_begin;
    end_ = new_begin + kept;
}

}  // namespace ositrace
