// SPDX-License-Identifier: MPL-2.0
// The samples of a series are what libprotobuf's reflection finds, in either encoding.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <google/protobuf/descriptor.h>

#include <ositrace/message_type.hpp>
#include <ositrace/series.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/lib/series/memory_trace.hpp"
#include "tests/lib/series/sample_text.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/scalar_text.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"
#include "tests/oracle/wire_scrambler.hpp"

using namespace oracle;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ositrace::bytes_of;
using ositrace::Format;
using Samples = std::map<std::string, std::string>;  ///< by the text of the curve and the number of the message

namespace {

/// The number that an `id` field holds.
std::optional<std::string> number_of(const Message& message, const FieldDescriptor& field)
{
    const auto type = field.cpp_type();
    const bool is_integer = type == FieldDescriptor::CPPTYPE_INT32 || type == FieldDescriptor::CPPTYPE_INT64 ||
                            type == FieldDescriptor::CPPTYPE_UINT32 || type == FieldDescriptor::CPPTYPE_UINT64;
    if (!is_integer || field.is_repeated()) return std::nullopt;
    const auto text = scalar_text(message, field, -1);
    if (text.front() != '-') return text;
    return std::to_string(static_cast<std::uint64_t>(std::stoll(text)));
}

/// `[id=7]` by a field of a message, or `by_index`.
std::string key_in(const Message& message, const std::string& name, const std::string& by_index)
{
    const auto* const id = message.GetDescriptor()->FindFieldByName(name);
    if (id == nullptr || id->is_repeated() || !message.GetReflection()->HasField(message, id)) return by_index;
    if (const auto number = number_of(message, *id)) return "[id=" + *number + "]";
    if (id->message_type() == nullptr) return by_index;
    const auto* const value = id->message_type()->FindFieldByName("value");
    const auto number =
        value == nullptr ? std::nullopt : number_of(message.GetReflection()->GetMessage(message, id), *value);
    return number ? "[id=" + *number + "]" : by_index;
}

/// `[id=7]`, or `[3]`.
std::string key_of(const Message& element, int index)
{
    const auto& type = *element.GetDescriptor();
    const auto* const header = type.FindFieldByName("header");
    const auto by_index = "[" + std::to_string(index) + "]";
    const bool is_detected = type.FindFieldByName("id") == nullptr && header != nullptr && !header->is_repeated() &&
                             header->message_type() != nullptr;
    if (!is_detected) return key_in(element, "id", by_index);
    return key_in(element.GetReflection()->GetMessage(element, header), "tracking_id", by_index);
}

/// All values below a message, each under the first name that it has. What lies in a message of its own type is left
/// out.
void find_all(const Message& message, const std::string& name, const std::string& frame, Samples& samples,
              std::vector<const google::protobuf::Descriptor*> holders = {})
{
    if (std::ranges::count(holders, message.GetDescriptor()) != 0) return;
    holders.push_back(message.GetDescriptor());
    const auto& reflection = *message.GetReflection();
    std::vector<const FieldDescriptor*> fields;
    reflection.ListFields(message, &fields);
    for (const auto* const field : fields) {
        if (field->is_extension() || field->type() == FieldDescriptor::TYPE_BYTES) continue;
        const auto text = name + (name.empty() ? "" : ".") + field->name();
        const auto add = [&](const std::string& full, int index) {
            if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
                samples.emplace(frame + full, scalar_text(message, *field, index));
            else
                find_all(index < 0 ? reflection.GetMessage(message, field)
                                   : reflection.GetRepeatedMessage(message, field, index),
                         full, frame, samples, holders);
        };
        if (!field->is_repeated()) {
            add(text, -1);
            continue;
        }
        for (int i = 0; i != reflection.FieldSize(message, field); ++i) {
            const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
            const auto key = is_message ? key_of(reflection.GetRepeatedMessage(message, field, i), i)
                                        : "[" + std::to_string(i) + "]";
            add(text + key, i);
        }
    }
}

/// A path to every value of a type, with `[*]`.
void add_paths(const ositrace::MessageTable& table, const std::string& name, std::vector<std::string>& paths,
               std::vector<const ositrace::MessageTable*> holders = {})
{
    if (std::ranges::count(holders, &table) != 0) return;
    holders.push_back(&table);
    for (const auto& field : table.fields) {
        auto text = name + (name.empty() ? "" : ".") + std::string(field.name) + (field.repeated ? "[*]" : "");
        if (field.child != nullptr)
            add_paths(*field.child, text, paths, holders);
        else if (field.kind != ositrace::FieldKind::bytes)
            paths.push_back(std::move(text));
    }
}

Samples samples_of(const ositrace::MessageTable& table, std::shared_ptr<const ositrace::Schema> schema, Format format,
                   std::vector<std::string> payloads, const std::vector<std::string>& paths)
{
    const ositrace::test::MemoryTrace trace(table, std::move(schema), format, std::move(payloads));
    const ositrace::SeriesPlan plan(table, paths);
    Samples samples;
    std::vector<ositrace::SeriesCurve> curves;
    std::vector<std::string> texts;
    const auto end = read_series(trace, 0, trace.channel(), plan, {.most_curves = SIZE_MAX}, [&](const auto& batch) {
        curves.insert(curves.end(), batch.new_curves.begin(), batch.new_curves.end());
        texts.insert(texts.end(), batch.new_texts.begin(), batch.new_texts.end());
        for (const auto& each : batch.samples) {
            const auto& curve = curves.at(each.curve);
            samples.emplace(std::to_string(batch.first + each.message) + " " + curve.text,
                            ositrace::test::sample_text(plan.paths()[curve.path].leaf(), each.bits, texts));
        }
    });
    CHECK(end.broken == 0);
    CHECK(end.left_out == 0);
    return samples;
}

/// Paths that name elements by their ids give the curves that `[*]` gives for these elements. The first difference, or
/// nothing.
std::string check_ids(const std::shared_ptr<const ositrace::Schema>& schema, const ositrace::MessageTable& table,
                      const std::vector<std::string>& payloads, const Samples& of_all)
{
    constexpr std::size_t most_paths = 300;
    Samples wanted;
    std::set<std::string> paths;
    for (const auto& [name, value] : of_all) {
        const auto path = name.substr(name.find(' ') + 1);
        const auto has_index = [&](std::size_t bracket) { return std::isdigit(path[bracket + 1]) != 0; };
        bool by_id = path.find("[id=") != std::string::npos;
        for (auto at = path.find('['); at != std::string::npos; at = path.find('[', at + 1))
            by_id = by_id && !has_index(at);
        if (!by_id || (paths.size() == most_paths && !paths.contains(path))) continue;
        paths.insert(path);
        wanted.emplace(name, value);
    }
    const auto found = samples_of(table, schema, {}, payloads, {paths.begin(), paths.end()});
    for (const auto& [name, value] : wanted) {
        const auto same = found.find(name);
        if (same == found.end() || same->second != value) return name + ": by its id not " + value;
    }
    return {};
}

/// The first difference in either encoding, or nothing.
std::string check(const std::shared_ptr<const ositrace::Schema>& schema, const opponent::Row& row,
                  const std::vector<std::string>& payloads)
{
    const auto& table = *schema->find(row.full_name);
    std::vector<std::string> paths;
    add_paths(table, "", paths);
    Samples wanted;
    std::vector<std::string> flat;
    ositrace::Transcoder transcoder(table, {}, {ositrace::Encoding::flatbuffers});
    for (std::size_t i = 0; i != payloads.size(); ++i) {
        const std::unique_ptr<Message> message(row.prototype().New());
        if (!message->ParsePartialFromString(payloads[i])) return "libprotobuf refuses it";
        find_all(*message, "", std::to_string(i) + " ", wanted);
        ositrace::ByteBuffer buffer;
        transcoder.transcode(bytes_of(payloads[i]), buffer);
        flat.emplace_back(ositrace::text_of(buffer.bytes()));
    }
    const auto found = samples_of(table, schema, {}, payloads, paths);
    if (samples_of(table, schema, {ositrace::Encoding::flatbuffers}, flat, paths) != found)
        return "the encodings differ";
    for (const auto& [name, value] : found) {
        const auto expected = wanted.find(name);
        if (expected == wanted.end()) return name + ": " + value + ", expected nothing";
        if (expected->second != value) return name + ": " + value + ", expected " + expected->second;
    }
    for (const auto& [name, value] : wanted)
        if (!found.contains(name)) return name + ": nothing, expected " + value;
    return check_ids(schema, table, payloads, found);
}

std::string random_bytes(const opponent::Row& row, std::uint64_t seed, int elements)
{
    const std::unique_ptr<Message> message(row.prototype().New());
    RandomMessages(seed, {.unknown_fields = true, .max_elements = elements}).fill(*message);
    return serialized(*message);
}

}  // namespace

