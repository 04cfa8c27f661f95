// SPDX-License-Identifier: MPL-2.0
// Random expressions: a query holds where libprotobuf's reflection says so for some choice of elements.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <random>
#include <variant>

#include <google/protobuf/descriptor.h>

#include <ositrace/query.hpp>
#include <ositrace/transcoder.hpp>

#include "tests/catch.hpp"
#include "tests/oracle/random_message.hpp"
#include "tests/oracle/round_trip.hpp"
#include "tests/oracle/schemas.hpp"
#include "tests/oracle/trace_frames.hpp"

using namespace oracle;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ositrace::bytes_of;
using ositrace::Format;

namespace {

using Fields = std::vector<const FieldDescriptor*>;
/// Integers of 64 bits and doubles are exact in a long double.
using Plain = std::variant<std::monostate, bool, long double, std::string>;

/// An element of a repeated field; no holder: there are none.
struct Element {
    const Message* holder = nullptr;
    const FieldDescriptor* field = nullptr;
    int index = 0;
    [[nodiscard]] const Message& message() const
    {
        return holder->GetReflection()->GetRepeatedMessage(*holder, field, index);
    }
};
/// By the fields up to the repeated one.
using Binding = std::map<Fields, Element>;

template <class Get>
Plain plain_of(const FieldDescriptor& field, Get&& get)
{
    using Reflection = google::protobuf::Reflection;
    const auto number = [&](auto value) { return Plain(static_cast<long double>(value)); };
    switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE: return number(get(&Reflection::GetDouble, &Reflection::GetRepeatedDouble));
    case FieldDescriptor::CPPTYPE_FLOAT: return number(get(&Reflection::GetFloat, &Reflection::GetRepeatedFloat));
    case FieldDescriptor::CPPTYPE_INT32: return number(get(&Reflection::GetInt32, &Reflection::GetRepeatedInt32));
    case FieldDescriptor::CPPTYPE_INT64: return number(get(&Reflection::GetInt64, &Reflection::GetRepeatedInt64));
    case FieldDescriptor::CPPTYPE_UINT32: return number(get(&Reflection::GetUInt32, &Reflection::GetRepeatedUInt32));
    case FieldDescriptor::CPPTYPE_UINT64: return number(get(&Reflection::GetUInt64, &Reflection::GetRepeatedUInt64));
    case FieldDescriptor::CPPTYPE_ENUM:
        return number(get(&Reflection::GetEnumValue, &Reflection::GetRepeatedEnumValue));
    case FieldDescriptor::CPPTYPE_BOOL: return get(&Reflection::GetBool, &Reflection::GetRepeatedBool);
    default: return get(&Reflection::GetString, &Reflection::GetRepeatedString);
    }
}

bool is_absent(const Fields& path, const Binding& binding)
{
    Fields prefix;
    for (const auto* const field : path) {
        prefix.push_back(field);
        const auto element = binding.find(prefix);
        if (element != binding.end() && element->second.holder == nullptr) return true;
    }
    return false;
}

/// The message that has the last field of a path; null: not set.
const Message* holder_of(const Message& root, const Fields& path, const Binding& binding)
{
    const auto* message = &root;
    Fields prefix;
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        prefix.push_back(path[i]);
        if (path[i]->is_repeated())
            message = &binding.at(prefix).message();
        else if (message->GetReflection()->HasField(*message, path[i]))
            message = &message->GetReflection()->GetMessage(*message, path[i]);
        else
            return nullptr;
    }
    return message;
}

Plain value_of(const Message& root, const Fields& path, const Binding& binding)
{
    const auto& field = *path.back();
    if (field.is_repeated()) {
        const auto& element = binding.at(path);
        const auto& reflection = *element.holder->GetReflection();
        return plain_of(
            field, [&](auto, auto repeated) { return (reflection.*repeated)(*element.holder, &field, element.index); });
    }
    const auto* const message = holder_of(root, path, binding);
    if (message == nullptr) return {};
    const auto& reflection = *message->GetReflection();
    const bool is_of_identifier = field.name() == "value" && field.containing_type()->name() == "Identifier";
    if (!reflection.HasField(*message, &field)) return is_of_identifier ? Plain(0.0L) : Plain();
    return plain_of(field, [&](auto singular, auto) { return (reflection.*singular)(*message, &field); });
}

