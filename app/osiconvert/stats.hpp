// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ositrace/container.hpp>
#include <ositrace/field_census.hpp>
#include <ositrace/frame.hpp>

namespace ositrace::app {

struct ChannelStats {
    Channel channel;
    FieldCensus census;
};

struct StatsReport {
    std::string path;  ///< as given
    ContainerTraits container;
    std::vector<ChannelStats> channels;  ///< channels that can be decoded
    std::optional<std::string> error;    ///< why the counts are missing or incomplete
};

[[nodiscard]] std::string text_of(const StatsReport& report);
/// On standard output.
void print_json(const std::vector<StatsReport>& reports);

}  // namespace ositrace::app
