#include "actors/basics/reference.hpp"
#include "http/api/fields.hpp"
#include "http/api/seat_choice.hpp"
#include "http/api/show_json.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

// What operators do with seats: take them off sale and put them back, sell them over the counter,
// return refunded ones, move prices.
namespace usher::http {

namespace {

/// Most seats in one call; a whole block has no more.
constexpr std::size_t seats_max = shows::seats_per_block_max;
constexpr std::size_t note_bytes_max = 256;
constexpr std::size_t reference_bytes_max = 256;

/// The show, if it has a plan; answered otherwise.
shows::show_entry* show_with_plan(call& at) {
  auto* show = show_of(at);
  if (show == nullptr || show->now()->what.plan)
    return show;
  send_problem(at, 409, "no-plan", "This show keeps its seats elsewhere.");
  return nullptr;
}

std::vector<seat_id> read_names(fields& from) {
  std::vector<seat_id> names;
  const auto* const list = from.find("seats");
  const auto wanted = "expected a list of 1 to " + std::to_string(seats_max) + " seat ids";
  if (list == nullptr || !list->is_array() || list->empty() || list->size() > seats_max) {
    from.add_fault("seats", wanted);
    return names;
  }
  std::unordered_set<std::string> seen;
  for (const auto& each : *list) {
    if (!each.is_string()) {
      from.add_fault("seats", wanted);
      return names;
    }
    if (seen.insert(each.get<std::string>()).second)
      names.push_back(each.get<std::string>());
  }
  return names;
}

/// The seats with their blocks; answers 409 and gives nothing if the plan does not have them all.
std::optional<std::vector<orders::seat_in_block>>
find_seats(call& at, const shows::show_entry& show, const std::vector<seat_id>& names) {
  const auto now = show.now();
  std::vector<orders::seat_in_block> seats;
  seating::refusal unknown;
  for (const auto& name : names)
    if (const auto found = now->seats.find(name); found != now->seats.end())
      seats.push_back({name, now->what.plan->blocks[found->second.block].id});
    else
      unknown.push_back({name, seating::unavailable_reason::unknown, {}, {}});
  if (unknown.empty())
    return seats;
  send_problem(at, 409, "seat-unavailable", "The plan does not have all of these seats.",
               ordered_json{{"unavailable", unavailable_json(unknown)}});
  return std::nullopt;
}

/// Answers what was done with the seats, or who has them.
std::function<void(const orders::answer&)> answer_seats(call& at, const shows::show_entry& show) {
  return [&show, later = at.to.defer()](const orders::answer& got) {
    if (const auto* seats = std::get_if<seating::refusal>(&got.result))
      return later.send(problem_response(
          409, "seats-in-use",
          "Not all of these seats can be changed; nothing was. Seats that are held are blocked "
          "with \"force\": true, unless their order is being paid.",
          "", ordered_json{{"unavailable", unavailable_json(*seats, show)}}));
    const auto* view = std::get_if<orders::seats_view>(&got.result);
    if (view == nullptr)
      return later.send(refusal_of(got.result, show, false));
    auto holds = ordered_json::array();
    for (const auto& hold : view->holds)
      holds.push_back(write_reference("hold", show.number, hold));
    later.send(json_response(200, {{"seats", view->seats}, {"withdrawnFrom", holds}}));
  };
}

struct counter_sale {
  seat_choice choice;
  std::string email;
  std::optional<std::int64_t> amount_minor;
  std::string method;
  std::string reference;
};

counter_sale read_sale(const json& body, const shows::published& now, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others(
      {"seats", "best", "area", "quantity", "customerEmail", "amount", "method", "reference"});
  refuse_unknown_wishes(from, faults);
  counter_sale sale;
  if (from.has("quantity") && !from.has("area"))
    from.add_fault("quantity", "goes with area; in best it stands inside");
  sale.choice = read_choice(from, now, shows::best_quantity_max, faults);
  sale.email = read_email(from);
  sale.amount_minor = from.integer("amount", 0, amount_minor_max);
  sale.method = from.text("method", 32).value_or("cash");
  sale.reference = from.text("reference", reference_bytes_max).value_or("");
  return sale;
}

std::map<std::string, std::int64_t> read_prices(const json& body, const shows::plan& plan,
                                                std::vector<fault>& faults) {
  fields from{body, faults};
  std::map<std::string, std::int64_t> prices;
  for (const auto& [category, price] : body.items())
    if (std::ranges::find(plan.categories, category, &shows::category::id) == plan.categories.end())
      from.add_fault(category, "is not a category of this show");
    else if (const auto amount = from.integer(category, 0, amount_minor_max))
      prices.emplace(category, *amount);
  if (body.empty())
    from.add_fault("", "expected a price in minor units for a category: {\"stalls\": 40000}");
  return prices;
}

} // namespace

namespace handlers {

void block_seats(call& at) {
  const auto* show = show_with_plan(at);
  if (show == nullptr)
    return;
  orders::command::block_seats asked;
  const auto names = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    fields from{body, faults};
    from.refuse_others({"seats", "force", "note"});
    asked.force = from.boolean("force").value_or(false);
    asked.note = from.text("note", note_bytes_max).value_or("");
    return read_names(from);
  });
  if (!names)
    return;
  auto seats = find_seats(at, *show, *names);
  if (!seats)
    return;
  asked.seats = std::move(*seats);
  ask_desk(*show, std::move(asked), at.cause(), answer_seats(at, *show));
}

