// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <ositrace/byte_buffer.hpp>

namespace ositrace {

/// Lends buffers, which come back with the memory they have grown to when their last owner lets go, on whatever thread.
/// They may outlive the shelf.
class BufferShelf {
public:
    [[nodiscard]] std::shared_ptr<ByteBuffer> take()
    {
        std::unique_ptr<ByteBuffer> buffer;
        {
            const std::lock_guard lock(stock_->mutex);
            if (!stock_->buffers.empty()) {
                buffer = std::move(stock_->buffers.back());
                stock_->buffers.pop_back();
            }
        }
        if (!buffer) buffer = std::make_unique<ByteBuffer>();
        return {buffer.release(), Return{stock_}};
    }

private:
    static constexpr std::size_t most_kept = 4;
    struct Stock {
        std::mutex mutex;
        std::vector<std::unique_ptr<ByteBuffer>> buffers;
        Stock() { buffers.reserve(most_kept); }
    };
    struct Return {
        std::shared_ptr<Stock> stock;
        void operator()(ByteBuffer* buffer) const noexcept
        {
            std::unique_ptr<ByteBuffer> owned(buffer);
            const std::lock_guard lock(stock->mutex);
            if (stock->buffers.size() < most_kept) stock->buffers.push_back(std::move(owned));
        }
    };

    std::shared_ptr<Stock> stock_ = std::make_shared<Stock>();
};

}  // namespace ositrace
