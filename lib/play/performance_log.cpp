// SPDX-License-Identifier: MPL-2.0
#include <ositrace/performance_log.hpp>

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ositrace/error.hpp>

#include "lib/io/file_handle.hpp"
#include "lib/io/output_file.hpp"

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

FileHandle open_log(const std::filesystem::path& file, bool overwrite)
{
    if (file == "-") return FileHandle(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    // NOLINTNEXTLINE: open(2) has no other form.
    FileHandle handle(::open(file.c_str(), flags | (overwrite ? 0 : O_EXCL), 0666));
    if (!handle && errno == EEXIST) {
        struct stat status{};
        if (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
            // NOLINTNEXTLINE: open(2) has no other form.
            return FileHandle(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
        throw already_exists(file);
    }
    return handle;
}

bool is_regular(int descriptor)
{
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

class PerformanceLog::Implementation {
public:
    Implementation(const std::filesystem::path& file, const PerformanceLogOptions& options)
        : file_(file), handle_(open_log(file, options.overwrite)), waiting_(header(options))
    {
        if (!handle_) throw_system_error(errno, file_);
        rewrites_tail_ = file != "-" && is_regular(handle_.get());
        if (rewrites_tail_ && ::ftruncate(handle_.get(), 0) != 0) throw_system_error(errno, file_);
        try {
            flush();
        } catch (const Error&) {
            if (rewrites_tail_) ::unlink(file_.c_str());
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
    {
        const auto kept = waiting_.size();
        if (rewrites_tail_) waiting_ += tail;
        for (std::size_t done = 0; done < waiting_.size();) {
            const auto* const from = waiting_.data() + done;
            const auto left = waiting_.size() - done;
            const auto wrote = rewrites_tail_ ? ::pwrite(handle_.get(), from, left, static_cast<off_t>(place_ + done))
                                              : ::write(handle_.get(), from, left);
            if (wrote < 0 && errno == EINTR) continue;
            if (wrote < 0) fail(errno);
            done += static_cast<std::size_t>(wrote);
        }
        place_ += kept;
        waiting_.clear();
    }

    /// What was on the disk before, and its end, have room there.
    [[noreturn]] void fail(int error)
    {
        if (rewrites_tail_ && place_ != 0 &&
            ::ftruncate(handle_.get(), static_cast<off_t>(place_ + tail.size())) == 0) {
            const auto wrote = ::pwrite(handle_.get(), tail.data(), tail.size(), static_cast<off_t>(place_));
            static_cast<void>(wrote);  // the error is reported in any case
        }
        waiting_.clear();
        closed_ = true;
        throw_system_error(error, file_);
    }

    std::filesystem::path file_;
    FileHandle handle_;
    std::string waiting_;
    std::uint64_t place_ = 0;  ///< of the next event
    Nanoseconds flushed_{};
    bool rewrites_tail_ = false;  ///< a pipe gets the end of the document once, at close()
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
