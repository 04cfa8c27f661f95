// SPDX-License-Identifier: MPL-2.0
#include <ositrace/trace_name.hpp>

#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

TEST_CASE("an extension says container, encoding and compression")
{
    struct Row {
        std::string_view name, text, container;
        std::optional<Encoding> encoding;
        std::string_view compression;
    };
    const auto row = GENERATE(Row{"a.osi", ".osi", "length-prefixed", Encoding::protobuf, "none"},
                              Row{"a.b.osifb", ".osifb", "length-prefixed", Encoding::flatbuffers, "none"},
                              Row{"a.osi.zst", ".osi.zst", "length-prefixed", Encoding::protobuf, "zstd"},
                              Row{"a.osifb.lz4", ".osifb.lz4", "length-prefixed", Encoding::flatbuffers, "lz4"},
                              Row{"a.osi.gz", ".osi.gz", "length-prefixed", Encoding::protobuf, "gzip"},
                              Row{"a.osi.xz", ".osi.xz", "length-prefixed", Encoding::protobuf, "xz"},
                              Row{"a.osi.lzma", ".osi.lzma", "length-prefixed", Encoding::protobuf, "xz"},
                              Row{"a.osi.zstd", ".osi.zstd", "length-prefixed", Encoding::protobuf, "zstd"},
                              Row{"bag_0.mcap.zstd", ".mcap.zstd", "mcap", std::nullopt, "zstd"},
                              Row{"a.mcap", ".mcap", "mcap", std::nullopt, "none"},
                              Row{"a.txth", ".txth", "text", std::nullopt, "none"},
                              Row{"a.jsonl", ".jsonl", "json-lines", std::nullopt, "none"},
                              Row{"A.OSI", ".OSI", "length-prefixed", Encoding::protobuf, "none"},
                              Row{"A.Osifb.ZST", ".Osifb.ZST", "length-prefixed", Encoding::flatbuffers, "zstd"},
                              Row{"A.MCAP", ".MCAP", "mcap", std::nullopt, "none"});
    const auto found = trace_extension(row.name);
    REQUIRE(found);
    CHECK(found->text == row.text);
    CHECK(found->container.name == row.container);
    CHECK(found->encoding == row.encoding);
    CHECK(found->compression == row.compression);
}

TEST_CASE("other extensions say nothing")
{
    for (const auto* name : {"", "osi", "a.txt", "a.zst", "a.osi.bz2", "a.osi.zst.zst", "a.osi_"})
        CHECK_FALSE(trace_extension(name));
}

namespace {

// timestamp|type|OSI|Protobuf|frames|custom|extension
std::string parts_of(std::string_view file_name)
{
    const auto name = parse_trace_name(file_name);
    if (!name) return "not a name";
    return name->timestamp + '|' + std::string(name->type ? row_of(*name->type).code : "multi") + '|' +
           name->osi_version + '|' + name->protobuf_version + '|' +
           (name->frames ? std::to_string(*name->frames) : "") + '|' + name->custom + '|' + name->extension;
}

}  // namespace

TEST_CASE("a name is taken apart by position")
{
    CHECK(parts_of("20210818T150542Z_sv_312_50_1523_highway.osi") == "20210818T150542Z|sv|312|50|1523|highway|.osi");
    CHECK(parts_of("20230621T113737Z_sv_350_32112_100.osi") == "20230621T113737Z|sv|350|32112|100||.osi");
    CHECK(parts_of("20240618T122540Z_sv_370_244_20_minimal_valid_example.osi") ==
          "20240618T122540Z|sv|370|244|20|minimal_valid_example|.osi");
    CHECK(parts_of("20240618T122540Z_sv_370_244_20_my_gt_run_1.osi") ==
          "20240618T122540Z|sv|370|244|20|my_gt_run_1|.osi");
    CHECK(parts_of("20240618T122540Z_multi_380_32112_20_a.b.mcap") == "20240618T122540Z|multi|380|32112|20|a.b|.mcap");
    CHECK(parts_of("20240618T122540Z_gt_380_32112_20.osifb.zst") == "20240618T122540Z|gt|380|32112|20||.osifb.zst");
    CHECK(parts_of("20240618T122540.250+0200_svc_380_32112_20.osi") ==
          "20240618T122540.250+0200|svc|380|32112|20||.osi");
}

