// SPDX-License-Identifier: MPL-2.0
#include "lib/text/dynamic_messages.hpp"

#include <algorithm>
#include <string>

#include <google/protobuf/util/type_resolver_util.h>

#include <ositrace/error.hpp>

#include "lib/text/open_descriptors.hpp"

namespace ositrace {

DynamicMessages::DynamicMessages(Bytes descriptor_set)
    : descriptor_set_(descriptor_set.begin(), descriptor_set.end()), factory_(&pool_)
{
    build_open(descriptor_set, pool_);
    resolver_.reset(google::protobuf::util::NewTypeResolverForDescriptorPool(type_url_prefix, &pool_));
}

bool DynamicMessages::is_of(Bytes descriptor_set) const noexcept
{
    return text_of(descriptor_set_) == text_of(descriptor_set);
}

std::unique_ptr<google::protobuf::Message> DynamicMessages::message(std::string_view full_name)
{
    const auto* const type = pool_.FindMessageTypeByName(std::string(full_name));
    if (type == nullptr) throw Error(Cause::mismatch, "the schema has no message " + std::string(full_name));
    return std::unique_ptr<google::protobuf::Message>(factory_.GetPrototype(type)->New());
}

std::shared_ptr<DynamicMessages> DynamicMessageCache::of(Bytes descriptor_set)
{
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(known_.begin(), known_.end(), [&](const auto& known) { return known->is_of(descriptor_set); });
    if (found != known_.end()) return *found;
    if (known_.size() == most) known_.erase(known_.begin());
    return known_.emplace_back(std::make_shared<DynamicMessages>(descriptor_set));
}

}  // namespace ositrace
