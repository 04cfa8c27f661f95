// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ositrace/fmu_model.hpp>

#include "lib/fmu/host/host_setup.hpp"

namespace ositrace::fmu {

/// NAME=VALUE as the model's types want it. Throws Error (usage): no such parameter (with those that are called alike),
/// a value that is none of its type.
[[nodiscard]] std::vector<HostParameter> read_parameters(const FmuDescription& model,
                                                         const std::map<std::string, std::string>& values);

/// The outputs that are a number or a Boolean and no part of a message; `text` is their name.
[[nodiscard]] std::vector<HostParameter> scalar_outputs(const FmuDescription& model);

/// A model with a String parameter `encoding` (as our FMUs have) says there what travels: a value that is given counts
/// before its MIME types, the parameter's own where these say nothing.
void follow_encoding_parameter(FmuDescription& model, const std::map<std::string, std::string>& values);

/// ` (it has: nominal_range, encoding, ...) (did you mean 'encoding'?)`: at most a few of `names`, first what may have
/// been meant by one that is not among them.
[[nodiscard]] std::string names_like(const std::string& name, std::vector<std::string> names);

}  // namespace ositrace::fmu
