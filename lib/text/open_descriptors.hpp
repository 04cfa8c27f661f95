// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <google/protobuf/descriptor.h>

#include <ositrace/bytes.hpp>

namespace ositrace {

/// Builds the files of a FileDescriptorSet in `pool`. So that nothing is lost or refused which a trace may hold, enums
/// are made open (a number without a name is kept) while every field keeps its presence: proto2 files are built as
/// proto3 with `optional` on each singular field. Options and extensions are left out, and with them the need for
/// google/protobuf/descriptor.proto. Throws Error (malformed).
void build_open(Bytes descriptor_set, google::protobuf::DescriptorPool& pool);

}  // namespace ositrace
