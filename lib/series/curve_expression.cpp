// SPDX-License-Identifier: MPL-2.0
#include <ositrace/curve.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/field_path.hpp>
#include <ositrace/query.hpp>
#include <ositrace/scalar_value.hpp>

namespace ositrace {

namespace {

[[noreturn]] void refuse_curve(const std::string& reason) { throw Error(Cause::usage, reason); }

std::string_view without_blanks(std::string_view text)
{
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// Replaces each `[*]` of a text by the next of `keys`, from the first one again in each path.
std::string with_keys(std::string_view text, std::string_view keys)
{
    constexpr std::string_view every = "[*]";
    std::string result;
    auto left = keys;
    for (std::size_t i = 0; i != text.size();) {
        if (text.substr(i, every.size()) == every) {
            const auto end = left.find(']');
            if (end == std::string_view::npos) return std::string(text);
            result += left.substr(0, end + 1);
            left.remove_prefix(end + 1);
            i += every.size();
            continue;
        }
        const bool ends_path = text[i] == '(' || text[i] == ',' || text[i] == '-';
        if (ends_path) left = keys;
        result += text[i++];
    }
    return result;
}

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};

/// The unit of a derivative: `m` gives `m/s`, `m/s` gives `m/s^2`.
std::string per_second(const std::string& unit)
{
    if (unit.empty()) return "1/s";
    const auto slash = unit.rfind("/s");
    if (slash == std::string::npos) return unit + "/s";
    const auto rest = unit.substr(slash + 2);
    if (rest.empty()) return unit + "^2";
    if (rest.size() == 2 && rest[0] == '^' && rest[1] >= '2' && rest[1] < '9')
        return unit.substr(0, slash + 3) + static_cast<char>(rest[1] + 1);
    return "(" + unit + ")/s";
}

}  // namespace

/// Recursive descent over the text of an expression.
class CurveParser {
public:
    CurveParser(const MessageTable& root, std::string_view text, CurveExpression& result)
        : table_(root), text_(text), result_(result)
    {
    }

    CurveExpression::Node parse()
    {
        auto node = difference();
        if (at_ != text_.size()) refuse_curve("'" + std::string(text_.substr(at_)) + "' is left over");
        return node;
    }

    /// What was parsed, with whole paths.
    [[nodiscard]] std::string whole_text() const { return whole_text_ + std::string(text_.substr(copied_)); }

private:
    using Node = CurveExpression::Node;
    using Function = CurveExpression::Function;
    static constexpr int deepest = 16;

    static bool is_of_vectors(Function function) noexcept
    {
        return function == Function::distance || function == Function::along;
    }
    static bool is_of_objects(Function function) noexcept
    {
        return function == Function::gap || function == Function::time_to_collision ||
               function == Function::time_to_contact;
    }

    Node difference()
    {
        if (++depth_ > deepest) refuse_curve("functions are nested deeper than " + std::to_string(deepest));
        auto node = term();
        while (skip('-')) {
            Node both{.function = Function::difference};
            both.arguments.push_back(std::move(node));
            both.arguments.push_back(term());
            node = std::move(both);
        }
        --depth_;
        return node;
    }

    Node term()
    {
        const auto name = word();
        if (name.empty()) refuse_curve("a field path is missing");
        if (!skip('(')) return path(whole_path(name));
        auto node = call(name);
        if (!skip(')')) refuse_curve("')' is missing after the arguments of " + std::string(name));
        return node;
    }

    Node call(std::string_view name)
    {
        struct Row {
            std::string_view name;
            Function function;
            std::size_t arguments;  // 0: one or more
        };
        static constexpr std::array rows{Row{"difference", Function::difference, 2},
                                         Row{"derivative", Function::derivative, 1},
                                         Row{"norm", Function::norm, 0},
                                         Row{"distance", Function::distance, 2},
                                         Row{"along", Function::along, 2},
                                         Row{"unwrap", Function::unwrap, 1},
                                         Row{"gap", Function::gap, 2},
                                         Row{"time_to_collision", Function::time_to_collision, 2},
                                         Row{"time_to_contact", Function::time_to_contact, 2}};
        const auto* const row = std::ranges::find(rows, name, &Row::name);
        if (row == rows.end())
            refuse_curve("unknown function '" + std::string(name) +
                         "' (known: difference, derivative, norm, distance, along, unwrap, gap, time_to_collision, "
                         "time_to_contact)");
        Node node{.function = row->function};
        do {
            if (row->function == Function::norm || is_of_vectors(row->function))
                node.arguments.push_back(vector(name, row->function));
            else if (is_of_objects(row->function))
                node.arguments.push_back(object(name));
            else
                node.arguments.push_back(difference());
        } while (skip(','));
        const auto count = node.arguments.size();
        if (row->arguments != 0 && count != row->arguments)
            refuse_curve(std::string(name) + " takes " + std::to_string(row->arguments) + " argument" +
                         (row->arguments == 1 ? "" : "s") + ", found " + std::to_string(count));
        if (is_of_vectors(row->function) && node.arguments[0].arguments.size() != node.arguments[1].arguments.size())
            refuse_curve("the vectors of " + std::string(name) + " do not have the same components");
        const bool is_length = row->function == Function::norm && node.arguments.front().function == Function::length;
        if (is_length && count == 1) return Node(node.arguments.front());
        return node;
    }

