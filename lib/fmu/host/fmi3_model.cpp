// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host/fmi_model.hpp"

#include <array>
#include <cmath>

#include <ositrace/error.hpp>

#include "lib/fmu/host/fmi_answer.hpp"

#include <fmi3Functions.h>

namespace ositrace::fmu {

namespace {

constexpr unsigned known_states = fmi3Fatal + 1;

std::string_view name_of(fmi3Status status) { return state_name(static_cast<unsigned>(status), known_states); }

void write_log(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category, fmi3String message)
{
    (*static_cast<const Log*>(environment))(log_line(name_of(status), category, message == nullptr ? "" : message));
}

using Setter = fmi3Status (*)(const ModelLibrary&, fmi3Instance, const HostParameter&);

/// The fmi3Set<Type> functions differ in the type of the value only.
template <class Number>
fmi3Status set_number(const ModelLibrary& library, fmi3Instance instance, const HostParameter& parameter)
{
    using Set = fmi3Status(fmi3Instance, const fmi3ValueReference[], size_t, const Number[], size_t);
    const auto name = "fmi3Set" + (parameter.type == "Enumeration" ? std::string("Int64") : parameter.type);
    Set* set = nullptr;
    library.find(set, name.c_str());
    const Number value =
        std::is_floating_point_v<Number> ? static_cast<Number>(parameter.real) : static_cast<Number>(parameter.integer);
    return set(instance, &parameter.reference, 1, &value, 1);
}

using Getter = fmi3Status (*)(const ModelLibrary&, fmi3Instance, const HostParameter&, double& value);

template <class Number>
fmi3Status get_number(const ModelLibrary& library, fmi3Instance instance, const HostParameter& variable, double& value)
{
    using Get = fmi3Status(fmi3Instance, const fmi3ValueReference[], size_t, Number[], size_t);
    const auto name = "fmi3Get" + (variable.type == "Enumeration" ? std::string("Int64") : variable.type);
    Get* get = nullptr;
    library.find(get, name.c_str());
    Number found{};
    const auto status = get(instance, &variable.reference, 1, &found, 1);
    value = static_cast<double>(found);
    return status;
}

fmi3Status set_text(const ModelLibrary& library, fmi3Instance instance, const HostParameter& parameter)
{
    fmi3SetStringTYPE* set = nullptr;
    library.find(set, "fmi3SetString");
    const char* const value = parameter.text.c_str();
    return set(instance, &parameter.reference, 1, &value, 1);
}

struct TypeRow {
    std::string_view type;
    Setter set;
    Getter get;
};

template <class Number>
constexpr TypeRow number_row(std::string_view type)
{
    return {type, set_number<Number>, get_number<Number>};
}

constexpr std::array<TypeRow, 13> types{
    number_row<fmi3Float64>("Float64"),  number_row<fmi3Float32>("Float32"),   number_row<fmi3Int8>("Int8"),
    number_row<fmi3UInt8>("UInt8"),      number_row<fmi3Int16>("Int16"),       number_row<fmi3UInt16>("UInt16"),
    number_row<fmi3Int32>("Int32"),      number_row<fmi3UInt32>("UInt32"),     number_row<fmi3Int64>("Int64"),
    number_row<fmi3UInt64>("UInt64"),    number_row<fmi3Int64>("Enumeration"), number_row<fmi3Boolean>("Boolean"),
    TypeRow{"String", set_text, nullptr}};

class Fmi3Model final : public FmiModel {
public:
    Fmi3Model(const ModelLibrary& library, const Log& log) : FmiModel(known_states, log), library_(library), log_(log)
    {
        library.find(instantiate_, "fmi3InstantiateCoSimulation");
        library.find(free_, "fmi3FreeInstance");
        library.find(enter_, "fmi3EnterInitializationMode");
        library.find(exit_, "fmi3ExitInitializationMode");
        library.find(terminate_, "fmi3Terminate");
        library.find(set_binary_, "fmi3SetBinary");
        library.find(get_binary_, "fmi3GetBinary");
        library.find(step_, "fmi3DoStep");
    }
    ~Fmi3Model() override
    {
        if (instance_ != nullptr && !abandoned_) free_(instance_);
    }

