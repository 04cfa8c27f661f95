// SPDX-License-Identifier: MPL-2.0
#include <ositrace/performance_log.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;
using namespace std::chrono_literals;

namespace {

constexpr const char* expected = R"({
  "Header": {
    "OsiMessages": ["osi3::SensorView", "osi3::SensorData"],
    "EventFields": ["EventId", "GlobalTime", "SimulationTime", "MessageId", "SizeValueReference", "MessageSize"],
    "EventTypes": ["StartSourceCalc", "StartOSISerialize", "StopOSISerialize", )"
                                 R"("StartOSIDeserialize", "StopOSIDeserialize"],
    "FormatVersion": {"Major": 1, "Minor": 0, "Patch": 0, "PreRelease": "beta"}
  },
  "Data": [
    {
      "Instance": {"ModelIdentity": "OSMPDummySource \"Flatbuf\""},
      "OsiEvents": [
        [0, 1648482698.771000001, 0.1, 0, 5, 23226752],
        [2, 1648482698.830000000, 12.0, 1, 0, 0]
      ]
    }
  ]
}
)";

const PerformanceLogOptions two_messages{"OSMPDummySource \"Flatbuf\"", {"osi3.SensorView", "osi3.SensorData"}, false};

void add_both(PerformanceLog& log)
{
    log.add(PerformanceEvent::start_source_calculation, 1648482698771000001ns, 100ms, 0, 5, 23226752);
    log.add(PerformanceEvent::stop_serialize, 1648482698830000000ns, 12s, 1, 0, 0);
}

}  // namespace

TEST_CASE("a performance log is the JSON of the studies, times to the nanosecond")
{
    const ScratchFolder folder;
    PerformanceLog log(folder / "log.json", two_messages);
    add_both(log);
    log.close();
    CHECK(read_file(folder / "log.json") == expected);
}

TEST_CASE("a log that nobody closed is complete JSON with all but its last second")
{
    const ScratchFolder folder;
    PerformanceLog log(folder / "log.json", two_messages);
    CHECK(read_file(folder / "log.json").ends_with("\"OsiEvents\": [\n      ]\n    }\n  ]\n}\n"));
    add_both(log);
    log.add(PerformanceEvent::stop_serialize, 1648482698831000000ns, 12s, 1, 0, 0);
    log.add(PerformanceEvent::stop_serialize, 1648482699999000000ns, 13s, 1, 0, 0);  // a second later
    log.add(PerformanceEvent::stop_serialize, 1648482699999000001ns, 14s, 1, 0, 0);
    const auto text = read_file(folder / "log.json");
    CHECK(text.find("13.0") != std::string::npos);
    CHECK(text.find("14.0") == std::string::npos);
    CHECK(text.ends_with("]\n      ]\n    }\n  ]\n}\n"));
}

TEST_CASE("a log does not replace a file, unless it may")
{
    const ScratchFolder folder;
    const auto file = folder / "log.json";
    write_file(file, std::string(100'000, 'x'));
    CHECK(error_of([&] { PerformanceLog(file, two_messages); }) ==
          file.string() + " exists. Use --overwrite to replace it.");
    auto options = two_messages;
    options.overwrite = true;
    PerformanceLog log(file, options);
    add_both(log);
    log.close();
    CHECK(read_file(file) == expected);
}
