#include "tests/load/fake_box_office.hpp"

#include <algorithm>

namespace usher::test {

namespace {

using nlohmann::json;

constexpr int hall_seats = 50;
constexpr int price = 5'000;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

reaction answer(int status, const json& body) {
  return json_answer(status, body.dump());
}

/// `h-r1-7-3` and `o-r1-7-3` are of seat r1-7.
std::string seat_of(const std::string& id) {
  return id.substr(2, id.rfind('-') - 2);
}

json sale_of(const std::string& seat) {
  return {{"seats", {{{"id", seat}, {"price", price}}}},
          {"total", {{"amount", price}, {"currency", "EUR"}}}};
}

} // namespace

reaction fake_box_office::operator()(const seen_request& asked) {
  const auto& target = asked.target;
  const auto body = json::parse(asked.body, nullptr, false);
  if (asked.method == "PUT") {
    show_ = target.substr(target.rfind('/') + 1);
    admits_ = body["waitingRoom"]["admitPerSecond"] != 0;
    return answer(201, json::object());
  }
  if (how_ == wrong::turned_away && ends_with(target, "/join"))
    return answer(503, {{"code", "overloaded"}});
  if (ends_with(target, "/standby"))
    standby_ = true;
  if (ends_with(target, "/join"))
    return join();
  if (target.find("/tickets/") != std::string::npos)
    return poll(target.substr(target.rfind('/') + 1));
  if (ends_with(target, "/holds"))
    return hold(body);
  if (ends_with(target, "/v1/orders"))
    return order(body["holdId"]);
  if (ends_with(target, "/pay"))
    return pay(target.substr(11, target.size() - 15));
  if (ends_with(target, "/seats"))
    return map();
  if (asked.method == "GET") // the page
    return answer(200, {{"id", show_}, {"waitingRoom", {{"state", "OPEN"}}}});
  return answer(200, json::object()); // what the staff asks
}

json fake_box_office::ticket(int number, int position, bool is_in) const {
  json made{{"ticketId", "t-" + std::to_string(number)}, {"showId", show_}};
  if (is_in) {
    made["status"] = "ADMITTED";
    return made;
  }
  made["status"] = "WAITING";
  made["position"] = position;
  made["etaSeconds"] = 1;
  made["pollAfterSeconds"] = 1;
  return made;
}

reaction fake_box_office::join() {
  constexpr int many = 1'000;
  const int number = ++joined_;
  const int position = how_ == wrong::places_twice      ? 1
                       : how_ == wrong::places_reversed ? many - number
                                                        : number;
  return answer(202, ticket(number, position, standby_));
}

reaction fake_box_office::poll(const std::string& id) {
  const int number = std::stoi(id.substr(2));
  const int times = ++asked_[number];
  if (how_ == wrong::overtaken) {
    const bool is_in = number == 2 || times > 5;
    return answer(200, ticket(number, number == 1 ? 1 : number - 1, is_in));
  }
  if (admits_)
    return answer(200, ticket(number, 0, true));
  const int position = how_ == wrong::places_grow ? number + times : number;
  if (how_ == wrong::places_twice)
    return answer(200, ticket(number, 1, false));
  if (how_ == wrong::places_reversed)
    return answer(200, ticket(number, joined_ + 1 - number, false));
  return answer(200, ticket(number, position, false));
}

reaction fake_box_office::hold(const json& asked) {
  const auto is_free = [&](const std::string& name) {
    return !seats_.contains(name) || how_ == wrong::held_twice || how_ == wrong::sold_twice;
  };
  std::string seat;
  if (asked.contains("seats"))
    seat = asked["seats"][0];
  for (int i = 1; i <= hall_seats && seat.empty(); ++i)
    if (is_free("r1-" + std::to_string(i)))
      seat = "r1-" + std::to_string(i);
  if (seat.empty() || !is_free(seat) || how_ == wrong::refused_for_nobody)
    return answer(409, {{"code", "seat-unavailable"}});
  seats_[seat] = "HELD";
  auto made = sale_of(seat);
  made["holdId"] = "h-" + seat + "-" + std::to_string(++holds_);
  made["status"] = "HELD";
  made["expiresInSeconds"] = how_ == wrong::sold_twice ? 1 : 300;
  return answer(201, made);
}

reaction fake_box_office::order(const std::string& hold) {
  auto made = sale_of(seat_of(hold));
  made["id"] = "o-" + hold.substr(2);
  made["holdId"] = hold;
  made["status"] = "PENDING";
  return answer(201, made);
}

reaction fake_box_office::pay(const std::string& order) {
  auto made = sale_of(seat_of(order));
  made["id"] = order;
  made["status"] = "PAID";
  seats_[seat_of(order)] = "SOLD";
  return answer(200, made);
}

reaction fake_box_office::map() const {
  json shown = json::object();
  int available = 0;
  for (int i = 1; i <= hall_seats; ++i) {
    const auto name = "r1-" + std::to_string(i);
    const auto found = seats_.find(name);
    const bool is_free =
        found == seats_.end() || (how_ == wrong::shown_free && found->second == "HELD");
    shown[name] = is_free ? "AVAILABLE" : found->second;
    available += is_free ? 1 : 0;
  }
  return answer(200, {{"full", true},
                      {"blocks", {{{"id", "b1"}, {"available", available}, {"seats", shown}}}}});
}

} // namespace usher::test
