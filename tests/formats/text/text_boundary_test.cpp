// SPDX-License-Identifier: MPL-2.0
#include <string>
#include <vector>

#include "formats/text/text_boundary.hpp"
#include "tests/catch.hpp"
#include "tests/error_of.hpp"

using namespace ositrace;

namespace {

using Texts = std::vector<std::string>;

/// The messages of a text that arrives in pieces of `step` bytes.
Texts messages(text::MessageSplitter& splitter, std::string_view whole, std::size_t step)
{
    Texts found;
    std::size_t front = 0;
    for (auto there = std::min(step, whole.size());; there = std::min(there + step, whole.size())) {
        while (const auto range = splitter.next(whole.substr(front, there - front), there == whole.size())) {
            found.emplace_back(whole.substr(front + range->begin, range->end - range->begin));
            front += range->end;
        }
        if (there == whole.size()) return found;
    }
}

/// The same, whatever the pieces.
Texts split(std::string_view whole, bool json)
{
    const auto make = [&] {
        return json ? text::json_splitter()
                    : text::text_format_splitter(Schema::built_in()->root(MessageType::ground_truth));
    };
    const auto at_once = messages(*make(), whole, whole.size() + 1);
    for (const std::size_t step : {1, 2, 3, 7, 64}) CHECK(messages(*make(), whole, step) == at_once);
    return at_once;
}

Texts split_text(std::string_view whole) { return split(whole, false); }
Texts split_json(std::string_view whole) { return split(whole, true); }

}  // namespace

TEST_CASE("the next message begins where the first field is seen again")
{
    CHECK(split_text("version {\n}\ntimestamp {\n  seconds: 1\n}\nversion {\n}\ntimestamp {\n}\n") ==
          Texts{"version {\n}\ntimestamp {\n  seconds: 1\n}\n", "version {\n}\ntimestamp {\n}\n"});
    CHECK(split_text("timestamp { }\nlane { }\nlane { }\n\n\ntimestamp { }") ==
          Texts{"timestamp { }\nlane { }\nlane { }\n\n\n", "timestamp { }"});
    CHECK(split_text("timestamp{}timestamp{}") == Texts{"timestamp{}", "timestamp{}"});
}

TEST_CASE("any field that may stand only once begins a message when it is seen again")
{
    CHECK(split_text("version {}\ntimestamp {}\ntimestamp {}\n") ==
          Texts{"version {}\ntimestamp {}\n", "timestamp {}\n"});
    CHECK(split_text("moving_object {}\nmoving_object {}\n") == Texts{"moving_object {}\nmoving_object {}\n"});
    CHECK(split_text("country_code: 1 country_code: 2") == Texts{"country_code: 1 ", "country_code: 2"});
}

TEST_CASE("braces, names and marks in strings and comments do not count")
{
    CHECK(split_text("map_reference: \"} timestamp { \\\" {\"\ntimestamp { # { map_reference\n}\n").size() == 1);
    CHECK(split_text("map_reference: 'a' \"map_reference\"\nproj_string: '# message begins\\n'").size() == 1);
    CHECK(split_text("timestamp {\n# message begins\nseconds: 1 }").size() == 1);
    CHECK(split_text("country_code: -  # map_reference: 1\n 5 timestamp < seconds: 1 > lane: [ { }, { } ]").size() ==
          1);
    CHECK(split_text("[a.b.extension] { timestamp { } } timestamp: { }").size() == 1);
}

TEST_CASE("a line says that a message begins where nothing else does")
{
    CHECK(split_text("# message begins\n# message begins\ntimestamp {}\n# message begins\nversion {}\n") ==
          Texts{"# message begins\n", "# message begins\ntimestamp {}\n", "# message begins\nversion {}\n"});
    CHECK(split_text("# message begins\r\n# message begins\r\n").size() == 2);
}

TEST_CASE("a message whose braces are not closed names where the next one may begin")
{
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const auto restart_of = [&](std::string_view whole) {
        return text::text_format_splitter(root)->next(whole, true)->restart;
    };
    const std::string open = "version {\n}\ntimestamp {\n  seconds: 1\n";
    CHECK(restart_of(open + "version {\n}\n") == open.size());
    CHECK(restart_of(open + "# message begins\ntimestamp {\n}\n") == open.size());
    CHECK_FALSE(restart_of(open + "  version {\n  }\n"));
    CHECK_FALSE(restart_of(open + "timestamp {\n}\n"));  // messages begin with another field
    CHECK_FALSE(restart_of(open + "}\n\"version {\n"));
    CHECK_FALSE(restart_of("moving_object {\nmoving_object {\n"));  // there are many in one message
}

