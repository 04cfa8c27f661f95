// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ositrace/field_census.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::app {

struct ChannelStats {
    Channel channel;
    FieldCensus census;
};

struct StatsReport {
    std::string path;  ///< as given
    std::string container;
    std::vector<ChannelStats> channels;  ///< those that can be looked into
    std::optional<std::string> error;    ///< why there is nothing, or not everything
};

[[nodiscard]] std::string text_of(const StatsReport& report);
[[nodiscard]] std::string json_of(const std::vector<StatsReport>& reports);

}  // namespace ositrace::app