    /// The length of a message with components; for a norm any other curve, for a distance the position of an object.
    Node vector(std::string_view name_of_function, Function function)
    {
        const bool is_point = function == Function::distance;
        const auto begin = at_;
        const auto written = word();
        const bool is_whole = next_is(',') || next_is(')');
        const auto* const message = is_whole ? message_at(written) : nullptr;
        if (message == nullptr && function != Function::norm)
            refuse_curve(std::string(name_of_function) + " needs messages with x, y and z" +
                         (is_point ? ", or objects" : "") + ", found '" + std::string(written) + "'");
        if (message == nullptr) {
            at_ = begin;
            return difference();
        }
        Node node{.function = Function::length};
        const auto name = whole_path(written);
        const bool is_object = is_point && message->find("base") != nullptr;
        const auto prefix = name + (is_object ? ".base.position." : ".");
        const auto* const holder = is_object ? message_at(name + ".base.position") : message;
        for (const auto axis : axes)
            if (holder != nullptr && holder->find(axis) != nullptr)
                node.arguments.push_back(path(prefix + std::string(axis)));
        if (node.arguments.empty()) refuse_curve("'" + name + "' has no x, y and z");
        return node;
    }

    Node object(std::string_view function)
    {
        constexpr std::array fields{"position.x", "position.y",       "orientation.yaw", "velocity.x",
                                    "velocity.y", "dimension.length", "dimension.width"};
        const auto written = word();
        const bool is_object = message_at(std::string(written) + ".base.position") != nullptr;
        if (!is_object) refuse_curve(std::string(function) + " needs objects, found '" + std::string(written) + "'");
        const auto name = whole_path(written);
        Node node{.function = Function::object};
        for (const auto* const each : fields) {
            const auto text = name + ".base." + each;
            const auto* const holder = message_at(text.substr(0, text.rfind('.')));
            const bool is_there = holder != nullptr && holder->find(text.substr(text.rfind('.') + 1)) != nullptr;
            node.arguments.push_back(is_there ? path(text) : Node{.function = Function::absent});
        }
        return node;
    }

    /// A path as it is written, from the root, also in whole_text().
    std::string whole_path(std::string_view written)
    {
        auto path = full_path(table_, written);
        const auto begin = static_cast<std::size_t>(written.data() - text_.data());
        whole_text_.append(text_.substr(copied_, begin - copied_)).append(path);
        copied_ = begin + written.size();
        return path;
    }

    [[nodiscard]] const MessageTable* message_at(std::string_view written) const
    try {
        return FieldPath::compile(table_, full_path(table_, written)).leaf().child;
    } catch (const Error&) {
        return nullptr;  // path() reports it
    }

    Node path(std::string text)
    {
        const auto compiled = FieldPath::compile_value(table_, text);
        if (!is_scalar(compiled.leaf().kind))
            refuse_curve("field path '" + text + "': is " +
                         (compiled.leaf().kind == FieldKind::string ? "a string" : "bytes") + ", expected a number");
        result_.has_many_ = result_.has_many_ || compiled.has_many();
        const auto known = std::ranges::find(result_.paths_, text);
        const auto place = static_cast<std::size_t>(known - result_.paths_.begin());
        if (known == result_.paths_.end()) result_.paths_.push_back(std::move(text));
        return {.path = place};
    }

    /// Up to what separates paths.
    std::string_view word()
    {
        const auto end = std::min(text_.find_first_of("(),-", at_), text_.size());
        const auto word = without_blanks(text_.substr(at_, end - at_));
        at_ = end;
        return word;
    }
    [[nodiscard]] bool next_is(char wanted) const noexcept { return at_ != text_.size() && text_[at_] == wanted; }
    bool skip(char wanted)
    {
        while (next_is(' ')) ++at_;
        if (!next_is(wanted)) return false;
        ++at_;
        return true;
    }

