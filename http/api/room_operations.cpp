#include "http/api/room_operations.hpp"

#include "actors/basics/rfc3339.hpp"
#include "http/api/fields.hpp"
#include "http/api/room_settings_json.hpp"

#include <caf/send.hpp>

#include <algorithm>

// What operators do with a room while it runs.
namespace usher::http {

namespace {

constexpr std::size_t languages_max = 16;
constexpr std::size_t language_bytes_max = 35;
constexpr std::size_t message_bytes_max = 500;
constexpr std::size_t beacon_bytes_max = 256;
constexpr std::size_t code_bytes_max = 128;
constexpr std::size_t codes_a_call_max = 50'000;

/// Shaped like a BCP 47 tag: `en`, `pt-BR`.
bool is_language(std::string_view text) {
  return text.size() >= 2 && text.size() <= language_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '-';
         });
}

std::vector<std::pair<std::string, std::string>> read_message(const json& body,
                                                              std::vector<fault>& faults) {
  fields from{body, faults};
  std::vector<std::pair<std::string, std::string>> texts;
  if (body.empty() || body.size() > languages_max)
    faults.push_back(
        {"", "expected 1 to " + std::to_string(languages_max) + " languages with their texts"});
  for (const auto& [language, value] : body.items()) {
    if (!is_language(language))
      from.add_fault(language, "expected a language tag, e.g. \"en\" or \"pt-BR\"");
    else if (auto text = from.text(language, message_bytes_max))
      texts.emplace_back(language, std::move(*text));
  }
  return texts;
}

std::optional<time_ms> read_time(fields& from, std::string_view name) {
  const auto* value = from.find(name);
  if (value == nullptr || value->is_null())
    return std::nullopt;
  const auto at =
      value->is_string() ? read_rfc3339(value->get_ref<const std::string&>()) : std::nullopt;
  if (!at)
    from.add_fault(name, "expected a time as in RFC 3339, or null");
  return at;
}

std::vector<identity> read_codes(const app& with, const shows::show_entry& show, fields& from) {
  const auto* list = from.find("codes");
  const auto wanted = "expected a list of 1 to " + std::to_string(codes_a_call_max) +
                      " texts of 1 to " + std::to_string(code_bytes_max) + " bytes";
  std::vector<identity> codes;
  if (list == nullptr || !list->is_array() || list->empty() || list->size() > codes_a_call_max) {
    from.add_fault("codes", wanted);
    return codes;
  }
  for (const auto& each : *list) {
    const auto* code = each.get_ptr<const std::string*>();
    if (code == nullptr || code->empty() || code->size() > code_bytes_max) {
      from.add_fault("codes", wanted);
      return codes;
    }
    codes.push_back(identity_of(with, show, "access code", *code));
  }
  return codes;
}

waiting_room::command::add_codes read_batch(const app& with, const shows::show_entry& show,
                                            const json& body, std::vector<fault>& faults) {
  fields from{body, faults};
  from.refuse_others({"batch", "tier", "codes", "singleUse", "validFrom", "validUntil"});
  from.require("tier");
  waiting_room::command::add_codes made;
  made.batch = from.text("batch").value_or("");
  made.tier = from.text("tier").value_or("");
  made.single_use = from.boolean("singleUse").value_or(true);
  made.valid_from = read_time(from, "validFrom");
  made.valid_until = read_time(from, "validUntil");
  if (made.valid_from && made.valid_until && *made.valid_until <= *made.valid_from)
    from.add_fault("validUntil", "expected a time after validFrom");
  made.codes = read_codes(with, show, from);
  return made;
}

template <class Command>
void simply(call& at, Command what) {
  if (const auto* show = show_of(at))
    operate(at, *show, std::move(what), no_content);
}

} // namespace

response no_content() {
  response made;
  made.status = 204;
  return made;
}

response operation_refused(waiting_room::rejection no) {
  using enum waiting_room::rejection;
  switch (no) {
  case tier_unknown:
    return problem_response(
        400, "invalid-request", "tier: the room's settings name no such tier.", "",
        ordered_json{{"errors", {{{"field", "tier"}, {"expected", "one of the room's tiers"}}}}});
  case too_many_codes:
    return problem_response(409, "too-many-codes",
                            "A show has at most " + std::to_string(waiting_room::codes_max) +
                                " access codes. None was added.");
  case code_exists:
    return problem_response(409, "access-code-exists",
                            "One of these codes is known already, with another tier, use or time. "
                            "None was added.");
  case no_draw:
    return problem_response(409, "no-draw",
                            "No draw is ahead that waits for a beacon: it is named in the settings "
                            "(beacon) before the prequeue begins.");
  case beacon_fixed:
    return problem_response(409, "beacon-fixed", "Another value was given already; it stays.");
  case unknown_ticket:
    return problem_response(404, "unknown-ticket", "There is no such ticket.");
  case already_ended:
    return problem_response(410, "ticket-ended", "The ticket has ended.");
  case not_waiting:
    return problem_response(409, "not-waiting",
                            "The ticket is admitted already: choose seats now.");
  default:
    return problem_response(409, "not-open",
                            "The room is in a state in which this means nothing; see its state.");
  }
}

void send_operation(call& at, const shows::show_entry& show,
                    std::shared_ptr<waiting_room::operate> asked, std::function<response()> done) {
  asked->cause = at.cause();
  asked->done = [later = at.to.defer(),
                 done = std::move(done)](std::optional<waiting_room::rejection> no) {
    later.send(no ? operation_refused(*no) : done());
  };
  caf::anon_send(show.room, std::move(asked));
}

void open_room(call& at, const shows::show_entry& show) {
  operate(at, show, waiting_room::command::open{}, no_content);
}

namespace handlers {

void open_room(call& at) {
  simply(at, waiting_room::command::open{});
}

void close_room(call& at) {
  simply(at, waiting_room::command::close{});
}

void pause_room(call& at) {
  simply(at, waiting_room::command::pause{});
}

void resume_room(call& at) {
  simply(at, waiting_room::command::resume{});
}

void put_on_standby(call& at) {
  simply(at, waiting_room::command::standby{});
}

void put_message(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  if (auto texts = read_checked(at, read_message))
    operate(at, *show, waiting_room::command::set_message{std::move(*texts)}, no_content);
}

void delete_message(call& at) {
  simply(at, waiting_room::command::set_message{});
}

void give_beacon(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  const auto read = [](const json& body, std::vector<fault>& faults) {
    return read_only_text(body, "value", beacon_bytes_max, faults);
  };
  if (auto value = read_checked(at, read))
    operate(at, *show, waiting_room::command::give_beacon{std::move(*value)}, no_content);
}

void add_access_codes(call& at) {
  const auto* show = show_of(at);
  if (show == nullptr)
    return;
  auto batch = read_checked(at, [&](const json& body, std::vector<fault>& faults) {
    return read_batch(at.with, *show, body, faults);
  });
  if (!batch)
    return;
  ordered_json summary{{"batch", batch->batch},
                       {"tier", batch->tier},
                       {"singleUse", batch->single_use},
                       {"codes", batch->codes.size()}};
  operate(at, *show, std::move(*batch),
          [summary = std::move(summary)] { return json_response(201, summary); });
}

} // namespace handlers

} // namespace usher::http
