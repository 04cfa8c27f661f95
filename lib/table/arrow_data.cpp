// SPDX-License-Identifier: MPL-2.0
#include <ositrace/arrow_data.hpp>

#include <cstring>
#include <memory>

namespace ositrace::table {

namespace {

/// What an exported struct owns: its children are in `children`, so that they live and die with it.
template <class Struct, class Contents>
struct Exported {
    Contents contents;
    std::vector<const void*> buffers;
    std::vector<Struct> children;
    std::vector<Struct*> child_pointers;
    Struct dictionary{};
    std::string metadata;

    explicit Exported(Contents&& from) : contents(std::move(from)), children(contents.children.size())
    {
        for (auto& child : children) child_pointers.push_back(&child);
    }
    /// A child without a release callback was moved out by the consumer, or was never made.
    ~Exported()
    {
        for (auto& child : children)
            if (child.release != nullptr) child.release(&child);
        if (dictionary.release != nullptr) dictionary.release(&dictionary);
    }
    Exported(Exported&&) = delete;

    static void release(Struct* exported)
    {
        delete static_cast<Exported*>(exported->private_data);
        exported->release = nullptr;
    }
    /// Hands itself over.
    static void give(std::unique_ptr<Exported> self, Struct* out) noexcept
    {
        out->n_children = static_cast<std::int64_t>(self->children.size());
        out->children = self->child_pointers.data();
        out->dictionary = self->dictionary.release == nullptr ? nullptr : &self->dictionary;
        out->release = release;
        out->private_data = self.release();
    }
};

void append_int(std::string& to, std::size_t value)
{
    const auto number = static_cast<std::int32_t>(value);
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    to.append(bytes, sizeof number);
}

std::string encoded(const std::vector<std::pair<std::string, std::string>>& metadata)
{
    std::string text;
    if (metadata.empty()) return text;
    append_int(text, metadata.size());
    for (const auto& [key, value] : metadata)
        for (const auto& part : {key, value}) {
            append_int(text, part.size());
            text += part;
        }
    return text;
}

}  // namespace

void export_array(Array&& array, ArrowArray* out)
{
    using Owner = Exported<ArrowArray, Array>;
    auto owner = std::make_unique<Owner>(std::move(array));
    for (const auto& memory : owner->contents.buffers) owner->buffers.push_back(memory.get());
    for (std::size_t i = 0; i != owner->children.size(); ++i)
        export_array(std::move(owner->contents.children[i]), &owner->children[i]);
    if (!owner->contents.dictionary.empty())
        export_array(std::move(owner->contents.dictionary.front()), &owner->dictionary);
    *out = {};
    out->length = static_cast<std::int64_t>(owner->contents.length);
    out->null_count = static_cast<std::int64_t>(owner->contents.nulls);
    out->n_buffers = static_cast<std::int64_t>(owner->buffers.size());
    out->buffers = owner->buffers.data();
    Owner::give(std::move(owner), out);
}

void export_type(Type&& type, ArrowSchema* out)
{
    using Owner = Exported<ArrowSchema, Type>;
    auto owner = std::make_unique<Owner>(std::move(type));
    for (std::size_t i = 0; i != owner->children.size(); ++i)
        export_type(std::move(owner->contents.children[i]), &owner->children[i]);
    if (!owner->contents.dictionary.empty())
        export_type(std::move(owner->contents.dictionary.front()), &owner->dictionary);
    owner->metadata = encoded(owner->contents.metadata);
    *out = {};
    out->format = owner->contents.format.c_str();
    out->name = owner->contents.name.c_str();
    out->metadata = owner->metadata.empty() ? nullptr : owner->metadata.c_str();
    out->flags = owner->contents.nullable ? ARROW_FLAG_NULLABLE : 0;
    Owner::give(std::move(owner), out);
}

}  // namespace ositrace::table
