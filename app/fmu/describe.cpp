// SPDX-License-Identifier: MPL-2.0
// At build time: prints a file of the FMU it is linked with. usage: describe 2|3|html
#include <iostream>
#include <string_view>

#include "app/fmu/model_description.hpp"

int main(int count, char** arguments)
{
    using namespace ositrace::fmu;
    const std::string_view file = count == 2 ? arguments[1] : "";
    if (file == "2")
        std::cout << model_description(this_kind(), FmiVersion::fmi2);
    else if (file == "3")
        std::cout << model_description(this_kind(), FmiVersion::fmi3);
    else if (file == "html")
        std::cout << documentation(this_kind());
    else {
        std::cerr << "usage: describe 2|3|html\n";
        return 2;
    }
    std::cout.flush();
    return std::cout ? 0 : 1;
}