bool is_present(const Message& root, const Fields& path, const Binding& binding)
{
    const auto* const message = holder_of(root, path, binding);
    if (message == nullptr) return false;
    const auto& reflection = *message->GetReflection();
    return path.back()->is_repeated() ? reflection.FieldSize(*message, path.back()) != 0
                                      : reflection.HasField(*message, path.back());
}

std::string path_text(const Fields& path, bool is_whole)
{
    std::string text;
    for (const auto* const field : path) {
        text.append(text.empty() ? "" : ".").append(field->name());
        if (field->is_repeated() && !(is_whole && field == path.back())) text += "[*]";
    }
    return text;
}

std::string lower(std::string text)
{
    for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

template <class T>
bool compare(const std::string& sign, const T& a, const T& b)
{
    if (sign == "==") return a == b;
    if (sign == "!=") return a != b;
    if (sign == "<") return a < b;
    if (sign == "<=") return a <= b;
    if (sign == ">") return a > b;
    return a >= b;
}

struct Expression {
    enum class Kind { compared, present, truth, both, either, negation };
    Kind kind = Kind::truth;
    Fields path, other;  ///< other: compared with this field instead of a literal
    std::string sign;
    Plain literal;
    std::string literal_text;
    std::vector<Expression> parts;

    [[nodiscard]] std::string text() const
    {
        switch (kind) {
        case Kind::compared:
            return path_text(path, false) + ' ' + sign + ' ' + (other.empty() ? literal_text : path_text(other, false));
        case Kind::present: return "has(" + path_text(path, true) + ")";
        case Kind::truth: return path_text(path, false);
        case Kind::both: return "(" + parts[0].text() + " and " + parts[1].text() + ")";
        case Kind::either: return "(" + parts[0].text() + " or " + parts[1].text() + ")";
        case Kind::negation: return "not (" + parts[0].text() + ")";
        }
        return {};
    }

    void collect_lists(std::map<Fields, int>& lists) const
    {
        for (const auto* const each : {&path, &other}) {
            Fields prefix;
            for (const auto* const field : *each) {
                prefix.push_back(field);
                const bool is_whole = kind == Kind::present && prefix.size() == each->size();
                if (field->is_repeated() && !is_whole) ++lists[prefix];
            }
        }
        for (const auto& part : parts) part.collect_lists(lists);
    }

    /// What is said of an element that does not exist is false, also its negation.
    [[nodiscard]] bool holds(const Message& root, const Binding& binding, bool negated = false) const
    {
        switch (kind) {
        case Kind::both:
        case Kind::either: {
            const bool a = parts[0].holds(root, binding, negated), b = parts[1].holds(root, binding, negated);
            return (kind == Kind::both) != negated ? a && b : a || b;
        }
        case Kind::negation: return parts[0].holds(root, binding, !negated);
        default: break;
        }
        if (is_absent(kind == Kind::present ? Fields(path.begin(), path.end() - 1) : path, binding) ||
            is_absent(other, binding))
            return false;
        return atom(root, binding) != negated;
    }

private:
    [[nodiscard]] bool atom(const Message& root, const Binding& binding) const
    {
        if (kind == Kind::present) return is_present(root, path, binding);
        const auto a = value_of(root, path, binding);
        if (kind == Kind::truth) return std::holds_alternative<bool>(a) && std::get<bool>(a);
        const auto b = other.empty() ? literal : value_of(root, other, binding);
        if (a.index() != b.index() || std::holds_alternative<std::monostate>(a)) return false;
        if (const auto* const text = std::get_if<std::string>(&a)) {
            const auto x = lower(*text), y = lower(std::get<std::string>(b));
            return sign == "~" ? x.find(y) != std::string::npos : compare(sign, x, y);
        }
        if (const auto* const flag = std::get_if<bool>(&a)) return compare(sign, *flag, std::get<bool>(b));
        return compare(sign, std::get<long double>(a), std::get<long double>(b));
    }
};

/// Calls `visit` for every choice of elements until it returns true.
bool for_each_binding(const Message& root, std::vector<Fields> lists, Binding& binding,
                      const std::function<bool(const Binding&)>& visit)
{
    if (lists.empty()) return visit(binding);
    const auto list = lists.front();
    lists.erase(lists.begin());
    const bool is_below_absent = is_absent(list, binding);
    const auto* const holder = is_below_absent ? nullptr : holder_of(root, list, binding);
    const int count = holder == nullptr ? 0 : holder->GetReflection()->FieldSize(*holder, list.back());
    for (int i = 0; i != std::max(count, 1); ++i) {
        binding[list] = count == 0 ? Element{} : Element{holder, list.back(), i};
        if (for_each_binding(root, lists, binding, visit)) return true;
    }
    binding.erase(list);
    return false;
}

/// Makes expressions that fit a message.
class RandomExpressions {
public:
    RandomExpressions(std::uint64_t seed, const Message& message) : random_(seed), message_(message) {}

    Expression make(int depth)
    {
        const auto choice = depth == 0 ? 0 : below(6);
        Expression made;
        if (choice < 2) return atom();
        made.kind = choice < 4    ? Expression::Kind::both
                    : choice == 4 ? Expression::Kind::either
                                  : Expression::Kind::negation;
        made.parts.push_back(make(depth - 1));
        if (made.kind != Expression::Kind::negation) made.parts.push_back(make(depth - 1));
        return made;
    }

private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }

    /// Half of them along what is set, and begins as the one before.
    Fields path()
    {
        for (;;) {
            Fields fields;
            const Descriptor* type = message_.GetDescriptor();
            const Message* message = &message_;
            const auto shared = below(2) == 0 ? below(last_.size() + 1) : 0;
            while (fields.size() < 6) {
                std::vector<const FieldDescriptor*> set;
                if (message != nullptr) message->GetReflection()->ListFields(*message, &set);
                const auto* field =
                    fields.size() < shared ? last_[fields.size()]
                    : !set.empty() && below(4) != 0
                        ? set[below(set.size())]
                        : type->field(static_cast<int>(below(static_cast<std::uint64_t>(type->field_count()))));
                fields.push_back(field);
                if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
                    if (field->type() == FieldDescriptor::TYPE_BYTES) break;
                    return last_ = fields;
                }
                type = field->message_type();
                if (type->field_count() == 0) break;
                message = child_of(message, field);
            }
        }
    }

    const Message* child_of(const Message* message, const FieldDescriptor* field)
    {
        if (message == nullptr) return nullptr;
        const auto& reflection = *message->GetReflection();
        if (!field->is_repeated())
            return reflection.HasField(*message, field) ? &reflection.GetMessage(*message, field) : nullptr;
        const auto count = reflection.FieldSize(*message, field);
        if (count == 0) return nullptr;
        return &reflection.GetRepeatedMessage(*message, field,
                                              static_cast<int>(below(static_cast<std::uint64_t>(count))));
    }

    Expression atom()
    {
        Expression made;
        made.path = path();
        if (below(6) == 0) {
            made.kind = Expression::Kind::present;
            return made;
        }
        const auto& field = *made.path.back();
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL && below(2) == 0) return made;
        made.kind = Expression::Kind::compared;
        if (compare_with_literal(made)) return made;
        made.kind = Expression::Kind::present;
        return made;
    }

    /// A value that the field has somewhere, or near it.
    bool compare_with_literal(Expression& made)
    {
        std::map<Fields, int> lists;
        made.collect_lists(lists);
        std::vector<Plain> values;
        std::vector<Fields> all;
        for (const auto& [list, count] : lists) all.push_back(list);
        Binding binding;
        for_each_binding(message_, all, binding, [&](const Binding& chosen) {
            if (is_absent(made.path, chosen)) return false;
            values.push_back(value_of(message_, made.path, chosen));
            return values.size() == 200;
        });
        std::erase(values, Plain());
        auto value = values.empty() ? default_of(*made.path.back()) : values[below(values.size())];
        static const std::vector<std::string> orders{"==", "!=", "<", "<=", ">", ">="};
        const auto& field = *made.path.back();
        if (auto* const text = std::get_if<std::string>(&value)) {
            *text = text->substr(0, below(20));
            made.sign = std::vector<std::string>{"==", "!=", "~"}[below(3)];
            made.literal_text = "\"";
            for (const auto c : *text) made.literal_text.append(c == '"' || c == '\\' ? "\\" : "").append(1, c);
            made.literal_text += '"';
        } else if (const auto* const flag = std::get_if<bool>(&value)) {
            made.sign = orders[below(2)];
            made.literal_text = *flag ? "true" : "false";
        } else {
            made.sign = orders[below(6)];
            const auto number = std::get<long double>(value);
            const bool is_float = field.cpp_type() == FieldDescriptor::CPPTYPE_FLOAT;
            const bool is_real = is_float || field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
            if (!std::isfinite(static_cast<double>(number))) return false;
            char digits[64];
            if (is_float)
                made.literal_text = {digits, std::to_chars(digits, digits + 64, static_cast<float>(number)).ptr};
            else if (is_real)
                made.literal_text = {digits, std::to_chars(digits, digits + 64, static_cast<double>(number)).ptr};
            else if (number < 0)
                made.literal_text = std::to_string(static_cast<std::int64_t>(number));
            else
                made.literal_text = std::to_string(static_cast<std::uint64_t>(number));
            if (field.cpp_type() == FieldDescriptor::CPPTYPE_ENUM && made.sign.back() == '=' && made.sign.size() == 2 &&
                made.sign.front() != '<' && made.sign.front() != '>' && below(2) == 0)
                if (const auto* const known = field.enum_type()->FindValueByNumber(static_cast<int>(number)))
                    made.literal_text = known->name();
        }
        made.literal = value;
        return true;
    }

    static Plain default_of(const FieldDescriptor& field)
    {
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) return std::string();
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL) return false;
        return 0.0L;
    }

    std::mt19937_64 random_;
    const Message& message_;
    Fields last_;
};

