// SPDX-License-Identifier: MPL-2.0
#include "lib/length_prefixed/recognize_damaged.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <ositrace/error.hpp>
#include <ositrace/recognize.hpp>
#include <ositrace/trace_name.hpp>

#include "formats/framing/length_prefix.hpp"
#include "formats/protobuf/wire.hpp"
#include "lib/io/buffer_pool.hpp"
#include "lib/length_prefixed/prefix_walker.hpp"
#include "lib/trace/recognition.hpp"

namespace ositrace {

using length_prefix::prefix_bytes;

namespace {

constexpr std::size_t chained_frames = 3;
/// Enough of the first frames to recognise them: one that is larger is the only one in memory.
constexpr std::size_t enough_bytes = std::size_t{1} << 20;
/// Candidates that are none may cost this many bytes, per byte of the file and at least: a hostile file must not cost
/// quadratic time.
constexpr std::uint64_t waste_per_byte = 8, min_waste_of_probe = std::uint64_t{1} << 25;
/// What a small read at another place costs, in bytes; and a comparison of all types with payloads, of which they look
/// at some thousand fields.
constexpr std::uint64_t cost_of_read = 512, cost_of_recognition = std::uint64_t{16} << 10, cost_per_byte = 16,
                        max_cost_of_recognition = std::uint64_t{1} << 20;

/// A message table and how it may be encoded.
struct Form {
    const MessageTable* table;
    Format format;
};

/// What a frame may be, as far as the options and the name say. FlatBuffers are known by their identifiers, too; those
/// without cost more to tell, and are looked for where they are stated.
std::vector<Form> forms_of(const Schema& schema, const OpenOptions& options, const std::filesystem::path& file)
{
    const auto name = file.filename().string();
    const auto extension = trace_extension(name);
    const auto stated = options.encoding ? options.encoding : extension ? extension->encoding : std::nullopt;
    const bool flat = stated == Encoding::flatbuffers && (options.type || options.encoding);
    std::vector<Form> forms;
    for (const auto& row : message_types()) {
        const auto* const table = schema.find(row.full_name);
        if (table == nullptr || (options.type && *options.type != row.type)) continue;
        if (options.encoding != Encoding::flatbuffers) forms.push_back({table, {}});
        if (flat)
            for (const auto layout : {Layout::numbered, Layout::declared})
                forms.push_back({table, {Encoding::flatbuffers, layout}});
    }
    return forms;
}

/// At most so many fields of a candidate are followed.
constexpr std::size_t max_followed_fields = 20'000;

class FirstIntact {
public:
    FirstIntact(const RandomAccess& file, const OpenOptions& options)
        : file_(file),
          options_(options),
          schema_(options.schema ? options.schema : Schema::built_in()),
          forms_(forms_of(*schema_, options, file.name())),
          reads_(file),
          reads_ahead_(file)
    {
        add_first_bytes({nullptr, {Encoding::flatbuffers, {}}});
        for (const auto& form : forms_) add_first_bytes(form);
    }

    enum class Begin : std::uint8_t {
        known,  ///< with a field of the schema
        alike,  ///< as the others in the row
    };
    /// `frames`: so many in a row, or all up to the end of the file.
    std::shared_ptr<FrameVerifier> find(std::size_t frames, Begin begin = Begin::known)
    {
        begin_ = begin;
        const auto per_byte = begin == Begin::known ? waste_per_byte : waste_per_byte / 4;
        const auto max_waste = std::max(min_waste_of_probe, per_byte * file_.size());
        wasted_bytes_ = 0;
        for (std::uint64_t offset = 0; offset + prefix_bytes < file_.size();) {
            if (wasted_bytes_ > max_waste) {
                give_up(offset);
                break;
            }
            if (options_.stop.stop_requested()) throw Error(Cause::cancelled, {.file = file_.name()}, "stopped");
            const auto bytes = reads_.buffered_at(offset, prefix_bytes + 1);
            if (const auto zeros = length_prefix::leading_zeros(bytes); zeros > prefix_bytes) {
                // The last three may be the first bytes of a length.
                const auto end = zeros == bytes.size() ? file_.zeros_end(offset + zeros) : offset + zeros;
                offset = end - (prefix_bytes - 1);
                continue;
            }
            const auto passed = offset == 0 ? 0 : passed_bytes(bytes, offset);
            offset += passed;
            if (passed + prefix_bytes >= bytes.size()) continue;
            const auto places = chain_at(offset, frames);
            if (!places.empty())
                if (auto verifier = recognized(places, offset == 0 && frames > 1)) return verifier;
            ++offset;
        }
        return nullptr;
    }
    /// The search ended before the file did; failure() says so.
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }
    /// Why the last candidate was none.
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }

private:
    struct Place {
        std::uint64_t offset;
        std::uint32_t length;
    };

