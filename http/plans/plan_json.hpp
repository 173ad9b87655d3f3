#pragma once

#include "actors/shows/event.hpp"
#include "http/json/fields.hpp"

// A seating plan in our own JSON: the member `plan` of a show. docs/plan.schema.json describes it.
namespace usher::plans {

/// Reads the members of a plan; faults of form are noted. Whether ids, categories and limits are
/// right is for shows::faults_of.
[[nodiscard]] shows::plan read_plan(http::fields& from);

/// The inverse. A row whose seats are `ROW-1` … `ROW-n` and have nothing else is written as a
/// count.
[[nodiscard]] http::ordered_json plan_json(const shows::plan& what);

} // namespace usher::plans
