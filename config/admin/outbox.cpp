#include "config/admin/outbox.hpp"

#include "config/admin/put_json.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>

namespace usher::config {

namespace {

using nlohmann::json;

constexpr int refused = 1;
constexpr int cannot = 2;

constexpr const char* examples =
    R"(Examples (the key is that of an operator; list also takes a viewer's):
  where events go out to, and how far that is:
    USHER_OPERATOR_KEY=... usher admin outbox list
  send everything of one show again, of all shows from a position on, or nothing of what waits:
    usher admin outbox reset shop --show hamlet --position 0
    usher admin outbox reset shop --position 118200
    usher admin outbox reset shop --position now
  try at once, also after the other side had answered 410:
    usher admin outbox resume shop

What it all means stands in docs/outbox.md. Exit codes: 0 done, 1 the server refused, 2 no answer, or bad usage.)";

int refuse(std::ostream& err, const std::string& why) {
  err << printable("usher admin outbox: " + why) << "\n";
  return cannot;
}

std::string as_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Throws what JSON throws if it is none.
void write_sink(const json& sink, std::ostream& out) {
  const auto of = [&](const char* name) {
    return sink.contains(name) ? as_text(sink[name]) : std::string{};
  };
  const auto its = [&](const char* name) { return as_text(sink.at(name)); };
  out << printable(its("sink") + "  " + its("kind") + "  " + its("state") + "  position " +
                   its("position") + ", behind by " + its("lagEvents") + " events, " +
                   its("lagSeconds") + " s")
      << "\n";
  if (sink.contains("lastError") && sink["lastError"].is_object())
    out << printable("  last error: " + sink["lastError"].value("what", "") + " " +
                     sink["lastError"].value("at", ""))
        << "\n";
  if (sink.contains("nextTryAt"))
    out << printable("  next try: " + of("nextTryAt")) << "\n";
  if (sink.contains("behind") && sink["behind"].is_array())
    for (const auto& each : sink["behind"])
      if (each.is_object() && each.contains("position"))
        out << printable("  waits: " + each.value("show", "") + " at position " +
                         as_text(each["position"]))
            << "\n";
  if (sink.contains("show") && sink["show"].is_object() && sink["show"].contains("position"))
    out << printable("  show " + sink["show"].value("show", "") + ": position " +
                     as_text(sink["show"]["position"]))
        << "\n";
}

int report(const outbox_call& wanted, const http_answer& got, std::ostream& out,
           std::ostream& err) {
  if (wanted.json) {
    out << got.body << "\n";
    return 0;
  }
  const auto body = json::parse(got.body, nullptr, false);
  if (!body.is_object())
    return refuse(err, "the answer has an unusual form");
  try {
    if (wanted.what != outbox_call::action::list)
      write_sink(body, out);
    else if (body.at("sinks") == json::array())
      out << "no sinks are configured\n";
    else
      for (const auto& each : body.at("sinks"))
        write_sink(each, out);
  } catch (const json::exception&) {
    return refuse(err, "the answer has an unusual form");
  }
  return 0;
}

/// What stands in an address must not end it: letters, digits and what is as plain as these.
std::string escaped(const std::string& text) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string made;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.')
      made += c;
    else
      made.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return made;
}

/// The body of a reset; nothing if the position is none.
std::optional<std::string> reset_body(const outbox_call& wanted) {
  json body = json::object();
  if (!wanted.show.empty())
    body["show"] = wanted.show;
  body["position"] = wanted.position;
  if (wanted.position != "now") {
    std::uint64_t number = 0;
    const auto* end = wanted.position.data() + wanted.position.size();
    const auto [stop, error] = std::from_chars(wanted.position.data(), end, number);
    if (error != std::errc{} || stop != end)
      return std::nullopt;
    body["position"] = number;
  }
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

} // namespace

int call_outbox(const outbox_call& wanted, std::ostream& out, std::ostream& err) {
  using enum outbox_call::action;
  auto url = server_address(wanted.server) + "/v1/outbox";
  std::string body;
  if (wanted.what == list && !wanted.show.empty())
    url += "?show=" + escaped(wanted.show);
  if (wanted.what != list)
    url += "/" + escaped(wanted.sink) + (wanted.what == reset ? "/reset" : "/resume");
  if (wanted.what == resume)
    body = "{}";
  if (wanted.what == reset) {
    auto asked = reset_body(wanted);
    if (!asked)
      return refuse(err, "--position takes a position of the log, or now");
    body = std::move(*asked);
  }
  const auto got = send_json(wanted.what == list ? "GET" : "POST", url, wanted.key, body);
  if (const auto* none = std::get_if<no_answer>(&got))
    return refuse(err, "no answer from " + wanted.server + ": " + none->why);
  const auto& answer = std::get<http_answer>(got);
  if (answer.status == 200)
    return report(wanted, answer, out, err);
  err << refusal_text(answer) << "\n";
  return refused;
}

void add_outbox(CLI::App& admin, int& exit_code) {
  using action = outbox_call::action;
  auto* const top = admin.add_subcommand("outbox", "Where events go out to: show and reset it");
  top->require_subcommand(1);
  top->footer(examples);
  const auto wanted = std::make_shared<outbox_call>();
  const auto add = [&](const char* name, const char* does, action what) {
    auto* const command = top->add_subcommand(name, does);
    command->add_option("--server", wanted->server, "Where the server listens")
        ->type_name("URL")
        ->capture_default_str();
    command->add_flag("--json", wanted->json, "For machines: the server's answer as it is");
    command->callback([wanted, what, &exit_code] {
      const auto* key = std::getenv("USHER_OPERATOR_KEY");
      wanted->key = key == nullptr ? "" : key;
      wanted->what = what;
      exit_code = call_outbox(*wanted, std::cout, std::cerr);
    });
    return command;
  };
  auto* const list = add("list", "All sinks, and how far they are", action::list);
  list->add_option("--show", wanted->show, "The cursor of this show, too")->type_name("ID");
  auto* const reset = add("reset", "Set a cursor back, or to the end (now)", action::reset);
  reset->add_option("SINK", wanted->sink, "The sink")->required();
  reset
      ->add_option("--show", wanted->show,
                   "Only this show; /system for what belongs to none. Without it: all")
      ->type_name("ID");
  reset
      ->add_option("--position", wanted->position,
                   "The last position that counts as delivered, 0 for none; or now, which skips "
                   "what waits")
      ->required();
  auto* const resume = add("resume", "Try at once what waits or was stopped", action::resume);
  resume->add_option("SINK", wanted->sink, "The sink")->required();
}

} // namespace usher::config
