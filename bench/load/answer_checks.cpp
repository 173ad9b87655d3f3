#include "bench/load/answer_checks.hpp"

#include "bench/load/json_look.hpp"
#include "bench/load/places.hpp"

#include <algorithm>
#include <string>

namespace usher::load {

namespace {

const verdict fine{};

bool is_in(std::string_view code, std::initializer_list<std::string_view> codes) {
  return std::ranges::find(codes, code) != codes.end();
}

/// A status that was not expected; 503 with Retry-After is no fault of that kind, unless it says
/// something else than that there is too much to do.
verdict unexpected(const answer& got) {
  const auto code = text_member(got.body, "code");
  if (got.status == 503 && !is_in(code, {"no-gateway", "outcome-unknown", "disk-full"}))
    return got.retry_after_s < 0 ? verdict::wrong("503 without Retry-After")
                                 : verdict{outcome::shed};
  return verdict::wrong("status " + std::to_string(got.status) +
                        (code.empty() ? "" : " " + std::string{code}));
}

bool read_seats(std::string_view list, std::vector<seat_number>& into) {
  bool good = true;
  good = each_element(list,
                      [&](std::string_view each) {
                        const auto seat = seat_named(text_member(each, "id"));
                        if (seat)
                          into.push_back(*seat);
                        good = good && seat.has_value();
                      }) &&
         good;
  return good;
}

bool are_same(std::span<const seat_number> some, std::span<const seat_number> others) {
  return std::ranges::is_permutation(some, others);
}

void read_ticket(std::string_view body, ticket_told& told) {
  const auto status = text_member(body, "status");
  told.ticket = text_member(body, "ticketId");
  told.position = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(number_member(body, "position").value_or(0), 0, UINT32_MAX));
  told.admitted = status == "ADMITTED";
  told.sold_out = text_member(body, "roomState") == "ENDED";
  told.ask_after_s = static_cast<int>(
      std::clamp<std::int64_t>(number_member(body, "pollAfterSeconds").value_or(0), 0, 3600));
  told.eta_s = number_member(body, "etaSeconds");
}

/// Of a live ticket: either waiting at a place, or admitted.
verdict check_live(std::string_view body, const ticket_told& told) {
  const auto status = text_member(body, "status");
  if (status != "WAITING" && status != "ADMITTED")
    return verdict::wrong("neither WAITING nor ADMITTED");
  if (told.admitted)
    return fine;
  if (told.position < 1)
    return verdict::wrong("no position of 1 or more");
  return told.ask_after_s < 1 ? verdict::wrong("no pollAfterSeconds") : fine;
}

} // namespace

verdict check_page(const answer& got, std::string_view show) {
  if (got.status != 200)
    return unexpected(got);
  const bool good = text_member(got.body, "id") == show && !member(got.body, "waitingRoom").empty();
  return good ? fine : verdict::wrong("not the page of the show");
}

verdict check_join(const answer& got, std::string_view show, ticket_told& told) {
  if (got.status == 410 && text_member(got.body, "code") == "sold-out")
    return verdict::refused("sold-out");
  if (got.status != 202)
    return unexpected(got);
  read_ticket(got.body, told);
  if (told.ticket.empty() || told.ticket.size() > UINT8_MAX)
    return verdict::wrong("no ticketId");
  if (text_member(got.body, "showId") != show)
    return verdict::wrong("a ticket of another show");
  return check_live(got.body, told);
}

verdict check_poll(const answer& got, const fan& who, std::string_view ticket,
                   moment latest_admitted, ticket_told& told) {
  if (got.status != 200 && got.status != 410)
    return unexpected(got);
  read_ticket(got.body, told);
  told.ended = got.status == 410;
  if (told.ticket != ticket)
    return verdict::wrong("the ticket of another fan");
  if (told.ended) // a fan who has paid has used it
    return who.stage == stage::bought
               ? verdict::refused("used")
               : verdict::wrong("a live ticket ended: " +
                                std::string{text_member(got.body, "reason")});
  if (auto what = check_live(got.body, told); what.what != outcome::fine || told.admitted)
    return what;
  if (who.stage == stage::admitted)
    return verdict::wrong("waiting again after being admitted");
  if (who.position != 0 && told.position > who.position)
    return verdict::wrong("the position grew");
  if (turnstile::overtaken(who, latest_admitted))
    return verdict::wrong("somebody who joined later was let in before");
  return fine;
}

verdict check_map(const answer& got) {
  if (got.status != 200)
    return unexpected(got);
  const bool good = member(got.body, "full") == "true" && !member(got.body, "blocks").empty();
  return good ? fine : verdict::wrong("no whole seat map");
}

verdict check_hold(const answer& got, std::span<const seat_number> asked, std::size_t quantity,
                   hold_told& told) {
  if (got.status == 409 && text_member(got.body, "code") == "seat-unavailable")
    return verdict::refused("seat-unavailable");
  if (got.status != 201)
    return unexpected(got);
  told.hold = text_member(got.body, "holdId");
  const bool readable = read_seats(member(got.body, "seats"), told.seats);
  told.total_minor = number_member(member(got.body, "total"), "amount").value_or(-1);
  told.expires_in_s = number_member(got.body, "expiresInSeconds").value_or(0);
  if (told.hold.empty() || text_member(got.body, "status") != "HELD")
    return verdict::wrong("no hold in it");
  if (!readable)
    return verdict::wrong("seats that the plan does not have");
  if (asked.empty() ? told.seats.size() != quantity : !are_same(told.seats, asked))
    return verdict::wrong("not the seats that were asked for");
  if (told.total_minor != static_cast<std::int64_t>(told.seats.size()) * seat_price_minor)
    return verdict::wrong("a total that is not the price of its seats");
  return fine;
}

verdict check_order(const answer& got, const hold_told& held, std::string_view& order) {
  if (got.status != 201)
    return unexpected(got);
  order = text_member(got.body, "id");
  std::vector<seat_number> seats;
  if (order.empty() || text_member(got.body, "status") != "PENDING")
    return verdict::wrong("no order that is PENDING");
  if (text_member(got.body, "holdId") != held.hold)
    return verdict::wrong("the order of another hold");
  if (!read_seats(member(got.body, "seats"), seats) || !are_same(seats, held.seats))
    return verdict::wrong("an order of other seats");
  return number_member(member(got.body, "total"), "amount") == held.total_minor
             ? fine
             : verdict::wrong("an order with another total");
}

verdict check_pay(const answer& got, std::string_view order, std::span<const seat_number> seats,
                  bool& pending) {
  if (got.status != 200 && got.status != 202)
    return unexpected(got);
  if (text_member(got.body, "id") != order)
    return verdict::wrong("another order");
  pending = got.status == 202;
  if (pending)
    return fine;
  std::vector<seat_number> paid;
  if (text_member(got.body, "status") != "PAID")
    return verdict::wrong("paid, and not PAID");
  if (!read_seats(member(got.body, "seats"), paid) || !are_same(paid, seats))
    return verdict::wrong("paid for other seats");
  return fine;
}

} // namespace usher::load
