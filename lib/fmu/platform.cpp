// SPDX-License-Identifier: MPL-2.0
#include "lib/fmu/platform.hpp"

#include <array>
#include <string_view>

#include <ositrace/error.hpp>

namespace ositrace::fmu {

namespace {

/// As FMI 3.0 names this machine (x86_64-linux), and as FMI 2.0 does; packers mix them up.
#if defined(__x86_64__)
constexpr std::array<std::string_view, 2> platforms{"x86_64-linux", "linux64"};
#elif defined(__aarch64__)
constexpr std::array<std::string_view, 2> platforms{"aarch64-linux", "linux-aarch64"};
#else
constexpr std::array<std::string_view, 0> platforms{};
#endif

}  // namespace

std::string library_path(const FmuDescription& model, const std::string& platform)
{
    return "binaries/" + platform + "/" + model.model_identifier + ".so";
}

std::string choose_platform(const FmuArchive& archive, const FmuDescription& model)
{
    for (const auto platform : platforms)
        if (archive.has(library_path(model, std::string(platform)))) return std::string(platform);
    std::string wanted, there;
    for (const auto platform : platforms) wanted += (wanted.empty() ? "" : " or ") + library_path(model, std::string(platform));
    for (const auto& platform : archive.platforms()) there += (there.empty() ? "" : ", ") + platform;
    throw Error(Cause::unsupported, "cannot run on this machine: it has no " + wanted + " (it has binaries for: " + (there.empty() ? "nothing" : there) + ")");
}

}  // namespace ositrace::fmu
