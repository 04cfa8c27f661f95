// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ositrace/bytes.hpp>

namespace ositrace::fmu {

/// When a binary variable is exchanged.
enum class BinaryUse : std::uint32_t {
    input,           ///< set before every step
    output,          ///< read after every step
    initial_input,   ///< set in initialisation mode, valid until its end
    initial_output,  ///< read in initialisation mode
    values,          ///< no variable: HostSetup::values as doubles, read after every step
};

struct HostBinary {
    std::string name;
    BinaryUse use = BinaryUse::input;
    std::array<std::uint32_t, 3> references{};  ///< FMI 2: base.lo, base.hi, size; FMI 3: the first
};

struct HostParameter {
    std::string type;  ///< spelled as in the model description: `Real`, `UInt16`
    std::uint32_t reference = 0;
    double real = 0;
    std::int64_t integer = 0;  ///< of integers, booleans and enumerations
    std::string text;
};

/// Everything that is needed to run a model that is unpacked on the disk.
struct HostSetup {
    std::uint32_t fmi_version = 2;
    std::string library;
    std::string resources;  ///< the folder, without a slash at its end
    std::string instance_name;
    std::string token;
    double start_time = 0;
    std::uint32_t verbose = 0;  ///< 1: the model logs, and every warning is shown
    std::uint64_t max_message_bytes = 0;
    std::string scratch;  ///< folder to remove when the replaying process has ended; may be empty
    std::vector<HostParameter> parameters;
    std::vector<HostBinary> binaries;
    std::vector<HostParameter> values;  ///< scalar outputs; their type and reference count
};

/// As bytes, for a host of the same build. Throws Error (malformed) if they do not come from serialize().
[[nodiscard]] std::string serialize(const HostSetup& setup);
[[nodiscard]] HostSetup read_host_setup(Bytes bytes);

}  // namespace ositrace::fmu
