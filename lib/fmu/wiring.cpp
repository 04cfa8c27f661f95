// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/wiring.hpp"

#include <algorithm>
#include <set>

#include <ositrace/error.hpp>

#include "lib/fmu/parameters.hpp"

namespace ositrace::fmu {

namespace {

class Wiring {
public:
    Wiring(const TraceInfo& trace, const FmuDescription& model) : trace_(trace), model_(model) {}

    void connect_named(const std::string& topic, const std::string& variable)
    {
        const auto channel = std::ranges::find(trace_.channels, topic, &Channel::topic);
        if (channel == trace_.channels.end())
            throw Error(Cause::mismatch, "cannot be connected to the topic '" + topic + "', which is not in the trace" +
                                             names_like(topic, topics()));
        const auto binary = std::ranges::find(model_.binaries, variable, &FmuBinaryVariable::name);
        if (binary == model_.binaries.end() || binary->causality != FmuCausality::input)
            throw Error(Cause::mismatch, "has no input '" + variable + "' to connect" + names_like(variable, inputs()));
        if (channel->type != binary->type)
            throw Error(Cause::mismatch, "takes " + std::string(row_of(binary->type).name) + " in " + variable +
                                             ", the topic '" + topic + "' holds " + type_name(*channel) +
                                             advice(*channel, *binary));
        if (is_connected(channel_place(*channel)) || has_channel(binary_place(*binary)))
            throw Error(Cause::usage, "cannot connect '" + topic + "=" + variable +
                                          "': the topic or the variable is already connected");
        add(*channel, *binary);
    }

    void connect_by_name()
    {
        connect_where([](const Channel& channel, const FmuBinaryVariable& binary) {
            return channel.type == binary.type &&
                   (channel.topic == binary.name || channel.topic.ends_with("." + binary.name));
        });
    }
    void connect_by_type()
    {
        connect_where(
            [](const Channel& channel, const FmuBinaryVariable& binary) { return channel.type == binary.type; });
    }

    [[nodiscard]] std::vector<Wire> take()
    {
        if (wires_.empty() && !inputs().empty()) fail_nothing_fits();
        return std::move(wires_);
    }

private:
    template <class Fits>
    void connect_where(Fits&& fits)
    {
        for (const auto& channel : trace_.channels) {
            for (const auto& binary : model_.binaries) {
                if (binary.causality != FmuCausality::input || is_connected(channel_place(channel)) ||
                    has_channel(binary_place(binary)))
                    continue;
                if (fits(channel, binary)) add(channel, binary);
            }
        }
    }

    [[noreturn]] void fail_nothing_fits() const
    {
        std::set<std::string> held;
        std::string hint;
        for (const auto& channel : trace_.channels) {
            held.insert(type_name(channel));
            for (const auto& binary : model_.binaries)
                if (hint.empty() && binary.causality == FmuCausality::input) hint = advice(channel, binary);
        }
        std::string list;
        for (const auto& name : held) list += (list.empty() ? "" : ", ") + name;
        throw Error(Cause::mismatch,
                    "takes " + input_types() + ", the trace holds " + (list.empty() ? "nothing" : list) + hint);
    }

    static std::string advice(const Channel& channel, const FmuBinaryVariable& binary)
    {
        if (channel.type == MessageType::ground_truth && binary.type == MessageType::sensor_view)
            return ". Wrap it first: osiconvert wrap gt2sv IN -o OUT";
        if (channel.type == MessageType::sensor_view && binary.type == MessageType::ground_truth)
            return ". Unwrap it first: osiconvert wrap sv2gt IN -o OUT";
        return "";
    }

    static std::string type_name(const Channel& channel)
    {
        return channel.type                ? std::string(row_of(*channel.type).name)
               : channel.type_name.empty() ? "foreign data"
                                           : channel.type_name;
    }
    [[nodiscard]] std::string input_types() const
    {
        std::string list;
        for (const auto& binary : model_.binaries)
            if (binary.causality == FmuCausality::input)
                list += (list.empty() ? "" : ", ") + std::string(row_of(binary.type).name) + " (" + binary.name + ")";
        return list;
    }
    [[nodiscard]] std::vector<std::string> topics() const
    {
        std::vector<std::string> found;
        for (const auto& channel : trace_.channels) found.push_back(channel.topic);
        return found;
    }
    [[nodiscard]] std::vector<std::string> inputs() const
    {
        std::vector<std::string> found;
        for (const auto& binary : model_.binaries)
            if (binary.causality == FmuCausality::input) found.push_back(binary.name);
        return found;
    }

    [[nodiscard]] std::uint32_t channel_place(const Channel& channel) const
    {
        return static_cast<std::uint32_t>(&channel - trace_.channels.data());
    }
    [[nodiscard]] std::size_t binary_place(const FmuBinaryVariable& binary) const
    {
        return static_cast<std::size_t>(&binary - model_.binaries.data());
    }
    [[nodiscard]] bool is_connected(std::uint32_t channel) const
    {
        return std::ranges::find(wires_, channel, &Wire::channel) != wires_.end();
    }
    [[nodiscard]] bool has_channel(std::size_t binary) const
    {
        return std::ranges::find(wires_, binary, &Wire::binary) != wires_.end();
    }
    void add(const Channel& channel, const FmuBinaryVariable& binary)
    {
        wires_.push_back({channel_place(channel), binary_place(binary)});
    }

    const TraceInfo& trace_;
    const FmuDescription& model_;
    std::vector<Wire> wires_;
};

}  // namespace

std::vector<Wire> connect(const TraceInfo& trace, const FmuDescription& model,
                          const std::map<std::string, std::string>& connections)
{
    Wiring wiring(trace, model);
    for (const auto& [topic, variable] : connections) wiring.connect_named(topic, variable);
    wiring.connect_by_name();
    wiring.connect_by_type();
    return wiring.take();
}

}  // namespace ositrace::fmu
