// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/model_description.hpp"

#include "tests/catch.hpp"
#include "tests/error_of.hpp"
#include "tests/lib/fmu/replayed_model.hpp"

using namespace ositrace;
using fmu::read_model_description;
using fmu::read_osi_mime_type;

namespace {

std::string error_with(const std::string& xml)
{
    return error_of([&] { return read_model_description(xml).fmi_version; });
}

std::string description_with(const std::string& variables, const std::string& version = "2.0")
{
    return "<fmiModelDescription fmiVersion='" + version +
           "' guid='g'><CoSimulation modelIdentifier='m'/><ModelVariables>" + variables +
           "</ModelVariables></fmiModelDescription>";
}

std::string part(const std::string& name, const std::string& role, int reference,
                 const std::string& mime = "application/x-open-simulation-interface; type=SensorView; version=3.8.0")
{
    return "<ScalarVariable name='" + name + "." + role + "' valueReference='" + std::to_string(reference) +
           "' causality='input'><Integer/><Annotations>" + "<Tool name='net.pmsf.osmp'><x:osmp-binary-variable name='" +
           name + "' role='" + role + "' mime-type='" + mime + "'/></Tool></Annotations></ScalarVariable>";
}

/// The same part, of another variable.
std::string renamed(std::string part) { return part.insert(part.find('\'') + 1, "other."); }

}  // namespace

TEST_CASE("the description of a model says what it takes and gives", "[fmu]")
{
    const auto fmi = GENERATE(2, 3);
    CAPTURE(fmi);
    const auto model = read_fmu_description(test_model(fmi));
    CHECK(model.fmi_version == fmi);
    CHECK(model.model_name == "TestModel");
    CHECK(model.model_identifier == "test_model");
    CHECK(model.token == "{test}");
    CHECK(model.osmp_version == "1.6.0");
    REQUIRE(model.binaries.size() == 5);
    CHECK(model.binaries[0].name == "OSMPSensorViewIn");
    CHECK(model.binaries[0].causality == FmuCausality::input);
    CHECK(model.binaries[0].type == MessageType::sensor_view);
    CHECK(model.binaries[0].version == OsiVersion{3, 7, 0});
    CHECK(model.binaries[0].format == Format{});
    CHECK(model.binaries[1].references ==
          (fmi == 2 ? std::array<std::uint32_t, 3>{3, 4, 5} : std::array<std::uint32_t, 3>{2, 0, 0}));
    CHECK(model.binaries[4].causality == FmuCausality::calculated_parameter);
    CHECK(model.variables.back().name == "flag");
    CHECK(model.variables.back().type == "Boolean");
    CHECK(model.variables.back().start == "false");
}

TEST_CASE("the parts of a binary variable may stand in any order, but must be complete", "[fmu]")
{
    const auto model = read_model_description(
        description_with(part("V", "size", 9) + part("V", "base.lo", 7) + part("V", "base.hi", 8)));
    REQUIRE(model.binaries.size() == 1);
    CHECK(model.binaries[0].references == std::array<std::uint32_t, 3>{7, 8, 9});
    CHECK(error_with(description_with(part("V", "size", 9) + part("V", "base.lo", 7))) ==
          "'V' has no variable of role 'base.hi'");
    CHECK(error_with(description_with(part("V", "size", 9) + renamed(part("V", "size", 7)))) ==
          "'V' has two variables of role 'size'");
    CHECK(error_with(description_with(part("V", "full", 9))) ==
          "the variable 'V.full' has the OSMP role 'full', which FMI 2 does not define");
}

TEST_CASE("binaries of others are left alone, messages of another OSI are named", "[fmu]")
{
    const auto model = read_model_description(
        description_with(part("V", "size", 9, "image/png") +
                         part("W", "size", 9, "application/x-open-simulation-interface; type=Weather")));
    CHECK(model.binaries.empty());
    REQUIRE(model.unknown.size() == 1);
    CHECK(model.unknown[0].name == "W");
    CHECK(model.unknown[0].causality == FmuCausality::input);
    CHECK(model.unknown[0].mime_type == "application/x-open-simulation-interface; type=Weather");
}

