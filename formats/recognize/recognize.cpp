// SPDX-License-Identifier: MPL-2.0
#include <ositrace/recognize.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>
#include <ositrace/error.hpp>
#include <ositrace/limits.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/schema.hpp>

#include "formats/flatbuffers/table.hpp"
#include "formats/protobuf/field_reader.hpp"
#include "formats/protobuf/wire.hpp"
#include "formats/recognize/evidence.hpp"
#include "formats/recognize/identifier.hpp"
#include "formats/recognize/no_content.hpp"

namespace ositrace {

namespace {

constexpr int max_checked_values = 20'000;
constexpr std::size_t checked_elements = 16;  // of each vector

class Walk {
public:
    void message(const MessageView& view)
    {
        if (view.unknown_fields() != 0)
            throw Error(Cause::mismatch, std::string(view.table().full_name) + " has no such slots");
        view.for_each_field([&](const FieldRow& field) {
            if (!field.repeated) {
                value(view.get(field));
            } else {
                const auto elements = view.repeated(field);
                for (std::size_t i = 0; i != std::min(elements.size(), checked_elements); ++i) value(elements[i]);
            }
            return left_ > 0;
        });
    }

private:
    void value(const Value& found)
    {
        if (left_-- <= 0) return;
        if (const auto* const child = std::get_if<MessageView>(&found)) message(*child);
        const auto* const text = std::get_if<std::string_view>(&found);
        if (text != nullptr && !looks_like_text(bytes_of(*text)))
            throw Error(Cause::mismatch, "a string that is not text");
    }

    int left_ = max_checked_values;
};

/// Can a FlatBuffer be walked as this table: every offset inside, no unknown slots, strings that are text. Looks at
/// some thousand values. Returns what contradicts it. A weak proof: tables with few fields fit much.
std::optional<Error> refute_flat(Bytes buffer, const MessageTable& table, Layout layout)
{
    try {
        Walk().message(MessageView(buffer, table, {Encoding::flatbuffers, layout}));
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    }
}

constexpr int fields_at_first_sight = 256;  // of each message
constexpr int levels_at_first_sight = 2;    // below the payload

/// Are the fields of a message those of the table, and so on in the first of successive elements? Nearly every frame is
/// of its type at first sight; only others are explained as each type.
bool fits_at_first_sight(Bytes message, const MessageTable& table, int levels = levels_at_first_sight) noexcept
{
    const auto* at = message.data();
    const auto* const end = at + message.size();
    const FieldRow* before = nullptr;
    for (int left = fields_at_first_sight; at != end && left > 0; --left) {
        std::uint32_t tag = 0;
        const auto* const value = wire::read_tag(at, end, tag);
        at = value == nullptr ? nullptr : wire::skip_field(value, end, tag, max_message_depth);
        if (at == nullptr) return false;
        const auto* const field = table.find(wire::number_of(tag));
        const auto wire_type = wire::wire_type_of(tag);
        if (field == nullptr) return false;
        if (wire_type != field->wire_type) {
            if (wire_type != wire::length_delimited || !field->repeated) return false;
        } else if (wire_type == wire::length_delimited && field != before) {
            std::size_t length = 0;
            const auto* const start = wire::read_length(value, end, length);
            const Bytes element{start, length};
            if (field->kind == FieldKind::string && !looks_like_text(element)) return false;
            if (field->kind == FieldKind::message && levels > 0 &&
                !fits_at_first_sight(element, *field->child, levels - 1))
                return false;
        }
        before = field;
    }
    return true;
}

std::string described(MessageType type)
{
    const auto& row = row_of(type);
    return std::string(row.name) + " (" + std::string(row.code) + ')';
}

std::string listed(const std::vector<MessageType>& types)
{
    std::string text;
    for (std::size_t i = 0; i != types.size(); ++i)
        text += (i == 0 ? "" : i + 1 == types.size() ? " and " : ", ") + described(types[i]);
    return text;
}

/// A message type and what speaks for it over all payloads.
struct Candidate {
    MessageType type;
    const MessageTable* table;
    std::size_t misfits = 0;  ///< payloads that it does not explain
    std::size_t cost = 0;
    std::size_t explained = 0;
    std::string contradiction;

    [[nodiscard]] bool better_than(const Candidate& other) const noexcept
    {
        return misfits != other.misfits ? misfits < other.misfits : cost < other.cost;
    }
};

/// Version and timestamp with values that no simulator writes count as oddities: other types have other things there.
std::size_t implausible_head(Bytes payload, const Candidate& candidate)
{
    const auto& row = row_of(candidate.type);
    const MessageView view(payload, *candidate.table, {});
    std::size_t oddities = 0;
    try {
        if (const auto version = view.message(row.version_field)) oddities += version->integer(1).value_or(0) > 99;
        if (const auto time = view.message(row.timestamp_field))
            oddities += time->integer(2).value_or(0) >= 1'000'000'000;
    } catch (const Error&) {
        ++oddities;  // broken after the part that was checked
    }
    return oddities;
}

class Recogniser {
public:
    Recogniser(std::span<const Bytes> payloads, const Schema& schema, const RecognitionHints& hints)
        : schema_(schema), hints_(hints)
    {
        for (const auto& payload : payloads.first(std::min(payloads.size(), recognition_payloads)))
            if (!payload.empty()) payloads_.push_back(payload);
    }

