#include "http/api/seat_map_json.hpp"

#include "http/api/availability.hpp"
#include "http/api/call.hpp"
#include "http/server/options.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace usher::http {

namespace {

/// Of an event, what is not seats.
constexpr std::size_t event_frame_bytes_max = 1024;
constexpr std::size_t part_bytes_max = stream_turn_bytes_max - event_frame_bytes_max;
/// Of a seat, what is not its id: `,"":"AVAILABLE"`.
constexpr std::size_t seat_frame_bytes_max = 15;
/// For the room that a body may need.
constexpr std::size_t usual_seat_bytes = 24;

std::string_view name_of(seating::shown state) {
  switch (state) {
  case seating::shown::available:
    return "AVAILABLE";
  case seating::shown::held:
    return "HELD";
  case seating::shown::sold:
    return "SOLD";
  case seating::shown::blocked:
    return "BLOCKED";
  }
  return "?";
}

bool is_area(const seat_snapshot& seats, std::uint32_t block) {
  return seats.of->what.plan->blocks[block].capacity > 0;
}

void append_number(std::string& to, std::string_view name, std::uint64_t value) {
  to.append(",\"").append(name).append("\":").append(std::to_string(value));
}

void append_block_counts(std::string& to, const seat_snapshot& seats, std::uint32_t block) {
  const auto& count = seats.blocks[block].count;
  append_number(to, "available", count.available);
  append_number(to, "held", count.held);
  append_number(to, "sold", count.sold);
  append_number(to, "blocked", count.blocked);
  to.append(R"(,"availability":")").append(availability_level(count)).append("\"");
  if (is_area(seats, block)) {
    to.append(R"(,"area":true)");
    append_number(to, "capacity", seats.of->what.plan->blocks[block].capacity);
  }
}

/// `"A-1":"HELD"`, after a comma if it is not the first.
void append_seat(std::string& to, const seat_snapshot::block& block, std::size_t index,
                 bool first) {
  to.append(first ? "\"" : ",\"").append(block.seats->ids()[index]).append("\":\"");
  to.append(name_of(block.states[index])).append("\"");
}

void begin_block(std::string& to, const seat_snapshot& seats, std::uint32_t block, bool first) {
  const auto& planned = seats.of->what.plan->blocks[block];
  to.append(first ? R"({"id":")" : R"(,{"id":")").append(planned.id);
  to.append(R"(","category":")").append(planned.category).append("\"");
  append_block_counts(to, seats, block);
  to.append(R"(,"seats":{)");
}

std::string begun(seat_map_stamp stamp) {
  auto made = R"({"asOf":")" + time_text(stamp.as_of) + "\"";
  append_number(made, "version", stamp.version);
  return made;
}

void append_categories(std::string& to, const seat_snapshot& seats) {
  const auto& plan = *seats.of->what.plan;
  const auto counts =
      count_by_category(plan, [&](std::size_t block) { return seats.blocks[block].count; });
  to.append(R"(,"categories":[)");
  for (const auto& each : plan.categories) {
    const auto found = counts.find(each.id);
    const auto count = found == counts.end() ? seating::tally{} : found->second;
    to.append(&each == &plan.categories.front() ? R"({"id":")" : R"(,{"id":")").append(each.id);
    to.append("\"");
    append_number(to, "available", count.available);
    to.append(R"(,"availability":")").append(availability_level(count)).append("\"}");
  }
  to.append("]");
}

/// The seats of one block as members, cut into parts that fit into an event; at least one part.
class seat_parts {
public:
  explicit seat_parts(const seat_snapshot::block& block) : block_{block} {}

  void add(std::size_t index) {
    const auto bytes = block_.seats->ids()[index].size() + seat_frame_bytes_max;
    if (parts_.back().size() + bytes > part_bytes_max)
      parts_.emplace_back();
    append_seat(parts_.back(), block_, index, parts_.back().empty());
  }
  seat_events take() { return std::move(parts_); }

private:
  const seat_snapshot::block& block_;
  seat_events parts_{std::string{}};
};

/// `head` is what the data begin with, each of `parts` the seats of an event.
seat_events events_of(std::string_view name, std::string_view head, seat_map_version version,
                      const seat_events& parts) {
  seat_events made;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    std::string text{"event: "};
    text.append(name);
    if (p + 1 == parts.size())
      text.append("\nid: ").append(std::to_string(version));
    text.append("\ndata: ").append(head);
    if (parts.size() > 1) {
      append_number(text, "part", p + 1);
      append_number(text, "parts", parts.size());
    }
    text.append(R"(,"seats":{)").append(parts[p]).append("}}\n\n");
    made.push_back(std::move(text));
  }
  return made;
}

std::string event_head(const seat_snapshot& seats, seat_map_stamp stamp, std::uint32_t block,
                       std::optional<seat_map_version> since) {
  auto head = begun(stamp);
  if (since)
    append_number(head, "since", *since);
  else
    head.append(R"(,"full":true)");
  head.append(R"(,"block":")").append(seats.of->what.plan->blocks[block].id).append("\"");
  append_block_counts(head, seats, block);
  return head;
}

} // namespace

std::string whole_map_json(const seat_snapshot& seats, seat_map_stamp stamp) {
  auto body = begun(stamp);
  body.reserve(1024 + seats.of->seats.size() * usual_seat_bytes);
  body.append(R"(,"full":true,"blocks":[)");
  for (std::uint32_t b = 0; b < seats.blocks.size(); ++b) {
    begin_block(body, seats, b, b == 0);
    if (!is_area(seats, b))
      for (std::size_t i = 0; i < seats.blocks[b].states.size(); ++i)
        append_seat(body, seats.blocks[b], i, i == 0);
    body.append("}}");
  }
  body.append("]");
  append_categories(body, seats);
  body.append("}");
  return body;
}

std::string changed_map_json(const seat_snapshot& seats, seat_map_stamp stamp,
                             seat_map_version since, std::span<const seat_change> changes) {
  auto body = begun(stamp);
  append_number(body, "since", since);
  body.append(R"(,"blocks":[)");
  for (std::size_t at = 0; at < changes.size();) {
    const auto block = changes[at].block;
    begin_block(body, seats, block, at == 0);
    const auto first = at;
    for (; at < changes.size() && changes[at].block == block; ++at)
      if (!is_area(seats, block))
        append_seat(body, seats.blocks[block], changes[at].index, at == first);
    body.append("}}");
  }
  body.append("]");
  append_categories(body, seats);
  body.append("}");
  return body;
}

seat_events whole_block_events(const seat_snapshot& seats, seat_map_stamp stamp,
                               std::uint32_t block) {
  seat_parts parts{seats.blocks[block]};
  if (!is_area(seats, block))
    for (std::size_t i = 0; i < seats.blocks[block].states.size(); ++i)
      parts.add(i);
  return events_of("seats", event_head(seats, stamp, block, std::nullopt), stamp.version,
                   parts.take());
}

seat_events changed_block_events(const seat_snapshot& seats, seat_map_stamp stamp,
                                 seat_map_version since, std::uint32_t block,
                                 std::span<const seat_change> changes) {
  seat_parts parts{seats.blocks[block]};
  const auto its = std::ranges::equal_range(changes, block, {}, &seat_change::block);
  if (its.empty())
    return {};
  if (!is_area(seats, block))
    for (const auto& each : its)
      parts.add(each.index);
  return events_of("changes", event_head(seats, stamp, block, since), stamp.version, parts.take());
}

} // namespace usher::http
