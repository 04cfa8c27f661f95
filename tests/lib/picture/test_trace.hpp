// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <vector>

#include <ositrace/trace.hpp>

#include "tests/lib/picture/pictures.hpp"

namespace ositrace::test {

/// A trace of frames in memory.
class TestTrace final : public Trace {
public:
    TestTrace(MessageType type, std::vector<std::shared_ptr<const Bytestring>> frames) : frames_(std::move(frames))
    {
        info_.channels.push_back(channel_of(type));
    }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    [[nodiscard]] std::uint64_t frame_count(std::uint32_t) const override { return frames_.size(); }
    [[nodiscard]] Frame frame(std::uint32_t, std::uint64_t i) const override
    {
        ++read;
        return frame_of(*frames_.at(i));
    }
    [[nodiscard]] std::uint64_t frame_bytes(std::uint32_t, std::uint64_t i) const override
    {
        return frames_.at(i)->size();
    }
    [[nodiscard]] FrameSizes frame_sizes(std::uint32_t) const override { return {}; }
    [[nodiscard]] std::optional<std::uint64_t> frame_at(std::uint32_t, Nanoseconds) const override
    {
        return std::nullopt;
    }
    [[nodiscard]] std::unique_ptr<TraceReader> reader() const override { return nullptr; }
    mutable int read = 0;

private:
    TraceInfo info_;
    std::vector<std::shared_ptr<const Bytestring>> frames_;
};

inline std::shared_ptr<const Bytestring> shared_bytes(Bytestring bytes)
{
    return std::make_shared<const Bytestring>(std::move(bytes));
}

}  // namespace ositrace::test