TEST_CASE("a damaged text is not read to its end for each brace that is missing")
{
    const auto& root = Schema::built_in()->root(MessageType::ground_truth);
    const std::string open = "version {\n}\ntimestamp {\n  seconds: 1\n";
    std::string whole;
    for (int i = 0; i < 1000; ++i) whole += open;
    const auto believed = text::text_format_splitter(root)->next(whole, true);
    CHECK(believed->end == whole.size());
    const auto damaged = text::text_format_splitter(root, true)->next(whole.substr(0, 20 * open.size()), false);
    REQUIRE(damaged);
    CHECK(damaged->end == open.size());
    CHECK(damaged->restart == open.size());
    CHECK(damaged->cut_off);
}

TEST_CASE("what is no field is a message of its own, which a parser refuses")
{
    CHECK(split_text("garbage") == Texts{"garbage"});
    CHECK(split_text(" # comment\n}}} # comment") == Texts{"}}} # comment"});
    CHECK(split_text("}}}\nversion {}\n") == Texts{"}}}\n", "version {}\n"});
    CHECK(split_text("!\n# message begins\nversion {}\n") == Texts{"!\n", "# message begins\nversion {}\n"});
    CHECK(split_text(std::string(1, '\0')).size() == 1);
}

TEST_CASE("white space and comments alone are no message")
{
    CHECK(split_text("").empty());
    CHECK(split_text(" \n# nothing\n\n").empty());
    CHECK(split_json(" \n\n").empty());
    CHECK(split_json("[ ]").empty());
}

TEST_CASE("JSON objects are found a line each, over many lines and in an array")
{
    CHECK(split_json("{}\n{\"a\":{}}\n") == Texts{"{}", "{\"a\":{}}"});
    CHECK(split_json("{\n \"a\": [1, {}]\n}{}") == Texts{"{\n \"a\": [1, {}]\n}", "{}"});
    CHECK(split_json("[{\"a\":\"}{\\\"]\"}, {}]\n") == Texts{"{\"a\":\"}{\\\"]\"}", "{}"});
}

TEST_CASE("what is no JSON object is an error with its place")
{
    CHECK(error_of([] { return split_json("{} 7"); }) == "byte 1: found '7' where a JSON object begins, expected '{'");
    CHECK(error_of([] { return split_json("{},{}"); }) == "byte 0: found ',' where a JSON object begins, expected '{'");
}

TEST_CASE("a JSON array that is cut off between its objects is an error at the end, once")
{
    for (const std::string_view text : {"[", "[{}", "[{}, ", "[{},\n{}\n"}) {
        CAPTURE(text);
        CHECK(error_of([&] { return split_json(text); }).ends_with(": the array of the messages has no end"));
    }
    const auto splitter = text::json_splitter();
    CHECK_FALSE(splitter->next("[", false).has_value());
    CHECK_THROWS_AS(splitter->next("[", true), Error);
    CHECK_FALSE(splitter->next("", true).has_value());
}

TEST_CASE("a JSON object that is cut off ends with its line, and those behind it are found")
{
    CHECK(split_json("{\"a\":1}\n{\"b\":{\"c\":[1,\n{\"d\":1}\n") ==
          Texts{"{\"a\":1}", "{\"b\":{\"c\":[1,", "{\"d\":1}"});
    CHECK(split_json("{\"b\":{\"c\":1\n{\"d\":1}\n") == Texts{"{\"b\":{\"c\":1", "{\"d\":1}"});
    CHECK(split_json("{\"a\":\"te\n{\"d\":\"{\"}\n{}") == Texts{"{\"a\":\"te", "{\"d\":\"{\"}", "{}"});
    CHECK(split_json(" {\"a\": {}") == Texts{"{\"a\": {}"});
    CHECK(split_json("{}\n{\"a\":{\n") == Texts{"{}", "{\"a\":{\n"});
    const auto splitter = text::json_splitter();
    const std::string_view text = "{}\n{\"a\":[\n{}";
    CHECK_FALSE(splitter->next(text, true)->cut_off);
    CHECK(splitter->next(text.substr(2), true)->cut_off);
}

TEST_CASE("objects over many lines are whole, also where an object begins a line")
{
    CHECK(split_json("{\n\"a\":\n{\n},\n\"b\":[\n{},\n{}\n]\n}\n{}") ==
          Texts{"{\n\"a\":\n{\n},\n\"b\":[\n{},\n{}\n]\n}", "{}"});
}
