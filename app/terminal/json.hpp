// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ositrace::app {

/// Writes one JSON document, indented by two, or a line. Keys have the order of the calls.
class JsonWriter {
public:
    enum class Form : std::uint8_t { indented, line };
    /// text() returns the document.
    explicit JsonWriter(Form form = Form::indented) : form_(form) {}
    /// `put` receives the document piece by piece; print_end() ends it.
    explicit JsonWriter(std::function<void(std::string_view)> put) : put_(std::move(put)) {}

    JsonWriter& begin_object();
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& end_array();
    JsonWriter& key(std::string_view name);

    /// Bytes that are not UTF-8 (file names may contain them) become U+FFFD.
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(bool flag);
    JsonWriter& value(std::uint64_t number);
    /// The shortest text that reads as the same number; null for NaN and infinities.
    JsonWriter& value(double number);
    JsonWriter& null();
    /// A decimal string: many readers store a JSON number as a double, which does not hold 63 bits.
    JsonWriter& nanoseconds(std::int64_t count);

    template <class T>
    JsonWriter& member(std::string_view name, const T& content)
    {
        return key(name).value(content);
    }
    template <class T>
    JsonWriter& member(std::string_view name, const std::optional<T>& content)
    {
        return content ? key(name).value(*content) : key(name).null();
    }

    JsonWriter& value(std::int64_t number);
    /// The document so far.
    [[nodiscard]] const std::string& begun() const noexcept { return text_; }
    /// The document, ended by a newline.
    [[nodiscard]] std::string text() const { return text_ + '\n'; }
    /// Passes on what is left of it.
    void print_end() { put_(text()); }

private:
    JsonWriter& begin(char bracket);
    JsonWriter& end(char bracket);
    void separate();
    void put_string(std::string_view text);

    void put_line_break();

    Form form_ = Form::indented;
    std::function<void(std::string_view)> put_;
    std::string text_;          ///< with put_: what it has not received
    std::vector<bool> filled_;  ///< per open object or array: whether it has an element
    bool after_key_ = false;
};

}  // namespace ositrace::app