/// Compares a query with reflection, in both encodings; the text of what differs, or nothing.
class QueryCheck {
public:
    QueryCheck(const ositrace::Schema& schema, const opponent::Row& row)
        : table_(*schema.find(row.full_name)),
          row_(row),
          to_flat_(table_, Format{}, Format{ositrace::Encoding::flatbuffers, ositrace::Layout::numbered})
    {
    }

    std::string check(ositrace::Bytes payload, std::uint64_t seed, int expressions)
    {
        const std::unique_ptr<Message> message(row_.prototype().New());
        if (!message->ParsePartialFromArray(payload.data(), static_cast<int>(payload.size()))) return "does not parse";
        ositrace::ByteBuffer flat;
        to_flat_.transcode(payload, flat);
        RandomExpressions random(seed, *message);
        for (int i = 0; i != expressions; ++i) {
            const auto expression = random.make(3);
            const auto text = expression.text();
            std::map<Fields, int> lists;
            expression.collect_lists(lists);
            if (text.size() > ositrace::Query::max_bytes || lists.size() > 3 || combinations(*message, lists) > 20'000)
                continue;
            const auto wanted = brute_force(*message, expression, lists);
            const auto query = ositrace::Query::compile(text, table_);
            ositrace::QueryEvaluator evaluator(query);
            const std::pair<Format, ositrace::Bytes> forms[] = {
                {Format{}, payload},
                {Format{ositrace::Encoding::flatbuffers, ositrace::Layout::numbered}, flat.bytes()}};
            for (const auto& [format, bytes] : forms) {
                const ositrace::MessageView view(bytes, table_, format);
                std::vector<ositrace::QueryMatch> matches;
                const bool found = evaluator.find(view, matches);
                if (found != (wanted != 0) || evaluator.holds(view) != found)
                    return text + (found ? ": holds" : ": does not hold");
                // Of one list every element is found once.
                const auto listed = std::min<std::uint64_t>(wanted, ositrace::QueryEvaluator::max_matches);
                if (lists.size() == 1 && uses_list_everywhere(expression) && matches.size() != listed)
                    return text + ": " + std::to_string(matches.size()) + " found of " + std::to_string(listed);
            }
            ++compared_;
            if (wanted != 0) ++held_;
        }
        return {};
    }
    [[nodiscard]] int compared() const { return compared_; }
    [[nodiscard]] int held() const { return held_; }

private:
    static std::uint64_t combinations(const Message& message, const std::map<Fields, int>& lists)
    {
        std::uint64_t count = 0;
        static_cast<void>(visit_all(message, lists, [&](const Binding&) { return ++count > 20'000; }));
        return count;
    }

    static std::uint64_t brute_force(const Message& message, const Expression& expression,
                                     const std::map<Fields, int>& lists)
    {
        std::uint64_t count = 0;
        static_cast<void>(visit_all(message, lists, [&](const Binding& binding) {
            if (expression.holds(message, binding)) ++count;
            return false;
        }));
        return count;
    }

    static bool visit_all(const Message& message, const std::map<Fields, int>& lists,
                          const std::function<bool(const Binding&)>& visit)
    {
        std::vector<Fields> all;
        for (const auto& [list, count] : lists) all.push_back(list);
        std::ranges::stable_sort(all, {}, &Fields::size);  // a list follows those that it is in
        Binding binding;
        return for_each_binding(message, all, binding, visit);
    }

    static bool uses_list_everywhere(const Expression& expression)
    {
        if (!expression.parts.empty()) return std::ranges::all_of(expression.parts, uses_list_everywhere);
        std::map<Fields, int> lists;
        expression.collect_lists(lists);
        return !lists.empty();
    }

    const ositrace::MessageTable& table_;
    const opponent::Row& row_;
    ositrace::Transcoder to_flat_;
    int compared_ = 0, held_ = 0;
};

}  // namespace

TEST_CASE("random expressions hold for the real traces where libprotobuf says so")
{
    const auto traces = real_traces();
    if (traces.empty()) WARN("skipped: the real traces are absent");
    for (const auto& trace : traces) {
        INFO(trace.name);
        QueryCheck comparison(*ositrace::Schema::built_in(), row_of(trace.type));
        for (std::size_t i = 0; i < trace.frames.size(); i += 10)
            REQUIRE(comparison.check(trace.frames[i], i, rounds(30)) == "");
        CHECK(comparison.held() > comparison.compared() / 10);
        CHECK(comparison.held() < comparison.compared());
    }
}

TEST_CASE("random expressions hold for random messages where libprotobuf says so")
{
    for (const auto* const type : {"every_kind.EveryKind", "osi3.GroundTruth", "osi3.SensorData", "osi3.SensorView"}) {
        INFO(type);
        const bool is_osi = std::string_view(type).starts_with("osi3");
        const auto schema = is_osi ? ositrace::Schema::built_in() : every_kind_schema();
        QueryCheck comparison(*schema, row_of(type));
        for (std::uint64_t seed = 0; seed != static_cast<std::uint64_t>(rounds(30)); ++seed) {
            const std::unique_ptr<Message> message(row_of(type).prototype().New());
            RandomMessages(seed, {.max_elements = 400}).fill(*message);
            INFO("seed " << seed);
            REQUIRE(comparison.check(bytes_of(serialized(*message)), seed, 20) == "");
        }
        CHECK(comparison.held() > comparison.compared() / 20);
        CHECK(comparison.held() < comparison.compared());
    }
}
