// SPDX-License-Identifier: MPL-2.0
#include "app/osiconvert/table_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <ositrace/error.hpp>

#include "app/terminal/csv.hpp"

namespace ositrace::app {

namespace {

constexpr std::size_t flush_bytes = std::size_t{64} << 10;

template <class Number>
void append_number(Number number, std::string& out)
{
    std::array<char, 32> buffer;
    out.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr);
}

/// Appends a cell of a table; null is nothing.
struct AppendCell {
    std::string& out;
    void operator()(std::monostate) const {}
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(std::int64_t number) const { append_number(number, out); }
    void operator()(std::uint64_t number) const { append_number(number, out); }
    void operator()(double number) const
    {
        if (std::isfinite(number)) append_number(number, out);
    }
    void operator()(std::string_view text) const { append_csv_cell(text, out); }
};

struct AddValue {
    JsonWriter& json;
    void operator()(std::monostate) const { json.null(); }
    template <class T>
    void operator()(const T& value) const
    {
        json.value(value);
    }
};

}  // namespace

TableFormat table_format_of(const std::filesystem::path& file)
{
    if (file == "-" || file.extension() == ".csv") return TableFormat::csv;
    if (file.extension() == ".jsonl") return TableFormat::jsonl;
    throw Error(Cause::usage, "'" + file.string() +
                                  "': unknown kind of table (known: .csv, .jsonl; Parquet is written " + "by Python)");
}

TableOutput::TableOutput(const TrafficTableRow& table, TableFormat format, bool several,
                         std::function<void(std::string_view)> put)
    : table_(table), format_(format), with_file_(several), with_topic_(several), put_(std::move(put))
{
    if (format_ == TableFormat::json) document_.emplace(put_);
}

void TableOutput::put_header()
{
    if (document_) {
        document_->begin_object()
            .member("format", std::uint64_t{1})
            .member("table", table_.name)
            .key("columns")
            .begin_array();
        for (const auto& column : table_.columns)
            document_->begin_object()
                .member("name", column.name)
                .member("unit", column.unit)
                .member("text", column.text)
                .end_object();
        document_->end_array().key("rows").begin_array();
    } else if (format_ == TableFormat::csv) {
        if (with_file_) text_ += "file,";
        if (with_topic_) text_ += "topic,";
        for (const auto& column : table_.columns) {
            if (&column != &table_.columns.front()) text_ += ',';
            text_ += column.name;
        }
        text_ += '\n';
    }
}

void TableOutput::begin_file(const std::string& file, FrameSource& source)
{
    file_ = file;
    source_ = &source;
    if (std::exchange(begun_, true)) return;
    const auto& info = source.info();
    const auto count = std::ranges::count_if(info.channels, table_.reads);
    if (info.container.several_channels && (info.may_grow || count > 1)) with_topic_ = true;
    put_header();
}

bool TableOutput::add_rows(TrafficTableReader& reader, std::stop_token stop)
{
    reader_ = &reader;
    const bool more = reader.read(*this, std::move(stop));
    if (text_.size() >= flush_bytes) flush();
    return more;
}

void TableOutput::add(std::span<const TrafficCell> row)
{
    switch (format_) {
    case TableFormat::csv: return add_csv(row);
    case TableFormat::jsonl: {
        JsonWriter json(JsonWriter::Form::line);
        add_json(json, row);
        text_ += json.text();
        return;
    }
    case TableFormat::json: return add_json(*document_, row);
    }
}

void TableOutput::add_csv(std::span<const TrafficCell> row)
{
    if (with_file_) {
        append_csv_cell(file_, text_);
        text_ += ',';
    }
    if (with_topic_) {
        append_csv_cell(reader_->topic(), text_);
        text_ += ',';
    }
    for (std::size_t i = 0; i != row.size(); ++i) {
        if (i != 0) text_ += ',';
        std::visit(AppendCell{text_}, row[i]);
    }
    text_ += '\n';
}

void TableOutput::add_json(JsonWriter& json, std::span<const TrafficCell> row) const
{
    json.begin_object();
    if (with_file_) json.member("file", std::string_view(file_));
    if (with_topic_) json.member("topic", reader_->topic());
    for (std::size_t i = 0; i != row.size(); ++i) {
        json.key(table_.columns[i].name);
        std::visit(AddValue{json}, row[i]);
    }
    json.end_object();
}

void TableOutput::end_file() { flush(); }

void TableOutput::end()
{
    flush();
    if (document_) document_->end_array().end_object().print_end();
}

void TableOutput::flush()
{
    if (!text_.empty()) put_(text_);
    text_.clear();
}

}  // namespace ositrace::app
