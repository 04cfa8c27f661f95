// SPDX-License-Identifier: MPL-2.0
// At build time: prints the modelDescription.xml of the FMU it is linked with. usage: describe 2|3
#include <iostream>
#include <string_view>

#include "app/fmu/model_description.hpp"

int main(int count, char** arguments)
{
    using namespace ositrace::fmu;
    const std::string_view version = count == 2 ? arguments[1] : "";
    if (version != "2" && version != "3") {
        std::cerr << "usage: describe 2|3\n";
        return 2;
    }
    std::cout << model_description(this_kind(), version == "2" ? FmiVersion::fmi2 : FmiVersion::fmi3) << std::flush;
    return std::cout ? 0 : 1;
}
