// SPDX-License-Identifier: MPL-2.0
// Source: FMI 2.0.4, FMI 3.0.2, OSMP 1.6.0.
#include "app/fmu/model_description.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include <ositrace/schema.hpp>
#include <ositrace/version.hpp>

#include "app/terminal/xml.hpp"

namespace ositrace::fmu {

namespace {

/// The shortest that is read as the same number again.
std::string text_of_number(double number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.17g", number);
    for (int digits = 1; digits < 17; ++digits) {
        std::array<char, 32> shorter{};
        std::snprintf(shorter.data(), shorter.size(), "%.*g", digits, number);
        if (std::stod(shorter.data()) == number) return shorter.data();
    }
    return text.data();
}

using app::XmlWriter;

constexpr std::string_view osmp_namespace = "http://xsd.pmsf.net/OSISensorModelPackaging";
constexpr std::string_view osmp_tool = "net.pmsf.osmp";
constexpr std::string_view osmp_version = "1.6.0";
constexpr std::array<std::string_view, 4> causality_names{"parameter", "input", "output", "calculatedParameter"};

std::string osi_version()
{
    const auto& version = Schema::built_in()->osi_version();
    return version ? version->to_string() : std::string("unknown");
}

/// OSMP registers no MIME type for FlatBuffers; our importer also reads this one.
std::string mime_type(const Variable& variable, Encoding encoding)
{
    std::string text = "application/x-open-simulation-interface; type=" + std::string(row_of(*variable.type).name) +
                       "; version=" + osi_version();
    return encoding == Encoding::protobuf ? text : text + "; encoding=" + std::string(row_of(encoding).name);
}

void begin_osmp(XmlWriter& xml, FmiVersion version)
{
    if (version == FmiVersion::fmi2)
        xml.begin("Tool").attribute("name", osmp_tool);
    else
        xml.begin("Annotation").attribute("type", osmp_tool);
    xml.attribute("xmlns:osmp", osmp_namespace);
}

void put_osmp_version(XmlWriter& xml, FmiVersion version)
{
    xml.begin(version == FmiVersion::fmi2 ? "VendorAnnotations" : "Annotations");
    begin_osmp(xml, version);
    xml.begin("osmp:osmp").attribute("version", osmp_version).attribute("osi-version", osi_version()).end().end().end();
}

void put_osmp_role(XmlWriter& xml, FmiVersion version, const Variable& variable, std::string_view role,
                   std::string_view mime)
{
    xml.begin("Annotations");
    begin_osmp(xml, version);
    xml.begin("osmp:osmp-binary-variable").attribute("name", variable.name).attribute("role", role);
    xml.attribute("mime-type", mime).end().end().end();
}

bool is_calculated(const Variable& variable) { return variable.causality == Causality::calculated_parameter; }

/// The attributes of all variables in both versions.
void put_attributes(XmlWriter& xml, const Variable& variable, std::string_view name, std::uint32_t reference)
{
    xml.attribute("name", name).attribute("valueReference", reference);
    xml.attribute("causality", causality_names.at(static_cast<std::size_t>(variable.causality)));
    xml.attribute("variability",
                  variable.causality == Causality::parameter || is_calculated(variable) ? "fixed" : "discrete");
    if (variable.causality != Causality::input)
        xml.attribute("initial", is_calculated(variable) ? "calculated" : "exact");
    if (!variable.description.empty()) xml.attribute("description", variable.description);
}

void put_fmi2_variable(XmlWriter& xml, const Variable& variable, Encoding encoding)
{
    static constexpr std::array<std::string_view, 5> types{"", "Boolean", "Integer", "Real", "String"};
    if (!variable.type) {
        xml.begin("ScalarVariable");
        put_attributes(xml, variable, variable.name, variable.reference);
        xml.begin(types.at(variable.start.index())).attribute("start", text_of(variable.start)).end().end();
        return;
    }
    static constexpr std::array<std::string_view, 3> roles{"base.lo", "base.hi", "size"};
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
        xml.begin("ScalarVariable");
        put_attributes(xml, variable, variable.name + "." + std::string(roles.at(i)), variable.reference - 2 + i);
        xml.begin("Integer");
        if (!is_calculated(variable)) xml.attribute("start", "0");
        xml.end();
        put_osmp_role(xml, FmiVersion::fmi2, variable, roles.at(i), mime_type(variable, encoding));
        xml.end();
    }
}

void put_fmi3_variable(XmlWriter& xml, const Variable& variable, Encoding encoding)
{
    static constexpr std::array<std::string_view, 5> types{"Binary", "Boolean", "Int32", "Float64", "String"};
    xml.begin(types.at(variable.start.index()));
    put_attributes(xml, variable, variable.name, variable.reference);
    if (variable.type) {
        const auto mime = mime_type(variable, encoding);
        xml.attribute("mimeType", mime);
        put_osmp_role(xml, FmiVersion::fmi3, variable, "full", mime);
        if (!is_calculated(variable)) xml.begin("Start").attribute("value", "").end();
    } else if (std::holds_alternative<std::string>(variable.start)) {
        xml.begin("Start").attribute("value", text_of(variable.start)).end();
    } else {
        xml.attribute("start", text_of(variable.start));
    }
    xml.end();
}

void put_variables(XmlWriter& xml, const FmuKind& kind, FmiVersion version)
{
    xml.begin("ModelVariables");
    for (const auto& variable : kind.variables.all())
        version == FmiVersion::fmi2 ? put_fmi2_variable(xml, variable, kind.encoding)
                                    : put_fmi3_variable(xml, variable, kind.encoding);
    if (version == FmiVersion::fmi3) {
        xml.begin("Float64").attribute("name", "time").attribute("valueReference", kind.variables.end_of_references());
        xml.attribute("causality", "independent").attribute("variability", "continuous").end();
    }
    xml.end();
}

/// The variables of one causality, FMI 2.0's parts of messages one by one, as `element`s of the model structure.
void put_unknowns(XmlWriter& xml, const FmuKind& kind, FmiVersion version, Causality causality,
                  std::string_view element)
{
    const bool fmi2 = version == FmiVersion::fmi2;
    for (const auto& variable : kind.variables.all()) {
        if (variable.causality != causality) continue;
        const std::uint32_t references = variable.type && fmi2 ? 3 : 1;
        for (std::uint32_t i = variable.reference + 1 - references; i <= variable.reference; ++i) {
            // FMI 2.0 counts variables from 1; they are in the order of their references.
            xml.begin(element).attribute(fmi2 ? "index" : "valueReference", fmi2 ? i + 1 : i);
            // Outputs change in a step alone, so at a communication point they depend on nothing.
            if (causality == Causality::output) xml.attribute("dependencies", "");
            xml.end();
        }
    }
}

void put_structure(XmlWriter& xml, const FmuKind& kind, FmiVersion version)
{
    const bool fmi2 = version == FmiVersion::fmi2;
    const bool calculates = std::ranges::any_of(kind.variables.all(), is_calculated);
    xml.begin("ModelStructure");
    if (fmi2) xml.begin("Outputs");
    put_unknowns(xml, kind, version, Causality::output, fmi2 ? "Unknown" : "Output");
    if (fmi2) xml.end();
    if (fmi2 && calculates) xml.begin("InitialUnknowns");
    put_unknowns(xml, kind, version, Causality::calculated_parameter, fmi2 ? "Unknown" : "InitialUnknown");
    if (fmi2 && calculates) xml.end();
    xml.end();
}

std::string description_with(const FmuKind& kind, FmiVersion version, std::string_view token)
{
    const bool fmi2 = version == FmiVersion::fmi2;
    XmlWriter xml;
    xml.begin("fmiModelDescription").attribute("fmiVersion", fmi2 ? "2.0" : "3.0").attribute("modelName", kind.name);
    xml.attribute(fmi2 ? "guid" : "instantiationToken", token).attribute("description", kind.description);
    xml.attribute("version", ositrace::version())
        .attribute("license", "MPL-2.0")
        .attribute("generationTool", "ositrace");
    xml.attribute("variableNamingConvention", "structured");
    xml.begin("CoSimulation")
        .attribute("modelIdentifier", kind.name)
        .attribute("canHandleVariableCommunicationStepSize", "true");
    if (fmi2) xml.attribute("canNotUseMemoryManagementFunctions", "true");
    xml.end().begin("LogCategories");
    for (const auto* category : {"logStatusWarning", "logStatusError"})
        xml.begin("Category").attribute("name", category).end();
    xml.end()
        .begin("DefaultExperiment")
        .attribute("startTime", "0")
        .attribute("stepSize", text_of(Value(kind.step_size)))
        .end();
    if (fmi2) put_osmp_version(xml, version);
    put_variables(xml, kind, version);
    put_structure(xml, kind, version);
    if (!fmi2) put_osmp_version(xml, version);
    return xml.end().document();
}

/// FNV-1a.
std::uint64_t hash_of(std::string_view text, std::uint64_t basis)
{
    for (const char c : text) basis = (basis ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return basis;
}

}  // namespace

std::string text_of(const Value& value)
{
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* count = std::get_if<std::int32_t>(&value)) return std::to_string(*count);
    if (const auto* number = std::get_if<double>(&value)) return text_of_number(*number);
    return std::get<std::string>(value);
}

