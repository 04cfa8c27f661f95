// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_table.hpp>

#include <algorithm>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

namespace ositrace {

namespace {

std::string types_in(const TraceInfo& info)
{
    std::string names;
    for (const auto& channel : info.channels) names.append(names.empty() ? "" : ", ").append(channel.type_name);
    return names.empty() ? "no channel" : names;
}

}  // namespace

void TrafficMotionTable::add(const Frame& frame, const Channel& channel, TrafficRowSink& rows)
{
    if (!reader_) reader_.emplace(channel, needs_);
    add_rows(reader_->read(frame), rows);
}

struct TrafficTableReader::Implementation {
    std::shared_ptr<FrameSource> source;
    const TrafficTableRow& table;
    TrafficOptions options;
    std::vector<std::unique_ptr<TrafficTable>> of_channels;  ///< by channel; null: it has none
    std::uint32_t channel = 0;                               ///< of the last rows
    std::optional<std::uint32_t> finished;                   ///< channels, after the last frame

    void find_channels();
    void add(const Frame& frame, TrafficRowSink& rows);
    bool finish(TrafficRowSink& rows);
};

/// Reading a frame may have appended channels.
void TrafficTableReader::Implementation::find_channels()
{
    const auto& channels = source->info().channels;
    for (auto i = of_channels.size(); i != channels.size(); ++i)
        of_channels.push_back(table.reads(channels[i]) ? table.create(options) : nullptr);
}

void TrafficTableReader::Implementation::add(const Frame& frame, TrafficRowSink& rows)
{
    const auto& of_frame = source->info().channels[frame.channel];
    const bool is_for_all = table.also_reads != nullptr && table.also_reads(of_frame);
    for (channel = 0; channel != of_channels.size(); ++channel)
        if (of_channels[channel] && (channel == frame.channel || is_for_all))
            of_channels[channel]->add(frame, of_frame, rows);
}

/// The last rows of one channel; false: there is no further one.
bool TrafficTableReader::Implementation::finish(TrafficRowSink& rows)
{
    auto next = finished.value_or(0);
    while (next < of_channels.size() && !of_channels[next]) ++next;
    finished = next + 1;
    if (next >= of_channels.size()) return false;
    channel = next;
    of_channels[next]->finish(rows);
    return true;
}

TrafficTableReader::TrafficTableReader(std::shared_ptr<FrameSource> source, const TrafficTableRow& table,
                                       const TrafficOptions& options)
    : implementation_(new Implementation{std::move(source), table, options, {}, 0, {}})
{
    static_cast<void>(table.create(options));  // throws where an option is wrong, even without a frame
    const auto& info = implementation_->source->info();
    if (!info.may_grow && std::ranges::none_of(info.channels, table.reads))
        throw Error(Cause::mismatch, {.file = info.file, .frame = {}, .offset = {}, .field = {}},
                    "has no messages for the table '" + std::string(table.name) + "' (found " + types_in(info) + ")");
    implementation_->find_channels();
}
TrafficTableReader::TrafficTableReader(TrafficTableReader&&) noexcept = default;
TrafficTableReader& TrafficTableReader::operator=(TrafficTableReader&&) noexcept = default;
TrafficTableReader::~TrafficTableReader() = default;

bool TrafficTableReader::read(TrafficRowSink& rows, std::stop_token stop)
{
    auto& state = *implementation_;
    Frame frame;
    if (!state.finished && state.source->read(frame, stop)) {
        state.find_channels();
        try {
            state.add(frame, rows);
        } catch (const Error& error) {
            throw within_frame(error, frame, state.source->info().file);
        }
        return true;
    }
    if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
    return state.finish(rows);
}

std::string_view TrafficTableReader::topic() const noexcept
{
    const auto& channels = implementation_->source->info().channels;
    return implementation_->channel < channels.size() ? std::string_view(channels[implementation_->channel].topic)
                                                      : std::string_view();
}
FrameSource& TrafficTableReader::source() noexcept { return *implementation_->source; }
const TrafficTableRow& TrafficTableReader::table() const noexcept { return implementation_->table; }
std::vector<std::string> TrafficTableReader::notes() const
{
    std::vector<std::string> notes;
    const auto take = [&](const TrafficTable& table) {
        for (auto& note : table.notes()) notes.push_back(std::move(note));
    };
    for (const auto& each : implementation_->of_channels)
        if (each) take(*each);
    return notes;
}

}  // namespace ositrace
