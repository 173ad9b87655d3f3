#include "tests/system/crash_model.hpp"

#include "tests/system/box_office.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace usher::test::crash {

namespace {

/// What the server says of a fan now. Empty texts: there is no such thing.
struct observed {
  std::string ticket;
  std::uint64_t position = 0;
  std::string hold;
  std::string order;
  std::vector<std::string> differences; ///< in what may not change
};

std::string status_of(const api_answer& from) {
  return from.body.is_object() && from.body.contains("status") && from.body.at("status").is_string()
             ? from.body.at("status").get<std::string>()
             : std::string{};
}

void compare_members(observed& seen, const json& was, const json& is,
                     std::initializer_list<const char*> members) {
  for (const auto* member : members)
    if (was.at(member) != is.value(member, json{}))
      seen.differences.push_back(std::string{member} + " was " + was.at(member).dump() + ", is " +
                                 is.value(member, json{}).dump());
}

observed look(api_client& server, const journey& fan) {
  observed seen;
  if (!fan.order.is_null()) {
    api_answer order;
    // An attempt that the crash cut off is asked for again by the server; wait for its outcome.
    eventually([&] {
      order = server.get("/v1/orders/" + fan.order.at("id").get<std::string>());
      return status_of(order) != "PAYING";
    });
    seen.order = order.status == 200 ? status_of(order) : "";
    compare_members(seen, fan.order, order.body, {"id", "holdId", "seats", "total", "expiresAt"});
  }
  if (!fan.hold.is_null()) {
    const auto hold =
        server.get("/v1/shows/" + fan.show + "/holds/" + fan.hold.at("holdId").get<std::string>());
    seen.hold = hold.status == 404 ? "" : status_of(hold);
    compare_members(seen, fan.hold, hold.body, {"holdId", "seats", "total", "expiresAt"});
  }
  const auto ticket = server.get(ticket_path(fan.show, fan.ticket));
  seen.ticket = status_of(ticket);
  if (seen.ticket == "WAITING")
    seen.position = ticket.body.at("position").get<std::uint64_t>();
  return seen;
}

/// Is this what a server says of a fan who has come to `at`?
bool fits(const observed& seen, step at, const journey& fan) {
  const auto has = [&](const char* ticket, const char* hold, const char* order) {
    return seen.ticket == ticket && seen.hold == hold && seen.order == order;
  };
  const bool had_hold = !fan.hold.is_null();
  switch (at) {
  case step::waiting: // later by itself: admitted
    return (seen.ticket == "WAITING" || seen.ticket == "ADMITTED") && seen.hold.empty();
  case step::admitted:
    return has("ADMITTED", had_hold ? "RELEASED" : "", "");
  case step::held:
    return has("ADMITTED", "HELD", "");
  case step::released:
    return has("ADMITTED", "RELEASED", "");
  case step::ordered:
    return has("ADMITTED", "HELD", "PENDING");
  case step::cancelled:
    return has("ADMITTED", "RELEASED", "CANCELLED");
  case step::paid:
    return has("USED", "SOLD", "PAID");
  case step::left:
    return has("LEFT", had_hold ? "RELEASED" : "", "");
  }
  return false;
}

const char* name_of(step which) {
  constexpr const char* names[] = {"waiting", "admitted",  "held", "released",
                                   "ordered", "cancelled", "paid", "left"};
  return names[static_cast<std::size_t>(which)];
}

std::string describe(const journey& fan, const observed& seen) {
  return fan.name + " was acknowledged as " + name_of(fan.at) +
         (fan.is_open() ? std::string{" and tried "} + name_of(fan.trying) : "") +
         ", but the ticket is '" + seen.ticket + "', the hold '" + seen.hold + "', the order '" +
         seen.order + "'";
}

class comparison {
public:
  comparison(api_client& server, const std::string& sale) : server_{server}, sale_{sale} {}

  /// A fan whose present state the model is sure of.
  void remember(const journey& fan) { own(fan, fan.at); }

