// SPDX-License-Identifier: MPL-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <ositrace/compare_objects.hpp>

namespace ositrace::compare {

/// The objects of a side.
struct Side {
    const std::vector<ComparedObject>& objects;
    ObjectSet set = ObjectSet::ground_truth;
};

struct Match {
    std::size_t b = 0;
    bool by_id = false;
};

struct Matches {
    std::vector<std::optional<Match>> of_a;  ///< the partner of each object of A
    std::vector<bool> b_is_paired;
    bool too_many = false;  ///< of very many objects that may belong together, not all combinations were considered
};

/// See ObjectComparer.
[[nodiscard]] Matches pair_objects(const Side& a, const Side& b, double gate);

}  // namespace ositrace::compare
