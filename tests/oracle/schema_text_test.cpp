// SPDX-License-Identifier: MPL-2.0
// flatc and its reflection against the schemas that we print.
#include <ositrace/schema_text.hpp>

#include <cstdlib>
#include <sstream>

#include <flatbuffers/reflection_generated.h>

#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/lib/scratch_folder.hpp"
#include "tests/places.hpp"

using namespace ositrace;

namespace {

bool flatc(const std::string& arguments) { return std::system((OPPONENT_FLATC " " + arguments).c_str()) == 0; }

std::string text(const flatbuffers::String* found) { return found == nullptr ? "" : found->str(); }

template <class Lines>
void print_comments(std::ostream& out, const Lines* lines)
{
    if (lines != nullptr)
        for (const auto* const line : *lines) out << " |" << line->str();
    out << '\n';
}

void print(std::ostream& out, const reflection::Type& type)
{
    out << int{type.base_type()} << '/' << int{type.element()} << '/' << type.index() << '/' << type.base_size() << '/'
        << type.element_size();
}

void print(std::ostream& out, const reflection::Field& field)
{
    out << "  " << text(field.name()) << ' ';
    print(out, *field.type());
    out << " id " << field.id() << " offset " << field.offset() << " default " << field.default_integer() << ' '
        << field.default_real() << (field.deprecated() ? " deprecated" : "") << (field.required() ? " required" : "")
        << (field.key() ? " key" : "") << (field.optional() ? " optional" : "");
    print_comments(out, field.documentation());
}

void print(std::ostream& out, const reflection::Object& object)
{
    out << "object " << text(object.name()) << ' ' << object.is_struct() << ' ' << object.minalign() << ' '
        << object.bytesize();
    print_comments(out, object.documentation());
    for (const auto* const field : *object.fields()) print(out, *field);
}

void print(std::ostream& out, const reflection::Enum& enumeration)
{
    out << "enum " << text(enumeration.name()) << ' ' << enumeration.is_union() << ' ';
    print(out, *enumeration.underlying_type());
    print_comments(out, enumeration.documentation());
    for (const auto* const value : *enumeration.values()) {
        out << "  " << text(value->name()) << ' ' << value->value();
        print_comments(out, value->documentation());
    }
}

/// Everything that a binary schema says, but for the name of the file it was made from.
std::string content_of(const std::string& bfbs)
{
    flatbuffers::Verifier verifier(reinterpret_cast<const std::uint8_t*>(bfbs.data()), bfbs.size());
    if (!reflection::VerifySchemaBuffer(verifier)) return "does not verify";
    const auto& schema = *reflection::GetSchema(bfbs.data());
    std::ostringstream out;
    out << text(schema.file_ident()) << ' ' << text(schema.root_table()->name()) << ' ' << schema.advanced_features()
        << '\n';
    for (const auto* const object : *schema.objects()) print(out, *object);
    for (const auto* const enumeration : *schema.enums()) print(out, *enumeration);
    return out.str();
}

std::string binary_schema(const Schema& schema, const SchemaTextOptions& options)
{
    return std::string(text_of(flatbuffers_binary_schema(schema, options)));
}

std::vector<std::shared_ptr<const Schema>> schemas()
{
    std::vector<std::shared_ptr<const Schema>> found{Schema::built_in()};
    for (const auto& file : {ositrace::test::schema_370(), ositrace::test::schema_380()})
        if (!file.empty()) found.push_back(Schema::compile(bytes_of(read_file(file))));
    return found;
}

template <class Check>
void for_every_schema_text(const Schema& schema, Check&& check)
{
    for (const auto& row : message_types()) {
        if (schema.find(row.full_name) == nullptr) continue;
        for (const auto layout : {Layout::numbered, Layout::declared}) {
            CAPTURE(row.code, name_of(layout));
            check(SchemaTextOptions{layout, row.type});
        }
    }
}

}  // namespace

TEST_CASE("our binary schema says what flatc makes of our text, comments included")
{
    const ScratchFolder folder;
    for (const auto& schema : schemas())
        for_every_schema_text(*schema, [&](const SchemaTextOptions& options) {
            write_file(folder / "schema.fbs", flatbuffers_schema(*schema, options));
            REQUIRE(flatc("--binary --schema --bfbs-comments -o " + folder.path().string() + ' ' +
                          (folder / "schema.fbs").string()));
            CHECK(content_of(binary_schema(*schema, options)) == content_of(read_file(folder / "schema.bfbs")));
        });
}

TEST_CASE("flatc converts with our binary schema as with our text")
{
    const ScratchFolder folder;
    const auto path = folder.path().string();
    const auto schema = Schema::built_in();
    for_every_schema_text(*schema, [&](const SchemaTextOptions& options) {
        const auto& row = row_of(*options.type);
        ByteBuffer frame;
        // version { version_major: 3 }, where the type has it: a field of its own number.
        const std::string message{static_cast<char>(row.version_field << 3 | 2), 2, 8, 3};
        Transcoder(schema->root(row.type), {}, {Encoding::flatbuffers, options.layout})
            .transcode(bytes_of(message), frame);
        write_file(folder / "schema.fbs", flatbuffers_schema(*schema, options));
        write_file(folder / "schema.bfbs", binary_schema(*schema, options));
        write_file(folder / "frame.bin", std::string(text_of(frame.bytes())));
        for (const std::string form : {"fbs", "bfbs"}) {
            const auto own = path + '/' + form;
            REQUIRE(flatc("--json --strict-json -o " + own + ' ' + path + "/schema." + form + " -- " + path +
                          "/frame.bin"));
            REQUIRE(flatc("--binary -o " + own + ' ' + path + "/schema." + form + ' ' + own + "/frame.json"));
        }
        CHECK(read_file(folder / "fbs/frame.json") == "{\n  \"version\": {\n    \"version_major\": 3\n  }\n}\n");
        CHECK(read_file(folder / "bfbs/frame.json") == read_file(folder / "fbs/frame.json"));
        CHECK(read_file(folder / "bfbs/frame.bin") == read_file(folder / "fbs/frame.bin"));
        CHECK(read_file(folder / "fbs/frame.bin").substr(4, 4) ==
              row.file_identifier[static_cast<std::size_t>(options.layout)]);
    });
}