    void give_up(std::uint64_t offset)
    {
        gave_up_ = true;
        if (begin_ == Begin::alike || (failure_ && failure_->cause() == Cause::ambiguous)) return;  // that says more
        failure_ = Error(Cause::malformed, {.file = file_.name(), .offset = offset},
                         "no whole frame was found up to here, and too many places look like one to read them all" +
                             std::string(options_.type ? "" : ". Give --type, which leaves fewer"));
    }

    void add_first_bytes(const Form& form)
    {
        static constexpr MessageTable no_table;
        const auto more = first_bytes_of(form.table ? *form.table : no_table, form.format);
        std::ranges::transform(first_bytes_, more, first_bytes_.begin(), std::logical_or());
    }

    /// The number of bytes, which are at `offset`, before the first place with a possible length and first byte. Most
    /// places fail here.
    [[nodiscard]] std::size_t passed_bytes(Bytes bytes, std::uint64_t offset) const
    {
        const auto max_length =
            std::min<std::uint64_t>(options_.max_message_bytes, file_.size() - offset - prefix_bytes);
        for (std::size_t i = 0; i + prefix_bytes < bytes.size(); ++i) {
            const auto length = load_le32(bytes.data() + i);
            if (length != 0 && length <= max_length &&
                (begin_ == Begin::alike || first_bytes_[std::to_integer<std::size_t>(bytes[i + prefix_bytes])]))
                return i;
        }
        return bytes.size() - prefix_bytes;
    }

    /// Where the file begins a frame belongs, whatever its first bytes look like.
    std::vector<Place> chain_at(std::uint64_t offset, std::size_t frames)
    {
        const bool in_place = offset == 0;
        std::vector<Place> places;
        while (places.size() < frames && offset != file_.size()) {
            auto& reads = places.empty() ? reads_ : reads_ahead_;
            if (begin_ == Begin::alike && !places.empty()) wasted_bytes_ += cost_of_read;
            const auto length = length_prefix::length_at(reads.at(offset, prefix_bytes));
            if (!length || *length == 0 || *length > options_.max_message_bytes ||
                *length > file_.size() - offset - prefix_bytes)
                return {};
            if (begin_ == Begin::known ? !in_place && !begins_plausibly(reads, {offset, *length})
                                       : !places.empty() && !begin_alike(places.front(), {offset, *length}))
                return {};
            places.push_back({offset, *length});
            offset += prefix_bytes + *length;
        }
        if (begin_ == Begin::alike && places.size() < 2) return {};
        return places;
    }

    /// A few bytes reject most places. More are read of the rest, because reading a long payload in vain is expensive.
    bool begins_plausibly(SmallReads& reads, const Place& place)
    {
        return std::ranges::all_of(
            std::array{length_prefix::judged_bytes, SmallReads::window_bytes}, [&](std::size_t step) {
                const auto front = reads.at(place.offset + prefix_bytes, std::min<std::size_t>(place.length, step));
                if (!could_begin(front)) return false;
                wasted_bytes_ += front.size();
                return true;
            });
    }

