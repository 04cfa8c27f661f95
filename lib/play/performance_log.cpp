// SPDX-License-Identifier: MPL-2.0
#include <ositrace/performance_log.hpp>

#include <array>
#include <cstdio>
#include <utility>

#include <ositrace/error.hpp>

#include "lib/system/file.hpp"
#include "lib/system/output.hpp"
#include "lib/system/system_error.hpp"

namespace ositrace {

namespace {

constexpr std::size_t flush_bytes = std::size_t{64} << 10;
constexpr Nanoseconds flush_every = std::chrono::seconds(1);
constexpr std::string_view tail = "\n      ]\n    }\n  ]\n}\n";

Nanoseconds system_time() { return std::chrono::system_clock::now().time_since_epoch(); }

void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out.append(1, '\\').append(1, c);
        } else if (static_cast<unsigned char>(c) < ' ') {
            char escaped[7];
            std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
            out += escaped;
        } else {
            out += c;
        }
    }
    out += '"';
}

/// Seconds, from integers: a double has 0.24 us between two calendar times of today.
void append_seconds(std::string& out, Nanoseconds time, bool all_decimals)
{
    const bool negative = time.count() < 0;
    const auto count =
        negative ? 0 - static_cast<std::uint64_t>(time.count()) : static_cast<std::uint64_t>(time.count());
    char text[40];
    auto length = static_cast<std::size_t>(std::snprintf(text, sizeof text, "%s%llu.%09llu", negative ? "-" : "",
                                                         static_cast<unsigned long long>(count / 1'000'000'000),
                                                         static_cast<unsigned long long>(count % 1'000'000'000)));
    if (!all_decimals)
        while (text[length - 1] == '0' && text[length - 2] != '.') --length;
    out.append(text, length);
}

std::string header(const PerformanceLogOptions& options)
{
    std::string text = "{\n  \"Header\": {\n    \"OsiMessages\": [";
    for (std::size_t i = 0; i < options.messages.size(); ++i) {
        if (i != 0) text += ", ";
        std::string name = options.messages[i];  // spelled as in the studies: osi3::SensorView
        for (auto dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 2))
            name.replace(dot, 1, "::");
        append_quoted(text, name);
    }
    text +=
        "],\n    \"EventFields\": [\"EventId\", \"GlobalTime\", \"SimulationTime\", \"MessageId\", "
        "\"SizeValueReference\", \"MessageSize\"],\n"
        "    \"EventTypes\": [\"StartSourceCalc\", \"StartOSISerialize\", \"StopOSISerialize\", "
        "\"StartOSIDeserialize\", "
        "\"StopOSIDeserialize\"],\n"
        "    \"FormatVersion\": {\"Major\": 1, \"Minor\": 0, \"Patch\": 0, \"PreRelease\": \"beta\"}\n  },\n"
        "  \"Data\": [\n    {\n      \"Instance\": {\"ModelIdentity\": ";
    append_quoted(text, options.model_identity);
    text += "},\n      \"OsiEvents\": [";
    return text;
}

}  // namespace

class PerformanceLog::Implementation {
public:
    Implementation(const std::filesystem::path& file, const PerformanceLogOptions& options)
        : file_(file), rewrites_tail_(!is_written_in_place(file)), waiting_(header(options))
    {
        handle_ = rewrites_tail_ ? open_to_write(file, options.overwrite) : open_in_place(file, file);
        if (rewrites_tail_) set_size(handle_, 0, file_);
        try {
            flush();
        } catch (const Error&) {
            std::error_code ignored;
            if (rewrites_tail_) std::filesystem::remove(file_, ignored);
            throw;
        }
    }

    void add(PerformanceEvent event, Nanoseconds global, Nanoseconds simulation, std::uint32_t message,
             std::uint32_t reference, std::uint64_t bytes)
    {
        waiting_ += first_ ? "\n        [" : ",\n        [";
        first_ = false;
        waiting_ += static_cast<char>('0' + static_cast<int>(event));
        waiting_ += ", ";
        append_seconds(waiting_, global, true);
        waiting_ += ", ";
        append_seconds(waiting_, simulation, false);
        waiting_.append(", ").append(std::to_string(message)).append(", ").append(std::to_string(reference));
        waiting_.append(", ").append(std::to_string(bytes)).append("]");
        if (waiting_.size() >= flush_bytes || global - flushed_ >= flush_every) {
            flush();
            flushed_ = global;
        }
    }

    void close()
    {
        if (std::exchange(closed_, true)) return;
        if (!rewrites_tail_) waiting_ += tail;
        flush();
    }
    [[nodiscard]] bool closed() const noexcept { return closed_; }

private:
    /// Writes the buffered events and the end of the document at once; the next write replaces this end.
    void flush()
    try {
        const auto kept = waiting_.size();
        if (rewrites_tail_) waiting_ += tail;
        write(waiting_);
        place_ += kept;
        waiting_.clear();
    } catch (const Error&) {
        waiting_.clear();
        closed_ = true;
        end_before_failure();
        throw;
    }

    void write(std::string_view text)
    {
        const auto bytes = std::as_bytes(std::span(text));
        if (rewrites_tail_)
            write_at(handle_, place_, bytes, file_);
        else if (const auto error = write_pieces(handle_, std::array{Bytes(bytes)}, false))
            throw_system_error(error, file_);
    }

    /// What was on the disk before, and its end, have room there.
    void end_before_failure() noexcept
    try {
        if (!rewrites_tail_ || place_ == 0) return;
        set_size(handle_, place_ + tail.size(), file_);
        write(tail);
    } catch (const Error&) {  // the first error is reported
    }

    std::filesystem::path file_;
    bool rewrites_tail_;  ///< a pipe gets the end of the document once, at close()
    FileHandle handle_;
    std::string waiting_;
    std::uint64_t place_ = 0;  ///< of the next event
    Nanoseconds flushed_{};
    bool first_ = true;
    bool closed_ = false;
};

PerformanceLog::PerformanceLog(const std::filesystem::path& file, const PerformanceLogOptions& options)
    : implementation_(std::make_unique<Implementation>(file, options))
{
}

PerformanceLog::PerformanceLog(PerformanceLog&&) noexcept = default;
PerformanceLog& PerformanceLog::operator=(PerformanceLog&&) noexcept = default;

PerformanceLog::~PerformanceLog()
{
    try {
        if (implementation_) implementation_->close();
    } catch (const Error&) {  // close() would have reported it
    }
}

void PerformanceLog::add(PerformanceEvent event, Nanoseconds simulation_time, std::uint32_t message,
                         std::uint32_t size_value_reference, std::uint64_t message_bytes)
{
    add(event, system_time(), simulation_time, message, size_value_reference, message_bytes);
}

void PerformanceLog::add(PerformanceEvent event, Nanoseconds global_time, Nanoseconds simulation_time,
                         std::uint32_t message, std::uint32_t size_value_reference, std::uint64_t message_bytes)
{
    if (!implementation_->closed())
        implementation_->add(event, global_time, simulation_time, message, size_value_reference, message_bytes);
}

void PerformanceLog::close() { implementation_->close(); }

}  // namespace ositrace
