#include "http/api/show_json.hpp"

#include "actors/basics/duration.hpp"
#include "actors/shows/rules.hpp"
#include "http/api/availability.hpp"
#include "http/api/room_settings_json.hpp"

#include <algorithm>
#include <iterator>

namespace usher::http {

namespace {

/// The elements of an array member, or an empty array (with a fault) if it is something else.
const json& array_of(fields& from, std::string_view name) {
  static const json none = json::array();
  const auto* value = from.find(name);
  if (value == nullptr)
    return none;
  if (!value->is_array()) {
    from.add_fault(name, "expected a list");
    return none;
  }
  return *value;
}

std::string at(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

/// Calls `read(fields, path)` for each object of the list.
template <class Read>
void each_object(fields& from, std::string_view name, std::vector<fault>& faults, Read read) {
  const auto& list = array_of(from, name);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto path = at(from.path_of(name), i);
    if (!list[i].is_object()) {
      fields{list, faults}.add_fault(path, "expected an object");
      continue;
    }
    fields inside{list[i], faults, path};
    read(inside);
  }
}

std::optional<shows::point> read_point(fields& from) {
  const auto x = from.number("x", -1e6, 1e6);
  const auto y = from.number("y", -1e6, 1e6);
  if (from.has("x") != from.has("y"))
    from.add_fault(from.has("x") ? "y" : "x", "is missing: x and y go together");
  return x && y ? std::optional{shows::point{*x, *y}} : std::nullopt;
}

shows::category read_category(fields& from) {
  from.refuse_others({"id", "name", "price"});
  from.require("id");
  from.require("price");
  shows::category made;
  made.id = from.text("id").value_or("");
  made.name = from.text("name").value_or(made.id);
  made.price_minor = from.integer("price", 0, 1'000'000'000'000).value_or(0);
  return made;
}

shows::planned_seat read_seat(fields& from) {
  from.refuse_others({"id", "x", "y", "accessible"});
  from.require("id");
  shows::planned_seat made;
  made.id = from.text("id").value_or("");
  made.at = read_point(from);
  made.accessible = from.boolean("accessible").value_or(false);
  return made;
}

/// `seats` counts those of the plan so far. Far too many are not even made: a row is a few bytes,
/// its seats are megabytes.
shows::row read_row(fields& from, std::vector<fault>& faults, std::size_t& seats) {
  from.refuse_others({"id", "count", "seats"});
  from.require("id");
  shows::row made;
  made.id = from.text("id").value_or("");
  if (from.has("count") == from.has("seats"))
    from.add_fault("count", "expected either count or seats");
  const auto most = static_cast<std::int64_t>(shows::seats_per_block_max);
  const auto count = from.integer("count", 1, most).value_or(0);
  for (std::int64_t n = 1; n <= count && seats <= shows::seats_per_show_max; ++n, ++seats)
    made.seats.push_back({made.id + "-" + std::to_string(n), std::nullopt, false});
  each_object(from, "seats", faults, [&](fields& seat) { made.seats.push_back(read_seat(seat)); });
  return made;
}

shows::block read_block(fields& from, std::vector<fault>& faults, std::size_t& seats) {
  if (from.has("capacity"))
    from.add_fault("capacity", "general-admission areas are not offered; give rows");
  from.refuse_others({"id", "category", "rows", "capacity"});
  from.require("id");
  from.require("category");
  shows::block made;
  made.id = from.text("id").value_or("");
  made.category = from.text("category").value_or("");
  each_object(from, "rows", faults,
              [&](fields& row) { made.rows.push_back(read_row(row, faults, seats)); });
  return made;
}

shows::plan read_plan(const json& section, std::vector<fault>& faults) {
  fields from{section, faults, "plan"};
  from.refuse_others({"focalPoint", "categories", "blocks"});
  shows::plan made;
  if (const auto* focal = from.find("focalPoint"); focal != nullptr && focal->is_object()) {
    fields inside{*focal, faults, "plan.focalPoint"};
    inside.require("x");
    made.focal_point = read_point(inside);
  } else if (focal != nullptr) {
    from.add_fault("focalPoint", "expected {\"x\", \"y\"}");
  }
  std::size_t seats = 0;
  each_object(from, "categories", faults,
              [&](fields& one) { made.categories.push_back(read_category(one)); });
  each_object(from, "blocks", faults,
              [&](fields& one) { made.blocks.push_back(read_block(one, faults, seats)); });
  if (seats > shows::seats_per_show_max)
    from.add_fault("blocks", "expected at most " + std::to_string(shows::seats_per_show_max) +
                                 " seats in all");
  return made;
}

shows::hold_settings read_holds(const json& section, std::vector<fault>& faults) {
  fields from{section, faults, "holds"};
  from.refuse_others({"ttl", "paymentWindow", "maxSeats", "maxSeatsPerCustomer"});
  shows::hold_settings made;
  made.ttl_ms = from.duration("ttl", 1000, 24LL * 3'600'000).value_or(made.ttl_ms);
  // A short hold keeps the usual share of it for paying.
  made.payment_window_ms = std::min(made.payment_window_ms, made.ttl_ms * 4 / 5);
  made.payment_window_ms =
      from.duration("paymentWindow", 100, 24LL * 3'600'000).value_or(made.payment_window_ms);
  made.max_seats = static_cast<std::uint32_t>(from.integer("maxSeats", 1, 100).value_or(4));
  made.max_seats_per_customer = from.limit("maxSeatsPerCustomer").value_or(shows::limit{}).most;
  return made;
}

/// A section is an object; anything else is a fault.
const json* section_of(fields& from, std::string_view name) {
  const auto* value = from.find(name);
  if (value == nullptr || value->is_object())
    return value;
  from.add_fault(name, "expected an object");
  return nullptr;
}

ordered_json categories_json(const shows::published& now) {
  auto list = ordered_json::array();
  for (const auto& each : now.what.plan->categories)
    list.push_back({{"id", each.id}, {"name", each.name}, {"price", each.price_minor}});
  return list;
}

} // namespace

shows::put_call read_show(const show_id& id, const json& body, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others(
      {"title", "startsAt", "currency", "plan", "waitingRoom", "holds", "admittedUrl"});
  shows::put_call made;
  made.what.id = id;
  made.what.title = from.text("title", shows::title_length_max);
  made.what.starts_at = from.text("startsAt", 64);
  made.what.currency = from.text("currency", 3);
  made.what.admitted_url = from.text("admittedUrl", 2048);
  if (const auto* plan = section_of(from, "plan"))
    made.what.plan = read_plan(*plan, faults);
  if (const auto* holds = section_of(from, "holds"))
    made.what.holds = read_holds(*holds, faults);
  if (const auto* room = section_of(from, "waitingRoom"))
    made.room = read_settings(*room, "waitingRoom", faults);
  if (faults.empty())
    faults = shows::faults_of(made.what);
  return made;
}

ordered_json show_json(const shows::show_entry& show) {
  const auto now = show.now();
  ordered_json body{{"id", show.id}, {"title", now->what.title}};
  if (!now->what.starts_at.empty())
    body["startsAt"] = now->what.starts_at;
  body["currency"] = now->what.currency;
  if (!now->what.admitted_url.empty())
    body["admittedUrl"] = now->what.admitted_url;
  if (now->what.plan) {
    seating::tally all;
    for (const auto& board : now->boards) {
      const auto one = board->count();
      all.available += one.available;
      all.held += one.held;
      all.sold += one.sold;
    }
    body["categories"] = categories_json(*now);
    body["availability"] = availability_level(all.available, all.available + all.held + all.sold);
  }
  body["holds"] = {{"ttl", to_text(now->what.holds.ttl_ms)},
                   {"paymentWindow", to_text(now->what.holds.payment_window_ms)},
                   {"maxSeats", now->what.holds.max_seats}};
  if (const auto most = now->what.holds.max_seats_per_customer)
    body["holds"]["maxSeatsPerCustomer"] = *most;
  body["waitingRoom"] = room_json(*show.board);
  return body;
}

} // namespace usher::http
