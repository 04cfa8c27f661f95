// SPDX-License-Identifier: MPL-2.0
// usage: PROGRAM CLASS [option of QtTest...]
#include <algorithm>
#include <cstdio>
#include <string_view>

#include "tests/gui/test_class.hpp"

int main(int argc, char** argv)
{
    const auto& classes = ositrace::test::test_classes();
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    const auto found = std::ranges::find(classes, wanted, &ositrace::test::TestClass::name);
    if (found == classes.end()) {
        std::fprintf(stderr, "usage: %s CLASS [option of QtTest...]; the classes are:\n", argv[0]);
        for (const auto& each : classes) std::fprintf(stderr, "    %s\n", each.name);
        return 2;
    }
    argv[1] = argv[0];
    return found->run(argc - 1, argv + 1, found->name);
}
