// SPDX-License-Identifier: MPL-2.0
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include <fmi2Functions.h>

#include "app/fmu/model_description.hpp"
#include "tests/catch.hpp"
#include "tests/fmu/echo_model.hpp"

using namespace ositrace;
using namespace ositrace::test;

namespace {

[[gnu::format(printf, 5, 6)]] void take_log(fmi2ComponentEnvironment log, fmi2String, fmi2Status status, fmi2String,
                                            fmi2String format, ...)
{
    std::array<char, 1000> text{};
    va_list rest;
    va_start(rest, format);
    std::vsnprintf(text.data(), text.size(), format, rest);  // as importers do it
    va_end(rest);
    static_cast<Log*>(log)->emplace_back(status, text.data());
}

/// An instance and what it said.
struct Slave {
    explicit Slave(const std::string& guid = fmu::instantiation_token(fmu::this_kind(), fmu::FmiVersion::fmi2))
    {
        callbacks = {take_log, nullptr, nullptr, nullptr, &log};
        component = fmi2Instantiate("echo", fmi2CoSimulation, guid.c_str(), "", &callbacks, fmi2False, fmi2False);
    }
    Slave(const Slave&) = delete;
    Slave& operator=(const Slave&) = delete;
    ~Slave() { fmi2FreeInstance(component); }

    Slave& set_text(const char* text)
    {
        const fmi2ValueReference reference = echo::text;
        REQUIRE(fmi2SetString(component, &reference, 1, &text) == fmi2OK);
        return *this;
    }
    fmi2Status start()
    {
        REQUIRE(fmi2SetupExperiment(component, fmi2False, 0, 0, fmi2False, 0) == fmi2OK);
        REQUIRE(fmi2EnterInitializationMode(component) == fmi2OK);
        return fmi2ExitInitializationMode(component);
    }
    fmi2Status put(const std::string& message)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(message.data());
        return put(static_cast<fmi2Integer>(address & 0xffffffffU), static_cast<fmi2Integer>(address >> 32),
                   static_cast<fmi2Integer>(message.size()));
    }
    fmi2Status put(fmi2Integer low, fmi2Integer high, fmi2Integer size)
    {
        const std::array<fmi2ValueReference, 3> references{echo::in_low, echo::in_high, echo::in_size};
        const std::array values{low, high, size};
        return fmi2SetInteger(component, references.data(), 3, values.data());
    }
    /// Where the output is: read it to know that it is still there.
    std::pair<const char*, std::size_t> output()
    {
        const std::array<fmi2ValueReference, 3> references{echo::out_low, echo::out_high, echo::out_size};
        std::array<fmi2Integer, 3> parts{};
        REQUIRE(fmi2GetInteger(component, references.data(), 3, parts.data()) == fmi2OK);
        const auto address =
            std::uint64_t{static_cast<std::uint32_t>(parts[1])} << 32 | static_cast<std::uint32_t>(parts[0]);
        return {reinterpret_cast<const char*>(address), static_cast<std::size_t>(parts[2])};
    }
    std::string message()
    {
        const auto [at, size] = output();
        return size == 0 ? std::string() : std::string(at, size);
    }
    fmi2Status step() { return fmi2DoStep(component, time++, 1, fmi2True); }
    bool is_valid()
    {
        const fmi2ValueReference reference = echo::valid;
        fmi2Boolean value = fmi2False;
        REQUIRE(fmi2GetBoolean(component, &reference, 1, &value) == fmi2OK);
        return value == fmi2True;
    }

    Log log;
    fmi2CallbackFunctions callbacks{};
    fmi2Component component = nullptr;
    double time = 0;
};

using Lines = Log;

}  // namespace

TEST_CASE("fmi2: a message is read in the step and not behind it")
{
    Slave slave;
    REQUIRE(slave.start() == fmi2OK);
    CHECK(slave.message().empty());
    CHECK_FALSE(slave.is_valid());

    auto in = std::make_unique<std::string>(100, 'a');
    REQUIRE(slave.put(*in) == fmi2OK);
    REQUIRE(slave.step() == fmi2OK);
    in.reset();  // its life ends with the step
    CHECK(slave.message() == std::string(100, 'a'));
    CHECK(slave.is_valid());

    REQUIRE(slave.step() == fmi2OK);  // the address was not set again
    CHECK(slave.message().empty());
    CHECK_FALSE(slave.is_valid());
}

TEST_CASE("fmi2: an output lives until the second step after its own begins")
{
    Slave slave;
    REQUIRE(slave.start() == fmi2OK);
    std::pair<const char*, std::size_t> before;
    std::string expected;
    for (char c = 'a'; c <= 'z'; ++c) {
        const std::string in(50, c);
        REQUIRE(slave.put(in) == fmi2OK);
        REQUIRE(slave.step() == fmi2OK);
        if (c > 'a') CHECK(std::string(before.first, before.second) == expected);
        before = slave.output();
        expected = in;
        CHECK(std::string(before.first, before.second) == in);
    }
}

