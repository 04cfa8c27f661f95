// SPDX-License-Identifier: MPL-2.0
#include <cstdio>

#include <ositrace/schema.hpp>
#include <ositrace/version.hpp>

int main()
{
    const auto schema = ositrace::Schema::built_in();
    if (schema->find("osi3.SensorView") == nullptr) return 1;
    std::printf("ositrace %s, %zu messages\n", ositrace::version().data(), schema->messages().size());
}
