// SPDX-License-Identifier: MPL-2.0
// A trace of one channel in memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/trace.hpp>

namespace ositrace::test {

class MemoryTrace final : public Trace {
public:
    MemoryTrace(const MessageTable& root, std::shared_ptr<const Schema> schema, Format format,
                std::vector<std::string> payloads)
        : payloads_(std::move(payloads))
    {
        Channel channel;
        channel.type_name = root.full_name;
        channel.format = format;
        channel.schema = std::move(schema);
        channel.root = &root;
        channel.type = message_type_by_full_name(channel.type_name);
        info_.file = "memory.osi";
        info_.channels.push_back(std::move(channel));
    }

    /// Reading this message, and later ones, reports damage.
    std::uint64_t damaged_from = UINT64_MAX;

    [[nodiscard]] const Channel& channel() const { return info_.channels.front(); }
    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    [[nodiscard]] std::uint64_t frame_count(std::uint32_t) const override { return payloads_.size(); }
    [[nodiscard]] Frame frame(std::uint32_t, std::uint64_t i) const override
    {
        if (i >= damaged_from) throw Error(Cause::malformed, {.file = info_.file, .frame = i}, "damaged");
        if (i >= payloads_.size()) throw Error(Cause::usage, "there is no frame " + std::to_string(i));
        Frame frame;
        frame.bytes = bytes_of(payloads_[i]);
        frame.index = i;
        try {
            if (channel().type) frame.time = timestamp_of(frame.bytes, channel());
        } catch (const Error&) {  // as a trace does
        }
        return frame;
    }
    [[nodiscard]] std::uint64_t frame_bytes(std::uint32_t, std::uint64_t i) const override
    {
        return payloads_.at(i).size();
    }
    [[nodiscard]] FrameSizes frame_sizes(std::uint32_t) const override { return {}; }
    [[nodiscard]] std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        std::optional<std::uint64_t> found;
        for (std::uint64_t i = 0; i != payloads_.size(); ++i)
            if (const auto time = frame(channel, i).time; time && *time <= t) found = i;
        return found;
    }
    [[nodiscard]] std::unique_ptr<TraceReader> reader() const override { return nullptr; }

private:
    std::vector<std::string> payloads_;
    TraceInfo info_;
};

}  // namespace ositrace::test
