// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/util/type_resolver.h>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// The descriptors of one schema, for libprotobuf. Thread-safe.
class DynamicMessages {
public:
    explicit DynamicMessages(Bytes descriptor_set);

    [[nodiscard]] bool is_of(Bytes descriptor_set) const noexcept;
    /// An empty message. Throws Error (mismatch) if the schema does not define the type.
    [[nodiscard]] std::unique_ptr<google::protobuf::Message> message(std::string_view full_name);
    /// For libprotobuf's JSON parser.
    [[nodiscard]] google::protobuf::util::TypeResolver& resolver() noexcept { return *resolver_; }

private:
    std::vector<std::byte> descriptor_set_;
    google::protobuf::DescriptorPool pool_;
    google::protobuf::DynamicMessageFactory factory_;
    std::unique_ptr<google::protobuf::util::TypeResolver> resolver_;
};

/// The descriptors of the last few schemas. Thread-safe.
class DynamicMessageCache {
public:
    [[nodiscard]] std::shared_ptr<DynamicMessages> of(Bytes descriptor_set);

private:
    static constexpr std::size_t most = 8;
    std::mutex mutex_;
    std::vector<std::shared_ptr<DynamicMessages>> known_;
};

/// `type.googleapis.com`: the prefix of type URLs in JSON.
inline constexpr const char* type_url_prefix = "type.googleapis.com";

}  // namespace ositrace
