#include "tests/system/crash_holds_model.hpp"

#include "tests/system/box_office.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <sstream>
#include <thread>
#include <utility>

namespace usher::test::crash_holds {

namespace {

bool is_within(const seat_set& few, const seat_set& many) {
  return std::ranges::includes(many, few);
}

seat_set minus(const seat_set& all, const seat_set& those) {
  seat_set left;
  std::ranges::set_difference(all, those, std::inserter(left, left.end()));
  return left;
}

seat_set united(const seat_set& one, const seat_set& other) {
  auto all = one;
  all.insert(other.begin(), other.end());
  return all;
}

/// What the operator took away since `was`, if all else may be explained by that.
std::optional<seat_set> taken_since(const holding& was, const holding& now,
                                    const seat_set& ever_blocked) {
  const auto taken = minus(now.withdrawn, was.withdrawn);
  if (!is_within(was.withdrawn, now.withdrawn) || !is_within(taken, ever_blocked))
    return std::nullopt;
  return taken;
}

std::string text_of(const seat_set& seats) {
  std::string text;
  for (const auto& each : seats)
    text += (text.empty() ? "" : " ") + each;
  return "{" + text + "}";
}

std::string text_of(const holding& it) {
  return it.status + " " + text_of(it.seats) + " less " + text_of(it.withdrawn) + " until " +
         it.until;
}

std::string name_of(act what) {
  constexpr const char* names[] = {"nothing", "to place",          "to extend",
                                   "to add",  "to release a seat", "to release"};
  return names[static_cast<std::size_t>(what)];
}

} // namespace

holding read_holding(const json& body) {
  holding it;
  if (const auto status = body.find("status"); status != body.end() && status->is_string())
    it.status = status->get<std::string>(); // else a problem: there is no such hold
  for (const auto& each : body.value("seats", json::array()))
    it.seats.insert(each.at("id").get<std::string>());
  for (const auto& each : body.value("withdrawn", json::array()))
    it.withdrawn.insert(each.get<std::string>());
  it.until = body.value("expiresAt", "");
  return it;
}

bool as_before(const fan& who, const holding& now, const seat_set& ever_blocked) {
  if (now.status == "WITHDRAWN")
    return is_within(who.has.seats, ever_blocked);
  const auto taken = taken_since(who.has, now, ever_blocked);
  return now.is_live() && taken && now.seats == minus(who.has.seats, *taken) &&
         now.until == who.has.until;
}

bool as_tried(const fan& who, const holding& now, const seat_set& ever_blocked) {
  const auto& tried = who.trying;
  if (tried.what == act::release_hold)
    return now.status == "RELEASED";
  if (tried.what == act::release_seat && who.has.seats == tried.wanted)
    return now.status == "RELEASED"; // it was the last one
  if (now.status == "WITHDRAWN")
    return is_within(now.seats, ever_blocked);
  const auto taken = taken_since(who.has, now, ever_blocked);
  if (!now.is_live() || !taken)
    return false;
  const auto all = united(now.seats, *taken); // as if the operator had not been there
  switch (tried.what) {
  case act::place:
    return all.size() == tried.quantity && is_within(tried.wanted, all);
  case act::add:
    return is_within(who.has.seats, all) && now.until == who.has.until &&
           minus(all, who.has.seats).size() == tried.quantity &&
           is_within(tried.wanted, minus(all, who.has.seats));
  case act::extend:
    return all == who.has.seats && now.until >= who.has.until;
  case act::release_seat:
    return all == minus(who.has.seats, tried.wanted) && now.until == who.has.until;
  case act::release_hold:
  case act::none:
    break;
  }
  return false;
}

api_answer send(api_client& server, const fan& who, const request& what) {
  const header_map headers{{"X-Admission-Ticket", who.ticket}, {"Idempotency-Key", what.key}};
  return what.method == "POST" ? server.post(what.path, what.body, headers)
                               : server.remove(what.path, headers);
}

namespace {

class comparing {
public:
  comparing(api_client& server, desk& of_operator) : server_{server}, desk_{of_operator} {
    at_start_ = seat_map(server, show);
    for (const auto& [seat, state] : at_start_)
      if (state == "HELD")
        held_at_start_.insert(seat);
  }

  void look_at_desk() {
    std::size_t blocked = 0;
    for (const auto& seat : desk_.trying)
      blocked += at_start_.at(seat) == "BLOCKED" ? 1U : 0U;
    if (blocked != 0 && blocked != desk_.trying.size())
      complain("the operator's " + text_of(desk_.trying) + " are blocked in part");
    for (const auto& seat : std::exchange(desk_.trying, {}))
      if (blocked == 0)
        desk_.blocked.erase(seat);
      else
        desk_.blocked.emplace(seat, 0);
    for (const auto& [seat, state] : at_start_)
      if ((state == "BLOCKED") != desk_.blocked.contains(seat))
        complain(seat + " is " + state);
  }

  void look_at(fan& who) {
    const auto before = look(who);
    if (who.trying.what != act::none)
      send_again(who, before);
    if (!who.has.is_live())
      who.hold.clear();
    else
      for (const auto& seat : who.has.seats)
        if (!owners_.emplace(seat, who.name).second)
          complain(seat + " is in the holds of " + owners_.at(seat) + " and " + who.name);
  }

