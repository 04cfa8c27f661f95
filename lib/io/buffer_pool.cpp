// SPDX-License-Identifier: MPL-2.0
#include "lib/io/buffer_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "lib/system/large_memory.hpp"

namespace ositrace {

namespace {

/// The most that the pool keeps; further memory is freed.
constexpr std::size_t max_kept_blocks = 8;
constexpr std::size_t max_kept_bytes = std::size_t{256} << 20;
constexpr std::size_t granularity = std::size_t{64} << 10;

/// Frames of one trace differ a little in size: some spare room lets one block hold any of them. Untouched pages cost
/// nothing.
std::size_t with_room(std::size_t capacity)
{
    return (capacity + capacity / 8 + granularity - 1) / granularity * granularity;
}

}  // namespace

void Block::Free::operator()(std::byte* memory) const noexcept { free_block(memory); }

Block::Block(std::size_t capacity) : memory_(allocate_block(capacity)), capacity_(capacity)
{
    if (!memory_) throw std::bad_alloc();
    prefer_large_pages(data(), capacity_);
}

void Block::grow(std::size_t capacity)
{
    if (capacity <= capacity_) return;
    auto* const larger = resize_block(memory_.get(), capacity);
    if (larger == nullptr) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(larger);
    capacity_ = capacity;
    prefer_large_pages(data(), capacity_);
}

struct BufferPool::Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<Block>> blocks;  // max_kept_blocks are reserved, so that returning one does not throw
    std::size_t bytes = 0;

    std::unique_ptr<Block> take(std::size_t capacity)
    {
        const std::lock_guard lock(mutex);
        const auto fits = [&](const auto& block) {
            return block->capacity() >= capacity && block->capacity() / 4 <= capacity;
        };
        const auto found = std::find_if(blocks.rbegin(), blocks.rend(), fits);
        if (found == blocks.rend()) return nullptr;
        auto block = std::move(*found);
        blocks.erase(std::next(found).base());
        bytes -= block->capacity();
        return block;
    }
    void put(std::unique_ptr<Block> block) noexcept
    {
        if (block->capacity() > max_kept_bytes) return;  // the next frames are hardly that large
        std::unique_ptr<Block> oldest;                   // freed after the lock is released
        const std::lock_guard lock(mutex);
        while (!blocks.empty() && (blocks.size() == max_kept_blocks || bytes + block->capacity() > max_kept_bytes)) {
            bytes -= blocks.front()->capacity();
            oldest = std::move(blocks.front());
            blocks.erase(blocks.begin());
        }
        bytes += block->capacity();
        blocks.push_back(std::move(block));
    }
};

BufferPool::BufferPool() : shelf_(std::make_shared<Shelf>()) { shelf_->blocks.reserve(max_kept_blocks); }

std::shared_ptr<Block> BufferPool::take(std::size_t capacity)
{
    auto block = shelf_->take(capacity);
    if (!block) block = std::make_unique<Block>(with_room(capacity));
    return {block.release(), [shelf = shelf_](Block* back) { shelf->put(std::unique_ptr<Block>(back)); }};
}

}  // namespace ositrace