void unblock_seats(call& at) {
  const auto* show = show_with_plan(at);
  if (show == nullptr)
    return;
  const auto names = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    fields from{body, faults};
    from.refuse_others({"seats"});
    return read_names(from);
  });
  if (!names)
    return;
  auto seats = find_seats(at, *show, *names);
  if (!seats)
    return;
  orders::command::unblock_seats asked;
  asked.seats = std::move(*seats);
  ask_desk(*show, std::move(asked), at.cause(), answer_seats(at, *show));
}

void return_seats(call& at) {
  const auto* show = show_with_plan(at);
  if (show == nullptr)
    return;
  std::string order;
  auto asked = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    fields from{body, faults};
    from.refuse_others({"order", "seats", "reference"});
    from.require("order");
    from.require("reference");
    orders::command::return_seats made;
    order = from.text("order", 128).value_or("");
    made.reference = from.text("reference", reference_bytes_max).value_or("");
    if (from.has("seats"))
      made.seats = read_names(from);
    return made;
  });
  if (!asked)
    return;
  const auto which = read_reference("order", order);
  if (!which || which->show != show->number)
    return send_problem(at, 404, "unknown-order", "There is no such order in this show.");
  asked->order = order_id{which->id};
  ask_desk(*show, std::move(*asked), at.cause(), answer_order(at, *show, 200, 200));
}

void sell_seats(call& at) {
  const auto* show = show_with_plan(at);
  if (show == nullptr)
    return;
  const auto now = show->now();
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  auto sale = read_sale(*body, *now, faults);
  if (!faults.empty())
    return send_invalid(at, faults);
  const auto key = read_key(at, true);
  if (!key)
    return;
  orders::command::sell_seats asked;
  static_cast<id128&>(asked.hold) = random_id();
  static_cast<id128&>(asked.order) = random_id();
  asked.currency = now->what.currency;
  asked.amount_minor = sale.amount_minor;
  asked.gateway = "BOX_OFFICE";
  asked.reference = sale.reference.empty() ? sale.method : sale.method + " " + sale.reference;
  asked.asked = key_of(at, "box office " + show->id, **key, *body);
  if (!sale.email.empty()) {
    auto sealed = seal_customer(at, asked.order, sale.email);
    if (!sealed)
      return;
    asked.customer = std::move(*sealed);
  }
  take_seats(*show, *now, std::move(sale.choice), std::move(asked), at.cause(),
             answer_order(at, *show, 201, 200));
}

void move_prices(call& at) {
  const auto* show = show_with_plan(at);
  if (show == nullptr)
    return;
  const auto now = show->now();
  auto prices = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    return read_prices(body, *now->what.plan, faults);
  });
  if (!prices)
    return;
  shows::put_call asked;
  asked.what.id = show->id;
  asked.what.prices = std::move(*prices);
  asked.cause = at.cause();
  const put_target to{at.with.shows, show->id, ""};
  http::put_show(at.with, std::move(asked),
                 [to, later = at.to.defer()](const shows::put_answer& answer) {
                   later.send(put_response(to, answer));
                 });
}

} // namespace handlers

} // namespace usher::http
