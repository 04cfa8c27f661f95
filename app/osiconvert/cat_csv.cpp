// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include "app/osiconvert/cat.hpp"

namespace ositrace::app {

namespace {

constexpr std::string_view every = "[*]";

/// Quoted as RFC 4180 says, where it needs to be.
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

/// A column: a value of the frame, or of the element that the row is for.
struct Column {
    std::optional<FieldPath> path;  ///< empty: the element itself
    bool of_element = false;
};

class CsvPrinter final : public FramePrinter {
public:
    CsvPrinter(const CatRequest& request, const MessageTable& root) : fields_(request.fields), several_channels_(request.several_channels)
    {
        if (fields_.empty())
            throw Error(Cause::usage, "a table needs columns: --fields PATH,..., as in --fields 'moving_object[*].base.position.x'");
        for (const auto& field : fields_) find_elements(root, field);
        for (const auto& field : fields_) columns_.push_back(column(root, field));
        if (elements_) find_id();
    }

    void begin(ByteBuffer& out) override
    {
        append(out, several_channels_ ? "frame,time,topic" : "frame,time");
        if (elements_) append(out, ",id");
        for (const auto& field : fields_) {
            append(out, ",");
            append_cell(field, out);
        }
        append(out, "\n");
    }

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        LeftOut left_out;
        if (!elements_) return print_row(frame, {}, out);
        values_.clear();
        elements_->collect(frame.message, values_);
        for (const auto& element : values_) left_out += print_row(frame, element, out);
        return left_out;
    }

private:
    /// What stands in front of the `[*]`, with it, is the same in all columns that have one.
    void find_elements(const MessageTable& root, const std::string& field)
    {
        const auto star = field.find(every);
        if (star == std::string::npos) {
            if (FieldPath::compile(root, field).has_many())
                throw Error(Cause::usage, "'" + field + "' has many values: write '" + field + "[*]' for a row each");
            return;
        }
        if (field.find(every, star + every.size()) != std::string::npos)
            throw Error(Cause::usage, "'" + field + "' has more than one [*]: rows can be the elements of one repeated field only");
        auto prefix = field.substr(0, star + every.size());
        if (elements_ && elements_->text() != prefix)
            throw Error(Cause::usage, "rows can be the elements of one repeated field only, found '" + elements_->text() + "' and '" + prefix + "'");
        if (!elements_) elements_ = FieldPath::compile(root, prefix);
    }

    Column column(const MessageTable& root, const std::string& field) const
    {
        if (field.find(every) == std::string::npos) return {FieldPath::compile(root, field), false};
        const auto inside = std::string_view(field).substr(elements_->text().size());
        if (inside.empty()) return {std::nullopt, true};
        static_cast<void>(FieldPath::compile(root, field));  // an error names the whole path
        auto path = FieldPath::compile(*elements_->leaf().child, inside.substr(1));
        if (path.has_many()) throw Error(Cause::usage, "'" + field + "' has many values in a row; name one by [INDEX]");
        return {std::move(path), true};
    }

    /// `id` itself or its `value`.
    void find_id()
    {
        const auto* const table = elements_->leaf().child;
        const auto* const id = table == nullptr ? nullptr : table->find("id");
        if (id == nullptr || id->repeated) return;
        if (id->child == nullptr) id_ = FieldPath::compile(*table, "id");
        else if (id->child->find("value") != nullptr) id_ = FieldPath::compile(*table, "id.value");
    }

    LeftOut print_row(const CatFrame& frame, const Value& element, ByteBuffer& out)
    {
        LeftOut left_out;
        append(out, std::to_string(frame.frame.index) + ',');
        if (frame.time) append(out, seconds_text(*frame.time));
        if (several_channels_) {
            append(out, ",");
            append_cell(frame.channel.topic, out);
        }
        if (elements_) {
            append(out, ",");
            left_out += append_id(element, out);
        }
        for (const auto& [path, of_element] : columns_) {
            append(out, ",");
            if (!path) left_out += append_value(element, elements_->leaf(), out);
            else left_out += append_value(path->get(of_element ? std::get<MessageView>(element) : frame.message), path->leaf(), out);
        }
        append(out, "\n");
        return left_out;
    }

    /// Many writers leave out a value of 0: an id without one is 0.
    LeftOut append_id(const Value& element, ByteBuffer& out)
    {
        if (!id_) return {};
        const auto& message = std::get<MessageView>(element);
        const auto number = id_->get(message);
        if (std::holds_alternative<std::monostate>(number) && message.has(*message.table().find("id"))) append(out, "0");
        return append_value(number, id_->leaf(), out);
    }

    /// As in JSON, but strings and what JSON writes as one (64-bit integers, enums, NaN) without its quotes.
    LeftOut append_value(const Value& value, const FieldRow& field, ByteBuffer& out)
    {
        if (std::holds_alternative<std::monostate>(value)) return {};
        if (const auto* const text = std::get_if<std::string_view>(&value)) {
            append_cell(*text, out);
            return {};
        }
        cell_.clear();
        const auto left_out = append_json(value, field, cell_);
        auto text = text_of(cell_.bytes());
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        append_cell(text, out);
        return left_out;
    }

    std::vector<std::string> fields_;
    bool several_channels_;
    std::optional<FieldPath> elements_;  ///< each a row
    std::optional<FieldPath> id_;        ///< in an element
    std::vector<Column> columns_;
    std::vector<Value> values_;
    ByteBuffer cell_;
};

}  // namespace

std::unique_ptr<FramePrinter> csv_printer(const CatRequest& request, const MessageTable& root)
{
    return std::make_unique<CsvPrinter>(request, root);
}

}  // namespace ositrace::app
