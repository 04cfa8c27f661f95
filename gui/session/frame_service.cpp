// SPDX-License-Identifier: MPL-2.0
#include "gui/session/frame_service.hpp"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include <QMetaObject>

#include "gui/session/moment_maker.hpp"

namespace ositrace::gui {

namespace {

constexpr int moments_ahead = 3;

}  // namespace

std::size_t FrameService::default_cache_budget() noexcept
{
    constexpr std::size_t most = std::size_t{384} << 20;
    const auto pages = sysconf(_SC_PHYS_PAGES);
    const auto page = sysconf(_SC_PAGESIZE);
    if (pages <= 0 || page <= 0) return most;
    return std::min(most, static_cast<std::size_t>(pages) / 4 * static_cast<std::size_t>(page));
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

void FrameService::request(MomentRequest request)
{
    {
        const std::lock_guard lock(mutex_);
        last_requested_ = request.generation;
        request_ = std::move(request);
    }
    asked_.notify_one();
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
    MomentMaker maker(cache_budget_);
    while (auto request = take(stop)) {
        hand_over(maker.make(*request));
        cache_bytes_ = maker.cache().bytes();
        for (int i = 0; i != moments_ahead && request->direction != 0 && !is_asked() && !stop.stop_requested(); ++i) {
            request = next_request(*request, request->direction);
            if (!request || !maker.make_ahead(*request)) break;
            cache_bytes_ = maker.cache().bytes();
        }
    }
}

std::optional<MomentRequest> FrameService::take(const std::stop_token& stop)
{
    std::unique_lock lock(mutex_);
    if (!asked_.wait(lock, stop, [&] { return request_.has_value(); })) return std::nullopt;
    return std::exchange(request_, std::nullopt);
}

bool FrameService::is_asked() const
{
    const std::lock_guard lock(mutex_);
    return request_.has_value();
}

void FrameService::hand_over(std::shared_ptr<const Moment> moment)
{
    bool waits = false;
    {
        const std::lock_guard lock(mutex_);
        if (moment->generation <= forgotten_) return;
        waits = answer_ != nullptr;
        answer_ = std::move(moment);
    }
    if (!waits) QMetaObject::invokeMethod(this, &FrameService::deliver, Qt::QueuedConnection);
}

void FrameService::deliver()
{
    std::shared_ptr<const Moment> moment;
    {
        const std::lock_guard lock(mutex_);
        moment = std::exchange(answer_, nullptr);
    }
    if (moment) emit ready(moment);
}

}  // namespace ositrace::gui
