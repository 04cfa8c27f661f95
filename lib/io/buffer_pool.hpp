// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace ositrace {

/// Memory for bytes that are read: never zeroed, may grow in place while only one knows it.
class Block {
public:
    /// Throws std::bad_alloc.
    explicit Block(std::size_t capacity);
    [[nodiscard]] std::byte* data() const noexcept { return memory_.get(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    /// At least `capacity` bytes; the contents stay, data() may change.
    void grow(std::size_t capacity);

private:
    struct Free {
        void operator()(std::byte* memory) const noexcept;
    };
    std::unique_ptr<std::byte[], Free> memory_;
    std::size_t capacity_ = 0;
};

/// Lends blocks and takes them back when their last owner lets go, on whatever thread. Blocks may outlive the handle of
/// the pool.
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
