// SPDX-License-Identifier: MPL-2.0
#include <ositrace/error.hpp>

#include "app/osiconvert/cat.hpp"

namespace ositrace::app {

namespace {

/// A JSON string; a topic that is not UTF-8 is printed as `?`.
void append_quoted(std::string_view text, ByteBuffer& out)
{
    static constexpr FieldRow as_string{.name = {}, .kind = FieldKind::string};
    const auto size = out.size();
    try {
        static_cast<void>(append_json(Value(text), as_string, out));
    } catch (const Error&) {
        out.resize(size);
        append(out, "\"?\"");
    }
}

void append_nanoseconds(const std::optional<Nanoseconds>& time, ByteBuffer& out)
{
    append(out, time ? '"' + std::to_string(time->count()) + '"' : "null");
}

/// Whole messages: one object per line, as in `.jsonl` files.
class MessagePrinter final : public FramePrinter {
public:
    explicit MessagePrinter(bool several_channels) : several_channels_(several_channels) {}

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        if (several_channels_) {
            append(out, "{\"topic\":");
            append_quoted(frame.channel.topic, out);
            append(out, ",\"time_ns\":");
            append_nanoseconds(frame.time, out);
            append(out, ",\"message\":");
        }
        const auto left_out = append_json(frame.message, out);
        append(out, several_channels_ ? "}\n" : "\n");
        return left_out;
    }

private:
    bool several_channels_;
};

/// Selected fields: `{"frame":0,"time_ns":"0","moving_object[*].id.value":["1","2"]}`.
class FieldPrinter final : public FramePrinter {
public:
    FieldPrinter(const CatRequest& request, const MessageTable& root) : several_channels_(request.several_channels)
    {
        for (const auto& field : request.fields)
            columns_.push_back({field, is_fact(field) ? std::nullopt : std::optional(FieldPath::compile(root, field))});
    }

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        LeftOut left_out;
        append(out, "{\"frame\":" + std::to_string(frame.frame.index));
        if (several_channels_) {
            append(out, ",\"topic\":");
            append_quoted(frame.channel.topic, out);
        }
        append(out, ",\"time_ns\":");
        append_nanoseconds(frame.time, out);
        for (const auto& [name, path] : columns_) {
            append(out, ",");
            append_quoted(name, out);
            append(out, ":");
            if (path)
                left_out += append_value(*path, frame.message, out);
            else
                append_fact(name, frame, out);
        }
        append(out, "}\n");
        return left_out;
    }

private:
    LeftOut append_value(const FieldPath& path, const MessageView& message, ByteBuffer& out)
    {
        if (!path.has_many()) return append_json(path.get(message), path.leaf(), out);
        LeftOut left_out;
        values_.clear();
        path.collect(message, values_, FieldPath::Unset::kept);
        append(out, "[");
        for (const auto& value : values_) {
            if (&value != &values_.front()) append(out, ",");
            left_out += append_json(value, path.leaf(), out);
        }
        append(out, "]");
        return left_out;
    }

    /// As every 64-bit integer, nanoseconds are a string.
    static void append_fact(const std::string& name, const CatFrame& frame, ByteBuffer& out)
    {
        const auto text = fact_text(name, frame);
        const auto quote = name.ends_with("_ns") && !text.empty() ? "\"" : "";
        append(out, quote + (text.empty() ? "null" : text) + quote);
    }

    struct Column {
        std::string name;
        std::optional<FieldPath> path;  ///< empty: a fact of the frame
    };
    std::vector<Column> columns_;
    std::vector<Value> values_;
    bool several_channels_;
};

}  // namespace

std::unique_ptr<FramePrinter> jsonl_printer(const CatRequest& request, const MessageTable& root)
{
    if (request.fields.empty()) return std::make_unique<MessagePrinter>(request.several_channels);
    return std::make_unique<FieldPrinter>(request, root);
}

}  // namespace ositrace::app
