// SPDX-License-Identifier: MPL-2.0
// From the text of an expression to a program, in one walk: each rule of the grammar is a function of Compiler.
#include <ositrace/query.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "lib/query/lexer.hpp"
#include "lib/query/program.hpp"

namespace ositrace {

namespace {

using Kind = QueryNode::Kind;

enum class Type : std::uint8_t { condition, number, enumeration, text, not_finite, word };

/// Something with a value. A word is the name of an enumerator, if the other side of its comparison is an enum.
struct Operand {
    Type type = Type::condition;
    std::uint32_t node = 0;
    std::size_t at = 0;
    std::string word = {};
    const EnumTable* enumeration = nullptr;
    bool is_float = false;    ///< a field of kind float
    bool is_literal = false;  ///< a number as it is written
};

std::string name_of(Type type)
{
    constexpr std::array<std::string_view, 6> names{"a condition", "a number", "an enum", "a text", "nan", "a name"};
    return std::string(names.at(static_cast<std::size_t>(type)));
}

class Compiler {
public:
    Compiler(std::string_view text, const MessageTable& root) : lexer_(text)
    {
        program_->text = text;
        program_->root = &root;
        token_ = lexer_.next();
    }

    std::shared_ptr<const Query::Program> compile()
    {
        if (token_.kind == Token::Kind::end) refuse_expression(0, "the expression is empty");
        const auto whole = condition(alternatives());
        if (token_.kind != Token::Kind::end)
            refuse_expression(token_.at, "expected and, or, an operator or the end" + found());
        program_->top = plan_condition(*program_, whole);
        return program_;
    }

private:
    // The rules, from the weakest operator to the strongest.

    Operand alternatives()
    {
        return chain(Kind::either, "or", "||", [this] { return conjunction(); });
    }
    Operand conjunction()
    {
        return chain(Kind::both, "and", "&&", [this] { return negation(); });
    }

    template <class Part>
    Operand chain(Kind kind, std::string_view word, std::string_view sign, Part&& part)
    {
        auto left = part();
        while (is_word(word) || is_sign(sign)) {
            const auto a = condition(left);
            advance();
            const auto b = condition(part());
            left = {.type = Type::condition, .node = add({.kind = kind, .left = a, .right = b}), .at = left.at};
        }
        return left;
    }

    Operand negation()
    {
        if (!is_word("not") && !is_sign("!")) return comparison();
        const auto at = token_.at;
        const Nesting nesting(*this);
        advance();
        const auto node = add({.kind = Kind::negation, .left = condition(negation())});
        return {.type = Type::condition, .node = node, .at = at};
    }

    Operand comparison()
    {
        const auto from = token_.at;
        auto left = sum();
        keep_text(left, from);
        const auto sign = token_.kind == Token::Kind::sign ? comparison_at(token_.text) : std::nullopt;
        if (!sign || sign->text != token_.text) return left;
        const auto at = token_.at;
        advance();
        const auto right_from = token_.at;
        auto right = sum();
        keep_text(right, right_from);
        return {.type = Type::condition, .node = compared(left, sign->comparison, right, at), .at = left.at};
    }

    /// Of a number that is computed: as it is written, from a byte to the current token.
    void keep_text(const Operand& operand, std::size_t from)
    {
        if (operand.type != Type::number) return;
        const auto text = std::string_view(program_->text).substr(from, token_.at - from);
        program_->nodes[operand.node].text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    }

    Operand sum()
    {
        auto left = product();
        while (is_sign("+") || is_sign("-")) {
            const auto kind = is_sign("+") ? Kind::add : Kind::subtract;
            advance();
            left = arithmetic(kind, left, product());
        }
        return left;
    }

    Operand product()
    {
        auto left = unary();
        while (is_sign("*") || is_sign("/")) {
            const auto kind = is_sign("*") ? Kind::multiply : Kind::divide;
            advance();
            left = arithmetic(kind, left, unary());
        }
        return left;
    }

    Operand unary()
    {
        if (!is_sign("-")) return primary();
        const auto at = token_.at;
        const Nesting nesting(*this);
        advance();
        auto operand = unary();
        if (operand.type == Type::not_finite) return operand;
        if (operand.is_literal) {
            auto& number = program_->numbers[program_->nodes[operand.node].left];
            number = number.negative();
            operand.at = at;
            return operand;
        }
        return {.type = Type::number, .node = add({.kind = Kind::negative, .left = number(operand)}), .at = at};
    }

