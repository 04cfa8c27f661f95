// SPDX-License-Identifier: MPL-2.0
#include "gui/snapshot/frame_service.hpp"

#include <algorithm>
#include <utility>

#include <QMetaObject>

#include "gui/snapshot/snapshot_builder.hpp"
#include "lib/system/process.hpp"

namespace ositrace::gui {

namespace {

constexpr int snapshots_ahead = 3;

}  // namespace

std::size_t FrameService::default_cache_budget() noexcept
{
    constexpr std::size_t most = std::size_t{384} << 20;
    const auto memory = machine_memory_bytes();
    return memory ? std::min(most, static_cast<std::size_t>(*memory / 4)) : most;
}

FrameService::FrameService(std::size_t cache_budget, QObject* parent)
    : QObject(parent), cache_budget_(cache_budget), worker_([this](const std::stop_token& stop) { run(stop); })
{
}

FrameService::~FrameService()
{
    worker_.request_stop();
    worker_.join();
}

void FrameService::request(SnapshotRequest request)
{
    {
        const std::lock_guard lock(mutex_);
        last_requested_ = request.generation;
        request_ = std::move(request);
    }
    request_arrived_.notify_one();
}

void FrameService::forget()
{
    const std::lock_guard lock(mutex_);
    forgotten_ = last_requested_;
    request_.reset();
    answer_.reset();
}

void FrameService::run(const std::stop_token& stop)
{
    SnapshotBuilder builder(cache_budget_);
    while (auto request = wait_for_request(stop)) {
        publish(builder.build(*request));
        cache_bytes_ = builder.cache().bytes();
        for (int i = 0; i != snapshots_ahead && request->direction != 0 && !has_request() && !stop.stop_requested();
             ++i) {
            request = next_request(*request, request->direction);
            if (!request || !builder.build_ahead(*request)) break;
            cache_bytes_ = builder.cache().bytes();
        }
    }
}

std::optional<SnapshotRequest> FrameService::wait_for_request(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    if (!request_arrived_.wait(lock, stop, [&] { return request_.has_value(); })) return std::nullopt;
    return std::exchange(request_, std::nullopt);
}

bool FrameService::has_request() const
{
    const std::lock_guard lock(mutex_);
    return request_.has_value();
}

void FrameService::publish(std::shared_ptr<const Snapshot> snapshot)
{
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        if (snapshot->generation <= forgotten_) return;
        waits = answer_ != nullptr;
        answer_ = std::move(snapshot);
    }
    if (!waits) QMetaObject::invokeMethod(this, &FrameService::deliver, Qt::QueuedConnection);
}

void FrameService::deliver()
{
    std::shared_ptr<const Snapshot> snapshot;
    {
        const std::lock_guard lock(mutex_);
        snapshot = std::exchange(answer_, nullptr);
    }
    if (snapshot) emit ready(snapshot);
}

}  // namespace ositrace::gui