std::string instantiation_token(const FmuKind& kind, FmiVersion version)
{
    const auto text = description_with(kind, version, "");
    const auto high = hash_of(text, 0xcbf29ce484222325U);
    const auto low = hash_of(text, high);
    std::array<char, 40> token{};
    std::snprintf(token.data(), token.size(), "{%08x-%04x-%04x-%04x-%012llx}", static_cast<unsigned>(high >> 32),
                  static_cast<unsigned>(high >> 16 & 0xffff), static_cast<unsigned>(high & 0xffff),
                  static_cast<unsigned>(low >> 48), static_cast<unsigned long long>(low & 0xffffffffffffU));
    return token.data();
}

std::string model_description(const FmuKind& kind, FmiVersion version)
{
    return description_with(kind, version, instantiation_token(kind, version));
}

namespace {

void put(XmlWriter& html, std::string_view element, std::string_view text) { html.begin(element).text(text).end(); }

void put_row(XmlWriter& html, std::string_view cell, std::initializer_list<std::string_view> texts)
{
    html.begin("tr");
    for (const auto text : texts) put(html, cell, text);
    html.end();
}

void put_table(XmlWriter& html, const FmuKind& kind, Causality causality, std::string_view title)
{
    bool begun = false;
    for (const auto& variable : kind.variables.all()) {
        if (variable.causality != causality) continue;
        if (!begun) {
            put(html, "h2", title);
            html.begin("table");
            put_row(html, "th", {"name", "default", "meaning"});
        }
        begun = true;
        put_row(html, "td", {variable.name, variable.type ? "nothing" : text_of(variable.start), variable.description});
    }
    if (begun) html.end();
}

}  // namespace

std::string documentation(const FmuKind& kind)
{
    XmlWriter html;
    html.begin("html").attribute("xmlns", "http://www.w3.org/1999/xhtml");
    html.begin("head");
    put(html, "title", kind.name);
    html.end().begin("body");
    put(html, "h1", kind.name);
    put(html, "p", std::string(kind.description) + ". From ositrace " + std::string(version()) + ", MPL-2.0.");
    put_table(html, kind, Causality::parameter, "Parameters");
    put_table(html, kind, Causality::calculated_parameter, "Calculated parameters");
    put_table(html, kind, Causality::input, "Inputs");
    put_table(html, kind, Causality::output, "Outputs");
    return html.end().end().document();
}

}  // namespace ositrace::fmu
