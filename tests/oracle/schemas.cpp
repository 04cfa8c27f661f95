// SPDX-License-Identifier: MPL-2.0
#include "tests/oracle/schemas.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include <google/protobuf/descriptor.pb.h>

#include "every_kind_opponent.hpp"
#include "osi_opponent.hpp"
#include "tests/stride.hpp"

namespace oracle {

std::shared_ptr<const ositrace::Schema> every_kind_schema()
{
    static const auto schema = [] {
        google::protobuf::FileDescriptorSet set;
        every_kind::EveryKind::descriptor()->file()->CopyTo(set.add_file());
        const auto bytes = set.SerializeAsString();
        return ositrace::Schema::compile(ositrace::bytes_of(bytes));
    }();
    return schema;
}

const opponent::Row& row_of(std::string_view full_name)
{
    for (const auto rows : {opponent::osi::rows(), opponent::every_kind::rows()})
        for (const auto& row : rows)
            if (row.full_name == full_name) return row;
    throw std::runtime_error("no opponent for " + std::string(full_name));
}

int rounds(int normal)
{
    const auto* times = std::getenv("OSITRACE_ORACLE_ROUNDS");
    return times == nullptr ? ositrace::test::some_of(normal) : normal * std::max(1, std::atoi(times));
}

}  // namespace oracle
