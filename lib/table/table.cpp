// SPDX-License-Identifier: MPL-2.0
#include <ositrace/frame_error.hpp>
#include <ositrace/table.hpp>

#include <cerrno>
#include <string>
#include <utility>

#include "lib/table/batch.hpp"
#include "lib/table/lane_columns.hpp"
#include "lib/table/plan.hpp"
#include "lib/table/point_columns.hpp"
#include "lib/table/store.hpp"
#include "lib/table/walk.hpp"
#include "lib/trace/payload_header.hpp"

namespace ositrace {

using table::FrameFact;
using table::none;

struct TableBuilder::Implementation {
    TablePlan handle;
    const TablePlan::Implementation& plan;
    Channel channel;  ///< for timestamp_of()
    table::Store store;
    table::Picks picks;
    table::WireWalk wire;
    table::FlatWalk flat;
    table::Dictionaries dictionaries;
    std::optional<table::LaneColumns> lanes;
    std::optional<table::PointColumns> points;
    std::vector<std::size_t> null_frames;
    bool misses_host = false;

    Implementation(TablePlan of, Format format, std::size_t max_batch_bytes, TableLanes table_lanes);
    void add(const Frame& frame);
    void add_null();
    void set_fact(FrameFact fact, std::optional<std::uint64_t> bits);
    void set_facts(const Frame& frame);
    void finish(ArrowArray* out);
};

TableBuilder::Implementation::Implementation(TablePlan of, Format format, std::size_t max_batch_bytes,
                                             TableLanes table_lanes)
    : handle(std::move(of)),
      plan(handle.implementation()),
      store(plan, max_batch_bytes),
      picks(plan.picks),
      wire(store, picks, plan.shapes),
      flat(store, picks, format.layout),
      dictionaries(plan.column_rows.size())
{
    channel.type = message_type_by_full_name(plan.root->full_name);
    channel.type_name = plan.root->full_name;
    channel.format = format;
    channel.schema = plan.schema;
    channel.root = plan.root;
    if (plan.lanes) lanes.emplace(*plan.lanes, std::move(table_lanes));
    if (plan.points) points.emplace(*plan.points);
    for (const auto& output : plan.outputs) {
        if (output.kind != FieldKind::enumeration) continue;
        for (const auto column : output.columns)
            if (!dictionaries[column]) dictionaries[column].emplace(output.enums, output.words);
    }
}

void TableBuilder::Implementation::set_fact(FrameFact fact, std::optional<std::uint64_t> bits)
{
    const auto column = plan.facts[static_cast<std::size_t>(fact)];
    if (column != none && bits) store.set(store.column(column), store.level(0), *bits);
}

void TableBuilder::Implementation::set_facts(const Frame& frame)
{
    set_fact(FrameFact::index, frame.index);
    if (frame.log_time) set_fact(FrameFact::log_time_ns, static_cast<std::uint64_t>(frame.log_time->count()));
    const auto wants = [&](FrameFact fact) { return plan.facts[static_cast<std::size_t>(fact)] != none; };
    if (!wants(FrameFact::time) && !wants(FrameFact::time_ns)) return;
    const auto time = frame.time || !channel.type ? frame.time : time_in_range_of(frame, channel);
    if (!time) return;
    set_fact(FrameFact::time_ns, static_cast<std::uint64_t>(time->count()));
    set_fact(FrameFact::time, std::bit_cast<std::uint64_t>(static_cast<double>(time->count()) / 1e9));
}

void TableBuilder::Implementation::add(const Frame& frame)
{
    const auto mark = store.mark();
    auto& frames = store.level(0);
    const auto& rows = store.level(plan.row_level);
    const auto first_row = rows.count;
    const auto first_sensor = points ? rows.parent->count : 0;
    try {
        store.begin_entry(frames);
        set_facts(frame);
        for (const auto& tree : plan.trees)
            if (channel.format.encoding == Encoding::protobuf)
                wire.walk(frame.bytes, tree, frames);
            else
                flat.walk(frame.bytes, tree, frames);
        if (lanes) lanes->add({frame.bytes, *plan.root, channel.format}, store, rows, first_row);
        if (points) points->add(frame, channel, store, rows, first_row, first_sensor);
        store.end_entry(frames);
    } catch (...) {
        store.go_back(mark);
        if (lanes) lanes->resize(first_row);
        if (points) points->resize(first_row);
        throw;
    }
}

void TableBuilder::Implementation::add_null()
{
    auto& frames = store.level(0);
    store.begin_entry(frames);
    store.end_entry(frames);
    null_frames.push_back(frames.count - 1);
}

void TableBuilder::Implementation::finish(ArrowArray* out)
{
    const auto places = lanes ? lanes->places() : std::span<const std::optional<LanePlace>>();
    const auto measured = points ? points->points() : std::span<const std::optional<table::MeasuredPoint>>();
    table::export_array(table::batch_of(plan, store, dictionaries, null_frames, places, measured, misses_host), out);
    if (lanes) lanes->resize(0);
    if (points) points->resize(0);
    store.reset();
    null_frames.clear();
}

TableBuilder::TableBuilder(TablePlan plan, Format format, std::size_t max_batch_bytes, TableLanes lanes)
    : implementation_(std::make_unique<Implementation>(std::move(plan), format, max_batch_bytes, std::move(lanes)))
{
}
TableBuilder::TableBuilder(TableBuilder&&) noexcept = default;
TableBuilder& TableBuilder::operator=(TableBuilder&&) noexcept = default;
TableBuilder::~TableBuilder() = default;

void TableBuilder::add(const Frame& frame) { implementation_->add(frame); }
std::size_t TableBuilder::frames() const noexcept { return implementation_->store.level(0).count; }
bool TableBuilder::has_rows() const noexcept { return table::has_rows(implementation_->plan, implementation_->store); }
std::size_t TableBuilder::bytes() const noexcept { return implementation_->store.bytes(); }
bool TableBuilder::has_reached(std::size_t bytes)
{
    auto& store = implementation_->store;
    if (store.most_bytes() < bytes || store.bytes() < bytes) return false;
    if (has_rows()) return true;
    store.reset();
    return false;
}
void TableBuilder::finish(ArrowArray* out) { implementation_->finish(out); }
bool TableBuilder::misses_host() const noexcept { return implementation_->misses_host; }
bool TableBuilder::misses_place() const noexcept
{
    return implementation_->points && implementation_->points->misses_place();
}

struct TableReader::Implementation {
    std::shared_ptr<FrameSource> source;
    TablePlan plan;
    TableReaderOptions options;
    TableBuilder builder;
    bool at_end = false;

