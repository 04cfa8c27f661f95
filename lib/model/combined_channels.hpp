// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <ositrace/frame.hpp>

namespace ositrace {

/// The channels of several origins side by side in one TraceInfo, each under a topic of its own.
class CombinedChannels {
public:
    /// `name` stands in front of the topics of this origin (`DummySensor.OSMPSensorDataOut`): always, or only of those
    /// that are taken.
    std::size_t add_origin(std::string name, bool always);
    /// Adds the channels that are new.
    void follow(std::size_t origin, const TraceInfo& info);
    /// The frame as one of the combined channels; its own is added where it is new.
    [[nodiscard]] Frame combined(std::size_t origin, Frame frame, const TraceInfo& info);

    [[nodiscard]] const TraceInfo& info() const noexcept { return info_; }
    [[nodiscard]] TraceInfo& info() noexcept { return info_; }

private:
    struct Origin {
        std::string name;
        bool always = false;
        std::vector<std::optional<std::uint32_t>> places;  ///< in info_, by channel
    };
    std::uint32_t place_of(Origin& origin, std::uint32_t channel, const TraceInfo& info);
    [[nodiscard]] std::string free_topic(const Origin& origin, const std::string& topic);

    TraceInfo info_;
    std::vector<Origin> origins_;
    std::set<std::string> topics_;
};

}  // namespace ositrace
