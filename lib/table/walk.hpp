// SPDX-License-Identifier: MPL-2.0
// One walk over the bytes of a message, by a plan, into a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/encoding.hpp>

#include "formats/core/learned_shapes.hpp"
#include "formats/flatbuffers/table.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/table/plan.hpp"
#include "lib/table/shapes.hpp"
#include "lib/table/store.hpp"

namespace ositrace::table {

/// What has been seen of picked elements (`[3]`, `[id=7]`) in the scope at hand: an entry, or another picked element.
class Picks {
public:
    explicit Picks(std::size_t count) : states_(count) {}

    /// A scope of its own, for what is below an element.
    [[nodiscard]] std::uint64_t open() noexcept { return ++last_scope_; }
    /// Is the next element of the pick's field the one with this index? Counts it.
    [[nodiscard]] bool is_at(std::size_t pick, std::uint64_t scope, std::uint64_t index) noexcept
    {
        return of(pick, scope).seen++ == index;
    }
    /// How many the pick has been asked for or has found in this scope.
    [[nodiscard]] std::uint64_t& seen(std::size_t pick, std::uint64_t scope) noexcept { return of(pick, scope).seen; }

private:
    struct State {
        std::uint64_t scope = 0;
        std::uint64_t seen = 0;
    };
    State& of(std::size_t pick, std::uint64_t scope) noexcept
    {
        auto& state = states_[pick];
        if (state.scope != scope) state = {scope, 0};
        return state;
    }
    std::vector<State> states_;
    std::uint64_t last_scope_ = 0;
};

/// Where values of a message go.
struct Place {
    LevelData* level;
    std::uint64_t scope;
    int depth;
};

/// Less than every probability of a candidate.
inline constexpr double unstated = -std::numeric_limits<double>::infinity();

/// Where a broken field starts.
struct BrokenField {
    const std::byte* start;
    const std::byte* end;  ///< of the message that contains it
    const MessageTable* table;
    const FieldRow* packed = nullptr;  ///< of broken packed elements: their field; `start` is in them
};

/// Protobuf.
class WireWalk {
public:
    WireWalk(Store& store, Picks& picks, std::size_t shapes) : store_(store), picks_(picks), shapes_(shapes) {}
    /// Throws Error (malformed, limit) with offset and field; entries may be open then.
    void walk(Bytes payload, const Node& tree, LevelData& frames);

private:
    void message(const std::byte* at, const std::byte* end, const Node& node, const Place& place);
    const std::byte* take(const std::byte* at, const std::byte* end, std::uint32_t tag, const Node& node,
                          std::size_t first, const Place& place);
    void leave_out(const std::byte* value, const std::byte* next, std::uint32_t tag);
    const std::byte* run(const std::byte* start, const std::byte* value, const std::byte* end, const Action& action,
                         const Place& place);
    void entry(Bytes payload, const Shape* shape, const Action& action, const Place& place);
    void element(Bytes payload, const std::byte* end, const Action& action, const Place& place);
    void set_zeros(const Action& action, LevelData& level);
    void packed(Bytes elements, const Action& action, const Place& place);
    void scalar(std::uint64_t stored, Bytes wire, const Action& action, const Place& place);
    void set(std::uint64_t stored, Bytes wire, const Action& action, ColumnData& column, LevelData& level);
    void set_text(Bytes value, const Action& action, ColumnData& column, LevelData& level);
    void begin(LevelData& level);
    void finish(LevelData& level);
    void text(Bytes value, const Action& action, const Place& place);
    void name(Bytes reference, const Action& action, LevelData& level);
    [[nodiscard]] bool is_picked(Bytes element, const std::byte* end, const Action& action, const Place& place);
    [[nodiscard]] std::uint64_t most_probable(Bytes first, const std::byte* end, const Action& action);

    Store& store_;
    Picks& picks_;
    std::vector<ShapesByLength<Shape>> shapes_;
    Recording* recording_ = nullptr;  ///< of the outermost element that is being learned
    Bytes payload_;
};

/// FlatBuffers.
class FlatWalk {
public:
    FlatWalk(Store& store, Picks& picks, Layout layout) noexcept : store_(store), picks_(picks), layout_(layout) {}
    /// As WireWalk::walk().
    void walk(Bytes payload, const Node& tree, LevelData& frames);

private:
    void table(std::uint32_t position, const Node& node, const Place& place);
    void field(std::uint32_t at, const Action& action, const Place& place);
    void repeated(std::uint32_t at, const Action& action, const Place& place);
    void one(std::uint32_t at, const Action& action, const Place& place);
    void set_zeros(const Action& action, LevelData& level);
    void value(std::uint32_t at, const Action& action, const Place& place);
    void name(flat::Vector references, const Action& action, LevelData& level);
    [[nodiscard]] Bytes string_at(std::uint32_t at) const;
    [[nodiscard]] flat::Vector vector_in(std::uint32_t position, const FieldRow& field) const;
    [[nodiscard]] Bytes name_in(flat::Vector references, const NameFields& fields) const;
    [[nodiscard]] bool has_id(std::uint32_t at, const Action& action) const;
    [[nodiscard]] std::uint64_t most_probable(flat::Vector candidates, const Action& action) const;

    Store& store_;
    Picks& picks_;
    Layout layout_;
    const flat::Buffer* buffer_ = nullptr;
};

}  // namespace ositrace::table
