// SPDX-License-Identifier: MPL-2.0
#include "gui/session/first_messages.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>

namespace ositrace::gui {

namespace {

constexpr std::size_t most_messages = 64;
constexpr std::size_t most_bytes = std::size_t{16} << 20;

class FirstMessages final : public Trace {
public:
    FirstMessages(TraceInfo info, std::vector<std::vector<Frame>> frames)
        : info_(std::move(info)), frames_(std::move(frames))
    {
    }

    const TraceInfo& info() const noexcept override { return info_; }
    std::uint64_t frame_count(std::uint32_t channel) const override { return frames_.at(channel).size(); }
    Frame frame(std::uint32_t channel, std::uint64_t i) const override
    {
        if (i < frames_.at(channel).size()) return frames_[channel][i];
        throw Error(Cause::usage, {.file = info_.file}, "frame " + std::to_string(i) + " is not read yet");
    }
    std::uint64_t frame_bytes(std::uint32_t channel, std::uint64_t i) const override
    {
        return frame(channel, i).bytes.size();
    }
    FrameSizes frame_sizes(std::uint32_t channel) const override
    {
        FrameSizes sizes;
        for (const auto& each : frames_.at(channel)) {
            sizes.smallest =
                sizes.total == 0 ? each.bytes.size() : std::min<std::uint64_t>(sizes.smallest, each.bytes.size());
            sizes.largest = std::max<std::uint64_t>(sizes.largest, each.bytes.size());
            sizes.total += each.bytes.size();
        }
        return sizes;
    }
    std::optional<std::uint64_t> frame_at(std::uint32_t channel, Nanoseconds t) const override
    {
        std::optional<std::uint64_t> found;
        for (std::uint64_t i = 0; i != frames_.at(channel).size(); ++i)
            if (const auto& time = frames_[channel][i].time; time && *time <= t) found = i;
        return found;
    }
    std::unique_ptr<TraceReader> reader() const override
    {
        throw Error(Cause::unsupported, {.file = info_.file}, "only its first messages are read");
    }

private:
    TraceInfo info_;
    std::vector<std::vector<Frame>> frames_;  ///< by channel
};

std::optional<Nanoseconds> time_of(const Frame& frame, const Channel& channel)
try {
    return timestamp_of(frame.bytes, channel);
} catch (const Error&) {
    return std::nullopt;
}

/// Up to the limits, the end, or the place where the file breaks.
std::vector<std::vector<Frame>> read_first(FrameSource& stream, const std::stop_token& stop)
{
    std::vector<std::vector<Frame>> frames;
    std::size_t bytes = 0;
    try {
        Frame frame;
        for (std::size_t i = 0; i != most_messages && bytes < most_bytes && stream.read(frame, stop); ++i) {
            frames.resize(std::max(frames.size(), stream.info().channels.size()));
            const auto& channel = stream.info().channels.at(frame.channel);
            if (!frame.time && channel.root != nullptr) frame.time = time_of(frame, channel);
            bytes += frame.bytes.size();
            frames[frame.channel].push_back(std::exchange(frame, {}));
        }
    } catch (const std::exception&) {  // whoever opens the file says it
    }
    frames.resize(stream.info().channels.size());
    return frames;
}

}  // namespace

std::shared_ptr<const Trace> first_messages(const std::filesystem::path& file, OpenOptions options)
try {
    options.threads = 1;
    const auto stream = open_stream(file, options);
    auto frames = read_first(*stream, options.stop);
    if (std::all_of(frames.begin(), frames.end(), [](const auto& each) { return each.empty(); })) return nullptr;
    return std::make_shared<FirstMessages>(stream->info(), std::move(frames));
} catch (const std::exception&) {
    return nullptr;
}

}  // namespace ositrace::gui
