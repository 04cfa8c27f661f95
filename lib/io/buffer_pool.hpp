// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace ositrace {

/// Memory for bytes that are read: not zeroed; may grow while it has one owner.
class Block {
public:
    /// Throws std::bad_alloc.
    explicit Block(std::size_t capacity);
    [[nodiscard]] std::byte* data() const noexcept { return memory_.get(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// Grows to at least `capacity` bytes; keeps the contents, data() may change.
    void grow(std::size_t capacity);

private:
    struct Free {
        void operator()(std::byte* memory) const noexcept;
    };
    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t capacity_ = 0;
};

/// Lends blocks, which return when their last owner releases them, on any thread. Blocks may outlive the pool.
class BufferPool {
public:
    BufferPool();
    /// A block of at least `capacity` bytes.
    [[nodiscard]] std::shared_ptr<Block> take(std::size_t capacity);

private:
    struct Shelf;
    std::shared_ptr<Shelf> shelf_;
};

}  // namespace ositrace
