#include "bench/load/looking.hpp"

#include "bench/load/answer_checks.hpp"
#include "bench/load/map_check.hpp"

#include <utility>

namespace usher::load {

looking::looking(const world& in, const worker& of, std::optional<std::string>& fault)
    : in_{in}, fault_{fault}, is_over_{of.index != 0} {}

std::optional<task> looking::next_at_once() {
  if (is_over_ || std::exchange(is_asked_, true))
    return std::nullopt;
  return task{.kind = request_kind::map};
}

void looking::write(task& /*what*/, std::string& to) {
  in_.write.map(to);
}

void looking::answered(const task& /*what*/, const answer& got, time_ns sent, time_ns /*now*/) {
  is_over_ = true;
  if (const auto how = check_map(got); how.what != outcome::fine)
    fault_ = how.what == outcome::shed ? "turned away: 503" : how.why;
  else
    fault_ = fault_in_map(got.body, in_.ledger, sent);
}

void looking::lost(const task& /*what*/, std::string_view why, time_ns /*now*/) {
  is_over_ = true;
  fault_ = why;
}

} // namespace usher::load
