// SPDX-License-Identifier: MPL-2.0
// Every column of a table holds what libprotobuf's reflection finds, in either encoding.
#include <google/protobuf/descriptor.h>

#include <ositrace/message_type.hpp>
#include <ositrace/table.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/lib/table/arrow_batch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/scalar_text.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"
#include "tests/oracle/wire_scrambler.hpp"

using namespace oracle;
using arrow_test::Batch;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ositrace::bytes_of;
using ositrace::Format;
using ositrace::Layout;
using ositrace::TableBuilder;
using ositrace::TablePlan;

namespace {

/// As scalar_text(), a text in quotes.
std::string value_text(const Message& message, const FieldDescriptor& field, int index)
{
    const bool is_text = field.cpp_type() == FieldDescriptor::CPPTYPE_STRING;
    const auto text = scalar_text(message, field, index);
    return is_text ? '"' + text + '"' : text;
}

/// What a column with this path holds in a row per frame; a null message is one that is not there.
std::string expected(const Message* message, const google::protobuf::Descriptor& type, std::string_view path)
{
    const auto dot = path.find('.');
    auto name = path.substr(0, dot);
    const bool is_list = name.ends_with("[*]");
    if (is_list) name.remove_suffix(3);
    const auto rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
    const auto& field = *type.FindFieldByName(std::string(name));
    if (message == nullptr) return path.find("[*]") != std::string_view::npos ? "[]" : "null";
    const auto& reflection = *message->GetReflection();
    if (!is_list) {
        const bool is_there = reflection.HasField(*message, &field);
        if (rest.empty()) return is_there ? value_text(*message, field, -1) : "null";
        return expected(is_there ? &reflection.GetMessage(*message, &field) : nullptr, *field.message_type(), rest);
    }
    std::string text = "[";
    for (int i = 0; i != reflection.FieldSize(*message, &field); ++i) {
        if (i != 0) text += ',';
        text += rest.empty()
                    ? value_text(*message, field, i)
                    : expected(&reflection.GetRepeatedMessage(*message, &field, i), *field.message_type(), rest);
    }
    return text + ']';
}

/// The frames of one type, in all forms that a table reads.
class Tables {
public:
    Tables(std::shared_ptr<const ositrace::Schema> schema, const opponent::Row& row)
        : table_(*schema->find(row.full_name)), row_(row), plan_(TablePlan::all_columns(schema, table_))
    {
        for (const auto format : {Format{}, Format{ositrace::Encoding::flatbuffers, Layout::numbered},
                                  Format{ositrace::Encoding::flatbuffers, Layout::declared}})
            forms_.push_back(
                {format,
                 format == Format{} ? nullptr : std::make_unique<ositrace::Transcoder>(table_, Format{}, format),
                 TableBuilder(plan_, format)});
    }

    void add(ositrace::Bytes protobuf)
    {
        for (auto& form : forms_) {
            ositrace::ByteBuffer buffer;
            ositrace::Frame frame;
            frame.bytes = protobuf;
            if (form.transcoder != nullptr) {
                form.transcoder->transcode(protobuf, buffer);
                frame.bytes = buffer.bytes();
            }
            form.builder.add(frame);
        }
        std::unique_ptr<Message> message(row_.prototype().New());
        REQUIRE(message->ParsePartialFromArray(protobuf.data(), static_cast<int>(protobuf.size())));
        messages_.push_back(std::move(message));
    }

    /// Empties the tables; the first difference, or nothing.
    std::string check(bool has_unknown_numbers = false)
    {
        const Batch batch(plan_, forms_[0].builder);
        if (auto why = batch.broken(); !why.empty()) return why;
        if (batch.rows() != messages_.size()) return std::to_string(batch.rows()) + " rows";
        const auto rows = batch.row_texts();
        for (std::size_t form = 1; form != forms_.size(); ++form) {
            const Batch other(plan_, forms_[form].builder);
            if (auto why = other.broken(); !why.empty()) return "flat: " + why;
            if (other.row_texts() != rows) return "the encodings differ";
        }
        const auto messages = std::move(messages_);
        messages_.clear();
        // libprotobuf has unknown numbers among the unknown fields.
        for (std::size_t row = 0; row != rows.size() && !has_unknown_numbers; ++row)
            for (std::size_t i = 0; i != plan_.columns().size(); ++i) {
                const auto& path = plan_.columns()[i].path;
                const auto wanted = expected(messages[row].get(), *messages[row]->GetDescriptor(), path);
                if (const auto found = batch.value(i, row); found != wanted)
                    return "row " + std::to_string(row) + ", " + path + ": " + found + ", expected " + wanted;
            }
        return {};
    }
    [[nodiscard]] const opponent::Row& row() const { return row_; }

private:
    struct Form {
        Format format;
        std::unique_ptr<ositrace::Transcoder> transcoder;  ///< null: from Protobuf to Protobuf
        TableBuilder builder;
    };
    const ositrace::MessageTable& table_;
    const opponent::Row& row_;
    TablePlan plan_;
    std::vector<Form> forms_;
    std::vector<std::unique_ptr<Message>> messages_;
};

std::string random_bytes(const Tables& tables, std::uint64_t seed, RandomOptions options)
{
    const std::unique_ptr<Message> message(tables.row().prototype().New());
    RandomMessages(seed, options).fill(*message);
    return serialized(*message);
}

}  // namespace

TEST_CASE("all columns of the real traces hold what libprotobuf finds")
{
    for (const auto& trace : real_traces()) {
        INFO(trace.name);
        Tables tables(ositrace::Schema::built_in(), row_of(trace.type));
        for (std::size_t i = 0; i < std::min<std::size_t>(trace.frames.size(), 100); ++i) tables.add(trace.frames[i]);
        REQUIRE(tables.check() == "");
    }
}

TEST_CASE("all columns of random messages hold what libprotobuf finds")
{
    for (const auto& type : ositrace::message_types()) {
        Tables tables(ositrace::Schema::built_in(), row_of(type.full_name));
        for (int batch = 0; batch != rounds(2); ++batch) {
            for (std::uint64_t seed = 0; seed != 3; ++seed)
                tables.add(bytes_of(random_bytes(tables, static_cast<std::uint64_t>(10 * batch) + seed,
                                                 {.unknown_fields = true, .max_elements = 1000})));
            INFO(type.full_name << ", batch " << batch);
            REQUIRE(tables.check() == "");
        }
    }
}

TEST_CASE("all columns of every kind of field hold what libprotobuf finds, however the wire is written")
{
    Tables tables(every_kind_schema(), row_of("every_kind.EveryKind"));
    for (std::uint64_t batch = 0; batch != static_cast<std::uint64_t>(rounds(20)); ++batch) {
        for (std::uint64_t seed = 0; seed != 8; ++seed) {
            const auto bytes = random_bytes(tables, 100 * batch + seed, {.unknown_fields = true, .max_elements = 300});
            WireScrambler scrambler(seed);
            tables.add(bytes_of(seed % 2 == 0 ? bytes
                                              : scrambler.scrambled(bytes, *tables.row().prototype().GetDescriptor())));
        }
        INFO("batch " << batch);
        REQUIRE(tables.check() == "");
    }
}

TEST_CASE("enum numbers without a name are the same in both encodings")
{
    Tables tables(every_kind_schema(), row_of("every_kind.EveryKind"));
    for (std::uint64_t seed = 0; seed != 20; ++seed)
        tables.add(bytes_of(random_bytes(tables, seed, {.unknown_enum_values = true, .max_elements = 300})));
    CHECK(tables.check(true) == "");
}