    /// Fields that the schema does not know may come first, in every message.
    bool begin_alike(const Place& a, const Place& b)
    {
        constexpr std::size_t compared = 3;
        if (a.length < compared || b.length < compared) return false;
        std::array<std::byte, compared> first;
        std::ranges::copy(reads_.at(a.offset + prefix_bytes, compared), first.begin());
        return std::ranges::equal(reads_ahead_.at(b.offset + prefix_bytes, compared), first);
    }

    bool could_begin(Bytes front) const
    {
        return claimed_by_identifier(front) || std::ranges::any_of(forms_, [&](const Form& form) {
                   return plausible_start(front, *form.table, form.format);
               });
    }

    std::shared_ptr<FrameVerifier> recognized(const std::vector<Place>& places, bool in_place)
    try {
        std::vector<std::shared_ptr<Block>> payloads;
        std::vector<Bytes> views;
        for (std::size_t bytes = 0; const auto& place : places) {
            if (bytes >= enough_bytes) break;
            if (!could_end(place)) continue;
            const auto& payload = payloads.emplace_back(std::make_shared<Block>(place.length));
            views.emplace_back(payload->data(), place.length);
            static_cast<void>(file_.read_at(place.offset + prefix_bytes, {payload->data(), place.length}));
            bytes += place.length;
            wasted_bytes_ += place.length;
        }
        if (views.empty()) return nullptr;
        for (const auto& view : views)
            wasted_bytes_ += std::min(cost_of_recognition + cost_per_byte * view.size(), max_cost_of_recognition);
        auto verifier = std::make_shared<FrameVerifier>(recognize_channel(file_.name(), views, options_));
        for (const auto& view : views) {
            if (begin_ == Begin::alike || !(in_place ? verifier->is_whole(view) : verifier->is_surely(view))) continue;
            verifier->accept(view);
            return verifier;
        }
        // Several in a row with fields of a newer schema, or of a tool of its own.
        const bool are_messages = views.size() > 1 && std::ranges::all_of(views, [&](Bytes view) {
                                      return in_place || begin_ == Begin::alike || verifier->is_message(view);
                                  });
        return are_messages && verifier->accept_all(views) ? verifier : nullptr;
    } catch (const Error& error) {
        if (!failure_ || error.cause() == Cause::ambiguous) failure_ = error;
        return nullptr;
    }

    /// Do the fields of a Protobuf message, by their lengths, end where it does? What they hold is not read. Other
    /// payloads are read to tell.
    bool could_end(const Place& place)
    {
        auto at = place.offset + prefix_bytes;
        const auto end = at + place.length;
        if (claimed_by_identifier(
                reads_ahead_.at(at, std::min<std::size_t>(place.length, length_prefix::judged_bytes))))
            return true;
        if (std::ranges::any_of(forms_, [](const Form& form) { return form.format.encoding != Encoding::protobuf; }))
            return true;
        for (std::size_t fields = 0; at != end && fields != max_followed_fields; ++fields) {
            constexpr std::size_t max_head_bytes = wire::max_tag_bytes + wire::max_varint_bytes;
            const auto head = reads_ahead_.at(at, std::min<std::uint64_t>(end - at, max_head_bytes));
            wasted_bytes_ += head.size();
            const auto* const head_end = head.data() + head.size();
            std::uint32_t tag = 0;
            const auto* value = wire::read_tag(head.data(), head_end, tag);
            if (value == nullptr) return false;
            std::uint64_t content_bytes = 0;
            switch (wire::wire_type_of(tag)) {
            case wire::length_delimited: value = wire::read_varint(value, head_end, content_bytes); break;
            case wire::start_group: return true;
            default: value = wire::skip_field(value, head_end, tag, max_message_depth); break;
            }
            if (value == nullptr) return false;
            at += static_cast<std::uint64_t>(value - head.data());
            if (content_bytes > end - at) return false;
            at += content_bytes;
        }
        return true;
    }

    const RandomAccess& file_;
    const OpenOptions& options_;
    std::shared_ptr<const Schema> schema_;
    std::vector<Form> forms_;
    FirstBytes first_bytes_{};
    Begin begin_ = Begin::known;
    SmallReads reads_;
    SmallReads reads_ahead_;          ///< far from the place of the search
    std::uint64_t wasted_bytes_ = 0;  ///< read for candidates
    bool gave_up_ = false;
    std::optional<Error> failure_;
};

