// SPDX-License-Identifier: MPL-2.0
#include <algorithm>

#include <ositrace/error.hpp>

#include "app/osiconvert/cat.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::app {

namespace {

constexpr std::string_view every = "[*]";

/// Quoted if RFC 4180 requires it.
void append_cell(std::string_view text, ByteBuffer& out)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return append(out, text);
    append(out, "\"");
    for (auto quote = text.find('"'); quote != std::string_view::npos; quote = text.find('"')) {
        append(out, text.substr(0, quote + 1));
        append(out, "\"");
        text.remove_prefix(quote + 1);
    }
    append(out, text);
    append(out, "\"");
}

/// A value of the frame, or of one of the elements that the row is for.
struct ColumnPath {
    std::string_view fact;          ///< of the frame: `@time`
    std::optional<FieldPath> path;  ///< in the element, or the frame; empty: the element itself
    std::size_t level = 0;          ///< 0: of the frame, else of the element of levels_[level - 1]
};

/// The elements of a repeated field, in the elements of the level before.
struct Level {
    std::string text;  ///< the whole path: `a[*].b[*]`
    FieldPath path;    ///< in the element of the level before
};

bool is_message(const FieldRow& row) { return row.child != nullptr && !row.child->fields.empty(); }

/// The paths of the leaves of a message, `base.position.x`. A repeated field is one value, and so is a recursive
/// message.
void add_leaves(const MessageTable& table, const std::string& path, std::vector<const MessageTable*>& parents,
                std::vector<std::string>& to)
{
    parents.push_back(&table);
    for (const auto& row : table.fields) {
        auto inside = path + '.' + std::string(row.name);
        const bool opens = is_message(row) && !row.repeated && std::ranges::find(parents, row.child) == parents.end();
        if (opens)
            add_leaves(*row.child, inside, parents, to);
        else
            to.push_back(std::move(inside));
    }
    parents.pop_back();
}

class CsvPrinter final : public FramePrinter {
public:
    CsvPrinter(const CatRequest& request, const MessageTable& root)
        : fields_(request.fields), several_channels_(request.several_channels)
    {
        if (fields_.empty())
            throw Error(
                Cause::usage,
                "a table requires columns: --fields PATH,..., as in --fields 'moving_object[*].base.position.x'");
        for (const auto& field : fields_) find_elements(root, field);
        for (const auto& field : fields_) add_field(root, field);
        if (!levels_.empty()) find_id();
        found_.resize(fields_.size());
    }

    void begin(ByteBuffer& out) override
    {
        append(out, several_channels_ ? "frame,time,topic" : "frame,time");
        if (!levels_.empty()) append(out, ",id");
        for (const auto& name : column_names_) {
            append(out, ",");
            append_cell(name, out);
        }
        append(out, "\n");
    }

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        printed_ = true;
        elements_.clear();
        return print_rows(frame, out);
    }

    std::vector<std::string> never_found() const override
    {
        std::vector<std::string> fields;
        // Without a row nothing is known of the other levels, and facts of the frame are never missing.
        for (std::size_t i = 0; i != fields_.size(); ++i)
            if (printed_ && !found_[i] && (has_rows_ || requested_[i].level == levels_.size()))
                fields.push_back(fields_[i]);
        return fields;
    }

