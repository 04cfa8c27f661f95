// SPDX-License-Identifier: MPL-2.0
// flatc itself as a reader of what we write: its JSON, taken up by libprotobuf's JSON parser, is the message we began
// with.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include "tests/catch.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"
#include "tests/places.hpp"

#include <unistd.h>

namespace fs = std::filesystem;
using namespace oracle;

namespace {

struct Folder {
    fs::path path = fs::temp_directory_path() / ("ositrace-flatc-json-" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
};

std::string json_of(Bytes flat, std::string_view table, const fs::path& folder)
{
    const auto file = folder / "frame.bin";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(flat.data()), static_cast<std::streamsize>(flat.size()));
    const auto command = std::string(OPPONENT_FLATC " --json --strict-json --raw-binary --root-type osi3_flat.") +
                         std::string(table.substr(table.rfind('.') + 1)) + " -o " + folder.string() +
                         " " OPPONENT_FBS_osi " -- " + file.string();
    if (std::system(command.c_str()) != 0) return "flatc failed";
    std::ifstream json(folder / "frame.json", std::ios::binary);
    return {std::istreambuf_iterator<char>(json), {}};
}

}  // namespace

TEST_CASE("the JSON that flatc prints of a flat frame is the frame's content to 11 digits")
{
    const Folder folder;
    const auto traces = real_traces();
    if (traces.empty()) WARN("skipped: " << ositrace::test::shared_folder() / "traces" << " is absent");
    for (const auto& trace : traces) {
        RoundTrip round_trip(*ositrace::Schema::built_in(), row_of(trace.type));
        for (const auto i : {std::size_t{0}, trace.frames.size() / 2}) {
            INFO(trace.name << ", frame " << i);
            const Bytes frame = trace.frames[i];
            const auto json = json_of(round_trip.to_flat(frame), trace.type, folder.path);
            const auto expected = round_trip.message(), found = round_trip.message();
            REQUIRE(expected->ParseFromArray(frame.data(), static_cast<int>(frame.size())));
            REQUIRE(google::protobuf::util::JsonStringToMessage(json, found.get()).ToString() == "OK");

            google::protobuf::util::DefaultFieldComparator nearly;
            nearly.set_float_comparison(google::protobuf::util::DefaultFieldComparator::APPROXIMATE);
            nearly.SetDefaultFractionAndMargin(1e-11, 1e-11);
            google::protobuf::util::MessageDifferencer differencer;
            differencer.set_field_comparator(&nearly);
            std::string difference;
            differencer.ReportDifferencesToString(&difference);
            CHECK(differencer.Compare(*expected, *found));
            CHECK(difference == "");
        }
    }
}
