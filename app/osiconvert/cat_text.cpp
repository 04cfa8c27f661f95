// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/cat.hpp"
#include "app/terminal/quantity.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace::app {

namespace {

/// Protobuf text format with a comment before each frame: `# frame 7, 0.7 s`; selected fields as `path: value`.
class TextPrinter final : public FramePrinter {
public:
    TextPrinter(const CatRequest& request, const MessageTable& root) : several_channels_(request.several_channels)
    {
        for (const auto& field : request.fields)
            columns_.push_back({field, is_fact(field) ? std::nullopt : std::optional(FieldPath::compile(root, field))});
    }

    LeftOut print(const CatFrame& frame, ByteBuffer& out) override
    {
        append(out, "# frame " + std::to_string(frame.frame.index) + (several_channels_ ? " of the file" : ""));
        if (frame.time) append(out, ", " + exact_seconds_text(*frame.time));
        if (several_channels_) append(out, ", " + frame.channel.topic);
        append(out, "\n");
        if (columns_.empty()) return append_text_format(frame.message, out);
        LeftOut left_out;
        for (const auto& [name, path] : columns_) {
            if (!path) {
                append(out, name + ": " + fact_text(name, frame) + "\n");
                continue;
            }
            values_.clear();
            path->collect(frame.message, values_);
            for (const auto& value : values_) {
                append(out, name + ": ");
                left_out += append_json(value, path->leaf(), out);
                append(out, "\n");
            }
        }
        return left_out;
    }

private:
    struct Column {
        std::string name;
        std::optional<FieldPath> path;  ///< empty: a fact of the frame
    };
    std::vector<Column> columns_;
    std::vector<Value> values_;
    bool several_channels_;
};

}  // namespace

std::unique_ptr<FramePrinter> text_printer(const CatRequest& request, const MessageTable& root)
{
    return std::make_unique<TextPrinter>(request, root);
}

}  // namespace ositrace::app
