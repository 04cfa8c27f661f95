// SPDX-License-Identifier: MPL-2.0
// Structs of Arrow's C data interface with several owners.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <ositrace/arrow.hpp>

namespace ositrace::python {

/// A struct that releases its contents; empty at first.
template <class Struct>
[[nodiscard]] std::shared_ptr<Struct> released_struct()
{
    return {new Struct{}, [](Struct* contents) {
                if (contents->release != nullptr) contents->release(contents);
                delete contents;
            }};
}

/// A struct of Arrow whose contents are those of a shared one.
template <class Struct>
struct SharedStruct {
    std::shared_ptr<const Struct> owner;
    std::vector<Struct> children;
    std::vector<Struct*> pointers;
    Struct dictionary{};

    ~SharedStruct()
    {
        for (auto& child : children)
            if (child.release != nullptr) child.release(&child);
        if (dictionary.release != nullptr) dictionary.release(&dictionary);
    }
    static void release(Struct* self)
    {
        delete static_cast<SharedStruct*>(self->private_data);
        self->release = nullptr;
    }
};

/// Makes `out` the same as `part`, which `owner` keeps: every part has an owner of its own, because a consumer may move
/// children out of their parent.
template <class Struct>
void share(const std::shared_ptr<const Struct>& owner, const Struct& part, Struct* out)
{
    auto shared = std::make_unique<SharedStruct<Struct>>();
    shared->owner = owner;
    shared->children.resize(static_cast<std::size_t>(part.n_children));
    for (std::size_t i = 0; i != shared->children.size(); ++i) {
        share(owner, *part.children[i], &shared->children[i]);
        shared->pointers.push_back(&shared->children[i]);
    }
    if (part.dictionary != nullptr) share(owner, *part.dictionary, &shared->dictionary);
    *out = part;
    out->children = shared->pointers.data();
    out->dictionary = part.dictionary == nullptr ? nullptr : &shared->dictionary;
    out->release = SharedStruct<Struct>::release;
    out->private_data = shared.release();
}

/// Makes `out` the parent of these, which must have been filled; the rest of it is the caller's.
template <class Struct>
void adopt(std::vector<Struct>&& children, Struct* out)
{
    auto parent = std::make_unique<SharedStruct<Struct>>();
    parent->children = std::move(children);
    for (auto& child : parent->children) parent->pointers.push_back(&child);
    out->n_children = static_cast<std::int64_t>(parent->children.size());
    out->children = parent->pointers.data();
    out->release = SharedStruct<Struct>::release;
    out->private_data = parent.release();
}

}  // namespace ositrace::python
