// SPDX-License-Identifier: MPL-2.0
#include <ositrace/value_log.hpp>

#include <array>
#include <charconv>

#include "lib/io/output_file.hpp"
#include "lib/trace/nanoseconds.hpp"

namespace ositrace {

namespace {

std::string quoted(const std::string& name)
{
    if (name.find_first_of("\",\n\r") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text.append(c == '"' ? 2 : 1, c);
    return text + "\"";
}

}  // namespace

class ValueLog::Implementation {
public:
    Implementation(const std::filesystem::path& file, bool overwrite)
        : file_(file, {.overwrite = overwrite, .recording = true})
    {
    }
    void put(std::string line) { file_.write(bytes_of(line += '\n')); }

    OutputFile file_;
};

ValueLog::ValueLog(const std::filesystem::path& file, std::span<const std::string> columns, bool overwrite)
    : implementation_(std::make_unique<Implementation>(file, overwrite))
{
    std::string line = "time";
    for (const auto& column : columns) line += "," + quoted(column);
    implementation_->put(std::move(line));
}

ValueLog::ValueLog(ValueLog&&) noexcept = default;
ValueLog& ValueLog::operator=(ValueLog&&) noexcept = default;
ValueLog::~ValueLog() = default;

void ValueLog::write(Nanoseconds time, std::span<const double> values)
{
    auto line = exact_seconds(time);
    for (const double value : values) {
        std::array<char, 32> text{};
        line.append(",").append(text.data(), std::to_chars(text.begin(), text.end(), value).ptr);
    }
    implementation_->put(std::move(line));
}

void ValueLog::close() { implementation_->file_.close(); }

}  // namespace ositrace
