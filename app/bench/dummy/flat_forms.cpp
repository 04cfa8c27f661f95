// SPDX-License-Identifier: MPL-2.0
#include "app/bench/dummy/opponents.hpp"

namespace ositrace::bench {

namespace numbered {
const FlatForms& forms() noexcept;
}
namespace declared {
const FlatForms& forms() noexcept;
}
namespace structs {
const FlatForms& forms() noexcept;
}

const FlatForms& flat_forms(FlatLayout layout) noexcept
{
    switch (layout) {
    case FlatLayout::numbered: return numbered::forms();
    case FlatLayout::declared: return declared::forms();
    case FlatLayout::structs: break;
    }
    return structs::forms();
}

}  // namespace ositrace::bench
