// SPDX-License-Identifier: MPL-2.0
#include <cstdint>
#include <string>

#include <fmi3Functions.h>

#include "app/fmu/model_description.hpp"
#include "tests/catch.hpp"
#include "tests/fmu/echo_model.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

void take_log(fmi3InstanceEnvironment log, fmi3Status status, fmi3String, fmi3String text)
{
    static_cast<Log*>(log)->emplace_back(status, text);
}

/// An instance and what it said.
struct Slave {
    explicit Slave(const std::string& token = fmu::instantiation_token(fmu::this_kind(), fmu::FmiVersion::fmi3),
                   bool event_mode = false)
        : instance(fmi3InstantiateCoSimulation("echo", token.c_str(), "", false, false, event_mode, false, nullptr, 0,
                                               &log, take_log, nullptr))
    {
    }
    Slave(const Slave&) = delete;
    Slave& operator=(const Slave&) = delete;
    ~Slave() { fmi3FreeInstance(instance); }

    fmi3Status start()
    {
        REQUIRE(fmi3EnterInitializationMode(instance, false, 0, 10, false, 0) == fmi3OK);
        return fmi3ExitInitializationMode(instance);
    }
    fmi3Status put(const std::string& message)
    {
        const fmi3ValueReference reference = echo::in_size;
        const size_t size = message.size();
        const auto* const bytes = reinterpret_cast<fmi3Binary>(message.data());
        return fmi3SetBinary(instance, &reference, 1, &size, &bytes, 1);
    }
    std::string message()
    {
        const fmi3ValueReference reference = echo::out_size;
        size_t size = 0;
        fmi3Binary bytes = nullptr;
        REQUIRE(fmi3GetBinary(instance, &reference, 1, &size, &bytes, 1) == fmi3OK);
        return size == 0 ? std::string() : std::string(reinterpret_cast<const char*>(bytes), size);
    }
    fmi3Status step(double step = 1)
    {
        bool event = true, terminate = true, early = true;
        const auto status = fmi3DoStep(instance, time, step, true, &event, &terminate, &early, &time);
        CHECK_FALSE((event || terminate || early));
        return status;
    }

    Log log;
    fmi3Instance instance;
    double time = 10;
};

}  // namespace

TEST_CASE("fmi3: a message is copied when it is set and stays until another is set")
{
    Slave slave;
    REQUIRE(slave.start() == fmi3OK);
    REQUIRE(slave.put(std::string(100, 'a')) == fmi3OK);  // gone at once
    REQUIRE(slave.step() == fmi3OK);
    CHECK(slave.message() == std::string(100, 'a'));
    REQUIRE(slave.step(0.5) == fmi3OK);
    CHECK(slave.message() == std::string(100, 'a'));
    CHECK(slave.time == 11.5);
    REQUIRE(slave.put("") == fmi3OK);
    REQUIRE(slave.step() == fmi3OK);
    CHECK(slave.message().empty());
}

TEST_CASE("fmi3: the independent variable is the communication point")
{
    Slave slave;
    REQUIRE(slave.start() == fmi3OK);
    const fmi3ValueReference reference = echo::time;
    double time = 0;
    REQUIRE(fmi3GetFloat64(slave.instance, &reference, 1, &time, 1) == fmi3OK);
    CHECK(time == 10);
    REQUIRE(slave.step() == fmi3OK);
    REQUIRE(fmi3GetFloat64(slave.instance, &reference, 1, &time, 1) == fmi3OK);
    CHECK(time == 11);
}

TEST_CASE("fmi3: a step that fails tells how far it came")
{
    Slave slave;
    const fmi3ValueReference reference = echo::text;
    fmi3String text = "throw a number";
    REQUIRE(fmi3SetString(slave.instance, &reference, 1, &text, 1) == fmi3OK);
    REQUIRE(slave.start() == fmi3OK);
    CHECK(slave.step() == fmi3Error);
    CHECK(slave.time == 10);
    CHECK(slave.log == Log{{fmi3Error, "unknown exception"}});
}

TEST_CASE("fmi3: parameters of every type, as they were set")
{
    Slave slave;
    const fmi3ValueReference number = echo::number, count = echo::count, flag = echo::flag;
    double a = 0;
    std::int32_t b = 0;
    bool c = false;
    REQUIRE(fmi3GetFloat64(slave.instance, &number, 1, &a, 1) == fmi3OK);
    REQUIRE(fmi3GetInt32(slave.instance, &count, 1, &b, 1) == fmi3OK);
    REQUIRE(fmi3GetBoolean(slave.instance, &flag, 1, &c, 1) == fmi3OK);
    CHECK((a == 2.5 && b == 3 && c));
    a = -1, b = -2, c = false;
    REQUIRE(fmi3SetFloat64(slave.instance, &number, 1, &a, 1) == fmi3OK);
    REQUIRE(fmi3SetInt32(slave.instance, &count, 1, &b, 1) == fmi3OK);
    REQUIRE(fmi3SetBoolean(slave.instance, &flag, 1, &c, 1) == fmi3OK);
    a = 0, b = 0, c = true;
    REQUIRE(fmi3GetFloat64(slave.instance, &number, 1, &a, 1) == fmi3OK);
    REQUIRE(fmi3GetInt32(slave.instance, &count, 1, &b, 1) == fmi3OK);
    REQUIRE(fmi3GetBoolean(slave.instance, &flag, 1, &c, 1) == fmi3OK);
    CHECK((a == -1 && b == -2 && !c));
}

TEST_CASE("fmi3: what nobody has is refused, one line each")
{
    Slave slave;
    const fmi3ValueReference number = echo::number;
    double value[2] = {};
    CHECK(fmi3GetFloat64(slave.instance, &number, 1, value, 2) == fmi3Error);
    float small = 0;
    CHECK(fmi3GetFloat32(slave.instance, &number, 1, &small, 1) == fmi3Error);
    CHECK(fmi3EnterEventMode(slave.instance) == fmi3Error);
    CHECK(slave.step(1) == fmi3Error);
    CHECK(slave.log == Log{{fmi3Error, "2 values for 1 variables, expected one value for each"},
                           {fmi3Error, "fmi3GetFloat32 is not supported"},
                           {fmi3Error, "fmi3EnterEventMode is not supported"},
                           {fmi3Error, "a step is not allowed now"}});
    CHECK(fmi3Terminate(nullptr) == fmi3Error);
    CHECK(fmi3InstantiateModelExchange("", "", "", false, false, nullptr, nullptr) == nullptr);
}

TEST_CASE("fmi3: another token, and the event mode, are refused")
{
    const Slave foreign("{00000000-0000-0000-0000-000000000000}");
    CHECK(foreign.instance == nullptr);
    const Slave events(fmu::instantiation_token(fmu::this_kind(), fmu::FmiVersion::fmi3), true);
    CHECK(events.instance == nullptr);
    CHECK(events.log == Log{{fmi3Error, "this FMU has no event mode"}});
}