TEST_CASE("a description that cannot be used says why", "[fmu]")
{
    CHECK(error_with("") == "byte 0: No document element found");
    CHECK(error_with("<a><b></a>").starts_with("byte 8: Start-end tags mismatch"));
    CHECK(error_with("<html/>") == "the root element is not fmiModelDescription");
    CHECK(error_with("<fmiModelDescription fmiVersion='1.0'/>") == "FMI version '1.0' (known: 2.0, 3.0)");
    CHECK(error_with("<fmiModelDescription fmiVersion='2.0'><ModelExchange/></fmiModelDescription>") ==
          "it has no co-simulation interface: a model that is to be stepped needs one");
    CHECK(error_with("<fmiModelDescription fmiVersion='2.0'><CoSimulation "
                     "modelIdentifier='../../evil'/></fmiModelDescription>") ==
          "the modelIdentifier '../../evil' cannot be the name of a library");
    CHECK(error_with(description_with("<ScalarVariable name='x'><Integer/></ScalarVariable>")) ==
          "the variable 'x' has no valueReference");
    CHECK(error_with(
              description_with("<ScalarVariable name='x' valueReference='4294967296'><Integer/></ScalarVariable>")) ==
          "the variable 'x' has no valueReference");
}

TEST_CASE("two variables of one name are refused", "[fmu]")
{
    const std::string x = "<ScalarVariable name='x' valueReference='1'><Integer/></ScalarVariable>",
                      y = "<ScalarVariable name='y' valueReference='1'><Real/></ScalarVariable>";
    CHECK(read_model_description(description_with(x + y)).variables.size() == 2);
    CHECK(error_with(description_with(x + y + x)) == "two variables have the name 'x'");
    CHECK(error_with(description_with("<Int32 name='x' valueReference='1'/><Float64 name='x' valueReference='2'/>",
                                      "3.0")) == "two variables have the name 'x'");
}

TEST_CASE("a description that wants to grow does not", "[fmu]")
{
    std::string bomb =
        "<!DOCTYPE l [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c SYSTEM "
        "'file:///etc/passwd'>]>";
    bomb +=
        "<fmiModelDescription fmiVersion='2.0' modelName='&b;&c;'><CoSimulation "
        "modelIdentifier='m'/></fmiModelDescription>";
    CHECK(read_model_description(bomb).model_name == "&b;&c;");
    std::string deep;
    for (int i = 0; i < 200'000; ++i) deep += "<a>";
    CHECK(!error_with(deep).empty());
    std::string many;
    for (int i = 0; i < 1025; ++i) {
        if (i == 1024) CHECK(read_model_description(description_with(many)).binaries.size() == 1024);
        const auto name = "V" + std::to_string(i);
        many += part(name, "size", 1) + part(name, "base.lo", 1) + part(name, "base.hi", 1);
    }
    CHECK(error_with(description_with(many)) == "the number of variables for OSI messages exceeds the limit of 1024");
}

TEST_CASE("a MIME type says message, version and encoding", "[fmu]")
{
    const auto plain = read_osi_mime_type("application/x-open-simulation-interface; type=SensorData; version=3.5.0");
    REQUIRE(plain);
    CHECK(plain->type == MessageType::sensor_data);
    CHECK(plain->version == OsiVersion{3, 5, 0});
    CHECK(plain->format == Format{});
    const auto flat = read_osi_mime_type(
        "Application/X-Open-Simulation-Interface;type=\"GroundTruth\" ; encoding=flatbuffers;layout=declared");
    REQUIRE(flat);
    CHECK(flat->type == MessageType::ground_truth);
    CHECK(flat->format == Format{Encoding::flatbuffers, Layout::declared});
    CHECK(!read_osi_mime_type("image/png"));
    CHECK(!read_osi_mime_type(""));
    CHECK(error_of([] {
              return read_osi_mime_type("application/x-open-simulation-interface; encoding=fbx").has_value();
          }) == "unknown encoding 'fbx' (known: protobuf, flatbuffers)");
}