    Recognition run()
    {
        if (payloads_.empty()) return by_hints_alone();
        if (const auto flat = by_identifier()) return agreed(*flat);
        weigh_candidates();
        const bool fits_protobuf = candidates_.front().misfits < payloads_.size();
        if (!fits_protobuf && is_series())
            throw Error(Cause::malformed,
                        "the content is SensorDataSeries, which is not a message of a trace ('osiconvert convert "
                        "--unpack-series' writes the SensorData in it)");
        if (!fits_protobuf && hints_.type && hints_.encoding != Encoding::flatbuffers && fits_stated(*hints_.type))
            return agreed({*hints_.type, {}});
        if (hints_.encoding == Encoding::flatbuffers || (!fits_protobuf && hints_.type && !hints_.encoding))
            return by_walking(fits_protobuf);
        if (!fits_protobuf) refuse_all();
        return agreed({protobuf_type(), {}});
    }

    std::vector<Recognition> other_than(const Recognition& expected)
    {
        if (payloads_.empty()) return {};
        const auto fit = fit_of(expected);
        if (fit == Fit::content) return {};
        std::vector<Recognition> found;
        if (const auto flat = by_identifier()) {
            found.push_back(*flat);
        } else {
            weigh_candidates();
            const auto& best = candidates_.front();
            if (best.misfits != 0 || best.cost > (fit == Fit::head ? 0 : best.explained / explained_per_cost))
                return {};
            for (const auto& candidate : candidates_)
                if (!best.better_than(candidate)) found.push_back({candidate.type, {}});
        }
        if (std::ranges::find(found, expected) != found.end()) return {};
        return found;
    }

private:
    /// A damaged message of the expected type must not pass for one of another, of which it explains little more than
    /// the head.
    static constexpr std::size_t explained_per_cost = 16;

    /// What the expected type explains of a payload.
    enum class Fit : std::uint8_t { none, head, content };

    Fit fit_of(const Recognition& expected) const
    {
        const auto* const table = schema_.find(row_of(expected.type).full_name);
        if (table == nullptr) return Fit::none;
        const auto payload = payloads_.front();
        if (expected.format.encoding == Encoding::protobuf) {
            if (fits_at_first_sight(payload, *table)) return Fit::content;
            const auto evidence = explain(payload, *table);
            if (!evidence.fits()) return Fit::none;
            if (evidence.unexplained == 0) return Fit::content;
            return evidence.explained >= evidence.unexplained + head_bytes(payload, row_of(expected.type))
                       ? Fit::content
                       : Fit::head;
        }
        const auto claim = claimed_by_identifier(payload);
        return (!claim || *claim == expected) && is_readable(payload, *table, expected.format) ? Fit::content
                                                                                               : Fit::none;
    }

    /// Of version and time, which most types have at the same place. The payload fits the type.
    static std::size_t head_bytes(Bytes payload, const MessageTypeRow& row)
    try {
        std::size_t bytes = 0;
        for (wire::FieldReader reader(payload); reader.next();)
            if (reader.number() == row.version_field || reader.number() == row.timestamp_field)
                bytes += reader.field().size();
        return bytes;
    } catch (const Error&) {
        return 0;  // broken after the part that was checked
    }

    Recognition by_hints_alone() const
    {
        const auto type = hints_.type ? hints_.type : hints_.type_from_name;
        if (!type) throw Error(Cause::ambiguous, no_content);
        return {*type, {hints_.encoding.value_or(Encoding::protobuf), hints_.layout.value_or(Layout::numbered)}};
    }

    std::optional<Recognition> by_identifier() const
    {
        for (const auto& payload : payloads_) {
            const auto claim = claimed_by_identifier(payload);
            if (!claim) continue;
            const auto* const table = schema_.find(row_of(claim->type).full_name);
            if (table != nullptr && is_readable(payload, *table, claim->format)) return claim;
        }
        return std::nullopt;
    }

    static bool is_readable(Bytes payload, const MessageTable& table, Format format)
    {
        try {
            const MessageView root(payload, table, format);
            return true;
        } catch (const Error&) {
            return false;
        }
    }

