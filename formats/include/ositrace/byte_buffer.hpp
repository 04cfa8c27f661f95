// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ositrace/bytes.hpp>
#include <ositrace/export.hpp>

namespace ositrace {

/// Growing memory that is never zeroed. It has room before its contents, so that a length prefix can be prepended
/// without moving the payload. clear() keeps the memory: a buffer that is reused stops allocating. One thread at a
/// time.
class OSITRACE_API ByteBuffer {
public:
    /// Bytes that clear() keeps free before the contents; a multiple of 16, so that contents start aligned.
    static constexpr std::size_t headroom = 64;

    ByteBuffer() = default;
    ByteBuffer(ByteBuffer&& other) noexcept;
    ByteBuffer& operator=(ByteBuffer&& other) noexcept;
    ~ByteBuffer() = default;

    [[nodiscard]] Bytes bytes() const noexcept { return {storage_.get() + begin_, end_ - begin_}; }
    [[nodiscard]] std::byte* data() noexcept { return storage_.get() + begin_; }
    [[nodiscard]] const std::byte* data() const noexcept { return storage_.get() + begin_; }
    [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }
    /// Bytes of memory held, used or not.
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

    /// Empty, to be filled from the front: `capacity` bytes may be appended before memory moves.
    void clear(std::size_t capacity = 0);
    /// Empty, to be filled from the back by prepend().
    void clear_to_back(std::size_t capacity = 0);

    /// Makes room for `count` more bytes after the contents and returns where they start; size() does not change.
    std::byte* reserve_back(std::size_t count)
    {
        if (capacity_ - end_ < count) grow_back(count);
        return storage_.get() + end_;
    }
    /// Adds `count` of the bytes that reserve_back() returned to the contents.
    void commit_back(std::size_t count) noexcept { end_ += count; }
    /// Appends a copy.
    void append(Bytes bytes);
    /// Cuts or extends (by uninitialised bytes) the contents at the back.
    void resize(std::size_t size);

    /// Makes room for `count` bytes before the contents and returns where the contents start; size() does not
    /// change.
    std::byte* reserve_front(std::size_t count)
    {
        if (begin_ < count) grow_front(count);
        return storage_.get() + begin_;
    }
    /// Adds the `count` bytes before data() to the contents.
    void commit_front(std::size_t count) noexcept { begin_ -= count; }
    /// Prepends a copy; nothing moves while there is headroom.
    void prepend(Bytes bytes);
    /// Removes `count` bytes at the front; they become headroom again.
    void drop_front(std::size_t count) noexcept { begin_ += count; }

private:
    struct Free {
        void operator()(std::byte* memory) const noexcept;
    };
    void grow_back(std::size_t count);
    void grow_front(std::size_t count);
    void move_to(std::size_t new_capacity, std::size_t new_begin);

    std::unique_ptr<std::byte[], Free> storage_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace ositrace
