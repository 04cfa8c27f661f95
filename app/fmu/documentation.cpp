// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/model_description.hpp"

#include <initializer_list>
#include <string_view>

#include <ositrace/version.hpp>

#include "app/terminal/xml.hpp"

namespace ositrace::fmu {

namespace {

using app::XmlWriter;

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
