// SPDX-License-Identifier: MPL-2.0
#include <ositrace/scene.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "lib/system/processors.hpp"

namespace ositrace {

/// Each thread generates the next frame that no other has begun; read() returns the frames in order. No thread begins a
/// frame that is more than `ahead_` frames ahead of the reader.
struct SceneSource::Implementation {
    Implementation(const SceneOptions& options, unsigned threads) : scene(options)
    {
        if (threads == 0) threads = usable_processors();
        ahead = std::uint64_t{threads} + 1;
        for (unsigned i = 0; i < threads; ++i) workers.emplace_back([this](std::stop_token stop) { work(stop); });
    }

    void work(std::stop_token stop)
    {
        while (const auto i = next_number(stop)) {
            Made made;
            try {
                auto bytes = std::make_shared<ByteBuffer>();
                scene.frame(*i, *bytes);
                made.bytes = std::move(bytes);
            } catch (...) {
                made.error = std::current_exception();
            }
            const std::lock_guard lock(mutex);
            done.emplace(*i, std::move(made));
            changed.notify_all();
        }
    }

    std::optional<std::uint64_t> next_number(std::stop_token& stop)
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, stop, [&] { return started == scene.options().frames || started < delivered + ahead; });
        if (stop.stop_requested() || started == scene.options().frames) return std::nullopt;
        return started++;
    }

    struct Made {
        std::shared_ptr<ByteBuffer> bytes;
        std::exception_ptr error;
    };

    Scene scene;
    std::uint64_t ahead = 0;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<std::uint64_t, Made> done;
    std::uint64_t started = 0;
    std::uint64_t delivered = 0;
    std::uint64_t bytes_made = 0;  // of the frames that were read
    std::vector<std::jthread> workers;
};

SceneSource::SceneSource(const SceneOptions& options, unsigned threads)
    : implementation_(std::make_unique<Implementation>(options, threads))
{
}
SceneSource::~SceneSource() = default;

const TraceInfo& SceneSource::info() const noexcept { return implementation_->scene.info(); }

bool SceneSource::read(Frame& frame, std::stop_token stop)
{
    auto& made = *implementation_;
    std::unique_lock lock(made.mutex);
    const auto i = made.delivered;
    if (i == made.scene.options().frames) return false;
    made.changed.wait(lock, stop, [&] { return made.done.contains(i); });
    if (!made.done.contains(i)) return false;
    auto next = std::move(made.done.extract(i).mapped());
    ++made.delivered;
    made.changed.notify_all();
    if (next.error) std::rethrow_exception(next.error);
    frame = Frame{};
    frame.bytes = next.bytes->bytes();
    frame.owner = std::move(next.bytes);
    frame.index = i;
    frame.offset = made.bytes_made;
    frame.time = made.scene.time(i);
    made.bytes_made += frame.bytes.size();
    return true;
}

std::uint64_t SceneSource::bytes_consumed() const noexcept { return implementation_->bytes_made; }
std::optional<std::uint64_t> SceneSource::bytes_total() const noexcept { return std::nullopt; }

}  // namespace ositrace
