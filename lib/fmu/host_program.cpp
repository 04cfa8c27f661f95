// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/host_program.hpp"

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

constexpr auto name = "ositrace-fmu-host";

std::vector<std::filesystem::path> usual_places()
{
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    std::vector<std::filesystem::path> places;
    if (!error) places = {folder / name, folder.parent_path() / OSITRACE_LIBEXECDIR / "ositrace" / name};
    places.emplace_back(std::filesystem::path(OSITRACE_FULL_LIBEXECDIR) / "ositrace" / name);
    return places;
}

}  // namespace

std::filesystem::path find_host_program(const std::filesystem::path& asked_for)
{
    auto places = usual_places();
    if (const char* const named = std::getenv("OSITRACE_FMU_HOST"); named != nullptr && *named != '\0')
        places = {named};
    if (!asked_for.empty()) places = {asked_for};
    std::string looked;
    for (const auto& place : places) {
        if (::access(place.c_str(), X_OK) == 0) return place;
        looked += (looked.empty() ? "" : ", ") + place.string();
    }
    throw Error(Cause::io, "needs the program ositrace-fmu-host, which is not there (looked for " + looked +
                               "; OSITRACE_FMU_HOST names another place)");
}

}  // namespace ositrace::fmu