    /// No type fits for certain: do the payloads contradict this one?
    bool fits_stated(MessageType type) const
    {
        const auto* const table = schema_.find(row_of(type).full_name);
        return table != nullptr && std::ranges::any_of(payloads_, [&](Bytes payload) {
                   return explain(payload, *table, false, true).fits_if_stated();
               });
    }

    /// Does the stated type explain as much as the best, if fields of other wire types count as unknown?
    bool fits_with_other_wire_types(const Candidate& stated) const
    {
        std::size_t explained = 0;
        for (const auto& payload : payloads_) {
            const auto evidence = explain(payload, *stated.table, false, true);
            if (!evidence.fits_if_stated()) return false;
            explained += evidence.explained;
        }
        return explained >= candidates_.front().explained;
    }

    /// Every type, the one that explains the payloads best first.
    void weigh_candidates()
    {
        for (const auto& row : message_types()) {
            const auto* const table = schema_.find(row.full_name);
            if (table == nullptr) continue;
            Candidate candidate{row.type, table};
            for (const auto& payload : payloads_) weigh(payload, candidate);
            candidates_.push_back(std::move(candidate));
        }
        if (candidates_.empty()) throw Error(Cause::mismatch, "the schema has none of OSI's top-level messages");
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const auto& a, const auto& b) { return a.better_than(b); });
    }

    static void weigh(Bytes payload, Candidate& candidate)
    {
        auto evidence = explain(payload, *candidate.table);
        candidate.explained += evidence.explained;
        if (!evidence.fits()) {
            ++candidate.misfits;
            if (candidate.contradiction.empty()) candidate.contradiction = std::move(evidence.contradiction);
            return;
        }
        // If fields repeat that do not, it must merge all of them, and no value makes the payload more plausible.
        constexpr std::size_t many = 64;
        if (evidence.oddities < many) evidence.oddities += implausible_head(payload, candidate);
        candidate.cost += evidence.cost();
    }

    /// At least one type fits.
    MessageType protobuf_type() const
    {
        std::vector<MessageType> best;
        for (const auto& candidate : candidates_)
            if (!candidates_.front().better_than(candidate)) best.push_back(candidate.type);
        if (hints_.type) return check_type(best);
        if (best.size() == 1) return best.front();
        if (hints_.type_from_name && std::find(best.begin(), best.end(), *hints_.type_from_name) != best.end())
            return *hints_.type_from_name;
        throw Error(Cause::ambiguous, "the content fits " + listed(best) + "; select one with --type");
    }

    /// The requested type need not fit best, but it must explain as many payloads as the best, or as much of them.
    MessageType check_type(const std::vector<MessageType>& best) const
    {
        const auto asked = std::find_if(candidates_.begin(), candidates_.end(),
                                        [&](const auto& candidate) { return candidate.type == *hints_.type; });
        if (asked == candidates_.end())
            throw Error(Cause::mismatch, "the schema has no message " + std::string(row_of(*hints_.type).full_name));
        if (asked->misfits == candidates_.front().misfits || fits_with_other_wire_types(*asked)) return asked->type;
        auto text = "the requested type is " + described(asked->type) + ", but the content is " + listed(best);
        if (!asked->contradiction.empty()) text += " (" + asked->contradiction + ')';
        throw Error(Cause::mismatch, text);
    }

    /// A FlatBuffer without identifier: the type and the layout must come from outside.
    Recognition by_walking(bool fits_protobuf) const
    {
        const auto type = hints_.type ? hints_.type : hints_.type_from_name;
        if (!type)
            throw Error(Cause::ambiguous,
                        "the FlatBuffers have no file identifier that names the message type. Select it with --type.");
        std::vector<Layout> walked;
        std::string reason;
        for (const auto layout : {Layout::numbered, Layout::declared}) {
            if (hints_.layout && *hints_.layout != layout) continue;
            const auto refutation = refute_flat(payloads_.front(), schema_.root(*type), layout);
            if (!refutation)
                walked.push_back(layout);
            else if (reason.empty())
                reason = refutation->what();
        }
        if (walked.size() > 1)
            throw Error(
                Cause::ambiguous,
                "the FlatBuffers have no file identifier, and both layouts fit; select one with --layout numbered "
                "or --layout declared");
        if (walked.size() == 1) return {*type, {Encoding::flatbuffers, walked.front()}};
        if (fits_protobuf)
            throw Error(Cause::mismatch, "the requested encoding is flatbuffers, but the content is protobuf " +
                                             described(candidates_.front().type));
        throw Error(Cause::malformed, "the content is neither a FlatBuffer of " + described(*type) + " (" + reason +
                                          ") nor any OSI message in Protobuf");
    }

