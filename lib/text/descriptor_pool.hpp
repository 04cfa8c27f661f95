// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <vector>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Throws Error: malformed; limit for more than 1000 files, which libprotobuf links in quadratic time.
[[nodiscard]] google::protobuf::FileDescriptorSet parse_descriptor_set(Bytes bytes);

/// Builds every file of a set in `pool` and returns them, each after its imports. Throws Error (malformed).
std::vector<const google::protobuf::FileDescriptor*> build_files(const google::protobuf::FileDescriptorSet& set,
                                                                 google::protobuf::DescriptorPool& pool);

}  // namespace ositrace
