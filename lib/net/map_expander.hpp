// SPDX-License-Identifier: MPL-2.0
// The map of a trace that sends it only once, in every message.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <ositrace/edit/static.hpp>
#include <ositrace/frame.hpp>
#include <ositrace/trace.hpp>

namespace ositrace::net {

/// A source of the frame that is pushed into it: for what edits the frames of a source.
class PushedFrame final : public FrameSource {
public:
    TraceInfo channels;
    Frame frame;

    const TraceInfo& info() const noexcept override { return channels; }
    std::uint64_t bytes_consumed() const noexcept override { return 0; }
    std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }
    bool read(Frame& read, std::stop_token) override
    {
        read = std::exchange(frame, {});
        return true;
    }
};

/// Inserts the map into messages, each channel's in their order.
class MapExpander {
public:
    MapExpander()
    {
        auto pushed = std::make_unique<PushedFrame>();
        pushed_ = pushed.get();
        source_ = expand_static(std::move(pushed), counts_);
    }
    MapExpander(const MapExpander&) = delete;
    MapExpander& operator=(const MapExpander&) = delete;
    void add_channel(const Channel& channel) { pushed_->channels.channels.push_back(channel); }
    /// Throws Error.
    [[nodiscard]] Frame expand(const Frame& frame)
    {
        pushed_->frame = frame;
        Frame expanded;
        source_->read(expanded, {});
        return expanded;
    }

private:
    StaticCounts counts_;
    PushedFrame* pushed_ = nullptr;  ///< of the source
    std::unique_ptr<FrameSource> source_;
};

}  // namespace ositrace::net
