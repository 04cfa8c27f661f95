// SPDX-License-Identifier: MPL-2.0
#include "app/fmu/recording.hpp"

#include <algorithm>
#include <utility>

#include <ositrace/edit_rename.hpp>
#include <ositrace/error.hpp>
#include <ositrace/trace.hpp>
#include <ositrace/trace_name.hpp>
#include <ositrace/trace_summary.hpp>

namespace ositrace::fmu {

namespace {

constexpr int max_names = 1000;  // of recordings that begin in the same second

/// `20210818T150542Z` as XML Schema's dateTimeStamp.
std::string date_time_stamp(std::string timestamp)
{
    for (const auto at : {13, 11}) timestamp.insert(static_cast<std::size_t>(at), ":");
    for (const auto at : {6, 4}) timestamp.insert(static_cast<std::size_t>(at), "-");
    return timestamp;
}

std::string numbered(const std::string& name, int number)
{
    return number == 1 ? name : name + (name.empty() ? "" : "_") + std::to_string(number);
}

/// Calls `attempt` with 1, 2, ... until the name it makes of the number is free.
template <class Attempt>
void first_free(Attempt attempt)
{
    for (int number = 1;; ++number) {
        try {
            return attempt(number);
        } catch (const Error& e) {
            if (e.cause() != Cause::exists || number == max_names) throw;
        }
    }
}

}  // namespace

Recording::Recording(RecordingOptions options, const Channel& first)
    : options_(std::move(options)), begin_(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()))
{
    options_.write.recording = true;
    if (!options_.name.empty()) {
        file_ = options_.folder / options_.name;
        create(first);
        return;
    }
    const auto type = options_.extension == "mcap" ? std::string("multi") : std::string(row_of(*first.type).code);
    first_free([&](int number) {
        file_ = options_.folder /
                (trace_timestamp(begin_) + "_" + type + "_" + numbered("recording", number) + "." + options_.extension);
        create(first);
    });
}

void Recording::create(const Channel& first)
{
    TraceInfo info;
    info.channels = {first};
    info.metadata = {{"net.asam.osi.trace", {{"creation_time", date_time_stamp(trace_timestamp(begin_))}}}};
    writer_ = create_trace(file_, info, options_.write);
}

void Recording::add_channel(const Channel& channel)
try {
    writer_->add_channel(channel);
} catch (const Error& e) {
    throw e.within({.file = file_});
}

std::filesystem::path Recording::close()
{
    writer_->close();
    if (!options_.name.empty()) return file_;
    return give_name();
}

std::filesystem::path Recording::give_name() const
{
    OpenOptions open;
    open.keep_index = false;
    if (options_.extension != "mcap") open.type = parse_trace_name(file_.filename().string())->type;
    auto name = name_by_content(summarize(*open_trace(file_, open)), file_);
    name.timestamp = trace_timestamp(begin_);
    if (!options_.protobuf_version.empty()) name.protobuf_version = version_digits(options_.protobuf_version);
    std::filesystem::path named;
    first_free([&](int number) {
        name.custom = numbered(options_.custom_name, number);
        named = options_.folder / to_string(name);
        rename_trace(file_, named);
    });
    return named;
}

}  // namespace ositrace::fmu
