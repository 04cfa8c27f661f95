// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/fmi_model.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include <ositrace/error.hpp>

#include "lib/fmu/host/fmi_answer.hpp"

#include <fmi2Functions.h>

namespace ositrace::fmu {

namespace {

constexpr unsigned known_fmi2_states = fmi2Pending + 1;

std::string_view name_of(fmi2Status status) { return state_name(static_cast<unsigned>(status), known_fmi2_states); }

/// RFC 8089, as FMI 2.0 requires: `file:///tmp/x`, `file:///C:/Users/J%C3%B6rg/x`
std::string file_uri(std::string_view path)
{
    constexpr std::string_view unescaped = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:",
                               digits = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "file:///";
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (unescaped.find(c) != unescaped.npos)
            uri += c;
        else
            uri.append(1, '%').append(1, digits[byte >> 4]).append(1, digits[byte & 0xF]);
    }
    return uri;
}

std::string format(const char* message, std::va_list arguments)
{
    if (message == nullptr) return {};
    std::array<char, 4096> text{};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // the format string is the model's
    std::vsnprintf(text.data(), text.size(), message, arguments);
#pragma GCC diagnostic pop
    return text.data();
}

void write_log(fmi2ComponentEnvironment environment, fmi2String, fmi2Status status, fmi2String category,
               fmi2String message, ...)
{
    std::va_list arguments;
    va_start(arguments, message);
    const auto text = format(message, arguments);
    va_end(arguments);
    (*static_cast<const Log*>(environment))(log_line(name_of(status), category, text));
}

class Fmi2Model final : public FmiModel {
public:
    Fmi2Model(const ModelLibrary& library, const Log& log)
        : FmiModel(known_fmi2_states, log),
          library_(library),
          callbacks_{.logger = write_log,
                     .allocateMemory = std::calloc,
                     .freeMemory = std::free,
                     .stepFinished = nullptr,
                     .componentEnvironment = const_cast<Log*>(&log)}
    {
        library.find(instantiate_, "fmi2Instantiate");
        library.find(free_, "fmi2FreeInstance");
        library.find(setup_, "fmi2SetupExperiment");
        library.find(enter_, "fmi2EnterInitializationMode");
        library.find(exit_, "fmi2ExitInitializationMode");
        library.find(terminate_, "fmi2Terminate");
        library.find(set_real_, "fmi2SetReal");
        library.find(set_integer_, "fmi2SetInteger");
        library.find(set_boolean_, "fmi2SetBoolean");
        library.find(set_string_, "fmi2SetString");
        library.find(get_integer_, "fmi2GetInteger");
        library.find(step_, "fmi2DoStep");
    }
    ~Fmi2Model() override
    {
        if (instance_ != nullptr && !abandoned_) free_(instance_);
    }

    void begin(const HostSetup& setup) override
    {
        const auto resources = file_uri(setup.resources);
        instance_ = instantiate_(setup.instance_name.c_str(), fmi2CoSimulation, setup.token.c_str(), resources.c_str(),
                                 &callbacks_, fmi2False, setup.verbose != 0 ? fmi2True : fmi2False);
        if (instance_ == nullptr)
            throw Error(Cause::malformed, "could not be instantiated (fmi2Instantiate returned nothing)");
        check(setup_(instance_, fmi2False, 0, setup.start_time, fmi2False, 0), "fmi2SetupExperiment");
        for (const auto& parameter : setup.parameters) set_parameter(parameter);
        check(enter_(instance_), "fmi2EnterInitializationMode");
    }
    void end_initialization() override { check(exit_(instance_), "fmi2ExitInitializationMode"); }

    void set(const HostBinary& binary, Bytes bytes) override
    {
        const auto address = bytes.empty() ? 0 : reinterpret_cast<std::uintptr_t>(bytes.data());
        const std::array<fmi2Integer, 3> values{static_cast<fmi2Integer>(address & 0xffff'ffff),
                                                static_cast<fmi2Integer>(address >> 32),
                                                static_cast<fmi2Integer>(bytes.size())};
        check(set_integer_(instance_, binary.references.data(), values.size(), values.data()),
              "fmi2SetInteger(" + binary.name + ")");
    }
    Claim get(const HostBinary& binary) override
    {
        std::array<fmi2Integer, 3> values{};
        check(get_integer_(instance_, binary.references.data(), values.size(), values.data()),
              "fmi2GetInteger(" + binary.name + ")");
        const auto address =
            std::uint64_t{static_cast<std::uint32_t>(values[1])} << 32 | static_cast<std::uint32_t>(values[0]);
        return {reinterpret_cast<const void*>(address), values[2]};
    }

    double value(const HostParameter& variable) override
    {
        if (variable.type == "Real") return number<fmi2Real>("fmi2GetReal", variable);
        if (variable.type == "Boolean") return number<fmi2Boolean>("fmi2GetBoolean", variable);
        return number<fmi2Integer>("fmi2GetInteger", variable);
    }

    void step(double from, double duration) override
    {
        check(step_(instance_, from, duration, fmi2True), "fmi2DoStep");
    }
    void terminate() override { check(terminate_(instance_), "fmi2Terminate"); }

private:
    void check(fmi2Status status, std::string_view function) { answers.check(static_cast<unsigned>(status), function); }
    template <class Number>
    double number(const char* name, const HostParameter& variable)
    {
        fmi2Status (*function)(fmi2Component, const fmi2ValueReference[], std::size_t, Number[]) = nullptr;
        library_.find(function, name);
        Number found{};
        check(function(instance_, &variable.reference, 1, &found), std::string(name) + "(" + variable.text + ")");
        return static_cast<double>(found);
    }
    void set_parameter(const HostParameter& parameter)
    {
        const auto integer = static_cast<fmi2Integer>(parameter.integer);
        const auto* const text = parameter.text.c_str();
        fmi2Status status = fmi2OK;
        if (parameter.type == "Real")
            status = set_real_(instance_, &parameter.reference, 1, &parameter.real);
        else if (parameter.type == "Boolean")
            status = set_boolean_(instance_, &parameter.reference, 1, &integer);
        else if (parameter.type == "String")
            status = set_string_(instance_, &parameter.reference, 1, &text);
        else if (parameter.type == "Integer" || parameter.type == "Enumeration")
            status = set_integer_(instance_, &parameter.reference, 1, &integer);
        else
            fail_parameter_type(parameter);
        check(status, "fmi2Set" + parameter.type);
    }

    const ModelLibrary& library_;
    fmi2CallbackFunctions callbacks_;  // the instance refers to it
    fmi2Component instance_ = nullptr;
    fmi2InstantiateTYPE* instantiate_ = nullptr;
    fmi2FreeInstanceTYPE* free_ = nullptr;
    fmi2SetupExperimentTYPE* setup_ = nullptr;
    fmi2EnterInitializationModeTYPE* enter_ = nullptr;
    fmi2ExitInitializationModeTYPE* exit_ = nullptr;
    fmi2TerminateTYPE* terminate_ = nullptr;
    fmi2SetRealTYPE* set_real_ = nullptr;
    fmi2SetIntegerTYPE* set_integer_ = nullptr;
    fmi2SetBooleanTYPE* set_boolean_ = nullptr;
    fmi2SetStringTYPE* set_string_ = nullptr;
    fmi2GetIntegerTYPE* get_integer_ = nullptr;
    fmi2DoStepTYPE* step_ = nullptr;
};

}  // namespace

std::unique_ptr<FmiModel> make_fmi2_model(const ModelLibrary& library, const Log& log)
{
    return std::make_unique<Fmi2Model>(library, log);
}

}  // namespace ositrace::fmu
