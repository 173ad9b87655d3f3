#include "config/demo.hpp"

#include "http/api/routes.hpp"
#include "http/api/show_json.hpp"

#include <caf/send.hpp>

#include <chrono>
#include <future>

namespace usher::config {

namespace {

constexpr const char* show_name = "hamlet";
constexpr std::chrono::seconds patience{10};

constexpr const char* hamlet = R"({
  "title": "Hamlet", "startsAt": "2027-06-30T20:00:00Z", "currency": "EUR",
  "plan": {
    "categories": [{"id": "stalls", "name": "Stalls", "price": 4500},
                   {"id": "balcony", "name": "Balcony", "price": 2800}],
    "blocks": [
      {"id": "stalls", "category": "stalls",
       "rows": [{"id": "A", "count": 20}, {"id": "B", "count": 20}, {"id": "C", "count": 20},
                {"id": "D", "count": 20}]},
      {"id": "balcony", "category": "balcony",
       "rows": [{"id": "E", "count": 16}, {"id": "F", "count": 16}]}]}})";

std::string make_show(http::app& with) {
  std::vector<http::fault> faults;
  auto asked = http::read_show(show_name, http::json::parse(hamlet), faults);
  asked.cause.who = "operator:demo";
  auto made = std::make_shared<std::promise<bool>>();
  http::put_show(with, std::move(asked), [made](const shows::put_answer& answer) {
    made->set_value(std::holds_alternative<shows::put_done>(answer));
  });
  auto done = made->get_future();
  if (done.wait_for(patience) != std::future_status::ready || !done.get())
    return "the demo's show could not be made";
  return {};
}

std::string open_room(http::app& with) {
  auto opened = std::make_shared<std::promise<void>>();
  auto asked = std::make_shared<waiting_room::operate>();
  asked->what = waiting_room::command::open{};
  asked->cause.who = "operator:demo";
  asked->done = [opened](std::optional<waiting_room::rejection>) { opened->set_value(); };
  caf::anon_send(with.shows->find(show_name)->room, std::move(asked));
  if (opened->get_future().wait_for(patience) != std::future_status::ready)
    return "the demo's waiting room could not be opened";
  return {};
}

} // namespace

std::string prepare_demo(http::app& with) {
  if (with.shows->find(show_name) == nullptr)
    if (auto trouble = make_show(with); !trouble.empty())
      return trouble;
  return open_room(with);
}

std::string demo_greeting(const std::string& address) {
  const auto at = "http://" + address;
  return "The demo has the show `hamlet`, open, and asks for no key on this machine. Try:\n\n"
         "  curl -s -X POST " +
         at +
         "/v1/shows/hamlet/waiting-room/join\n"
         "  curl -s " +
         at +
         "/v1/shows/hamlet/waiting-room/tickets/TICKET\n"
         "  curl -s -X POST " +
         at +
         "/v1/shows/hamlet/holds -H 'X-Admission-Ticket: TICKET' "
         "-d '{\"seats\": [\"A-1\", \"A-2\"]}'\n"
         "  curl -s " +
         at +
         "/v1/shows/hamlet/seats\n\n"
         "TICKET is the ticketId of the first answer. The README goes on to an order. "
         "Stop with Ctrl-C.\n";
}

} // namespace usher::config
