#include "http/api/seat_choice.hpp"

#include "actors/basics/overloaded.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace usher::http {

namespace {

constexpr std::size_t categories_asked_max = 100;

/// The names in `seats`: 1 to seats_max, each once.
std::vector<seat_id> read_seats(fields& from, std::uint32_t seats_max) {
  const auto* list = from.find("seats");
  const auto wanted = "expected a list of 1 to " + std::to_string(seats_max) + " seat ids";
  std::vector<seat_id> seats;
  if (list == nullptr || !list->is_array() || list->empty() || list->size() > seats_max) {
    from.add_fault("seats", wanted);
    return seats;
  }
  std::unordered_set<std::string> seen;
  for (const auto& each : *list) {
    if (!each.is_string() || each.get_ref<const std::string&>().size() > shows::id_length_max) {
      from.add_fault("seats", wanted);
      return seats;
    }
    seats.push_back(each.get<std::string>());
    if (!seen.insert(seats.back()).second)
      from.add_fault("seats", "'" + seats.back() + "' stands twice");
  }
  return seats;
}

std::vector<std::string> read_categories(fields& from, const shows::plan& plan) {
  std::vector<std::string> wanted;
  if (const auto one = from.text("category", shows::id_length_max))
    wanted.push_back(*one);
  if (const auto* list = from.find("categories")) {
    if (!wanted.empty())
      from.add_fault("categories", "expected either category or categories");
    if (!list->is_array() || list->size() > categories_asked_max)
      from.add_fault("categories", "expected a list of at most " +
                                       std::to_string(categories_asked_max) + " category ids");
    else
      for (const auto& each : *list)
        wanted.push_back(each.is_string() ? each.get<std::string>() : std::string{});
  }
  for (const auto& each : wanted)
    if (std::ranges::find(plan.categories, each, &shows::category::id) == plan.categories.end())
      from.add_fault(from.has("category") ? "category" : "categories",
                     "'" + each + "' is not a category of this show");
  return wanted;
}

const shows::block* find_block(const shows::plan& plan, const std::string& id) {
  const auto found = std::ranges::find(plan.blocks, id, &shows::block::id);
  return found == plan.blocks.end() ? nullptr : &*found;
}

shows::best_ask read_best(fields& from, const shows::published& now, std::uint32_t seats_max) {
  const auto& plan = *now.what.plan;
  shows::best_ask ask;
  from.require("quantity");
  ask.quantity = static_cast<std::uint32_t>(from.integer("quantity", 1, seats_max).value_or(1));
  ask.categories = read_categories(from, plan);
  ask.block = from.text("block", shows::id_length_max).value_or("");
  const auto* const block = find_block(plan, ask.block);
  if (!ask.block.empty() && block == nullptr)
    from.add_fault("block", "'" + ask.block + "' is not a block of this show");
  else if (block != nullptr && block->capacity > 0)
    from.add_fault("block",
                   "'" + ask.block + "' has no seats to choose from: ask with area and quantity");
  ask.row_from = from.text("rowFrom", shows::id_length_max).value_or("");
  ask.row_to = from.text("rowTo", shows::id_length_max).value_or("");
  ask.price_max_minor = from.integer("maxPrice", 0, amount_minor_max);
  const auto accessible_max = std::min(ask.quantity, shows::best_accessible_max);
  ask.accessible =
      static_cast<std::uint32_t>(from.integer("accessible", 0, accessible_max).value_or(0));
  ask.may_split = from.boolean("split").value_or(true);
  ask.avoid_orphans = now.what.holds.avoid_orphans;
  return ask;
}

concierge::area_ask read_area(fields& from, const shows::plan& plan, std::uint32_t seats_max) {
  concierge::area_ask ask;
  ask.area = from.text("area", shows::id_length_max).value_or("");
  const auto* const block = find_block(plan, ask.area);
  if (block == nullptr || block->capacity == 0)
    from.add_fault("area", "expected the id of an area of general admission of this show");
  from.require("quantity");
  ask.quantity = static_cast<std::uint32_t>(from.integer("quantity", 1, seats_max).value_or(1));
  return ask;
}

/// Only the seller's staff name places of an area.
bool by_staff(const concierge::purpose& wanted) {
  return std::visit(overloaded{[](const orders::command::sell_seats&) { return true; },
                               [](const auto& what) { return what.box_office; }},
                    wanted);
}

const shows::seat_place* place_of(const shows::published& now, const seat_id& seat, bool staff) {
  const auto found = now.seats.find(seat);
  return found == now.seats.end() || (found->second.in_area && !staff) ? nullptr : &found->second;
}

/// Why a seat cannot be had, as far as the board shows; only to complete a refusal.
std::optional<seating::unavailable> shown_in_the_way(const shows::published& now,
                                                     const seat_id& seat, bool staff) {
  using why = seating::unavailable_reason;
  const auto* const place = place_of(now, seat, staff);
  if (place == nullptr)
    return seating::unavailable{seat, why::unknown};
  const auto view = now.boards[place->block]->seats();
  if (place->index >= view->ids().size())
    return seating::unavailable{seat, why::unknown};
  switch (view->at(place->index)) {
  case seating::shown::held:
    return seating::unavailable{seat, why::held};
  case seating::shown::sold:
    return seating::unavailable{seat, why::sold};
  case seating::shown::blocked:
    return seating::unavailable{seat, why::blocked};
  case seating::shown::available:
    break;
  }
  return std::nullopt;
}

/// The seats with block, category and price; or every seat in the way if one is not in the plan.
std::variant<std::vector<orders::offered_seat>, seating::refusal>
offer(const shows::published& now, const std::vector<seat_id>& seats, bool staff) {
  std::vector<orders::offered_seat> offered;
  bool all_known = true;
  for (const auto& seat : seats) {
    const auto* const place = place_of(now, seat, staff);
    if (place == nullptr) {
      all_known = false;
      continue;
    }
    const auto& category = now.what.plan->categories[place->category];
    offered.push_back(
        {seat, now.what.plan->blocks[place->block].id, category.id, category.price_minor});
  }
  if (all_known)
    return offered;
  seating::refusal refusal;
  for (const auto& seat : seats)
    if (auto why = shown_in_the_way(now, seat, staff))
      refusal.push_back(std::move(*why));
  return refusal;
}

} // namespace