/// Of the length that an input begins with, if no complete frame does. A length over the limit may be right where the
/// input is as long; else it is none.
std::optional<Error> problem_of_first(const WindowedInput& input, std::uint32_t length, const OpenOptions& options)
{
    const Location first{.file = input.source().name(), .frame = 0, .offset = 0};
    const auto size = input.buffered().size();
    if (size < prefix_bytes) return length_prefix::truncated_prefix(size).within(first);
    const auto end = input.source().end();
    if (length > options.max_message_bytes && end && *end < prefix_bytes + std::uint64_t{length}) return std::nullopt;
    try {
        length_prefix::check_length(length, options.max_message_bytes, size - prefix_bytes);
    } catch (const Error& error) {
        return error.within(first);
    }
    return std::nullopt;
}

}  // namespace

bool may_change(const Error& error) noexcept
{
    return error.cause() == Cause::ambiguous || error.cause() == Cause::malformed || error.cause() == Cause::mismatch;
}

std::shared_ptr<FrameVerifier> recognize_in_place(WindowedInput& input, const OpenOptions& options,
                                                  std::optional<Error>& failure)
{
    const auto& stop = options.stop;
    const auto file = input.source().name();
    std::vector<std::size_t> ends;
    std::vector<Bytes> payloads;
    std::shared_ptr<FrameVerifier> with_unknown_fields;
    bool leads_on = true;  // to the end, or to as many frames as are looked at
    for (std::size_t at = 0; ends.size() < recognition_payloads && at < enough_bytes;) {
        const auto prefix = input.ensure(at + prefix_bytes, stop);
        if (stop.stop_requested())
            throw Error(Cause::cancelled, {.file = file}, "stopped while waiting for the first frame");
        if (prefix.empty()) return std::make_shared<FrameVerifier>(recognize_channel(file, {}, options));
        const auto length = length_prefix::length_at(prefix.subspan(std::min(at, prefix.size()))).value_or(0);
        const auto end = at + prefix_bytes + length;
        if (length == 0 || length > options.max_message_bytes ||
            input.ensure(end, stop, prefix_bytes + length_prefix::judged_bytes).size() < end) {
            if (ends.empty()) failure = problem_of_first(input, length, options);
            leads_on = prefix.size() == at;
            break;
        }
        ends.push_back(end);
        payloads.clear();
        for (std::size_t begin = 0; const auto each : ends) {
            payloads.push_back(input.buffered().subspan(begin + prefix_bytes, each - begin - prefix_bytes));
            begin = each;
        }
        at = end;
        try {
            with_unknown_fields.reset();
            auto verifier = std::make_shared<FrameVerifier>(recognize_channel(file, payloads, options));
            if (!verifier->is_whole(payloads.back())) {
                with_unknown_fields = std::move(verifier);
                continue;
            }
            verifier->accept(payloads.back());
            return verifier;
        } catch (const Error& error) {
            if (!may_change(error)) throw;
            failure = error;
        }
    }
    // Every frame has fields of a newer schema, or of a tool of its own.
    if (leads_on && with_unknown_fields && with_unknown_fields->accept_all(payloads)) return with_unknown_fields;
    return nullptr;
}

std::shared_ptr<FrameVerifier> recognize_anywhere(const RandomAccess& file, const OpenOptions& options)
{
    FirstIntact first(file, options);
    if (auto verifier = first.find(chained_frames)) return verifier;
    if (auto verifier = first.find(1)) return verifier;
    const bool gave_up = first.gave_up();
    if (!gave_up)
        if (auto verifier = first.find(chained_frames, FirstIntact::Begin::alike)) return verifier;
    if (first.failure() && (first.failure()->cause() == Cause::ambiguous || gave_up)) throw Error(*first.failure());
    throw Error(Cause::malformed, {.file = file.name()}, "there is not one whole frame in this file");
}

}  // namespace ositrace
