// SPDX-License-Identifier: MPL-2.0
// A step of the build: what the comments of a descriptor set say, as lib/field_docs/doc_text.hpp or
// lib/check/rule_text.hpp gives it. usage: extract_comments docs|rules SET.desc OUTPUT
#include <zstd.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include <ositrace/rules.hpp>
#include <ositrace/schema.hpp>

#include "formats/schema_text/comments.hpp"
#include "lib/field_docs/doc_text.hpp"

namespace {

class Entries {
public:
    explicit Entries(const ositrace::SchemaComments& comments) : comments_(comments) {}

    void add(const std::string& name)
    {
        const auto doc = ositrace::doc_text(ositrace::comment_lines(comments_.of(name)));
        if (doc.comment.empty() && doc.unit.empty() && doc.rules.empty()) return;
        for (const auto* const part : {&name, &doc.comment, &doc.unit}) text_.append(*part) += ositrace::doc_field_end;
        text_.append(doc.rules) += ositrace::doc_entry_end;
    }

    [[nodiscard]] std::string packed() const
    {
        constexpr int level = 19;
        std::string packed(ZSTD_compressBound(text_.size()), '\0');
        const auto size = ZSTD_compress(packed.data(), packed.size(), text_.data(), text_.size(), level);
        if (ZSTD_isError(size)) throw std::runtime_error(ZSTD_getErrorName(size));
        packed.resize(size);
        return packed;
    }

private:
    const ositrace::SchemaComments& comments_;
    std::string text_;
};

std::string packed_docs(ositrace::Bytes set)
{
    const auto schema = ositrace::Schema::compile(set);
    const ositrace::SchemaComments comments(set);
    Entries entries(comments);
    for (const auto& table : schema->messages()) {
        if (!table->full_name.starts_with("osi3.")) continue;
        entries.add(std::string(table->full_name));
        for (const auto& field : table->fields)
            entries.add(std::string(table->full_name) + '.' + std::string(field.name));
    }
    for (const auto& table : schema->enums()) {
        if (!table->full_name.starts_with("osi3.")) continue;
        entries.add(std::string(table->full_name));
        for (const auto& value : table->values)
            entries.add(std::string(table->full_name) + '.' + std::string(value.name));
    }
    return entries.packed();
}

std::string extracted(std::string_view kind, ositrace::Bytes set)
{
    if (kind == "docs") return packed_docs(set);
    if (kind == "rules") return ositrace::RuleSet::from_descriptor_set(set)->to_text();
    throw std::runtime_error("expected docs or rules");
}

}  // namespace

int main(int count, char** arguments)
try {
    if (count != 4) throw std::runtime_error("usage: extract_comments docs|rules SET.desc OUTPUT");
    std::ifstream in(arguments[2], std::ios::binary);
    const std::string set{std::istreambuf_iterator<char>(in), {}};
    if (!in) throw std::runtime_error(std::string(arguments[2]) + " cannot be read");
    std::ofstream out(arguments[3], std::ios::binary);
    out << extracted(arguments[1], ositrace::bytes_of(set));
    out.close();
    if (!out) throw std::runtime_error(std::string(arguments[3]) + " cannot be written");
    return 0;
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
