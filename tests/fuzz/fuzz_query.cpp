// SPDX-License-Identifier: MPL-2.0
// Expressions that people type: refused in one line with a place, or usable on every message.
#include <ositrace/query.hpp>
#include <ositrace/scene.hpp>
#include <ositrace/value_query.hpp>

#include "tests/fuzz/fuzzing.hpp"
#include "tests/fuzz/roots.hpp"

using namespace fuzzing;
using namespace ositrace;

namespace {

ByteBuffer ground_truth()
{
    ByteBuffer payload;
    Scene({.type = MessageType::ground_truth, .frames = 1, .moving_objects = 2}).frame(0, payload);
    return payload;
}

void evaluate(const MessageTable& root, std::string_view text, Bytes payload)
{
    try {
        const auto query = Query::compile(text, root);
        check(query.text() == text, "a query keeps its text");
        QueryEvaluator evaluator(query);
        const MessageView message(payload, root, {});
        std::vector<QueryMatch> matches;
        const bool holds = evaluator.holds(message);
        check(evaluator.find(message, matches) == holds, "what is found holds");
        check(holds == !matches.empty(), "what holds is found");
        for (const auto& match : matches)
            for (const auto& value : match.values)
                check(value.field < query.fields().size(), "values name their field");
    } catch (const Error& error) {
        const std::string_view line = error.what();
        check(line.find('\n') == std::string_view::npos, "an error is one line", line);
        check(error.where().offset.value_or(0) <= text.size(), "an error is in the expression", line);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const auto payload = ground_truth();
    const Input input(data, size);
    evaluate(Schema::built_in()->root(MessageType::ground_truth), input.text(), payload.bytes());
    for (const auto* const root : roots()) evaluate(*root, input.text(), {});
    if (const auto query = ValueQuery::parse(input.text())) static_cast<void>(query->names("moving_object[].id.value"));
    return 0;
}