    Operand primary()
    {
        const auto token = token_;
        switch (token.kind) {
        case Token::Kind::number: return advance(), literal(token);
        case Token::Kind::text:
            advance();
            program_->texts.push_back(token.text);
            return {.type = Type::text,
                    .node = add({.kind = Kind::text, .left = last_of(program_->texts)}),
                    .at = token.at,
                    .word = token.text};
        case Token::Kind::word: return word();
        case Token::Kind::sign:
            if (is_sign("(")) return in_parentheses();
            break;
        case Token::Kind::end: break;
        }
        refuse_expression(token.at, "expected a field, a value or '('" + found());
    }

    Operand in_parentheses()
    {
        const Nesting nesting(*this);
        advance();
        auto inside = alternatives();
        expect(")");
        inside.is_literal = false;
        return inside;
    }

    Operand word()
    {
        const auto token = token_;
        advance();
        if (is_sign("(")) return call(token);
        const auto is = [&](std::string_view name) { return holds(Comparison::equal, token.text, name); };
        if (is("true") || is("false"))
            return {.type = Type::condition, .node = add({.kind = Kind::truth, .left = is("true")}), .at = token.at};
        if (is("nan") || is("inf")) return {.type = Type::not_finite, .at = token.at};
        for (const auto* const keyword : {"and", "or", "not"})
            if (is(keyword)) refuse_expression(token.at, "expected a field or a value, found '" + token.text + "'");
        return {.type = Type::word, .at = token.at, .word = token.text};
    }

    Operand call(const Token& name)
    {
        const Nesting nesting(*this);
        const auto is = [&](std::string_view known) { return holds(Comparison::equal, name.text, known); };
        advance();
        Operand result{.type = Type::condition, .at = name.at};
        if (is("any") || is("all")) {
            result.node = quantified(is("all"));
        } else if (is("abs")) {
            result.type = Type::number;
            result.node = add({.kind = Kind::absolute, .left = number(sum())});
        } else if (is("has")) {
            result.node = leaf_node(whole_leaf(QueryLeaf::What::presence));
        } else if (is("count")) {
            result.type = Type::number;
            result.node = leaf_node(whole_leaf(QueryLeaf::What::count));
        } else if (is("norm")) {
            result.type = Type::number;
            result.node = add({.kind = Kind::norm, .parts = vector()});
        } else if (is("along")) {
            result.type = Type::number;
            result.node = along();
        } else {
            refuse_expression(
                name.at, "there is no function '" + name.text + "' (known: has, any, all, count, abs, norm, along)");
        }
        expect(")");
        return result;
    }

    /// all(c) is not any(not c).
    std::uint32_t quantified(bool all)
    {
        const auto outside = std::exchange(quantifier_, ++quantifiers_);
        auto inside = condition(alternatives());
        quantifier_ = outside;
        if (all) inside = add({.kind = Kind::negation, .left = inside});
        const auto plan = plan_condition(*program_, inside);
        program_->quantified.push_back(plan);
        const auto any = add({.kind = Kind::any, .left = last_of(program_->quantified)});
        return all ? add({.kind = Kind::negation, .left = any}) : any;
    }

    std::uint32_t along()
    {
        const auto at = token_.at;
        QueryNode node{.kind = Kind::along, .parts = vector()};
        expect(",");
        const auto direction = vector();
        if (direction.size() != node.parts.size())
            refuse_expression(at, "expected two vectors with the same number of components");
        node.parts.insert(node.parts.end(), direction.begin(), direction.end());
        return add(std::move(node));
    }

    /// The leaves of its components.
    std::vector<std::uint32_t> vector()
    {
        const auto token = expect_path();
        const auto path = path_of(token, false);
        const auto& vector = path.leaf();
        add_path(path);
        std::vector<std::uint32_t> parts;
        for (const auto place : vector.child == nullptr ? std::vector<std::uint16_t>() : vector.child->declared_order) {
            const auto& part = vector.child->fields[place];
            if (part.repeated || (part.kind != FieldKind::double_ && part.kind != FieldKind::float_)) continue;
            const auto part_path = FieldPath::compile(*program_->root, path.text() + "." + std::string(part.name));
            parts.push_back(leaves_.add(part_path, QueryLeaf::What::value, quantifier_));
        }
        if (parts.empty()) refuse_expression(token.at, "expected a vector: '" + token.text + "' has no real numbers");
        return parts;
    }

    // What operands are used as.

    std::uint32_t condition(Operand operand)
    {
        read_word(operand);
        if (operand.type != Type::condition)
            refuse_expression(token_.at,
                              "expected an operator: " + name_of(operand.type) + " is not a condition" + found());
        return operand.node;
    }

    std::uint32_t number(Operand operand)
    {
        read_word(operand);
        if (operand.type != Type::number)
            refuse_expression(operand.at, "expected a number, found " + name_of(operand.type));
        return operand.node;
    }