    const MessageTable& table_;
    std::string_view text_;
    CurveExpression& result_;
    std::size_t at_ = 0;
    int depth_ = 0;
    std::string whole_text_;
    std::size_t copied_ = 0;  ///< what of text_ is in whole_text_
};

CurveExpression CurveExpression::compile(const MessageTable& root, std::string_view text)
{
    CurveExpression result;
    CurveParser parser(root, without_blanks(text), result);
    result.root_ = parser.parse();
    result.text_ = parser.whole_text();
    return result;
}

std::string CurveExpression::text_of(std::string_view keys) const { return with_keys(text_, keys); }

std::optional<std::size_t> CurveExpression::missing(std::span<const Curve* const> curves) const
{
    return missing(root_, curves);
}

std::optional<std::size_t> CurveExpression::missing(const Node& node, std::span<const Curve* const> curves)
{
    if (node.function == Function::path) return curves[node.path] == nullptr ? std::optional(node.path) : std::nullopt;
    std::span<const Node> needed(node.arguments);
    if (node.function == Function::object) {
        constexpr std::size_t position = 2;
        needed = needed.first(position);
    }
    // One component of a vector is enough.
    const auto is_there = [&](const Node& each) { return !missing(each, curves); };
    if (node.function == Function::length && std::ranges::any_of(needed, is_there)) return std::nullopt;
    for (const auto& each : needed)
        if (const auto found = missing(each, curves)) return found;
    return std::nullopt;
}

/// The curves of a vector or an object.
std::vector<const Curve*> CurveExpression::parts_of(const Node& node, std::span<const Curve* const> curves)
{
    std::vector<const Curve*> parts;
    for (const auto& each : node.arguments)
        parts.push_back(each.function == Function::path ? curves[each.path] : nullptr);
    return parts;
}

ObjectCurves CurveExpression::object_of(const Node& node, std::span<const Curve* const> curves)
{
    ObjectCurves object{};
    std::ranges::copy(parts_of(node, curves), object.begin());
    return object;
}

Curve CurveExpression::evaluate(std::span<const Curve* const> curves) const { return evaluate(root_, curves); }

Curve CurveExpression::evaluate(const Node& node, std::span<const Curve* const> curves)
{
    const auto& of = node.arguments;
    switch (node.function) {
    case Function::path: return *curves[node.path];
    case Function::length: return ositrace::length(parts_of(node, curves));
    case Function::distance: return ositrace::distance(parts_of(of[0], curves), parts_of(of[1], curves));
    case Function::along: return ositrace::along(parts_of(of[0], curves), parts_of(of[1], curves));
    case Function::gap: return ositrace::gap(object_of(of[0], curves), object_of(of[1], curves));
    case Function::time_to_collision:
        return ositrace::time_to_collision(object_of(of[0], curves), object_of(of[1], curves));
    case Function::time_to_contact:
        return ositrace::time_to_contact(object_of(of[0], curves), object_of(of[1], curves));
    default: break;
    }
    std::vector<Curve> values;
    std::vector<const Curve*> arguments;
    values.reserve(node.arguments.size());
    for (const auto& each : node.arguments) {
        if (each.function == Function::path) {
            arguments.push_back(curves[each.path]);
            continue;
        }
        values.push_back(evaluate(each, curves));
        arguments.push_back(&values.back());
    }
    const std::span<const Curve* const> all(arguments);
    switch (node.function) {
    case Function::difference: return ositrace::difference(*all[0], *all[1]);
    case Function::derivative: return ositrace::derivative(*all[0]);
    case Function::norm: return ositrace::norm(all);
    case Function::unwrap: return ositrace::unwrap(*all[0]);
    default: return {};
    }
}

std::string CurveExpression::unit(std::span<const std::string> units) const { return unit(root_, units); }

std::string CurveExpression::unit(const Node& node, std::span<const std::string> units)
{
    if (node.function == Function::path) return units[node.path];
    auto first = unit(node.arguments.front(), units);
    if (node.function == Function::time_to_collision || node.function == Function::time_to_contact) return "s";
    const bool is_of_first =
        node.function == Function::gap || node.function == Function::object || node.function == Function::along;
    if (is_of_first) return first;
    if (node.function == Function::derivative) return per_second(first);
    for (const auto& each : node.arguments)
        if (unit(each, units) != first) return {};
    return first;
}

}  // namespace ositrace
