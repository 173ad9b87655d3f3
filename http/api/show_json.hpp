#pragma once

#include "http/api/fields.hpp"

// Shows and rooms as JSON: what an operator sends, and what is shown to all.
namespace usher::http {

/// The body of PUT /v1/shows/{show}. Faults are added; the result counts only if there are none.
[[nodiscard]] shows::put_call read_show(const show_id& id, const json& body,
                                        std::vector<fault>& faults);

[[nodiscard]] ordered_json show_json(const shows::show_entry& show);

} // namespace usher::http
