#pragma once

#include "actors/runtime/recovered.hpp"

#include <string>

namespace usher::test {

/// What differs, in a word and where; empty if nothing does: the states, all that can be read of
/// the boards at `now`, and what else the log tells. `only`: looks at no other show.
[[nodiscard]] std::string difference(const runtime::recovered& one, const runtime::recovered& other,
                                     time_ms now, const show_id* only = nullptr);

} // namespace usher::test