TEST_CASE("the series of all fields of the real traces are what libprotobuf finds")
{
    for (const auto& trace : real_traces()) {
        INFO(trace.name);
        std::vector<std::string> payloads;
        for (std::size_t i = 0; i < std::min<std::size_t>(trace.frames.size(), 20); ++i)
            payloads.emplace_back(ositrace::text_of(trace.frames[i]));
        CHECK(check(ositrace::Schema::built_in(), row_of(trace.type), payloads) == "");
    }
}

TEST_CASE("the series of all fields of random messages are what libprotobuf finds")
{
    for (const auto& type : ositrace::message_types()) {
        const auto& row = row_of(type.full_name);
        for (std::uint64_t batch = 0; batch != static_cast<std::uint64_t>(rounds(1)); ++batch) {
            std::vector<std::string> payloads;
            for (std::uint64_t seed = 0; seed != 3; ++seed)
                payloads.push_back(random_bytes(row, 10 * batch + seed, 300));
            INFO(type.full_name << ", batch " << batch);
            CHECK(check(ositrace::Schema::built_in(), row, payloads) == "");
        }
    }
}

TEST_CASE("the series of every kind of field are what libprotobuf finds, however the wire is written")
{
    const auto& row = row_of("every_kind.EveryKind");
    for (std::uint64_t batch = 0; batch != static_cast<std::uint64_t>(rounds(5)); ++batch) {
        std::vector<std::string> payloads;
        for (std::uint64_t seed = 0; seed != 6; ++seed) {
            const auto bytes = random_bytes(row, 100 * batch + seed, 200);
            WireScrambler scrambler(seed);
            payloads.push_back(seed % 2 == 0 ? bytes : scrambler.scrambled(bytes, *row.prototype().GetDescriptor()));
        }
        INFO("batch " << batch);
        CHECK(check(every_kind_schema(), row, payloads) == "");
    }
}