    Operand arithmetic(Kind kind, const Operand& left, const Operand& right)
    {
        const auto a = number(left), b = number(right);
        return {.type = Type::number, .node = add({.kind = kind, .left = a, .right = b}), .at = left.at};
    }

    std::uint32_t compared(Operand& left, Comparison comparison, Operand& right, std::size_t at)
    {
        if (left.type == Type::word && right.type == Type::word)
            read_word(is_path(left) || !is_path(right) ? left : right);
        else if (left.type == Type::word && right.type != Type::enumeration)
            read_word(left);
        else if (right.type == Type::word && left.type != Type::enumeration)
            read_word(right);
        name_enumerator(left, right, comparison);
        name_enumerator(right, left, comparison);
        read_word(left);
        read_word(right);
        if (left.type == Type::not_finite || right.type == Type::not_finite)
            return not_finite(left, comparison, right, at);
        if (comparison == Comparison::contains) return contains(left, right, at);
        const auto order = comparison != Comparison::equal && comparison != Comparison::not_equal;
        const auto is_numeric = [](Type type) { return type == Type::number || type == Type::enumeration; };
        const bool fit = left.type == right.type || (is_numeric(left.type) && is_numeric(right.type));
        if (!fit)
            refuse_expression(right.at,
                              "expected " + name_of(left.type) + " to compare with, found " + name_of(right.type));
        if (order && !is_numeric(left.type))
            refuse_expression(at, "expected == or != between " + name_of(left.type) + " and " + name_of(right.type));
        round_literal(left, right);
        round_literal(right, left);
        return add({.kind = Kind::comparison, .comparison = comparison, .left = left.node, .right = right.node});
    }

    std::uint32_t not_finite(const Operand& left, Comparison comparison, const Operand& right, std::size_t at)
    {
        if (comparison != Comparison::equal && comparison != Comparison::not_equal)
            refuse_expression(at, "expected == or != before nan");
        const auto tested = number(left.type == Type::not_finite ? right : left);
        return add({.kind = Kind::not_finite, .comparison = comparison, .left = tested});
    }

    std::uint32_t contains(const Operand& left, const Operand& right, std::size_t at)
    {
        if (right.type != Type::text) refuse_expression(right.at, "expected a text in quotes after ~");
        if (left.type == Type::enumeration)
            return add({.kind = Kind::name_contains, .left = left.node, .right = right.node});
        if (left.type != Type::text)
            refuse_expression(at, "expected a text or an enum before ~, found " + name_of(left.type));
        return add(
            {.kind = Kind::comparison, .comparison = Comparison::contains, .left = left.node, .right = right.node});
    }

    /// A word or a text beside an enum is the name of an enumerator.
    void name_enumerator(Operand& word, const Operand& other, Comparison comparison)
    {
        const bool is_name = word.type == Type::word || word.type == Type::text;
        if (!is_name || other.type != Type::enumeration || comparison == Comparison::contains) return;
        if (word.type == Type::word && word.word.find_first_of(".[") != std::string::npos) return;
        const auto* const value = find_enumerator(*other.enumeration, word.word);
        if (value == nullptr) {
            if (word.type == Type::word && is_path(word)) return;
            std::vector<std::string_view> names;
            for (const auto& each : other.enumeration->values) names.push_back(each.name);
            refuse_expression(word.at, std::string(other.enumeration->full_name) + " has no '" + word.word + "'" +
                                           near_names(word.word, std::move(names)));
        }
        if (comparison != Comparison::equal && comparison != Comparison::not_equal)
            refuse_expression(word.at, "names of an enum have no order: expected a number");
        program_->numbers.emplace_back(std::int64_t{value->number});
        word.type = Type::enumeration;
        word.enumeration = other.enumeration;
        word.node = add({.kind = Kind::number, .left = last_of(program_->numbers)});
    }

