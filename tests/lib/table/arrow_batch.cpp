// SPDX-License-Identifier: MPL-2.0
#include "tests/lib/table/arrow_batch.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <ositrace/utf8.hpp>

namespace arrow_test {

namespace {

template <class T>
T at(const void* buffer, std::int64_t place)
{
    T value;
    std::memcpy(&value, static_cast<const char*>(buffer) + static_cast<std::size_t>(place) * sizeof(T), sizeof(T));
    return value;
}

bool bit_at(const void* bitmap, std::int64_t place)
{
    return (static_cast<unsigned>(at<std::uint8_t>(bitmap, place / 8)) >> place % 8 & 1) != 0;
}

bool is_null(const ArrowArray& array, std::int64_t row)
{
    return array.buffers[0] != nullptr && !bit_at(array.buffers[0], row);
}

std::string real_text(double value)
{
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string_view bytes_at(const ArrowArray& array, std::int64_t row)
{
    const auto from = at<std::int32_t>(array.buffers[1], row);
    const auto to = at<std::int32_t>(array.buffers[1], row + 1);
    return {static_cast<const char*>(array.buffers[2]) + from, static_cast<std::size_t>(to - from)};
}

std::string text_of(const ArrowSchema& schema, const ArrowArray& array, std::int64_t row)
{
    if (is_null(array, row)) return "null";
    const std::string_view format = schema.format;
    if (schema.dictionary != nullptr)
        return std::string(bytes_at(*array.dictionary, at<std::int32_t>(array.buffers[1], row)));
    if (format == "g") return real_text(at<double>(array.buffers[1], row));
    if (format == "f") return real_text(static_cast<double>(at<float>(array.buffers[1], row)));
    if (format == "l") return std::to_string(at<std::int64_t>(array.buffers[1], row));
    if (format == "L") return std::to_string(at<std::uint64_t>(array.buffers[1], row));
    if (format == "i") return std::to_string(at<std::int32_t>(array.buffers[1], row));
    if (format == "I") return std::to_string(at<std::uint32_t>(array.buffers[1], row));
    if (format == "b") return bit_at(array.buffers[1], row) ? "true" : "false";
    if (format == "u" || format == "z") return '"' + std::string(bytes_at(array, row)) + '"';
    if (format != "+l") throw std::logic_error("format " + std::string(format));
    std::string text = "[";
    for (auto i = at<std::int32_t>(array.buffers[1], row); i != at<std::int32_t>(array.buffers[1], row + 1); ++i)
        text += (text.size() > 1 ? "," : "") + text_of(*schema.children[0], *array.children[0], i);
    return text + ']';
}

std::string broken_offsets(const ArrowArray& array, std::int64_t most)
{
    if (at<std::int32_t>(array.buffers[1], 0) != 0) return "the first offset is not 0";
    for (std::int64_t i = 0; i != array.length; ++i)
        if (at<std::int32_t>(array.buffers[1], i) > at<std::int32_t>(array.buffers[1], i + 1)) return "offsets go back";
    return most >= 0 && at<std::int32_t>(array.buffers[1], array.length) != most ? "the last offset is not the length"
                                                                                 : "";
}

std::string broken_in(const ArrowSchema& schema, const ArrowArray& array)
{
    const std::string_view format = schema.format;
    const std::string name = schema.name == nullptr ? "" : schema.name;
    const auto complain = [&](const std::string& what) { return name + " (" + std::string(format) + "): " + what; };
    if (schema.release == nullptr || array.release == nullptr) return complain("released");
    if (array.offset != 0) return complain("an offset");
    const auto buffers = format == "+s" ? 1 : format == "u" || format == "z" ? 3 : 2;
    if (array.n_buffers != buffers) return complain(std::to_string(array.n_buffers) + " buffers");
    for (int i = 1; i < buffers; ++i) {
        if (array.buffers[i] == nullptr) return complain("no buffer " + std::to_string(i));
        if (reinterpret_cast<std::uintptr_t>(array.buffers[i]) % 64 != 0) return complain("an unaligned buffer");
    }
    std::int64_t nulls = 0;
    for (std::int64_t i = 0; i != array.length; ++i) nulls += is_null(array, i) ? 1 : 0;
    if (nulls != array.null_count) return complain("null_count " + std::to_string(array.null_count));
    if (nulls != 0 && (schema.flags & ARROW_FLAG_NULLABLE) == 0 && format != "+s") return complain("nulls unannounced");
    if (schema.n_children != array.n_children) return complain("children differ");
    for (std::int64_t i = 0; i != schema.n_children; ++i) {
        if (format == "+s" && array.children[i]->length != array.length) return complain("a child of another length");
        if (auto why = broken_in(*schema.children[i], *array.children[i]); !why.empty()) return why;
    }
    if (format == "+l")
        if (auto why = broken_offsets(array, array.children[0]->length); !why.empty()) return complain(why);
    if (format == "u" || format == "z")
        if (auto why = broken_offsets(array, -1); !why.empty()) return complain(why);
    if (format == "u")
        for (std::int64_t i = 0; i != array.length; ++i)
            if (!ositrace::is_utf8(bytes_at(array, i))) return complain("no UTF-8");
    if ((schema.dictionary == nullptr) != (array.dictionary == nullptr)) return complain("dictionaries differ");
    if (schema.dictionary == nullptr) return {};
    for (std::int64_t i = 0; i != array.length; ++i) {
        const auto index = at<std::int32_t>(array.buffers[1], i);
        if (!is_null(array, i) && (index < 0 || index >= array.dictionary->length)) return complain("an index outside");
    }
    return broken_in(*schema.dictionary, *array.dictionary);
}

}  // namespace

Batch::Batch(const ositrace::TablePlan& plan, ositrace::TableBuilder& builder)
{
    plan.export_schema(&schema_);
    builder.finish(&array_);
}

Batch::Batch(const ositrace::TablePlan& plan, ArrowArray* array) : array_(*array)
{
    array->release = nullptr;
    plan.export_schema(&schema_);
}

Batch::~Batch()
{
    array_.release(&array_);
    schema_.release(&schema_);
    if (array_.release != nullptr || schema_.release != nullptr) std::abort();
}

std::vector<std::string> Batch::names() const
{
    std::vector<std::string> names;
    for (std::int64_t i = 0; i != schema_.n_children; ++i) names.emplace_back(schema_.children[i]->name);
    return names;
}

std::string Batch::unit(const std::string& name) const
{
    for (std::int64_t i = 0; i != schema_.n_children; ++i) {
        const auto* const metadata = schema_.children[i]->metadata;
        if (schema_.children[i]->name != name || metadata == nullptr) continue;
        // One pair: 1, 4, "unit", length, value.
        const auto length = at<std::int32_t>(metadata + 12, 0);
        if (at<std::int32_t>(metadata, 0) != 1 || std::string_view(metadata + 8, 4) != "unit") return "?";
        return {metadata + 16, static_cast<std::size_t>(length)};
    }
    return {};
}

std::string Batch::value(std::size_t column, std::size_t row) const
{
    if (is_null(array_, static_cast<std::int64_t>(row))) return "null row";
    return text_of(*schema_.children[column], *array_.children[column], static_cast<std::int64_t>(row));
}

std::vector<std::string> Batch::column(const std::string& name) const
{
    std::vector<std::string> values;
    for (std::size_t i = 0; i != names().size(); ++i)
        for (std::size_t row = 0; names()[i] == name && row != rows(); ++row) values.push_back(value(i, row));
    return values;
}

std::vector<std::string> Batch::row_texts() const
{
    std::vector<std::string> rows_of_text;
    const auto columns = names();
    for (std::size_t row = 0; row != rows(); ++row) {
        auto& text = rows_of_text.emplace_back();
        for (std::size_t i = 0; i != columns.size(); ++i)
            text += (i == 0 ? "" : " ") + columns[i] + '=' + value(i, row);
    }
    return rows_of_text;
}

std::string Batch::broken() const
{
    if (std::string_view(schema_.format) != "+s") return "no struct";
    return broken_in(schema_, array_);
}

}  // namespace arrow_test
