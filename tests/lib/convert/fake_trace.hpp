// SPDX-License-Identifier: MPL-2.0
// A source and a writer in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/trace.hpp>
#include <ositrace/trace_writer.hpp>

#include "tests/lib/payloads.hpp"

namespace ositrace {

inline TraceInfo ground_truth_info(Format format = {})
{
    Channel channel;
    channel.type = MessageType::ground_truth;
    channel.type_name = "osi3.GroundTruth";
    channel.format = format;
    channel.schema = Schema::built_in();
    channel.root = channel.schema->find(channel.type_name);
    TraceInfo info;
    info.file = "in.osi";
    info.compression = "none";
    info.channels.push_back(std::move(channel));
    return info;
}

class FakeSource final : public FrameSource {
public:
    explicit FakeSource(std::vector<std::string> payloads, Format format = {})
        : payloads_(std::move(payloads)), info_(ground_truth_info(format))
    {
    }

    [[nodiscard]] const TraceInfo& info() const noexcept override { return info_; }
    bool read(Frame& frame, std::stop_token stop = {}) override
    {
        if (before_read) before_read(next_, stop);
        if (next_ == payloads_.size() || stop.stop_requested()) return false;
        auto payload = std::make_shared<const std::string>(payloads_[next_]);
        frame = {};
        frame.bytes = bytes_of(*payload);
        frame.owner = std::move(payload);
        frame.index = next_++;
        frame.offset = offset_;
        frame.payload_offset = offset_ + 4;
        offset_ += 4 + frame.bytes.size();
        owners.push_back(frame.owner);
        return true;
    }
    [[nodiscard]] std::uint64_t bytes_consumed() const noexcept override { return offset_; }
    [[nodiscard]] std::optional<std::uint64_t> bytes_total() const noexcept override { return std::nullopt; }

    std::function<void(std::size_t frame, const std::stop_token&)> before_read;
    std::vector<std::weak_ptr<const void>> owners;  ///< of all frames read

private:
    std::vector<std::string> payloads_;
    TraceInfo info_;
    std::size_t next_ = 0;
    std::uint64_t offset_ = 0;
};

class FakeWriter final : public TraceWriter {
public:
    void write(const Frame& frame) override
    {
        if (before_write) before_write(frame);
        payloads.emplace_back(text_of(frame.bytes));
    }
    std::uint64_t close() override { return 0; }

    std::function<void(const Frame&)> before_write;
    std::vector<std::string> payloads;
};

}  // namespace ositrace
