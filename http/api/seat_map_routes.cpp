#include "http/api/query.hpp"
#include "http/api/routes.hpp"
#include "http/api/seat_map_stream.hpp"

#include <charconv>
#include <utility>

namespace usher::http {

namespace {

std::optional<seat_map_version> read_version(std::string_view text) {
  seat_map_version read = 0;
  const auto* const end = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), end, read);
  if (fault != std::errc{} || stopped != end)
    return std::nullopt;
  return read;
}

void send_no_plan(call& at) {
  send_problem(at, 404, "no-plan", "This show has no seating plan: its seats are kept elsewhere.");
}

} // namespace

namespace handlers {

void get_seats(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto asked = query_parameter(at.what.query, "since");
  const auto since = asked ? read_version(*asked) : std::nullopt;
  if (asked && !since)
    return send_invalid(at, {{"since", "expected the version of a seat map, a number"}});
  const auto map = at.with.maps.of(*show, at.with.clock->now());
  if (!map)
    return send_no_plan(at);
  at.to.send(answer_with(since ? map->since(*since) : map->whole(), at.what));
}

void stream_seats(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  auto block = query_parameter(at.what.query, "block").value_or("");
  if (block.empty())
    return send_invalid(at, {{"block", "is missing: name the block to stream, as in ?block=A"}});
  const auto map = at.with.maps.of(*show, at.with.clock->now());
  if (!map)
    return send_no_plan(at);
  if (!map->find_block(block))
    return send_problem(at, 404, "unknown-block", "The plan of this show has no such block.");
  at.to.send_stream(std::make_unique<seat_stream>(at.with, *show, std::move(block),
                                                  read_version(at.what.last_event_id)));
}

} // namespace handlers

} // namespace usher::http