    [[nodiscard]] bool is_path(const Operand& word) const
    {
        try {
            static_cast<void>(resolved_path(*program_->root, word.word, false));
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    /// A word that is no name is a path.
    void read_word(Operand& operand)
    {
        if (operand.type != Type::word) return;
        const auto path = path_of({Token::Kind::word, operand.at, operand.word}, false);
        const auto& row = path.leaf();
        add_path(path);
        operand.node = leaf_node(leaves_.add(path, QueryLeaf::What::value, quantifier_));
        switch (row.kind) {
        case FieldKind::message:
            refuse_expression(operand.at, "'" + operand.word + "' is a message: expected one of its fields" +
                                              near_names({}, names_below(row)));
        case FieldKind::bytes: refuse_expression(operand.at, "'" + operand.word + "' is bytes, which are not compared");
        case FieldKind::string: operand.type = Type::text; break;
        case FieldKind::bool_: operand.type = Type::condition; break;
        case FieldKind::enumeration: operand.type = Type::enumeration; break;
        default: operand.type = Type::number;
        }
        operand.enumeration = row.enumeration;
        operand.is_float = row.kind == FieldKind::float_;
    }

    static std::vector<std::string_view> names_below(const FieldRow& row)
    {
        std::vector<std::string_view> names;
        for (const auto place : row.child->declared_order) names.push_back(row.child->fields[place].name);
        return names;
    }

    /// 0.1F differs from 0.1, but `== 0.1` must hold for it.
    void round_literal(const Operand& literal, const Operand& other)
    {
        if (!literal.is_literal || !other.is_float) return;
        auto& number = program_->numbers[program_->nodes[literal.node].left];
        number = number.as_float();
    }

    Operand literal(const Token& token)
    {
        const auto number = number_in(token.text);
        if (!number) refuse_expression(token.at, "'" + token.text + "' is not a number");
        program_->numbers.push_back(*number);
        return {.type = Type::number,
                .node = add({.kind = Kind::number, .left = last_of(program_->numbers)}),
                .at = token.at,
                .is_literal = true};
    }

    // Fields.

    FieldPath path_of(const Token& token, bool kept_whole) const
    {
        try {
            return FieldPath::compile(*program_->root, resolved_path(*program_->root, token.text, kept_whole));
        } catch (const Error& error) {
            refuse_expression(token.at, error.reason());
        }
    }

    void add_path(const FieldPath& path)
    {
        if (std::ranges::find(program_->paths, path.text()) == program_->paths.end())
            program_->paths.push_back(path.text());
    }

    Token expect_path()
    {
        const auto token = token_;
        if (token.kind != Token::Kind::word) refuse_expression(token.at, "expected a field" + found());
        advance();
        return token;
    }

    std::uint32_t whole_leaf(QueryLeaf::What what)
    {
        const auto token = expect_path();
        const auto path = path_of(token, true);
        if (what == QueryLeaf::What::count && path.steps().back().pick != FieldPath::Pick::every)
            refuse_expression(token.at, "'" + token.text + "' is not repeated: it has no count");
        return leaves_.add(path, what, quantifier_);
    }

    // Tokens and nodes.

    void advance() { token_ = lexer_.next(); }
    [[nodiscard]] bool is_sign(std::string_view sign) const
    {
        return token_.kind == Token::Kind::sign && token_.text == sign;
    }
    [[nodiscard]] bool is_word(std::string_view word) const
    {
        return token_.kind == Token::Kind::word && holds(Comparison::equal, token_.text, word);
    }
    void expect(std::string_view sign)
    {
        if (!is_sign(sign)) refuse_expression(token_.at, "expected '" + std::string(sign) + "'" + found());
        advance();
    }
    [[nodiscard]] std::string found() const
    {
        if (token_.kind == Token::Kind::end) return ", found the end";
        return ", found '" + token_.text + "'";
    }

    template <class Rows>
    static std::uint32_t last_of(const Rows& rows)
    {
        return static_cast<std::uint32_t>(rows.size() - 1);
    }
    std::uint32_t add(QueryNode node)
    {
        program_->nodes.push_back(std::move(node));
        return last_of(program_->nodes);
    }
    std::uint32_t leaf_node(std::uint32_t leaf) { return add({.kind = Kind::leaf, .left = leaf}); }

    struct Nesting {
        explicit Nesting(Compiler& compiler) : depth(compiler.depth_)
        {
            if (++depth > Query::max_depth)
                refuse_expression(compiler.token_.at,
                                  "the nesting exceeds the limit of " + std::to_string(Query::max_depth) + " levels");
        }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;
        ~Nesting() { --depth; }
        int& depth;
    };

    Lexer lexer_;
    Token token_;
    std::shared_ptr<Query::Program> program_ = std::make_shared<Query::Program>();
    LeafBuilder leaves_{*program_};
    int depth_ = 0;
    std::uint32_t quantifier_ = 0, quantifiers_ = 0;
};

}  // namespace

Query Query::compile(std::string_view expression, const MessageTable& root)
{
    if (expression.size() > max_bytes)
        throw Error(Cause::usage, "the expression exceeds the limit of " + std::to_string(max_bytes) + " bytes");
    return Query(Compiler(expression, root).compile());
}

const std::string& Query::text() const noexcept { return program_->text; }
const MessageTable& Query::root() const noexcept { return *program_->root; }
std::span<const Query::Field> Query::fields() const noexcept { return program_->fields; }
std::span<const std::string> Query::paths() const noexcept { return program_->paths; }

}  // namespace ositrace
