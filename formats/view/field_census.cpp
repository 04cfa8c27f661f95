// SPDX-License-Identifier: MPL-2.0
#include <ositrace/field_census.hpp>

#include <algorithm>
#include <utility>

#include <ositrace/error.hpp>
#include <ositrace/message_view.hpp>
#include <ositrace/scalar_value.hpp>

#include "formats/core/message_limit.hpp"
#include "formats/protobuf/field_reader.hpp"

namespace ositrace {

namespace {

constexpr std::uint64_t reference_bytes = 4;
constexpr std::uint64_t length_bytes = 4;

/// A field at one place below the root.
struct Path {
    const FieldRow* field = nullptr;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::uint64_t in_this_message = 0;
    std::vector<std::unique_ptr<Path>> below;  ///< by place in the child's table; grown when first needed

    void add(std::uint64_t more_count, std::uint64_t more_bytes) noexcept
    {
        count += more_count;
        bytes += more_bytes;
    }
};

/// How many elements a packed list has.
std::uint64_t packed_count(const FieldRow& field, Bytes list)
{
    if (field.flat_size != 0 && field.wire_type == wire::fixed64) return list.size() / 8;
    if (field.wire_type == wire::fixed32) return list.size() / 4;
    return static_cast<std::uint64_t>(
        std::ranges::count_if(list, [](std::byte b) { return std::to_integer<unsigned>(b) < 0x80; }));
}

bool is_reference(const FieldRow& field) noexcept { return !is_scalar(field.kind); }

}  // namespace

struct FieldCensus::Implementation {
    Implementation(const MessageTable& root_table, Format wanted) : root(root_table), format(wanted) {}

    void add(Bytes message)
    {
        tables_left = message.size() * tables_per_byte;
        if (format.encoding == Encoding::protobuf)
            count_protobuf(message, root, top, 0, message.data());
        else
            count_flat(MessageView(message, root, format), root, top);
        ++messages;
        bytes += message.size();
        end_message();
    }

    void count_protobuf(Bytes message, const MessageTable& table, Path& at, int depth, const std::byte* origin)
    {
        if (depth > max_message_depth) throw Error(Cause::limit, nests_too_deep);
        for (wire::FieldReader reader(message, origin); reader.next();) {
            const auto* const field = table.find(reader.number());
            if (field == nullptr || !wire::accepts(*field, reader.wire_type())) {
                ++unknown.count;
                unknown.bytes += reader.field().size();
                continue;
            }
            auto* const path = below(at, table, *field);
            const bool packed = is_scalar(field->kind) && reader.wire_type() == wire::length_delimited;
            if (path != nullptr) note(*path, packed ? packed_count(*field, reader.bytes()) : 1, reader.field().size());
            if (field->child != nullptr && path != nullptr)
                count_protobuf(reader.bytes(), *field->child, *path, depth + 1, origin);
        }
    }

    /// Returns the bytes of the table with all below it.
    std::uint64_t count_flat(const MessageView& message, const MessageTable& table, Path& at)
    {
        if (tables_left-- == 0)
            throw Error(Cause::limit, "tables are shared so often that their fields cannot be counted");
        std::uint64_t all = reference_bytes;  // to the vtable
        unknown.count += message.unknown_fields();
        message.for_each_field([&](const FieldRow& field) {
            auto* const path = below(at, table, field);
            if (path == nullptr) return true;
            const auto size =
                field.repeated ? flat_list(message, field, *path) : flat_value(message.get(field), field, *path);
            note(*path, 0, size);
            all += size;
            return true;
        });
        return all;
    }

    std::uint64_t flat_list(const MessageView& message, const FieldRow& field, Path& path)
    {
        std::uint64_t size = reference_bytes + length_bytes;
        message.for_each_element(field, [&](const Value& element) {
            size += flat_value(element, field, path);
            return true;
        });
        return size;
    }

    std::uint64_t flat_value(const Value& value, const FieldRow& field, Path& path)
    {
        note(path, 1, 0);
        if (!is_reference(field)) return field.flat_size;
        if (const auto* const message = std::get_if<MessageView>(&value))
            return reference_bytes + count_flat(*message, *field.child, path);
        if (const auto* const text = std::get_if<std::string_view>(&value))
            return reference_bytes + length_bytes + text->size() + 1;
        if (const auto* const data = std::get_if<Bytes>(&value)) return reference_bytes + length_bytes + data->size();
        return 0;
    }

    /// Null when there are too many paths.
    Path* below(Path& at, const MessageTable& table, const FieldRow& field)
    {
        if (at.below.empty()) at.below.resize(table.fields.size());
        auto& path = at.below[field.index];
        if (path == nullptr) {
            if (paths == max_paths) return nullptr;
            ++paths;
            path = std::make_unique<Path>();
            path->field = &field;
        }
        return path.get();
    }

    void note(Path& path, std::uint64_t count, std::uint64_t size)
    {
        path.add(count, size);
        if (count == 0) return;
        if (path.in_this_message == 0) touched.push_back(&path);
        path.in_this_message += count;
    }

    void end_message()
    {
        for (auto* const path : touched) {
            const auto here = std::exchange(path->in_this_message, 0);
            path->least = path->messages == 0 ? here : std::min(path->least, here);
            path->most = std::max(path->most, here);
            ++path->messages;
        }
        touched.clear();
    }

    void list(const Path& at, const std::string& prefix, int depth, std::vector<FieldCount>& out) const
    {
        for (const auto& path : at.below) {
            if (path == nullptr) continue;
            const auto name = prefix + std::string(path->field->name);
            const auto least = path->messages == messages ? path->least : 0;
            out.push_back({name, path->field, depth, path->count, path->bytes, path->messages, least, path->most});
            list(*path, name + '.', depth + 1, out);
        }
    }

    /// A table that is not shared takes four bytes; beyond this a small buffer could keep us counting for ever.
    static constexpr std::size_t tables_per_byte = 4;

    const MessageTable& root;
    Format format;
    std::size_t tables_left = 0;  ///< of a FlatBuffer
    Path top;
    std::size_t paths = 0;
    std::vector<Path*> touched;  ///< by this message
    UnknownFields unknown;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
};

FieldCensus::FieldCensus(const MessageTable& root, Format format)
    : implementation_(std::make_unique<Implementation>(root, format))
{
}
FieldCensus::FieldCensus(FieldCensus&&) noexcept = default;
FieldCensus& FieldCensus::operator=(FieldCensus&&) noexcept = default;
FieldCensus::~FieldCensus() = default;

void FieldCensus::add(Bytes message) { implementation_->add(message); }

std::vector<FieldCount> FieldCensus::counts() const
{
    std::vector<FieldCount> all;
    implementation_->list(implementation_->top, {}, 0, all);
    return all;
}

UnknownFields FieldCensus::unknown() const noexcept { return implementation_->unknown; }
std::uint64_t FieldCensus::messages() const noexcept { return implementation_->messages; }
std::uint64_t FieldCensus::bytes() const noexcept { return implementation_->bytes; }

}  // namespace ositrace
