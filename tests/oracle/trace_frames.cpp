// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/trace_frames.hpp"

#include <fstream>
#include <iterator>
#include <string>

#include "tests/places.hpp"

namespace oracle {

namespace {

constexpr std::pair<std::string_view, std::string_view> traces[] = {
    {"highway_merge.osi", "osi3.GroundTruth"},
    {"20230621T113737Z_sv_350_32112_100.osi", "osi3.SensorView"},
    {"20240618T122540Z_sv_370_244_20_minimal_valid_example.osi", "osi3.SensorView"},
    {"deserialization_version_is_set_invalid.osi", "osi3.SensorView"},
};

}  // namespace

std::vector<RealTrace> real_traces()
{
    std::vector<RealTrace> found;
    for (const auto& [name, type] : traces) {
        std::ifstream file(ositrace::test::shared_folder() / "traces" / name, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (text.empty()) continue;
        RealTrace trace{name, type, {}};
        for (auto rest = ositrace::bytes_of(text); rest.size() >= 4;) {
            const auto frame = rest.subspan(4, ositrace::load_le32(rest.data()));
            trace.frames.emplace_back(frame.begin(), frame.end());
            rest = rest.subspan(4 + frame.size());
        }
        found.push_back(std::move(trace));
    }
    return found;
}

}  // namespace oracle