  /// The map shows the seats of the holds as held, and no others.
  comparison finish() {
    std::string differences;
    bool agrees = false;
    for (int tries = 0; tries < 100 && !agrees; ++tries) { // a map may be a second old
      differences = difference();
      agrees = differences.empty();
      if (!agrees)
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    if (!agrees)
      complain("the map differs from the holds:" + differences);
    for (const auto& seat : held_at_start_)
      if (!explained_.contains(seat))
        complain(seat + " was held after the start, by no hold that anybody asked for");
    return std::move(found_);
  }

private:
  void complain(const std::string& what) { found_.complaints.push_back(what); }

  /// The hold as it is after the start; a live one is held on the map with all its seats.
  holding look(fan& who) {
    if (who.hold.empty())
      return {};
    const auto got = server_.get("/v1/shows/" + show + "/holds/" + who.hold);
    const auto now = read_holding(got.body);
    const bool before = as_before(who, now, desk_.ever_blocked);
    const bool tried = who.trying.what != act::none && as_tried(who, now, desk_.ever_blocked);
    if (!before && !tried)
      complain(who.name + " had " + text_of(who.has) + " and tried " + name_of(who.trying.what) +
               " " + text_of(who.trying.wanted) + ", but it is " + text_of(now));
    check_on_map(who, now, true);
    if (who.trying.what == act::none)
      who.has = now;
    return now;
  }

  void check_on_map(const fan& who, const holding& now, bool held) {
    if (!now.is_live())
      return;
    for (const auto& seat : now.seats) {
      const auto shown = at_start_.find(seat);
      if (shown == at_start_.end())
        continue; // a place of the area: counted together
      if (held)
        explained_.insert(seat);
      const bool was_held = shown->second == "HELD" && (held || !freed_.contains(seat));
      if (held != was_held)
        complain(seat + " of " + who.name + " was " + shown->second + " after the start, but " +
                 (held ? "its hold was there" : "it was held only now"));
    }
  }

  /// One outcome: what happened before is only told again, and what did not happens now.
  void send_again(fan& who, const holding& before) {
    const auto tried = who.trying;
    const bool had_happened = tried.what != act::place && !who.hold.empty() &&
                              !as_before(who, before, desk_.ever_blocked);
    const auto got = send(server_, who, tried);
    const bool replayed = got.header("idempotent-replayed") == "true";
    (replayed || had_happened ? found_.done_before : found_.done_now) += 1;
    if (tried.what == act::place)
      placed_again(who, got, replayed);
    else
      changed_again(who, before, got);
    who.trying = {};
  }

  void placed_again(fan& who, const api_answer& got, bool replayed) {
    if (got.status == 409 && got.code() == "seat-unavailable")
      return; // nothing of it is there, or a seat would have no owner
    if (got.status != 201)
      return complain_of(who, got);
    who.hold = got.body.at("holdId").get<std::string>();
    const auto now = read_holding(got.body);
    if (!as_tried(who, now, desk_.ever_blocked))
      complain_of(who, got);
    check_on_map(who, now, replayed);
    who.has = now;
  }

  void changed_again(fan& who, const holding& before, const api_answer& got) {
    const auto code = got.code();
    const bool refused = got.status == 409 && code == "seat-unavailable";
    const bool over = got.status == 409 && code == "hold-ended";
    const bool gone = got.status == 404 && code == "seat-not-in-hold";
    // Whoever gives back what the operator took meanwhile is told that it is done.
    const bool taken = who.trying.what == act::release_hold && before.status == "WITHDRAWN";
    if (got.status != 200 && got.status != 204 && !refused && !over && !gone)
      return complain_of(who, got);
    const auto now = read_holding(server_.get("/v1/shows/" + show + "/holds/" + who.hold).body);
    const bool was_done = as_tried(who, before, desk_.ever_blocked);
    const bool is_done = as_tried(who, now, desk_.ever_blocked);
    const bool still = now.seats == before.seats && now.status == before.status;
    if (was_done ? !still : !(refused || over || gone || taken ? still : is_done))
      complain(who.name + " tried " + name_of(who.trying.what) + " again: " + text_of(before) +
               " became " + text_of(now));
    const auto freed = minus(before.seats, now.is_live() ? now.seats : seat_set{});
    freed_.insert(freed.begin(), freed.end());
    who.has = now;
  }

  void complain_of(const fan& who, const api_answer& got) {
    std::ostringstream text;
    text << who.name << " tried " << name_of(who.trying.what) << " again and got " << got;
    complain(text.str());
  }

  std::string difference() {
    std::ostringstream text;
    const auto map = server_.get("/v1/shows/" + show + "/seats").body;
    for (const auto& block : map.at("blocks")) {
      for (const auto& [seat, state] : block.at("seats").items())
        if ((state == "HELD") != owners_.contains(seat))
          text << " " << seat << " is " << state;
      if (block.at("id") != floor_area)
        continue;
      const auto places = std::ranges::count_if(
          owners_, [](const auto& each) { return each.first.starts_with(floor_area + ":"); });
      if (block.at("held") != places)
        text << " " << block.at("held") << " places of the area are held instead of " << places;
    }
    return text.str();
  }

  api_client& server_;
  desk& desk_;
  std::map<std::string, std::string> at_start_; ///< seat to state
  seat_set held_at_start_;
  seat_set explained_;
  seat_set freed_;                            ///< by what was sent again
  std::map<std::string, std::string> owners_; ///< seat to fan
  comparison found_;
};

} // namespace

comparison compare(api_client& server, std::vector<fan*> fans, desk& of_operator) {
  comparing now{server, of_operator};
  now.look_at_desk();
  for (auto* each : fans)
    now.look_at(*each);
  return now.finish();
}

} // namespace usher::test::crash_holds
