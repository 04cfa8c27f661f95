// SPDX-License-Identifier: MPL-2.0
#include <ositrace/traffic_table.hpp>

#include <ositrace/error.hpp>
#include <ositrace/frame_error.hpp>

namespace ositrace {

void TrafficMotionTable::add(const Frame& frame, const Channel& channel, TrafficRowSink& rows)
{
    if (!reader_) reader_.emplace(channel, needs_);
    add(reader_->read(frame), rows);
}

struct TrafficTableReader::Implementation {
    std::shared_ptr<FrameSource> source;
    const TrafficTableRow& table;
    TrafficOptions options;
    std::vector<std::unique_ptr<TrafficTable>> of_channels;  ///< by channel; null: none yet
    std::unique_ptr<TrafficTable> of_all;                    ///< where the table is not per channel
    std::uint32_t channel = 0;                               ///< of the last rows
    std::size_t finished = 0;

    TrafficTable& table_of(std::uint32_t number);
    bool finish(TrafficRowSink& rows);
};

TrafficTable& TrafficTableReader::Implementation::table_of(std::uint32_t number)
{
    if (!table.per_channel) return *of_all;
    if (number >= of_channels.size()) of_channels.resize(number + 1);
    if (!of_channels[number]) of_channels[number] = table.create(options);
    return *of_channels[number];
}

/// The last rows of one channel; false: there is no further one.
bool TrafficTableReader::Implementation::finish(TrafficRowSink& rows)
{
    while (finished < of_channels.size() && !of_channels[finished]) ++finished;
    if (finished < of_channels.size()) {
        channel = static_cast<std::uint32_t>(finished);
        of_channels[finished++]->finish(rows);
        return true;
    }
    if (!of_all || finished > of_channels.size()) return false;
    ++finished;
    of_all->finish(rows);
    return true;
}

TrafficTableReader::TrafficTableReader(std::shared_ptr<FrameSource> source, const TrafficTableRow& table,
                                       const TrafficOptions& options)
    : implementation_(new Implementation{std::move(source), table, options, {}, {}, 0, 0})
{
    auto first = table.create(options);  // throws where an option is wrong, even without a frame
    if (!table.per_channel) implementation_->of_all = std::move(first);
}
TrafficTableReader::TrafficTableReader(TrafficTableReader&&) noexcept = default;
TrafficTableReader& TrafficTableReader::operator=(TrafficTableReader&&) noexcept = default;
TrafficTableReader::~TrafficTableReader() = default;

bool TrafficTableReader::read(TrafficRowSink& rows, std::stop_token stop)
{
    auto& state = *implementation_;
    Frame frame;
    while (state.finished == 0 && state.source->read(frame, stop)) {
        const auto& channel = state.source->info().channels[frame.channel];
        if (!state.table.reads(channel)) continue;
        state.channel = frame.channel;
        try {
            state.table_of(frame.channel).add(frame, channel, rows);
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
    if (implementation_->of_all) take(*implementation_->of_all);
    return notes;
}

}  // namespace ositrace