private:
    /// The paths up to each `[*]` are the same in all columns that have it.
    void find_elements(const MessageTable& root, const std::string& field)
    {
        if (is_fact(field)) return;
        std::size_t level = 0;
        for (auto star = field.find(every); star != std::string::npos; star = field.find(every, star + 1), ++level) {
            auto prefix = field.substr(0, star + every.size());
            if (level == levels_.size())
                levels_.push_back({prefix, path_in(root, level, prefix)});
            else if (levels_[level].text != prefix)
                throw Error(Cause::usage, "rows can be the elements of one repeated field only, found '" +
                                              levels_[level].text + "' and '" + prefix + "'");
        }
        if (level == 0 && FieldPath::compile(root, field).has_many())
            throw Error(Cause::usage,
                        "'" + field + "' has many values: write '" + field + "[*]' to print one row per value");
    }

    /// The rest of a path after that of a level.
    [[nodiscard]] FieldPath path_in(const MessageTable& root, std::size_t level, const std::string& path) const
    {
        if (level == 0) return FieldPath::compile(root, path);
        const auto* const table = levels_[level - 1].path.leaf().child;
        if (table == nullptr) return FieldPath::compile(root, path);  // throws: a number has no fields
        return FieldPath::compile(*table, std::string_view(path).substr(levels_[level - 1].text.size() + 1));
    }

    /// Adds a column, or for a message a column for each of its leaves.
    void add_field(const MessageTable& root, const std::string& field)
    {
        requested_.push_back(place(root, field));
        if (!requested_.back().fact.empty()) {
            column_names_.push_back(field);
            return columns_.push_back(requested_.back());
        }
        const auto leaf = FieldPath::compile(root, field).leaf();  // an error names the whole path
        if (requested_.back().level != 0 && requested_.back().path && requested_.back().path->has_many())
            throw Error(Cause::usage, "'" + field + "' has many values in a row; select one with [INDEX]");
        std::vector<const MessageTable*> parents;
        const auto first = column_names_.size();
        if (is_message(leaf))
            add_leaves(*leaf.child, field, parents, column_names_);
        else
            column_names_.push_back(field);
        for (auto i = first; i != column_names_.size(); ++i) columns_.push_back(place(root, column_names_[i]));
    }

    ColumnPath place(const MessageTable& root, const std::string& field) const
    {
        if (is_fact(field)) return {field, std::nullopt, 0};
        std::size_t level = 0;
        for (auto star = field.find(every); star != std::string::npos; star = field.find(every, star + 1)) ++level;
        if (level != 0 && levels_[level - 1].text == field) return {{}, std::nullopt, level};
        return {{}, path_in(root, level, field), level};
    }

    void find_id()
    {
        // A value in a list has no id of its own: that of the element with the list.
        for (id_level_ = levels_.size(); id_level_ != 0; --id_level_) {
            const auto* const table = levels_[id_level_ - 1].path.leaf().child;
            if (table != nullptr && !id_path(*table).empty()) break;
        }
        if (id_level_ == 0) return;
        const auto* const table = levels_[id_level_ - 1].path.leaf().child;
        const auto path = id_path(*table);
        id_ = FieldPath::compile(*table, path);
        constexpr std::string_view value = ".value";
        if (path.ends_with(value)) identifier_ = FieldPath::compile(*table, path.substr(0, path.size() - value.size()));
    }

    /// A row for each element of the last level; elements_ has those of the levels before.
    LeftOut print_rows(const CatFrame& frame, ByteBuffer& out)
    {
        const auto level = elements_.size();
        if (level == levels_.size()) return print_row(frame, out);
        LeftOut left_out;
        std::vector<Value> values;
        levels_[level].path.collect(level == 0 ? frame.message : std::get<MessageView>(elements_.back()), values);
        for (auto& value : values) {
            elements_.push_back(std::move(value));
            left_out += print_rows(frame, out);
            elements_.pop_back();
        }
        return left_out;
    }

    LeftOut print_row(const CatFrame& frame, ByteBuffer& out)
    {
        LeftOut left_out;
        has_rows_ = true;
        append(out, std::to_string(frame.frame.index) + ',');
        if (frame.time) append(out, exact_seconds(*frame.time));
        if (several_channels_) {
            append(out, ",");
            append_cell(frame.channel.topic, out);
        }
        if (!levels_.empty()) {
            append(out, ",");
            append_id(out);
        }
        const auto message_of = [&](const ColumnPath& place) {
            return place.level == 0 ? frame.message : std::get<MessageView>(elements_[place.level - 1]);
        };
        for (std::size_t i = 0; i != requested_.size(); ++i) {
            const auto& place = requested_[i];
            if (!place.fact.empty()) {
                found_[i] = true;
                continue;
            }
            const auto value = place.path ? place.path->get(message_of(place)) : elements_[place.level - 1];
            found_[i] = found_[i] || !std::holds_alternative<std::monostate>(value);
            // The columns of a message do not show its unknown fields.
            cell_.clear();
            if (const auto* const message = std::get_if<MessageView>(&value))
                left_out += append_text_format(*message, cell_);
        }
        for (const auto& column : columns_) {
            append(out, ",");
            if (!column.fact.empty())
                append(out, fact_text(column.fact, frame));
            else if (!column.path)
                append_value(elements_[column.level - 1], levels_[column.level - 1].path.leaf(), out);
            else if (column.path->has_many())
                append_values(*column.path, message_of(column), out);
            else
                append_value(column.path->get(message_of(column)), column.path->leaf(), out);
        }
        append(out, "\n");
        return left_out;
    }

    /// The values of a repeated field as a JSON array; an empty cell for none.
    void append_values(const FieldPath& path, const MessageView& message, ByteBuffer& out)
    {
        std::vector<Value> values;
        path.collect(message, values);
        cell_.clear();
        for (const auto& value : values) {
            append(cell_, &value == &values.front() ? "[" : ",");
            static_cast<void>(append_json(value, path.leaf(), cell_));
        }
        if (!values.empty()) append(cell_, "]");
        append_cell(text_of(cell_.bytes()), out);
    }

    /// Many writers omit a value of 0: an id without a value is 0.
    void append_id(ByteBuffer& out)
    {
        if (!id_) return;
        const auto& message = std::get<MessageView>(elements_[id_level_ - 1]);
        const auto number = id_->get(message);
        const auto is_set = [](const Value& value) { return !std::holds_alternative<std::monostate>(value); };
        if (!is_set(number) && identifier_ && is_set(identifier_->get(message))) append(out, "0");
        append_value(number, id_->leaf(), out);
    }

    /// As in JSON, but without quotes.
    void append_value(const Value& value, const FieldRow& field, ByteBuffer& out)
    {
        if (std::holds_alternative<std::monostate>(value)) return;
        if (const auto* const text = std::get_if<std::string_view>(&value)) return append_cell(*text, out);
        cell_.clear();
        static_cast<void>(append_json(value, field, cell_));
        auto text = text_of(cell_.bytes());
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        append_cell(text, out);
    }

    std::vector<std::string> fields_;
    bool several_channels_;
    std::vector<Level> levels_;            ///< each element of the last one is a row
    std::vector<Value> elements_;          ///< of the row, one for each level
    std::optional<FieldPath> id_;          ///< in an element of the last level that has ids
    std::size_t id_level_ = 0;             ///< counted from 1
    std::optional<FieldPath> identifier_;  ///< the message that `id_` is in
    std::vector<ColumnPath> requested_;    ///< per field
    std::vector<bool> found_;              ///< per field, in any row
    std::vector<ColumnPath> columns_;
    std::vector<std::string> column_names_;
    bool printed_ = false, has_rows_ = false;
    ByteBuffer cell_;
};

}  // namespace

std::unique_ptr<FramePrinter> csv_printer(const CatRequest& request, const MessageTable& root)
{
    return std::make_unique<CsvPrinter>(request, root);
}

}  // namespace ositrace::app
