// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include <ositrace/byte_buffer.hpp>

namespace ositrace {

/// Buffers for messages that are handed out: used again when their last owner lets go, on whatever thread, so that
/// large messages do not cost fresh memory at every step.
class MessagePool {
public:
    [[nodiscard]] std::shared_ptr<ByteBuffer> take()
    {
        auto buffer = shelf_->take();
        return {buffer.release(),
                [shelf = shelf_](ByteBuffer* back) { shelf->put(std::unique_ptr<ByteBuffer>(back)); }};
    }

private:
    struct Shelf {
        std::unique_ptr<ByteBuffer> take()
        {
            const std::lock_guard lock(mutex);
            if (buffers.empty()) return std::make_unique<ByteBuffer>();
            auto buffer = std::move(buffers.back());
            buffers.pop_back();
            return buffer;
        }
        void put(std::unique_ptr<ByteBuffer> buffer)
        {
            const std::lock_guard lock(mutex);
            if (buffers.size() < most) buffers.push_back(std::move(buffer));
        }

        static constexpr std::size_t most = 8;
        std::mutex mutex;
        std::vector<std::unique_ptr<ByteBuffer>> buffers;
    };
    std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace ositrace