TEST_CASE("what is missing in a name stays empty")
{
    CHECK(parts_of("20240618T122540Z_sd.osi") == "20240618T122540Z|sd|||||.osi");
    CHECK(parts_of("20240618T122540Z_sd_run_7.osi") == "20240618T122540Z|sd||||run_7|.osi");
    CHECK(parts_of("20240618T122540Z_sd_370_run_7.osi") == "20240618T122540Z|sd|370|||run_7|.osi");
    CHECK(parts_of("20240618T122540Z_sd_370_244_run_7.osi") == "20240618T122540Z|sd|370|244||run_7|.osi");
    CHECK(parts_of("20240618T122540Z_sd_370_244_7_.osi") == "20240618T122540Z|sd|370|244|7||.osi");
    CHECK(parts_of("20240618T122540Z_sd_370_244_99999999999999999999.osi") ==
          "20240618T122540Z|sd|370|244||99999999999999999999|.osi");
}

TEST_CASE("a name without timestamp and type in their places is none of the standard")
{
    for (const auto* name :
         {"", ".osi", "ground_truth.osi", "sv_20240618T122540Z_370_244_7.osi", "20240618T122540Z_xy_370_244_7.osi",
          "20240618T122540Z.osi", "20240618_sv_370_244_7.osi", "20240618T1225_sv.osi", "20240618T122540Zx_sv.osi"})
        CHECK(parts_of(name) == "not a name");
}

TEST_CASE("a type is one word of a name, or is that of a standard name")
{
    using enum MessageType;
    CHECK(type_in_name("20240618T122540Z_sv_370_244_20_my_gt_run_1.osi") == sensor_view);
    CHECK(type_in_name("20240618T122540Z_multi_370_244_20_gt.mcap") == std::nullopt);
    CHECK(type_in_name("rec_gt_7.osi") == ground_truth);
    CHECK(type_in_name("gt.osi.zst") == ground_truth);
    CHECK(type_in_name("2024-TU-01.txth") == traffic_update);
    CHECK(type_in_name("run SensorData.osi") == sensor_data);
    CHECK(type_in_name("a_gt_b_gt.osi") == ground_truth);
    for (const auto* name : {"", ".osi", "right.osi", "gt_sv.osi", "gtx_7.osi", "a.gt7b", "tcu2tc_tcu_tc"})
        CHECK_FALSE(type_in_name(name));
}

TEST_CASE("a name that is put together is taken apart into the same")
{
    for (const std::string name :
         {"20210818T150542Z_sv_312_50_1523_high_way.osi", "20210818T150542Z_multi_380_32112_0.mcap"})
        CHECK(to_string(*parse_trace_name(name)) == name);
}

TEST_CASE("a name is not put together from what is missing or broken")
{
    const auto name = *parse_trace_name("20210818T150542Z_sv_312_50_1523_highway.osi");
    const auto with = [&](auto change) {
        auto changed = name;
        change(changed);
        return error_of([&] { return to_string(changed); });
    };
    CHECK(with([](TraceName& n) { n.timestamp = "2021"; }) ==
          "a trace's file name needs a timestamp, as in 20210818T150542Z");
    CHECK(with([](TraceName& n) { n.osi_version = "3.8.0"; }) ==
          "a trace's file name needs the OSI version, as in 380");
    CHECK(with([](TraceName& n) { n.protobuf_version.clear(); }) ==
          "a trace's file name needs the Protobuf version, as in 32112");
    CHECK(with([](TraceName& n) { n.frames.reset(); }) == "a trace's file name needs the number of frames, as in 3600");
    CHECK(with([](TraceName& n) { n.custom = "a/b"; }) == "a trace's file name needs a custom name, one without '/'");
    CHECK(with([](TraceName& n) { n.extension = "osi"; }) == "a trace's file name needs an extension, as in .osi");
}

