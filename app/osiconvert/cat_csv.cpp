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

/// A value of the frame, or of the element that the row is for.
struct ColumnPath {
    std::optional<FieldPath> path;  ///< empty: the element itself
    bool of_element = false;
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
        if (elements_) find_id();
        found_.resize(fields_.size());
    }

    void begin(ByteBuffer& out) override
    {
        append(out, several_channels_ ? "frame,time,topic" : "frame,time");
        if (elements_) append(out, ",id");
        for (const auto& name : column_names_) {
            append(out, ",");
            append_cell(name, out);
        }
        append(out, "\n");
    }

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        LeftOut left_out;
        printed_ = true;
        if (!elements_) return print_row(frame, {}, out);
        values_.clear();
        elements_->collect(frame.message, values_);
        for (const auto& element : values_) left_out += print_row(frame, element, out);
        return left_out;
    }

    std::vector<std::string> never_found() const override
    {
        std::vector<std::string> fields;
        for (std::size_t i = 0; i != fields_.size(); ++i)
            if (printed_ && !found_[i]) fields.push_back(fields_[i]);
        return fields;
    }

private:
    /// The path up to the `[*]` is the same in all columns that have one.
    void find_elements(const MessageTable& root, const std::string& field)
    {
        const auto star = field.find(every);
        if (star == std::string::npos) {
            if (FieldPath::compile(root, field).has_many())
                throw Error(Cause::usage,
                            "'" + field + "' has many values: write '" + field + "[*]' to print one row per value");
            return;
        }
        if (field.find(every, star + every.size()) != std::string::npos)
            throw Error(Cause::usage,
                        "'" + field + "' has more than one [*]: rows can be the elements of one repeated field only");
        auto prefix = field.substr(0, star + every.size());
        if (elements_ && elements_->text() != prefix)
            throw Error(Cause::usage, "rows can be the elements of one repeated field only, found '" +
                                          elements_->text() + "' and '" + prefix + "'");
        if (!elements_) elements_ = FieldPath::compile(root, prefix);
    }

    /// Adds a column, or for a message a column for each of its leaves.
    void add_field(const MessageTable& root, const std::string& field)
    {
        const auto leaf = FieldPath::compile(root, field).leaf();  // an error names the whole path
        requested_.push_back(place(root, field));
        if (requested_.back().of_element && requested_.back().path && requested_.back().path->has_many())
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
        if (field.find(every) == std::string::npos) return {FieldPath::compile(root, field), false};
        const auto inside = std::string_view(field).substr(elements_->text().size());
        if (inside.empty()) return {std::nullopt, true};
        return {FieldPath::compile(*elements_->leaf().child, inside.substr(1)), true};
    }

    void find_id()
    {
        const auto* const table = elements_->leaf().child;
        const auto path = table == nullptr ? std::string_view() : id_path(*table);
        if (path.empty()) return;
        id_ = FieldPath::compile(*table, path);
        constexpr std::string_view value = ".value";
        if (path.ends_with(value)) identifier_ = FieldPath::compile(*table, path.substr(0, path.size() - value.size()));
    }

    LeftOut print_row(const CatFrame& frame, const Value& element, ByteBuffer& out)
    {
        LeftOut left_out;
        append(out, std::to_string(frame.frame.index) + ',');
        if (frame.time) append(out, exact_seconds(*frame.time));
        if (several_channels_) {
            append(out, ",");
            append_cell(frame.channel.topic, out);
        }
        if (elements_) {
            append(out, ",");
            append_id(element, out);
        }
        const auto message_of = [&](const ColumnPath& place) {
            return place.of_element ? std::get<MessageView>(element) : frame.message;
        };
        for (std::size_t i = 0; i != requested_.size(); ++i) {
            const auto value = requested_[i].path ? requested_[i].path->get(message_of(requested_[i])) : element;
            found_[i] = found_[i] || !std::holds_alternative<std::monostate>(value);
            // The columns of a message do not show its unknown fields.
            cell_.clear();
            if (const auto* const message = std::get_if<MessageView>(&value))
                left_out += append_text_format(*message, cell_);
        }
        for (const auto& column : columns_) {
            append(out, ",");
            if (!column.path)
                append_value(element, elements_->leaf(), out);
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
    void append_id(const Value& element, ByteBuffer& out)
    {
        if (!id_) return;
        const auto& message = std::get<MessageView>(element);
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
    std::optional<FieldPath> elements_;    ///< each is a row
    std::optional<FieldPath> id_;          ///< in an element
    std::optional<FieldPath> identifier_;  ///< the message that `id_` is in
    std::vector<ColumnPath> requested_;    ///< per field
    std::vector<bool> found_;              ///< per field, in any row
    std::vector<ColumnPath> columns_;
    std::vector<std::string> column_names_;
    bool printed_ = false;
    std::vector<Value> values_;
    ByteBuffer cell_;
};

}  // namespace

std::unique_ptr<FramePrinter> csv_printer(const CatRequest& request, const MessageTable& root)
{
    return std::make_unique<CsvPrinter>(request, root);
}

}  // namespace ositrace::app
