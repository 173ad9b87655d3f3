#include "actors/shows/best_available.hpp"
#include "http/api/fields.hpp"
#include "http/api/room_operations.hpp"
#include "http/api/ticket_answer.hpp"

#include <algorithm>

// …/tickets/{ticket}/wish: the purchase, prepared while waiting.
namespace usher::http {

namespace {

bool has_category(const shows::plan& plan, const std::string& id) {
  return std::any_of(plan.categories.begin(), plan.categories.end(),
                     [&](const auto& each) { return each.id == id; });
}

bool has_block(const shows::plan& plan, const std::string& id) {
  return std::any_of(plan.blocks.begin(), plan.blocks.end(),
                     [&](const auto& each) { return each.id == id; });
}

std::int64_t most_accessible(const waiting_room::wish& wanted) {
  return std::min(wanted.quantity, shows::best_accessible_max);
}

waiting_room::wish read_wish(const json& body, const shows::description& what,
                             std::vector<fault>& faults) {
  fields from{body, faults};
  from.require("quantity");
  const std::int64_t most = what.holds.max_seats;
  waiting_room::wish made;
  made.quantity = static_cast<std::uint32_t>(from.integer("quantity", 1, most).value_or(1));
  made.accessible =
      static_cast<std::uint32_t>(from.integer("accessible", 0, most_accessible(made)).value_or(0));
  made.price_max_minor = from.integer("maxPrice", 0, amount_minor_max);
  made.category = from.text("category").value_or("");
  made.block = from.text("block").value_or("");
  if (!made.category.empty() && !has_category(*what.plan, made.category))
    from.add_fault("category", "'" + made.category + "' is none of the show's categories");
  if (!made.block.empty() && !has_block(*what.plan, made.block))
    from.add_fault("block", "'" + made.block + "' is none of the show's blocks");
  return made;
}

ordered_json wish_json(const waiting_room::wish& wanted) {
  ordered_json body{{"quantity", wanted.quantity}, {"accessible", wanted.accessible}};
  if (!wanted.category.empty())
    body["category"] = wanted.category;
  if (!wanted.block.empty())
    body["block"] = wanted.block;
  if (wanted.price_max_minor)
    body["maxPrice"] = *wanted.price_max_minor;
  return body;
}

/// The slot of a live ticket in the path; answers and gives nothing otherwise.
std::optional<slot_t> live_slot(call& at, const shows::show_entry& show) {
  const auto now = at.with.clock->now();
  const auto view = look_at(at.with, show, at.path[1]);
  if (waiting_room::is_live(view.status))
    return view.slot;
  at.to.send(to_response(answer_for(show, at.path[1], view, now, false)));
  return std::nullopt;
}

} // namespace

namespace handlers {

void get_wish(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto slot = live_slot(at, *show);
  if (!slot)
    return;
  const auto wanted = show->board->wish_of(*slot);
  if (!wanted)
    return send_problem(at, 404, "no-wish", "Nothing is prepared with this ticket.");
  send_json(at, 200, wish_json(*wanted));
}

void put_wish(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto slot = live_slot(at, *show);
  if (!slot)
    return;
  const auto now = show->now();
  if (!now->what.plan)
    return send_problem(at, 409, "no-plan", "This show keeps its seats elsewhere.");
  const auto wanted = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    return read_wish(body, now->what, faults);
  });
  if (wanted)
    operate(at, *show, waiting_room::command::set_wish{*slot, *wanted},
            [answer = wish_json(*wanted)] { return json_response(200, answer); });
}

void delete_wish(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  if (const auto slot = live_slot(at, *show))
    operate(at, *show, waiting_room::command::set_wish{*slot, std::nullopt}, no_content);
}

} // namespace handlers

} // namespace usher::http