    /// SensorDataSeries { repeated SensorData sensor_data = 1; }, which some tools write as if it were SensorData.
    [[nodiscard]] bool is_series() const
    try {
        constexpr std::uint32_t sensor_data = 1;
        const auto& table = schema_.root(MessageType::sensor_data);
        wire::FieldReader reader(payloads_.front());
        bool first_fits = false;
        for (bool first = true; reader.next(); first = false) {
            if (reader.number() != sensor_data || reader.wire_type() != wire::length_delimited) return false;
            if (first) first_fits = explain(reader.bytes(), table).fits();
        }
        return first_fits;
    } catch (const Error&) {
        return false;
    }

    [[noreturn]] void refuse_all() const
    {
        const auto closest = std::max_element(candidates_.begin(), candidates_.end(),
                                              [](const auto& a, const auto& b) { return a.explained < b.explained; });
        std::string text = "the content is not an OSI message: no FlatBuffers identifier, and in Protobuf none of " +
                           std::to_string(candidates_.size()) + " types fits";
        const auto reason =
            closest->contradiction.empty() ? "which does not know most of the fields" : closest->contradiction;
        text += " (closest: " + described(closest->type) + ", " + reason + ')';
        if (!hints_.type && fits_stated(closest->type))
            text += "; --type " + std::string(row_of(closest->type).code) + " reads it";
        throw Error(Cause::malformed, {}, text, Damage::first_frame);
    }

    /// The hints must agree with the content.
    Recognition agreed(const Recognition& found) const
    {
        const std::string is =
            ", but the content is " + std::string(row_of(found.format.encoding).name) + ' ' + described(found.type);
        if (hints_.encoding && *hints_.encoding != found.format.encoding)
            throw Error(Cause::mismatch,
                        "the requested encoding is " + std::string(row_of(*hints_.encoding).name) + is);
        if (hints_.type && *hints_.type != found.type)
            throw Error(Cause::mismatch, "the requested type is " + described(*hints_.type) + is);
        const bool has_layout = found.format.encoding == Encoding::flatbuffers;
        if (has_layout && hints_.layout && *hints_.layout != found.format.layout)
            throw Error(Cause::mismatch, "the requested layout is " + std::string(name_of(*hints_.layout)) + is +
                                             " in the layout " + std::string(name_of(found.format.layout)));
        return found;
    }

    const Schema& schema_;
    const RecognitionHints& hints_;
    std::vector<Bytes> payloads_;
    std::vector<Candidate> candidates_;
};

}  // namespace

std::optional<Recognition> claimed_by_identifier(Bytes buffer) noexcept
{
    const auto found = identifier_of(buffer);
    if (found.empty()) return std::nullopt;
    for (const auto& row : message_types())
        for (const auto layout : {Layout::numbered, Layout::declared})
            if (row.file_identifier[static_cast<std::size_t>(layout)] == found)
                return Recognition{row.type, {Encoding::flatbuffers, layout}};
    return std::nullopt;
}

Recognition recognize(std::span<const Bytes> first_payloads, const Schema& schema, const RecognitionHints& hints)
{
    return Recogniser(first_payloads, schema, hints).run();
}

std::vector<Recognition> recognize_other(Bytes payload, const Schema& schema, const Recognition& expected)
try {
    const RecognitionHints none;
    return Recogniser({&payload, 1}, schema, none).other_than(expected);
} catch (const Error&) {
    return {};  // the schema has no message of OSI's
}

namespace {

/// Turns most places away without looking further than a tag.
bool begins_with_known_field(Bytes bytes, const MessageTable& table) noexcept
{
    std::uint32_t tag = 0;
    if (wire::read_tag(bytes.data(), bytes.data() + bytes.size(), tag) == nullptr) return false;
    const auto* const field = table.find(wire::number_of(tag));
    if (field == nullptr) return false;
    const auto wire_type = wire::wire_type_of(tag);
    return wire_type == field->wire_type || (field->repeated && wire_type == wire::length_delimited);
}

bool plausible_flat_start(Bytes bytes, const MessageTable& table, Layout layout)
{
    if (bytes.size() < identifier_end) return false;
    const auto root = load_le32(bytes.data());
    const auto type = message_type_by_full_name(table.full_name);
    const bool named = type && identifier_of(bytes) == row_of(*type).file_identifier[static_cast<std::size_t>(layout)];
    if (root < 4 || root % 4 != 0 || root > max_encodable_bytes) return false;
    if (named && root >= bytes.size()) return true;
    if (!flat::has_vtable(flat::Buffer(bytes), root)) return false;
    return MessageView(bytes, table, {Encoding::flatbuffers, layout}).unknown_fields() == 0 || named;
}

}  // namespace

bool plausible_start(Bytes bytes, const MessageTable& table, Format format) noexcept
{
    try {
        if (format.encoding == Encoding::flatbuffers) return plausible_flat_start(bytes, table, format.layout);
        return begins_with_known_field(bytes, table) && explain(bytes, table, true).fits();
    } catch (...) {
        return false;
    }
}

}  // namespace ositrace
