// SPDX-License-Identifier: MPL-2.0
#include <ositrace/edit/rename.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/edit/edited.hpp"
#include "tests/lib/scratch_folder.hpp"

using namespace ositrace;

namespace {

TraceSummary ground_truth_summary()
{
    TraceSummary summary;
    summary.info = ground_truth_info();
    auto& channel = summary.channels.emplace_back();
    channel.channel = summary.info.channels.front();
    channel.frames = 7;
    channel.osi_versions = {{3, 5, 0}, {3, 7, 0}};
    return summary;
}

}  // namespace

TEST_CASE("a name says what the content says, and keeps what it does not say")
{
    auto summary = ground_truth_summary();
    CHECK(to_string(name_by_content(summary, "20240101T000000Z_sv_350_244_9_my_drive.osi")) ==
          "20240101T000000Z_gt_370_244_7_my_drive.osi");
    summary.info.metadata = {
        {"net.asam.osi.trace", {{"creation_time", "2021-08-18T17:05:42+02:00"}, {"min_protobuf_version", "3.20.3"}}}};
    CHECK(to_string(name_by_content(summary, "20240101T000000Z_sv_350_244_9_my_drive.osi")) ==
          "20210818T150542Z_gt_370_3203_7_my_drive.osi");
    CHECK(to_string(name_by_content(summary, "drive.osi.zst")) == "20210818T150542Z_gt_370_3203_7_drive.osi.zst");
}

TEST_CASE("a name says where its timestamp and its Protobuf version come from")
{
    auto summary = ground_truth_summary();
    const auto of = [&](const std::filesystem::path& file) {
        const auto name = name_by_content(summary, file);
        return std::string(name_of(name.timestamp_from)) + ' ' + std::string(name_of(name.protobuf_version_from));
    };
    const ScratchFolder folder;
    write_file(folder / "drive.osi", "");
    CHECK(of(folder / "drive.osi") == "file_time assumed");
    CHECK(of("20240101T000000Z_sv_350_244_9_my_drive.osi") == "old_name old_name");
    CHECK(of("20240101T000000Z_sv_drive.osi") == "old_name assumed");
    summary.info.metadata = {
        {"net.asam.osi.trace", {{"zero_time", "2021-08-18T15:05:42Z"}, {"min_protobuf_version", "3.20.3"}}}};
    CHECK(of("20240101T000000Z_sv_350_244_9_my_drive.osi") == "metadata metadata");
}

TEST_CASE("several types are multi, with the versions of the metadata")
{
    auto summary = ground_truth_summary();
    summary.info.metadata = {
        {"net.asam.osi.trace",
         {{"zero_time", "2021-08-18T15:05:42Z"}, {"version", "3.8.0"}, {"min_protobuf_version", "3.20.3"}}}};
    auto& other = summary.channels.emplace_back(summary.channels.front());
    other.channel.type = MessageType::sensor_view;
    other.frames = 9;
    CHECK(to_string(name_by_content(summary, "drive.mcap")) == "20210818T150542Z_multi_380_3203_9_drive.mcap");
}

TEST_CASE("a damaged trace and one without an OSI channel have no name")
{
    auto summary = ground_truth_summary();
    summary.damage = "cut off";
    CHECK(error_of([&] { return name_by_content(summary, "a.osi"); }) ==
          "in.osi: is damaged (cut off). Use 'osiconvert recover' first.");
    CHECK(error_of([&] { return name_by_content({}, "a.mcap"); }) ==
          "has no OSI channel, so the standard defines no name for it");
}

TEST_CASE("renaming never replaces a file")
{
    const ScratchFolder folder;
    write_file(folder / "a", "a");
    write_file(folder / "b", "b");
    CHECK_THROWS_AS(rename_trace(folder / "a", folder / "b"), Error);
    CHECK(read_file(folder / "b") == "b");
    rename_trace(folder / "a", folder / "c");
    CHECK(folder.names() == std::set<std::string>{"b", "c"});
}
