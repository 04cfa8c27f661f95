// SPDX-License-Identifier: MPL-2.0
#include "tests/fmu/echo_model.hpp"

#include <memory>
#include <stdexcept>

#include "app/fmu/fmu.hpp"

namespace ositrace::fmu {

namespace {

class Echo final : public Model {
public:
    explicit Echo(Ports& ports) : ports_(ports)
    {
        if (ports.text("text") == "fail to start") throw std::runtime_error("it failed at 100 %");
    }
    void step(Nanoseconds, Nanoseconds) override
    {
        if (ports_.text("text") == "fail to step") throw std::runtime_error("no step");
        if (ports_.text("text") == "throw a number") throw 42;
        const auto in = ports_.message(0);
        const auto copy = std::make_shared<std::vector<std::byte>>(in.begin(), in.end());
        ports_.put(1, *copy, copy);
    }
    void finish() override
    {
        if (ports_.text("text") == "fail to end") throw std::runtime_error("no end");
    }

private:
    Ports& ports_;
};

}  // namespace

const FmuKind& this_kind()
{
    static const FmuKind kind{
        .name = "Echo",
        .description = "returns what it gets",
        .step_size = 1,
        .variables = Variables()
                         .message(Causality::input, "OSMPSensorViewIn", MessageType::sensor_view)
                         .message(Causality::output, "OSMPSensorViewOut", MessageType::sensor_view)
                         .output("valid", false, "")
                         .parameter("text", std::string("none"), "")
                         .parameter("number", 2.5, "")
                         .parameter("count", std::int32_t{3}, "")
                         .parameter("flag", true, ""),
        .make = [](Ports& ports, Nanoseconds) { return std::make_unique<Echo>(ports); }};
    return kind;
}

}  // namespace ositrace::fmu