    void begin(const HostSetup& setup) override
    {
        const auto resources = setup.resources + "/";
        instance_ = instantiate_(setup.instance_name.c_str(), setup.token.c_str(), resources.c_str(), fmi3False,
                                 setup.verbose != 0, fmi3False, fmi3False, nullptr, 0, const_cast<Log*>(&log_),
                                 write_log, nullptr);
        if (instance_ == nullptr)
            throw Error(Cause::malformed, "could not be instantiated (fmi3InstantiateCoSimulation returned nothing)");
        for (const auto& parameter : setup.parameters) set_parameter(parameter);
        check(enter_(instance_, fmi3False, 0, setup.start_time, fmi3False, 0), "fmi3EnterInitializationMode");
    }
    void end_initialization() override { check(exit_(instance_), "fmi3ExitInitializationMode"); }

    void set(const HostBinary& binary, Bytes bytes) override
    {
        static constexpr fmi3Byte nothing = 0;
        const std::size_t size = bytes.size();
        const auto* const data = bytes.empty() ? &nothing : reinterpret_cast<fmi3Binary>(bytes.data());
        check(set_binary_(instance_, binary.references.data(), 1, &size, &data, 1),
              "fmi3SetBinary(" + binary.name + ")");
    }
    Claim get(const HostBinary& binary) override
    {
        std::size_t size = 0;
        fmi3Binary data = nullptr;
        check(get_binary_(instance_, binary.references.data(), 1, &size, &data, 1),
              "fmi3GetBinary(" + binary.name + ")");
        return {data, static_cast<std::int64_t>(size)};
    }

    double value(const HostParameter& variable) override
    {
        for (const auto& row : types) {
            if (row.type != variable.type || row.get == nullptr) continue;
            double value = 0;
            check(row.get(library_, instance_, variable, value), "fmi3Get" + variable.type + "(" + variable.text + ")");
            return value;
        }
        fail_parameter_type(variable);
    }

    void step(double from, double duration) override
    {
        fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
        fmi3Float64 reached = from + duration;
        check(step_(instance_, from, duration, fmi3True, &event, &terminate, &early, &reached), "fmi3DoStep");
        if (terminate) throw Error(Cause::cancelled, "requested the end of the simulation");
        if (early)
            throw Error(Cause::malformed, "returned early from fmi3DoStep, although early return is not allowed");
        if (event)
            throw Error(
                Cause::unsupported,
                "needs event handling after fmi3DoStep: it is stepped without event mode (eventModeUsed = false)");
        const std::string time = std::isnan(reached) ? "NaN" : "infinity";
        if (!std::isfinite(reached))
            throw Error(Cause::malformed, "returned " + time + " as the time that fmi3DoStep has reached");
        constexpr double rounded = 1e-6;
        if (std::abs(reached - (from + duration)) > rounded)
            answers.note("reached another time in fmi3DoStep than the end of the step");
    }
    void terminate() override { check(terminate_(instance_), "fmi3Terminate"); }

private:
    void check(fmi3Status status, std::string_view function) { answers.check(static_cast<unsigned>(status), function); }
    void set_parameter(const HostParameter& parameter)
    {
        for (const auto& row : types)
            if (row.type == parameter.type)
                return check(row.set(library_, instance_, parameter), "fmi3Set" + parameter.type);
        fail_parameter_type(parameter);
    }

    const ModelLibrary& library_;
    const Log& log_;
    fmi3Instance instance_ = nullptr;
    fmi3InstantiateCoSimulationTYPE* instantiate_ = nullptr;
    fmi3FreeInstanceTYPE* free_ = nullptr;
    fmi3EnterInitializationModeTYPE* enter_ = nullptr;
    fmi3ExitInitializationModeTYPE* exit_ = nullptr;
    fmi3TerminateTYPE* terminate_ = nullptr;
    fmi3SetBinaryTYPE* set_binary_ = nullptr;
    fmi3GetBinaryTYPE* get_binary_ = nullptr;
    fmi3DoStepTYPE* step_ = nullptr;
};

}  // namespace

std::unique_ptr<FmiModel> make_fmi3_model(const ModelLibrary& library, const Log& log)
{
    return std::make_unique<Fmi3Model>(library, log);
}

}  // namespace ositrace::fmu