TEST_CASE("times and versions have the form that names carry")
{
    using namespace std::chrono;
    CHECK(trace_timestamp(sys_days{August / 18 / 2021} + 15h + 5min + 42s) == "20210818T150542Z");
    CHECK(trace_timestamp(sys_seconds{}) == "19700101T000000Z");
    CHECK(version_digits("3.21.12") == "32112");
}

TEST_CASE("the digits of an OSI version have one reading")
{
    CHECK(osi_version_from_digits("370") == OsiVersion{3, 7, 0});
    CHECK(osi_version_from_digits("3100") == OsiVersion{3, 10, 0});
    for (const auto* digits : {"", "37", "3.7.0", "3700000", "x70"}) CHECK_FALSE(osi_version_from_digits(digits));
}

TEST_CASE("a Protobuf version with dots is not guessed")
{
    for (const auto* version : {"3.21.12", "4.24.4", "3.21", "4.25", "3.5", "5.29"})
        CHECK(protobuf_version_of_release(version) == version);
    CHECK(protobuf_version_of_release("21.12") == "3.21.12");
    CHECK(protobuf_version_of_release("24.4") == "4.24.4");
    CHECK(protobuf_version_of_release("35.0") == "7.35.0");
    for (const auto* text : {"", "3", "3.", ".5", "3.x", "3.2.1.0", "3..1"})
        CHECK_FALSE(protobuf_version_of_release(text));
}

TEST_CASE("the digits of a Protobuf version have one reading")
{
    CHECK(protobuf_version_from_digits("32112") == "3.21.12");
    CHECK(protobuf_version_from_digits("3124") == "3.12.4");
    CHECK(protobuf_version_from_digits("361") == "3.6.1");
    CHECK(protobuf_version_from_digits("2112") == "3.21.12");
    CHECK(protobuf_version_from_digits("244") == "4.24.4");
    CHECK(protobuf_version_from_digits("4244") == "4.24.4");
    CHECK(protobuf_version_from_digits("293") == "5.29.3");
    CHECK(protobuf_version_from_digits("5293") == "5.29.3");
    CHECK(protobuf_version_from_digits("321") == "6.32.1");
    CHECK(protobuf_version_from_digits("300") == "3.0.0");  // the standard's example
    CHECK(protobuf_version_from_digits("302") == "3.0.2");
    CHECK(protobuf_version_from_digits("340") == "3.4.0");
    CHECK(protobuf_version_from_digits("342") == "7.34.2");
    CHECK(protobuf_version_from_digits("3201") == "3.20.1");
    CHECK(protobuf_version_from_digits("3021009") == "3.21.9");
    CHECK(protobuf_version_from_digits("5029003") == "5.29.3");
    CHECK(protobuf_version_from_digits("42112") == "4.21.12");
    CHECK(protobuf_version_from_digits("6336") == "6.33.6");
    CHECK(protobuf_version_from_digits("7362") == "7.36.2");
    CHECK(protobuf_version_from_digits("7401") == "7.40.1");
    CHECK(protobuf_version_from_digits("700") == "7.0.0");  // as a trace may state it, and split writes it
    CHECK(protobuf_version_from_digits("324") == "3.2.4");
    CHECK(is_protobuf_version("244", "4.24.4"));
    CHECK(is_protobuf_version("24", "2.4"));
    CHECK(is_protobuf_version("4244", "24.4"));
    CHECK(is_protobuf_version("32112", "21.12"));
    for (const auto* version : {"3.0.0", "3.21.12", "4.25.3", "5.29.6", "6.30.0", "7.36.2", "7.0.0"})
        CHECK(protobuf_version_from_digits(version_digits(version)) == version);
    CHECK_FALSE(is_protobuf_version("244", "4.24.5"));
    CHECK_FALSE(is_protobuf_version("", "4.24.4"));
    for (const auto* digits :
         {"", "24", "24.4", "321120", "x70", "9999", "7001", "3990", "32113", "3021013", "9021009", "30210090", "3001"})
        CHECK_FALSE(protobuf_version_from_digits(digits));
}