    bool fill(std::stop_token stop);
    void add(const Frame& frame);
};

void TableReader::Implementation::add(const Frame& frame)
{
    try {
        builder.add(frame);
    } catch (const Error& error) {
        const auto full = within_frame(error, frame, source->info().file);
        if (!options.on_error || !options.on_error(full)) throw full;
    }
}

bool TableReader::Implementation::fill(std::stop_token stop)
{
    Frame frame;
    while (!at_end && !builder.has_reached(options.batch_bytes)) {
        if (!source->read(frame, stop)) {
            if (stop.stop_requested()) throw Error(Cause::cancelled, "stopped");
            at_end = true;
        } else if (frame.channel == options.channel) {
            add(frame);
        }
    }
    return builder.has_rows();
}

TableReader::TableReader(std::shared_ptr<FrameSource> source, TablePlan plan, TableReaderOptions options)
{
    const auto& channels = source->info().channels;
    if (options.channel >= channels.size())
        throw Error(Cause::usage,
                    "channel " + std::to_string(options.channel) + " of " + std::to_string(channels.size()));
    const auto& channel = channels[options.channel];
    if (channel.root != &plan.root())
        throw Error(Cause::usage, "the table was built for " + std::string(plan.root().full_name) +
                                      ", but the channel has " + channel.type_name + " messages");
    TableBuilder builder(plan, channel.format, TableBuilder::default_max_batch_bytes, options.lanes);
    implementation_ = std::make_unique<Implementation>(
        Implementation{std::move(source), std::move(plan), std::move(options), std::move(builder)});
}
TableReader::TableReader(TableReader&&) noexcept = default;
TableReader& TableReader::operator=(TableReader&&) noexcept = default;
TableReader::~TableReader() = default;

bool TableReader::read(ArrowArray* out, std::stop_token stop)
{
    auto& state = *implementation_;
    try {
        if (!state.fill(std::move(stop))) return false;
        state.builder.finish(out);
        return true;
    } catch (...) {
        state.at_end = true;
        state.builder = TableBuilder(state.plan, state.source->info().channels[state.options.channel].format);
        throw;
    }
}

const TablePlan& TableReader::plan() const noexcept { return implementation_->plan; }
FrameSource& TableReader::source() noexcept { return *implementation_->source; }

namespace {

/// What an exported stream owns.
struct StreamState {
    TableReader reader;
    std::stop_token stop;
    std::string last_error{};