seat_choice read_choice(fields& from, const shows::published& now, std::uint32_t seats_max,
                        std::vector<fault>& faults) {
  const auto given = int{from.has("seats")} + int{from.has("best")} + int{from.has("area")};
  if (given > 1)
    from.add_fault("seats", "expected one of seats, best and area, not several");
  if (from.has("area"))
    return read_area(from, *now.what.plan, seats_max);
  const auto* const best = from.find("best");
  if (best == nullptr)
    return read_seats(from, seats_max);
  if (!best->is_object()) {
    from.add_fault("best", "expected an object: {\"quantity\": 2}");
    return shows::best_ask{};
  }
  fields inside{*best, faults, from.path_of("best")};
  return read_best(inside, now, seats_max);
}

void refuse_unknown_wishes(const fields& from, std::vector<fault>& faults) {
  const auto* const best = from.find("best");
  if (best == nullptr || !best->is_object())
    return;
  fields inside{*best, faults, from.path_of("best")};
  inside.refuse_others({"quantity", "category", "categories", "block", "rowFrom", "rowTo",
                        "maxPrice", "accessible", "split"});
}

void take_seats(const shows::show_entry& show, const shows::published& now, seat_choice choice,
                concierge::purpose wanted, storage::cause cause,
                std::function<void(const orders::answer&)> done) {
  if (const auto* named = std::get_if<std::vector<seat_id>>(&choice)) {
    auto offered = offer(now, *named, by_staff(wanted));
    if (auto* refusal = std::get_if<seating::refusal>(&offered))
      return done({std::move(*refusal), false});
    std::visit(
        [&](auto& what) {
          what.seats = std::move(std::get<0>(offered));
          ask_desk(show, std::move(what), std::move(cause), std::move(done));
        },
        wanted);
    return;
  }
  auto asked = std::make_shared<concierge::request>();
  std::visit(
      overloaded{[](std::vector<seat_id>&) {}, [&](auto& ask) { asked->ask = std::move(ask); }},
      choice);
  asked->wanted = std::move(wanted);
  asked->cause = std::move(cause);
  asked->done = std::move(done);
  caf::anon_send(show.concierge, std::move(asked));
}

} // namespace usher::http