  void look_at(const journey& fan) {
    const auto seen = look(server_, fan);
    for (const auto& difference : seen.differences)
      complaints_.push_back(fan.name + ": " + difference);
    const bool as_known = fits(seen, fan.at, fan);
    if (!as_known && !(fan.is_open() && fits(seen, fan.trying, fan)))
      complaints_.push_back(describe(fan, seen));
    own(fan, as_known ? fan.at : fan.trying);
    if (seen.position != 0)
      line_of_[fan.show].emplace_back(slot_of(fan.ticket), seen.position);
  }

  std::vector<std::string> finish(const journeys& all) {
    check_slots(all);
    for (auto& [show, line] : line_of_)
      check_order(show, line);
    check_seats(all);
    return std::move(complaints_);
  }

private:
  void own(const journey& fan, step at) {
    if (at != step::held && at != step::ordered && at != step::paid)
      return;
    // The seats of the hold as it was acknowledged, or else (not answered) as they were wanted.
    for (const auto& seat : fan.wanted) {
      auto& owners = at == step::paid ? sold_ : held_;
      if (!owners.emplace(seat, &fan).second || (sold_.contains(seat) && held_.contains(seat)))
        complaints_.push_back(seat + " belongs to two, one of them " + fan.name);
    }
  }

  /// Every place in a queue was given once.
  void check_slots(const journeys& all) {
    std::set<std::pair<std::string, std::uint32_t>> given;
    for (const auto* fan : all)
      if (!fan->ticket.empty() && !given.emplace(fan->show, slot_of(fan->ticket)).second)
        complaints_.push_back(fan->name + " has the place of somebody else");
  }

  /// Who came earlier is further ahead, and nobody's position is better than the line allows.
  void check_order(const std::string& show,
                   std::vector<std::pair<std::uint32_t, std::uint64_t>>& line) {
    std::sort(line.begin(), line.end());
    std::uint64_t before = 0;
    for (const auto& [slot, position] : line) {
      if (position <= before || position > slot + std::uint64_t{1})
        complaints_.push_back(show + ": arrival " + std::to_string(slot) + " has position " +
                              std::to_string(position) + ", the one before it " +
                              std::to_string(before));
      before = position;
    }
  }

  /// The map shows the seats that the model gives somebody, and only the holds that were never
  /// answered may take more.
  void check_seats(const journeys& all) {
    std::set<std::string> perhaps;
    for (const auto* fan : all)
      if (fan->trying == step::held && fan->at != step::held)
        perhaps.insert(fan->wanted.begin(), fan->wanted.end());
    for (const auto& [seat, state] : seat_map(server_, sale_)) {
      const bool right = sold_.contains(seat)   ? state == "SOLD"
                         : held_.contains(seat) ? state == "HELD"
                                                : state == "AVAILABLE" || perhaps.contains(seat);
      if (!right)
        complaints_.push_back("the map shows " + seat + " as " + state);
    }
  }

  api_client& server_;
  const std::string& sale_;
  std::map<std::string, const journey*> sold_;
  std::map<std::string, const journey*> held_;
  std::map<std::string, std::vector<std::pair<std::uint32_t, std::uint64_t>>> line_of_;
  std::vector<std::string> complaints_;
};

} // namespace

std::vector<std::string> compare(api_client& server, const std::string& sale, const journeys& all,
                                 const journeys& looked_at) {
  comparison now{server, sale};
  const std::set<const journey*> asked_for{looked_at.begin(), looked_at.end()};
  for (const auto* fan : all)
    if (!asked_for.contains(fan) && !fan->ticket.empty())
      now.remember(*fan);
  // The last arrival first: while we ask, fans are admitted and positions get better, so only then
  // has who came earlier, asked later, to be ahead for certain.
  std::multimap<std::uint32_t, const journey*, std::greater<>> by_arrival;
  for (const auto* fan : looked_at)
    if (!fan->ticket.empty())
      by_arrival.emplace(slot_of(fan->ticket), fan);
  for (const auto& [slot, fan] : by_arrival)
    now.look_at(*fan);
  return now.finish(all);
}

} // namespace usher::test::crash