    /// 0, or what went wrong.
    template <class Work>
    int attempt(Work&& work) noexcept
    {
        try {
            work();
            return 0;
        } catch (const std::bad_alloc&) {
            return ENOMEM;
        } catch (const std::exception& error) {
            last_error = error.what();
            return EIO;
        }
    }
    static StreamState& of(ArrowArrayStream* stream) noexcept
    {
        return *static_cast<StreamState*>(stream->private_data);
    }
};

}  // namespace

void export_stream(TableReader reader, ArrowArrayStream* out, std::stop_token stop)
{
    auto state = std::make_unique<StreamState>(StreamState{std::move(reader), std::move(stop)});
    out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
        auto& stream = StreamState::of(self);
        return stream.attempt([&] { stream.reader.plan().export_schema(schema); });
    };
    out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
        auto& stream = StreamState::of(self);
        *array = {};  // without a release callback: the end
        return stream.attempt([&] { stream.reader.read(array, stream.stop); });
    };
    out->get_last_error = [](ArrowArrayStream* self) -> const char* {
        const auto& text = StreamState::of(self).last_error;
        return text.empty() ? nullptr : text.c_str();
    };
    out->release = [](ArrowArrayStream* self) {
        delete static_cast<StreamState*>(self->private_data);
        self->release = nullptr;
    };
    out->private_data = state.release();
}

namespace {

/// The values of a binary array that somebody else made: its offsets are trusted, as everywhere in Arrow.
class BinaryArray {
public:
    BinaryArray(const ArrowSchema& schema, const ArrowArray& array) : array_(array), format_(schema.format)
    {
        if (format_ != "z" && format_ != "Z" && format_ != "vz")
            throw Error(Cause::usage, "the payloads are an Arrow array of format '" + format_ +
                                          "', expected binary, large_binary or binary_view");
    }
    [[nodiscard]] std::size_t size() const noexcept { return static_cast<std::size_t>(array_.length); }
    [[nodiscard]] bool is_null(std::size_t i) const noexcept
    {
        const auto* const bitmap = static_cast<const std::uint8_t*>(array_.buffers[0]);
        const auto place = i + static_cast<std::size_t>(array_.offset);
        return bitmap != nullptr && (bitmap[place / 8] >> place % 8 & 1) == 0;
    }
    [[nodiscard]] Bytes operator[](std::size_t i) const noexcept
    {
        const auto place = i + static_cast<std::size_t>(array_.offset);
        const auto* const entries = static_cast<const std::byte*>(array_.buffers[1]);
        if (format_ == "vz") return view_at(entries + 16 * place);
        const bool is_large = format_ == "Z";
        const auto offset = [&](std::size_t at) -> std::uint64_t {
            return is_large ? load_le64(entries + 8 * at) : load_le32(entries + 4 * at);
        };
        return {static_cast<const std::byte*>(array_.buffers[2]) + offset(place), offset(place + 1) - offset(place)};
    }

private:
    [[nodiscard]] Bytes view_at(const std::byte* view) const noexcept
    {
        constexpr std::size_t most_inline = 12;
        const std::size_t length = load_le32(view);
        if (length <= most_inline) return {view + 4, length};
        return {static_cast<const std::byte*>(array_.buffers[2 + load_le32(view + 8)]) + load_le32(view + 12), length};
    }
    const ArrowArray& array_;
    std::string format_;
};

}  // namespace

void decode_payloads(const TablePlan& plan, Format format, const ArrowSchema& schema, const ArrowArray& payloads,
                     ArrowArray* out)
{
    if (plan.implementation().row_level != 0) throw Error(Cause::usage, "decoding takes a table with a row per frame");
    const BinaryArray values(schema, payloads);
    TableBuilder::Implementation builder(plan, format, TableBuilder::default_max_batch_bytes, {});
    for (std::size_t i = 0; i != values.size(); ++i) {
        if (values.is_null(i)) {
            builder.add_null();
            continue;
        }
        try {
            Frame frame;
            frame.bytes = values[i];
            frame.index = i;
            builder.add(frame);
        } catch (const Error& error) {
            throw error.within({.frame = i});
        }
    }
    builder.finish(out);
}

}  // namespace ositrace
