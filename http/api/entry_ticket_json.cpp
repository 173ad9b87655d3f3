#include "http/api/entry_ticket_json.hpp"

#include <algorithm>

namespace usher::http {

namespace {

time_ms paid_at(const orders::order& order) {
  const auto found = std::ranges::find(order.history, orders::step_kind::paid, &orders::step::what);
  return found == order.history.end() ? 0 : found->at;
}

bool is_void(const orders::order_view& view, const seat_id& seat) {
  return view.order.gives_back(seat) ||
         std::ranges::find(view.returned, seat) != view.returned.end();
}

} // namespace

void add_tickets(ordered_json& body, const entry_ticket_codec& by, const shows::show_entry& show,
                 const orders::order_view& view) {
  const auto& order = view.order;
  if (!order.is_sold() || view.seats.empty())
    return;
  const auto at = paid_at(order);
  auto list = ordered_json::array();
  for (const auto& seat : view.seats) {
    const auto used = std::ranges::find(order.used, seat.id, &orders::used_ticket::seat);
    const bool was_used = used != order.used.end();
    list.push_back({{"seat", seat.id},
                    {"code", by.write({show.id, seat.id, view.id, at})},
                    {"status", is_void(view, seat.id) ? "VOID"
                               : was_used             ? "USED"
                                                      : "VALID"}});
    if (was_used)
      list.back()["usedAt"] = time_text(used->at);
  }
  body["tickets"] = std::move(list);
}

} // namespace usher::http
