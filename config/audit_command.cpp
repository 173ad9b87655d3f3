#include "config/audit_command.hpp"

#include "config/audit_options.hpp"
#include "config/audit_progress.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/audit/draw_report.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/report.hpp"
#include "storage/audit/story.hpp"
#include "storage/audit/summary.hpp"
#include "storage/cloud_event.hpp"
#include "storage/rocksdb_log.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace usher::config {

namespace {

namespace audit = storage::audit;

using options = audit_options;

int refuse(const std::string& why) {
  return refuse_audit(why);
}

using job = std::function<int(const audited&, const options&)>;

/// Opens the log for reading, changes nothing and takes no lock.
int with_log(const options& given, const job& run) {
  const auto directory = storage::data_directory::open_read_only(given.data);
  if (const auto* fault = std::get_if<storage::failure>(&directory))
    return refuse(fault->what);
  const auto log =
      storage::rocksdb_log::open_read_only(std::get<storage::data_directory>(directory));
  if (const auto* fault = std::get_if<storage::failure>(&log))
    return refuse(fault->what);
  return run({std::get<storage::data_directory>(directory),
              *std::get<std::unique_ptr<storage::rocksdb_log>>(log)},
             given);
}

template <class Number>
std::optional<Number> read_number(const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Where `--at` says that the world ends.
struct moment {
  storage::position_t position = std::numeric_limits<storage::position_t>::max();
  std::optional<time_ms> at;
};

std::optional<moment> read_moment(const std::string& text) {
  moment wanted;
  if (text.empty())
    return wanted;
  if (const auto position = read_number<storage::position_t>(text)) {
    wanted.position = *position;
    return wanted;
  }
  wanted.at = audit::read_time(text);
  return wanted.at ? std::optional{wanted} : std::nullopt;
}

int state(const audited& in, const options& given) {
  const auto wanted = read_moment(given.at);
  if (!wanted)
    return refuse("--at takes a position or an RFC 3339 time, not " + given.at);
  audit::auditor auditor{0};
  progress shown{in.log.head().position, !given.json};
  const auto broken = in.log.replay(1, [&](const storage::stored_record& next) {
    if (next.position > wanted->position || (wanted->at && next.at > *wanted->at))
      return false;
    auditor.take(next);
    shown.reached(next.position);
    return true;
  });
  shown.end();
  if (broken)
    return refuse(broken->what);
  audit::write_state(std::cout, auditor.seen(), wanted->at.value_or(auditor.seen().at), given.json);
  return 0;
}

int tell(const audited& in, const audit::story_of& about, const options& given) {
  progress shown{in.log.head().position, !given.json, 2};
  const auto told =
      audit::tell(in.log, about, [&](storage::position_t done) { shown.reached(done); });
  shown.end();
  if (const auto* fault = std::get_if<storage::failure>(&told))
    return refuse(fault->what);
  audit::write_story(std::cout, std::get<audit::story>(told), given.json);
  return 0;
}

int seat(const audited& in, const options& given) {
  if (given.names.size() == 1)
    return tell(in, {std::monostate{}, given.names[0]}, given);
  return tell(in, {given.names[0], given.names[1]}, given);
}

/// A ticket as people write it: the number, or an id, which names the show as well.
struct named_ticket {
  slot_t slot = 0;
  std::optional<show_number> show;
};

std::optional<named_ticket> read_ticket(const std::string& name) {
  if (const auto slot = read_number<slot_t>(name))
    return named_ticket{*slot, std::nullopt};
  if (const auto named = audit::read_ticket_id(name))
    return named_ticket{named->slot, named->show};
  return std::nullopt;
}

int refuse_ticket(const std::string& name) {
  return refuse(name + " is neither the number of a ticket nor a ticket id");
}

int ticket(const audited& in, const options& given) {
  const auto named = read_ticket(given.names.back());
  if (!named)
    return refuse_ticket(given.names.back());
  audit::story_of about;
  about.what = named->slot;
  if (named->show)
    about.show = *named->show;
  if (given.names.size() > 1)
    about.show = given.names.front();
  return tell(in, about, given);
}

template <class Id>
int by_reference(const char* kind, const audited& in, const options& given) {
  const auto named = audit::read_reference(kind, given.names[0]);
  if (!named)
    return refuse(given.names[0] + " is no id of the form " + kind +
                  "-0-<show number, hex>-<32 hex digits>");
  Id id;
  id.bytes = named->id.bytes;
  return tell(in, {named->show, id}, given);
}

int draw(const audited& in, const options& given) {
  std::optional<named_ticket> of;
  if (!given.ticket.empty() && !(of = read_ticket(given.ticket)))
    return refuse_ticket(given.ticket);
  progress shown{in.log.head().position, !given.json};
  const auto report =
      audit::report_draws(in.log, given.show, of ? std::optional{of->slot} : std::nullopt,
                          [&](storage::position_t done) { shown.reached(done); });
  shown.end();
  if (const auto* fault = std::get_if<storage::failure>(&report))
    return refuse(fault->what);
  const auto& draws = std::get<audit::draw_report>(report);
  if (of && of->show && *of->show != draws.number)
    return refuse("that ticket is not of show " + given.show);
  audit::write_draws(std::cout, draws, given.json);
  return draws.exit_code();
}

int export_all(const audited& in, const options&) {
  // Without the keys beside the log nobody can say what was erased.
  storage::cloud_event_options how;
  const auto data = read_personal(in.directory);
  if (const auto* found = std::get_if<std::unique_ptr<storage::personal_data>>(&data))
    how.open = (*found)->opener();
  std::optional<storage::failure> unreadable;
  progress shown{in.log.head().position, isatty(1) == 0}; // at a terminal the lines tell
  auto broken = in.log.replay(1, [&](const storage::stored_record& next) {
    const auto line = storage::cloud_event(next, how);
    if (const auto* fault = std::get_if<storage::failure>(&line))
      unreadable = *fault;
    else
      std::cout << std::get<std::string>(line) << "\n";
    shown.reached(next.position);
    return !unreadable && std::cout.good();
  });
  shown.end();
  if (unreadable)
    broken = unreadable;
  return broken ? refuse(broken->what) : 0;
}

class commands {
public:
  commands(CLI::App& audit, int& exit_code) : audit_{audit}, exit_code_{exit_code} {}

  CLI::App* add(const char* name, const char* does, job run) {
    auto* const command = audit_.add_subcommand(name, does);
    command->add_option("--data", given_->data, "The data directory; only read, never changed")
        ->capture_default_str();
    command->callback([given = given_, run = std::move(run), &code = exit_code_] {
      code = with_log(*given, run);
    });
    return command;
  }
  CLI::App* with_json(CLI::App* command) {
    command->add_flag("--json", given_->json, "For machines: one JSON object");
    return command;
  }
  void with_names(CLI::App* command, const char* names, int most, const char* what) {
    command->add_option("NAME", given_->names, what)
        ->type_name(names)
        ->option_text(names)
        ->required()
        ->expected(1, most);
  }
  options& given() { return *given_; }

private:
  CLI::App& audit_;
  int& exit_code_;
  std::shared_ptr<options> given_ = std::make_shared<options>();
};

void add_what_if(commands& all) {
  auto* const command = all.with_json(
      all.add("what-if", "The same fans under other settings: waits, pace, when it is sold out",
              audit_what_if));
  auto& given = all.given();
  command
      ->add_option("SHOW", given.names, "Whose waiting room; may be left out if there is only one")
      ->type_name("[SHOW]")
      ->option_text("[SHOW]")
      ->expected(0, 1);
  command->add_option("--show", given.show, "The same");
  command->add_option("--admit-per-second", given.admit_per_second,
                      "Fans a second, e.g. 20 or 0.5");
  command->add_option("--max-active", given.max_active, "Most admissions at once, or none");
  command->add_option("--max-per-tick", given.max_per_tick, "Most admissions a tick, or none");
  command->add_option("--admission-ttl", given.admission_ttl, "How long one lasts, e.g. 5m");
  command->footer(
      "Takes the last opening that anybody came to and plays it again. What is not given stays as\n"
      "logged, changes by operators included. Three columns: as it was; simulated under the "
      "settings\nof the log, which shows how good the simulation is; and what if. Waits count from "
      "the join, or\nfrom the opening for who was in before. Every run gives the same.\n\n"
      "  usher audit what-if hamlet --admit-per-second 40 --max-active 2000\n"
      "  usher audit what-if hamlet --admission-ttl 3m --json");
}

void add_customer(commands& all) {
  auto* const command = all.with_json(
      all.add("customer",
              "The story of a customer over all shows: tickets, holds, orders, payments, refunds",
              audit_customer));
  all.with_names(command, "ID", 1,
                 "The seller's customerId, found with the server's key in secrets/; or the 32 hex "
                 "digits that stand in the events");
  command->add_option("--show", all.given().show, "In this show only");
  command->add_flag("--personal-data", all.given().personal_data,
                    "Open what is sealed: the address of each order");
}

} // namespace

int refuse_audit(const std::string& why) {
  constexpr int cannot_read = 2;
  std::cerr << "usher audit: " << why << "\n";
  return cannot_read;
}

void add_audit_commands(CLI::App& root, int& exit_code) {
  auto* const top =
      root.add_subcommand("audit", "Read the log and judge it, also beside a running server. "
                                   "Exit codes: 0 clean, 1 violations or damage found, 2 cannot "
                                   "read");
  top->require_subcommand(1);
  commands all{*top, exit_code};

  auto* command = all.with_json(
      all.add("verify", "Check chain and files, and derive every rule again from the events alone",
              audit_verify));
  command->add_option("--limit", all.given().limit, "How many violations to list; all are counted")
      ->capture_default_str();
  command
      ->add_option("--master-key-file", all.given().master_key_file,
                   "The server's master key, if it is not in secrets/: with it the keys of "
                   "personal data are checked, too. USHER_MASTER_KEY does the same")
      ->type_name("FILE");

  command = all.with_json(all.add("state", "The world at the end of the log, or earlier", state));
  command->add_option("--at", all.given().at,
                      "A position, or an RFC 3339 time: up to the first event that is later");

  all.with_names(
      all.with_json(all.add("seat", "The story of a seat, with its holds and orders", seat)),
      "[SHOW] SEAT", 2, "The show may be left out if only one has the seat");
  all.with_names(
      all.with_json(all.add(
          "ticket", "The story of a place in the queue, with its holds and orders", ticket)),
      "[SHOW] SLOT-OR-TICKETID", 2,
      "The number of arrival, from 0, or a ticket id. Of an id the place is read; whether the "
      "ticket is genuine is not checked");
  all.with_names(all.with_json(all.add("hold", "The story of a hold",
                                       [](const auto& in, const auto& given) {
                                         return by_reference<hold_id>("hold", in, given);
                                       })),
                 "ID", 1, "As the API writes it: hold-0-...");
  all.with_names(all.with_json(all.add("order", "The story of an order and its hold",
                                       [](const auto& in, const auto& given) {
                                         return by_reference<order_id>("order", in, given);
                                       })),
                 "ID", 1, "As the API writes it: order-0-...");

  add_customer(all);
  add_what_if(all);

  command = all.with_json(
      all.add("draw",
              "Compute the draws of a show again. Exit codes: 0 what was drawn agrees, 1 it "
              "differs, 2 cannot read",
              draw));
  command->add_option("--show", all.given().show, "Whose draws")->required();
  command->add_option("--ticket", all.given().ticket,
                      "Say the place of this one, too: its number or its id");

  all.add("export", "Every event as a line of JSON (CloudEvents 1.0); sealed data stays sealed",
          export_all);
}

} // namespace usher::config
