#include "http/api/routes.hpp"

#include "http/api/room_settings_json.hpp"
#include "http/api/show_json.hpp"

#include <caf/send.hpp>

#include <utility>

namespace usher::http {

namespace {

response settings_refused(waiting_room::rejection no, const std::string& where) {
  using enum waiting_room::rejection;
  if (no == opens_at_past) {
    const auto field = where + "opensAt";
    return problem_response(
        400, "invalid-request", field + ": a new opening time has to lie ahead.", "",
        ordered_json{{"errors", {{{"field", field}, {"expected", "a time that lies ahead"}}}}});
  }
  if (no == tier_in_use)
    return problem_response(409, "tier-in-use",
                            "There are access codes for a tier that would vanish. Nothing was "
                            "changed.");
  return problem_response(
      409, "room-running",
      "Fans may be in already: opensAt can only be moved during the prequeue, "
      "tiers and beacon not at all. Close the room first. Nothing was changed.");
}

} // namespace

response put_response(const put_target& to, const shows::put_answer& answer) {
  if (const auto* done = std::get_if<shows::put_done>(&answer))
    return json_response(done->created ? 201 : 200, show_json(*to.shows->find(to.id)),
                         done->created ? "Location: /v1/shows/" + to.id + "\r\n" : "");
  if (const auto* seats = std::get_if<seating::refusal>(&answer)) {
    const auto* const show = to.shows->find(to.id); // null: a new one, which has none to lose
    return problem_response(
        409, "seats-in-use",
        "The new plan would drop seats that are held or sold. Nothing was changed.", "",
        ordered_json{{"unavailable", show == nullptr ? unavailable_json(*seats)
                                                     : unavailable_json(*seats, *show)}});
  }
  if (const auto* room = std::get_if<waiting_room::rejection>(&answer))
    return settings_refused(*room, to.settings_field);
  const auto no = std::get<shows::rejection>(answer);
  switch (no) {
  case shows::rejection::title_missing:
    return problem_response(400, "invalid-request", "title: a new show needs a title.");
  case shows::rejection::currency_missing:
    return problem_response(400, "invalid-request", "currency: a new show needs an ISO 4217 code.");
  case shows::rejection::currency_fixed:
    return problem_response(409, "currency-fixed", "The currency of a show cannot change.");
  case shows::rejection::too_many_shows:
    return problem_response(409, "too-many-shows",
                            "There are " + std::to_string(shows::shows_max) +
                                " shows already, which is the limit.");
  case shows::rejection::unknown_category:
    return problem_response(400, "invalid-request",
                            "A price is given for a category that the show's plan does not have. "
                            "Nothing was changed.");
  }
  return problem_response(500, "internal", "The directory gave no answer.");
}

void put_show(app& with, shows::put_call what, std::function<void(const shows::put_answer&)> done) {
  auto asked = std::make_shared<shows::put_call>(std::move(what));
  asked->done = std::move(done);
  caf::anon_send(with.directory, std::move(asked));
}

namespace handlers {

void put_show(call& at) {
  const auto body = read_object(at);
  if (!body)
    return;
  std::vector<fault> faults;
  auto asked = read_show(at.path[0], *body, faults);
  if (!faults.empty())
    return send_invalid(at, faults);
  asked.cause = at.cause();
  const put_target to{at.with.shows, at.path[0]};
  http::put_show(at.with, std::move(asked),
                 [to, later = at.to.defer()](const shows::put_answer& answer) {
                   later.send(put_response(to, answer));
                 });
}

void patch_room(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  shows::put_call asked;
  asked.what.id = show->id;
  asked.room = read_checked(at, [](const json& body, std::vector<fault>& faults) {
    return read_settings(body, "", faults);
  });
  if (!asked.room)
    return;
  asked.room_from_defaults = false;
  asked.cause = at.cause();
  const put_target to{at.with.shows, show->id, ""};
  http::put_show(at.with, std::move(asked),
                 [to, later = at.to.defer()](const shows::put_answer& answer) {
                   later.send(put_response(to, answer));
                 });
}

void list_shows(call& at) {
  auto list = ordered_json::array();
  for (const auto* show : at.with.shows->all())
    list.push_back(show_json(*show));
  send_json(at, 200, {{"shows", list}}, "Cache-Control: public, max-age=1\r\n");
}

void get_show(call& at) {
  if (const auto* show = show_of(at))
    send_json(at, 200, show_json(*show), "Cache-Control: public, max-age=1\r\n");
}

} // namespace handlers

} // namespace usher::http
