// SPDX-License-Identifier: MPL-2.0
// A test model, and a replay of small sensor views into it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/fmu_model.hpp>

#include "tests/lib/payloads.hpp"
#include "tests/places.hpp"

namespace ositrace {

/// Of FMI 2 or 3; what it does, see models/test_model.cpp.
inline std::filesystem::path test_model(int fmi)
{
    return test::model_folder() / ("test_model_fmi" + std::to_string(fmi) + ".fmu");
}

/// What a model and its host say. Any thread.
class Said {
public:
    void operator()(std::string_view line)
    {
        const std::lock_guard lock(mutex_);
        lines_.emplace_back(line);
    }
    [[nodiscard]] std::vector<std::string> lines() const
    {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

inline FmuOptions options_for(std::map<std::string, std::string> parameters, Said* said = nullptr)
{
    FmuOptions options;
    options.parameters = std::move(parameters);
    options.host_program = test::program("ositrace-fmu-host");
    if (said != nullptr) options.on_message = [said](std::string_view line) { (*said)(line); };
    return options;
}

inline TraceInfo one_channel(MessageType type, Format format = {})
{
    Channel channel{.topic = "trace",
                    .type = type,
                    .type_name = std::string(row_of(type).full_name),
                    .format = format,
                    .schema = Schema::built_in()};
    channel.root = &channel.schema->root(type);
    TraceInfo info;
    info.channels.push_back(channel);
    return info;
}

/// A frame that owns its bytes.
inline Frame frame_of(const std::string& payload, std::uint64_t index, Nanoseconds time)
{
    const auto bytes = std::make_shared<std::string>(payload);
    return {.bytes = bytes_of(*bytes), .owner = bytes, .index = index, .time = time};
}

/// SensorView { timestamp, sensor_id 5, global_ground_truth { timestamp, stationary_object {}, moving_object {} } } at
/// `index` * 10 ms
inline std::string sensor_view(std::uint64_t index)
{
    const auto time = field(2, varint_field(1, static_cast<std::uint8_t>(index / 100)) +
                                   varint_field(2, static_cast<std::uint8_t>(index % 100)));
    return time + field(3, varint_field(1, 5)) + field(7, time + field(4, "") + field(5, ""));
}

/// A model that is given `sensor_view(i)` at its i-th step; it begins at the first step.
class ReplayedModel {
public:
    explicit ReplayedModel(const std::filesystem::path& fmu, FmuOptions options,
                           TraceInfo info = one_channel(MessageType::sensor_view))
        : info_(std::move(info)), model_(open_fmu(fmu, std::move(options)))
    {
    }

    void begin(std::string payload = sensor_view(0))
    {
        const std::vector first{frame_of(payload, 0, {})};
        model_->initialize(info_, {{}, step_, first});
    }
    std::vector<Frame> step() { return step(sensor_view(next_)); }
    std::vector<Frame> step(const std::string& payload)
    {
        const auto now = step_ * static_cast<std::int64_t>(next_);
        const std::vector frames{frame_of(payload, next_, now)};
        ++next_;
        const auto returned = model_->step(frames, now, step_);
        return {returned.begin(), returned.end()};
    }
    /// Of `steps` steps, as many frames as come back.
    std::size_t play(std::size_t steps)
    {
        begin();
        std::size_t returned = 0;
        while (next_ < steps) returned += step().size();
        model_->finish();
        return returned;
    }
    FmuModel& model() { return *model_; }
    [[nodiscard]] std::uint64_t steps() const { return next_; }

private:
    static constexpr Nanoseconds step_ = std::chrono::milliseconds(10);
    TraceInfo info_;
    std::unique_ptr<FmuModel> model_;
    std::uint64_t next_ = 0;
};

}  // namespace ositrace