TEST_CASE("fmi2: nothing that is thrown reaches the importer")
{
    SECTION("at the start, with a percent sign that is none of printf")
    {
        Slave slave;
        CHECK(slave.set_text("fail to start").start() == fmi2Error);
        CHECK(slave.log == Lines{{fmi2Error, "it failed at 100 %"}});
    }
    SECTION("in a step, more than once")
    {
        Slave slave;
        REQUIRE(slave.set_text("fail to step").start() == fmi2OK);
        CHECK(slave.step() == fmi2Error);
        CHECK(slave.step() == fmi2Error);
        CHECK(slave.log == Lines{{fmi2Error, "no step"}, {fmi2Error, "no step"}});
    }
    SECTION("a number")
    {
        Slave slave;
        REQUIRE(slave.set_text("throw a number").start() == fmi2OK);
        CHECK(slave.step() == fmi2Error);
        CHECK(slave.log == Lines{{fmi2Error, "unknown exception"}});
    }
    SECTION("at the end")
    {
        Slave slave;
        REQUIRE(slave.set_text("fail to end").start() == fmi2OK);
        CHECK(fmi2Terminate(slave.component) == fmi2Error);
        CHECK(slave.log == Lines{{fmi2Error, "no end"}});
    }
    SECTION("and nobody listens")
    {
        Slave slave;
        auto deaf = fmi2Instantiate(nullptr, fmi2CoSimulation,
                                    fmu::instantiation_token(fmu::this_kind(), fmu::FmiVersion::fmi2).c_str(), nullptr,
                                    nullptr, fmi2False, fmi2False);
        REQUIRE(deaf != nullptr);
        CHECK(fmi2DoStep(deaf, 0, 1, fmi2True) == fmi2Error);
        fmi2FreeInstance(deaf);
    }
}

TEST_CASE("fmi2: sizes and addresses that no message has")
{
    Slave slave;
    REQUIRE(slave.start() == fmi2OK);
    REQUIRE(slave.put(0, 0, 5) == fmi2OK);
    CHECK(slave.step() == fmi2Error);
    REQUIRE(slave.put(16, 0, -1) == fmi2OK);
    CHECK(slave.step() == fmi2Error);
    CHECK(slave.log == Lines{{fmi2Error, "OSMPSensorViewIn.size is 5, but its address is 0"},
                             {fmi2Error, "OSMPSensorViewIn.size is -1, which is not the size of a message"}});
    REQUIRE(slave.put(0, 0, 0) == fmi2OK);
    CHECK(slave.step() == fmi2OK);
}

TEST_CASE("fmi2: what is asked at the wrong time or of the wrong variable is refused")
{
    Slave slave;
    const fmi2ValueReference number = echo::number, valid = echo::valid, out = echo::out_low, none = 99;
    fmi2Real value = 7;
    fmi2Integer part = 1;
    const fmi2Boolean flag = fmi2True;
    CHECK(fmi2SetReal(slave.component, &number, 1, &value) == fmi2OK);
    REQUIRE(slave.start() == fmi2OK);
    CHECK(fmi2SetReal(slave.component, &number, 1, &value) == fmi2Error);
    CHECK(fmi2SetBoolean(slave.component, &valid, 1, &flag) == fmi2Error);
    CHECK(fmi2SetInteger(slave.component, &out, 1, &part) == fmi2Error);
    CHECK(fmi2GetReal(slave.component, &none, 1, &value) == fmi2Error);
    CHECK(fmi2GetInteger(slave.component, &number, 1, &part) == fmi2Error);
    CHECK(fmi2EnterInitializationMode(slave.component) == fmi2Error);
    CHECK(fmi2DoStep(slave.component, 0, 0, fmi2True) == fmi2Error);
    CHECK(fmi2DoStep(slave.component, 1e300, 1, fmi2True) == fmi2Error);
    fmi2FMUstate state = nullptr;
    CHECK(fmi2GetFMUstate(slave.component, &state) == fmi2Error);
    CHECK(slave.log.size() == 9);
    CHECK(slave.log.front() ==
          std::pair<int, std::string>(fmi2Error, "number is fixed: set it before the initialization mode ends"));
    CHECK(slave.log.back() == std::pair<int, std::string>(fmi2Error, "fmi2GetFMUstate is not supported"));
    CHECK(fmi2DoStep(nullptr, 0, 1, fmi2True) == fmi2Error);
}

TEST_CASE("fmi2: reset brings the defaults back and ends what was begun")
{
    Slave slave;
    REQUIRE(slave.set_text("fail to step").start() == fmi2OK);
    REQUIRE(slave.put("message") == fmi2OK);
    REQUIRE(fmi2Reset(slave.component) == fmi2OK);
    const fmi2ValueReference text = echo::text;
    fmi2String value = nullptr;
    REQUIRE(fmi2GetString(slave.component, &text, 1, &value) == fmi2OK);
    CHECK(std::string(value) == "none");
    REQUIRE(slave.start() == fmi2OK);
    CHECK(slave.step() == fmi2OK);
    CHECK(slave.message().empty());
}

TEST_CASE("fmi2: the description of another binary is refused")
{
    const Slave slave("{00000000-0000-0000-0000-000000000000}");
    CHECK(slave.component == nullptr);
    REQUIRE(slave.log.size() == 1);
    CHECK(slave.log[0].second.starts_with("the GUID of the model description is not that of this binary, {"));
}
