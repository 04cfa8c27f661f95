// SPDX-License-Identifier: MPL-2.0
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/rules.hpp>

#include "formats/schema_text/comments.hpp"
#include "lib/check/rule_text.hpp"

namespace ositrace {

/// Builds a RuleSet, which is immutable.
class RuleSetBuilder {
public:
    explicit RuleSetBuilder(std::string osi_version);
    void add(std::string_view message, std::string_view field, std::string_view line);
    [[nodiscard]] bool empty() const noexcept { return set_->rules_.empty(); }
    [[nodiscard]] std::shared_ptr<const RuleSet> finish() { return std::move(set_); }

private:
    std::shared_ptr<RuleSet> set_;
};

namespace {

constexpr std::string_view rules_version_key = "version: ";
constexpr std::string_view package = "osi3.";

/// The lines between `\rules` and `\endrules`.
std::vector<std::string> rule_lines(std::string_view comment)
{
    std::vector<std::string> lines;
    bool inside = false;
    for (const auto& line : comment_lines(comment)) {
        const auto begin = line.find_first_not_of(" \t");
        const auto text = begin == std::string::npos ? std::string() : line.substr(begin);
        if (text == "\\rules")
            inside = true;
        else if (text == "\\endrules")
            inside = false;
        else if (inside && !text.empty())
            lines.push_back(text);
    }
    return lines;
}

std::string lower(std::string_view text)
{
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

void add_line(RuleSetBuilder& to, std::string_view line, std::size_t number)
{
    const auto colon = line.find(": ");
    const auto dot = line.rfind('.', colon);
    if (colon == std::string_view::npos || dot == std::string_view::npos)
        throw Error(Cause::malformed, "line " + std::to_string(number) + ": expected Message.field: rule");
    to.add(line.substr(0, dot), line.substr(dot + 1, colon - dot - 1), line.substr(colon + 2));
}

}  // namespace

RuleSetBuilder::RuleSetBuilder(std::string osi_version) : set_(std::make_shared<RuleSet>())
{
    set_->osi_version_ = std::move(osi_version);
}

void RuleSetBuilder::add(std::string_view message, std::string_view field, std::string_view line)
{
    auto rule = parse_rule(line);
    rule.message = message;
    rule.field = field;
    rule.id = "asam.net:osi:" + set_->osi_version_ + ":osirules." + lower(message) + "." + lower(field) + "." +
              rule_name(line);
    set_->rules_.push_back(std::move(rule));
}

std::shared_ptr<const RuleSet> RuleSet::from_descriptor_set(Bytes descriptor_set)
{
    const auto schema = Schema::compile(descriptor_set);
    const SchemaComments comments(descriptor_set);
    RuleSetBuilder builder(schema->osi_version() ? schema->osi_version()->to_string() : "3.8.0");
    for (const auto& table : schema->messages()) {
        if (!table->full_name.starts_with(package)) continue;
        for (const auto place : table->declared_order) {
            const auto field = table->fields[place].name;
            for (const auto& line : rule_lines(comments.of(table->full_name, field)))
                builder.add(table->full_name.substr(package.size()), field, line);
        }
    }
    if (builder.empty())
        throw Error(Cause::unsupported,
                    "has no rules: the descriptor set has lost its comments (protoc --include_source_info)");
    return builder.finish();
}

std::shared_ptr<const RuleSet> RuleSet::from_text(std::string_view text)
{
    std::string version = "3.8.0";
    if (const auto at = text.find(rules_version_key);
        at == 0 || (at != std::string_view::npos && text[at - 1] == '\n')) {
        const auto begin = at + rules_version_key.size();
        version = text.substr(begin, text.find('\n', begin) - begin);
    }
    RuleSetBuilder builder(version);
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.empty() && line.front() != '#' && !line.starts_with(rules_version_key))
            add_line(builder, line, number);
    }
    return builder.finish();
}

std::string RuleSet::to_text() const
{
    std::string text = std::string(rules_version_key) + osi_version_ + '\n';
    for (const auto& rule : rules_) text += rule.message + '.' + rule.field + ": " + rule.text + '\n';
    return text;
}

}  // namespace ositrace
