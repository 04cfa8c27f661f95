// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/model_description.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <pugixml.hpp>

#include <ositrace/error.hpp>
#include <ositrace/trace_metadata.hpp>

#include "lib/fmu/fmu_archive.hpp"
#include "lib/fmu/host/exchange.hpp"

namespace ositrace::fmu {

namespace {

std::string_view trimmed(std::string_view text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return text;
}

std::string_view next_part(std::string_view& text)
{
    const auto end = std::min(text.find(';'), text.size());
    const auto part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

bool same_word(std::string_view a, std::string_view b)
{
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::optional<MessageType> type_named(std::string_view name)
{
    for (const auto& row : message_types())
        if (row.name == name || row.full_name == name) return row.type;
    return std::nullopt;
}

void read_mime_parameter(std::string_view name, std::string_view value, OsiMimeType& to)
{
    if (same_word(name, "type")) {
        to.type_name = value;
        to.type = type_named(value);
    } else if (same_word(name, "version")) {
        to.version = release_in(value);
    } else if (same_word(name, "encoding")) {
        const auto encoding = encoding_named(value);
        if (!encoding)
            throw Error(Cause::unsupported,
                        "unknown encoding '" + std::string(value) + "' (known: protobuf, flatbuffers)");
        to.format.encoding = *encoding;
    } else if (same_word(name, "layout")) {
        const auto layout = layout_named(value);
        if (!layout)
            throw Error(Cause::unsupported, "unknown layout '" + std::string(value) + "' (known: numbered, declared)");
        to.format.layout = *layout;
    }
}

}  // namespace

std::optional<OsiMimeType> read_osi_mime_type(std::string_view text)
{
    if (!same_word(next_part(text), "application/x-open-simulation-interface")) return std::nullopt;
    OsiMimeType found;
    while (!text.empty()) {
        const auto part = next_part(text);
        const auto equals = std::min(part.find('='), part.size());
        auto value = trimmed(part.substr(std::min(equals + 1, part.size())));
        if (value.size() > 1 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        read_mime_parameter(trimmed(part.substr(0, equals)), value, found);
    }
    if (found.format.encoding == Encoding::protobuf) found.format.layout = Layout::numbered;
    return found;
}

namespace {

constexpr std::string_view osmp_tool = "net.pmsf.osmp";

[[noreturn]] void fail(std::string_view reason, Cause cause = Cause::malformed) { throw Error(cause, reason); }

std::string_view attribute_of(const pugi::xml_node& node, const char* attribute)
{
    return node.attribute(attribute).value();
}

/// Without its namespace prefix, which a writer is free to choose.
std::string_view local_name(const pugi::xml_node& node)
{
    const std::string_view name = node.name();
    const auto colon = name.rfind(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// Calls `visit` with the OSMP elements below <Tool name="net.pmsf.osmp"> (FMI 2) or <Annotation type="net.pmsf.osmp">
/// (FMI 3).
template <class Visit>
void for_each_osmp_element(const pugi::xml_node& annotations, std::string_view name, Visit&& visit)
{
    for (const auto& tool : annotations.children()) {
        if (attribute_of(tool, "name") != osmp_tool && attribute_of(tool, "type") != osmp_tool) continue;
        for (const auto& element : tool.children())
            if (local_name(element) == name) visit(element);
    }
}

struct CausalityRow {
    std::string_view name;
    FmuCausality causality;
};

constexpr std::array<CausalityRow, 7> causalities{{{"parameter", FmuCausality::parameter},
                                                   {"calculatedParameter", FmuCausality::calculated_parameter},
                                                   {"input", FmuCausality::input},
                                                   {"output", FmuCausality::output},
                                                   {"local", FmuCausality::local},
                                                   {"independent", FmuCausality::independent},
                                                   {"structuralParameter", FmuCausality::structural_parameter}}};

FmuCausality causality_of(const pugi::xml_node& variable)
{
    const auto row = std::ranges::find(causalities, attribute_of(variable, "causality"), &CausalityRow::name);
    return row == causalities.end() ? FmuCausality::local : row->causality;
}

std::uint32_t reference_of(const pugi::xml_node& variable)
{
    const auto number = variable.attribute("valueReference").as_ullong(std::numeric_limits<unsigned long long>::max());
    if (number > std::numeric_limits<std::uint32_t>::max())
        fail("the variable '" + std::string(attribute_of(variable, "name")) + "' has no valueReference");
    return static_cast<std::uint32_t>(number);
}

/// In FMI 2 the element inside <ScalarVariable> is the type, in FMI 3 the variable's own.
FmuVariable read_variable(const pugi::xml_node& node, int fmi_version)
{
    FmuVariable variable{.name = std::string(attribute_of(node, "name")),
                         .causality = causality_of(node),
                         .reference = reference_of(node)};
    auto typed = node;
    if (fmi_version == 2)
        for (typed = node.first_child();
             typed && (typed.type() != pugi::node_element || local_name(typed) == "Annotations");)
            typed = typed.next_sibling();
    variable.type = local_name(typed);
    variable.start = attribute_of(typed, "start");
    if (variable.start.empty())
        variable.start = attribute_of(typed.child("Start"), "value");  // String and Binary in FMI 3
    return variable;
}

/// Collects the parts of binary variables; their order is that of the first part.
class BinaryParts {
public:
    explicit BinaryParts(FmuDescription& to) : to_(to) {}

    void add(const pugi::xml_node& element, const FmuVariable& variable)
    {
        const std::string name(attribute_of(element, "name").empty() ? std::string_view(variable.name)
                                                                     : attribute_of(element, "name"));
        add(name, attribute_of(element, "role"), attribute_of(element, "mime-type"), variable);
    }

    void add(const std::string& name, std::string_view role, std::string_view mime_type, const FmuVariable& variable)
    {
        const auto place = std::ranges::find(roles, role);
        const auto part = static_cast<std::size_t>(place - roles.begin());
        if (place == roles.end() || (role == "full") != (to_.fmi_version == 3))
            fail("the variable '" + variable.name + "' has the OSMP role '" + std::string(role) + "', which FMI " +
                 std::to_string(to_.fmi_version) + " does not define");
        auto* const binary = find_or_add(name, mime_type, variable);
        if (binary == nullptr) return;
        if (binary->causality != variable.causality) fail("the parts of '" + name + "' differ in causality");
        const auto slot = part % full;
        auto& seen = seen_[static_cast<std::size_t>(binary - to_.binaries.data())];
        if ((seen & 1U << slot) != 0) fail("'" + name + "' has two variables of role '" + std::string(role) + "'");
        seen |= 1U << slot;
        binary->references[slot] = variable.reference;
    }

    void check_complete() const
    {
        const auto needed = to_.fmi_version == 2 ? 0b111U : 0b001U;
        for (std::size_t i = 0; i < seen_.size(); ++i)
            for (std::size_t part = 0; part < full; ++part)
                if ((needed & ~seen_[i] & 1U << part) != 0)
                    fail("'" + to_.binaries[i].name + "' has no variable of role '" + std::string(roles[part]) + "'");
    }

private:
    static constexpr std::size_t full = 3;
    static constexpr std::array<std::string_view, 4> roles{"base.lo", "base.hi", "size", "full"};

    /// Null for one that carries no message of ours.
    FmuBinaryVariable* find_or_add(const std::string& name, std::string_view mime_type, const FmuVariable& variable)
    {
        if (const auto known = places_.find(name); known != places_.end())
            return known->second ? &to_.binaries[*known->second] : nullptr;
        const auto mime = read_osi_mime_type(mime_type);
        if (!mime) return nullptr;
        if (places_.size() == max_binaries)
            fail("the number of variables for OSI messages exceeds the limit of " + std::to_string(max_binaries),
                 Cause::limit);
        if (!mime->type) {
            places_.emplace(name, std::nullopt);
            to_.unknown.push_back({name, variable.causality, std::string(mime_type)});
            return nullptr;
        }
        places_.emplace(name, to_.binaries.size());
        to_.binaries.push_back({.name = name,
                                .causality = variable.causality,
                                .mime_type = std::string(mime_type),
                                .type = *mime->type,
                                .version = mime->version,
                                .format = mime->format});
        seen_.push_back(0);
        return &to_.binaries.back();
    }

    FmuDescription& to_;
    std::map<std::string, std::optional<std::size_t>>
        places_;                  ///< in FmuDescription::binaries, by name; empty: a message that is not known
    std::vector<unsigned> seen_;  ///< bits by place in `roles`
};

void read_variables(const pugi::xml_node& list, FmuDescription& to)
{
    BinaryParts parts(to);
    std::set<std::string_view> names;  // in the document
    for (const auto& node : list.children()) {
        if (node.type() != pugi::node_element) continue;
        if (const auto name = attribute_of(node, "name"); !names.insert(name).second)
            fail("two variables have the name '" + std::string(name) + "'");
        const auto& variable = to.variables.emplace_back(read_variable(node, to.fmi_version));
        bool annotated = false;
        for_each_osmp_element(node.child("Annotations"), "osmp-binary-variable", [&](const pugi::xml_node& element) {
            parts.add(element, variable);
            annotated = true;
        });
        // FMI 3 gives a Binary its MIME type itself.
        if (!annotated && variable.type == "Binary")
            parts.add(variable.name, "full", attribute_of(node, "mimeType"), variable);
    }
    parts.check_complete();
}

void check_identifier(std::string_view identifier)
{
    const auto fits = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
    };
    if (identifier.empty() || identifier.front() == '.' || !std::ranges::all_of(identifier, fits))
        fail("the modelIdentifier '" + std::string(identifier) + "' cannot be the name of a library");
}

/// Empty where it is not a time of 1 ns or more.
std::optional<Nanoseconds> default_step_of(const pugi::xml_node& root)
{
    constexpr double shortest = 1e-9, longest = 1e9;
    const auto seconds = root.child("DefaultExperiment").attribute("stepSize").as_double();
    if (!(seconds >= shortest && seconds <= longest)) return std::nullopt;
    return Nanoseconds(std::llround(seconds * 1e9));
}

int fmi_version_of(const pugi::xml_node& root)
{
    const auto version = attribute_of(root, "fmiVersion");
    if (version.starts_with("2.")) return 2;
    if (version.starts_with("3.")) return 3;
    fail("FMI version '" + std::string(version) + "' (known: 2.0, 3.0)", Cause::unsupported);
}

}  // namespace

FmuDescription read_model_description(std::string_view xml)
{
    // pugixml knows no entities but those of characters, so nothing grows; what it builds is bounded by the length of
    // the text.
    pugi::xml_document document;
    const auto parsed = document.load_buffer(xml.data(), xml.size());
    if (!parsed)
        throw Error(Cause::malformed, {.offset = static_cast<std::uint64_t>(parsed.offset)}, parsed.description());
    const auto root = document.child("fmiModelDescription");
    if (!root) fail("the root element is not fmiModelDescription");

    FmuDescription found;
    found.fmi_version = fmi_version_of(root);
    const auto co_simulation = root.child("CoSimulation");
    if (!co_simulation)
        fail("it has no co-simulation interface: a model that is to be stepped needs one", Cause::unsupported);
    found.model_name = attribute_of(root, "modelName");
    found.description = attribute_of(root, "description");
    found.model_identifier = attribute_of(co_simulation, "modelIdentifier");
    found.variable_steps = co_simulation.attribute("canHandleVariableCommunicationStepSize").as_bool();
    found.needs_execution_tool = co_simulation.attribute("needsExecutionTool").as_bool();
    found.default_step = default_step_of(root);
    check_identifier(found.model_identifier);
    found.token = attribute_of(root, found.fmi_version == 2 ? "guid" : "instantiationToken");
    const auto annotations = root.child(found.fmi_version == 2 ? "VendorAnnotations" : "Annotations");
    for_each_osmp_element(annotations, "osmp", [&](const pugi::xml_node& element) {
        found.osmp_version = attribute_of(element, "version");
    });
    read_variables(root.child("ModelVariables"), found);
    return found;
}

}  // namespace ositrace::fmu

namespace ositrace {

FmuDescription read_fmu_description(const std::filesystem::path& fmu)
{
    constexpr auto name = "modelDescription.xml";
    const auto xml = fmu::FmuArchive(fmu).read(name, fmu::max_description_bytes);
    try {
        auto description = fmu::read_model_description(xml);
        description.file = fmu;
        return description;
    } catch (const Error& e) {
        throw e.within({.file = fmu, .field = name});
    }
}

}  // namespace ositrace
