#include "config/audit_command.hpp"

#include "config/audit_progress.hpp"
#include "storage/audit/auditor.hpp"
#include "storage/audit/draw_report.hpp"
#include "storage/audit/export.hpp"
#include "storage/audit/names.hpp"
#include "storage/audit/report.hpp"
#include "storage/audit/story.hpp"
#include "storage/audit/summary.hpp"
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

constexpr int cannot_read = 2;

/// What the command line gave; one for all subcommands, since only one runs.
struct options {
  std::string data = "./usher-data";
  bool json = false;
  std::size_t limit = 100;
  std::string at;
  std::string show;
  std::string ticket;
  std::vector<std::string> names;
};

int refuse(const std::string& why) {
  std::cerr << "usher audit: " << why << "\n";
  return cannot_read;
}

using job = std::function<int(const storage::rocksdb_log&, const options&)>;

/// Opens the log for reading, changes nothing and takes no lock.
int with_log(const options& given, const job& run) {
  const auto directory = storage::data_directory::open_read_only(given.data);
  if (const auto* fault = std::get_if<storage::failure>(&directory))
    return refuse(fault->what);
  const auto log =
      storage::rocksdb_log::open_read_only(std::get<storage::data_directory>(directory));
  if (const auto* fault = std::get_if<storage::failure>(&log))
    return refuse(fault->what);
  return run(*std::get<std::unique_ptr<storage::rocksdb_log>>(log), given);
}

template <class Number>
std::optional<Number> read_number(const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

int verify(const storage::rocksdb_log& log, const options& given) {
  audit::auditor auditor{given.limit};
  audit::verdict verdict{log.head(), 0, log.verify_files()};
  if (!verdict.broken) {
    progress shown{log.head().position, !given.json};
    verdict.broken = log.replay(1, [&](const storage::stored_record& next) {
      auditor.take(next);
      ++verdict.read;
      shown.reached(next.position);
      return true;
    });
    if (!verdict.broken)
      auditor.finish(); // a batch that was cut off would be judged unjustly
  }
  audit::write_verdict(std::cout, verdict, auditor.found(), given.json);
  return verdict.exit_code(auditor.found());
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

int state(const storage::rocksdb_log& log, const options& given) {
  const auto wanted = read_moment(given.at);
  if (!wanted)
    return refuse("--at takes a position or an RFC 3339 time, not " + given.at);
  audit::auditor auditor{0};
  const auto broken = log.replay(1, [&](const storage::stored_record& next) {
    if (next.position > wanted->position || (wanted->at && next.at > *wanted->at))
      return false;
    auditor.take(next);
    return true;
  });
  if (broken)
    return refuse(broken->what);
  audit::write_state(std::cout, auditor.seen(), wanted->at.value_or(auditor.seen().at), given.json);
  return 0;
}

int tell(const storage::rocksdb_log& log, const audit::story_of& about, const options& given) {
  const auto told = audit::tell(log, about);
  if (const auto* fault = std::get_if<storage::failure>(&told))
    return refuse(fault->what);
  audit::write_story(std::cout, std::get<audit::story>(told), given.json);
  return 0;
}

int seat(const storage::rocksdb_log& log, const options& given) {
  if (given.names.size() == 1)
    return tell(log, {std::monostate{}, given.names[0]}, given);
  return tell(log, {given.names[0], given.names[1]}, given);
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

int ticket(const storage::rocksdb_log& log, const options& given) {
  const auto named = read_ticket(given.names.back());
  if (!named)
    return refuse_ticket(given.names.back());
  audit::story_of about;
  about.what = named->slot;
  if (named->show)
    about.show = *named->show;
  if (given.names.size() > 1)
    about.show = given.names.front();
  return tell(log, about, given);
}

template <class Id>
int by_reference(const char* kind, const storage::rocksdb_log& log, const options& given) {
  const auto named = audit::read_reference(kind, given.names[0]);
  if (!named)
    return refuse(given.names[0] + " is no id of the form " + kind +
                  "-0-<show number, hex>-<32 hex digits>");
  Id id;
  id.bytes = named->id.bytes;
  return tell(log, {named->show, id}, given);
}

int draw(const storage::rocksdb_log& log, const options& given) {
  std::optional<named_ticket> of;
  if (!given.ticket.empty() && !(of = read_ticket(given.ticket)))
    return refuse_ticket(given.ticket);
  const auto report =
      audit::report_draws(log, given.show, of ? std::optional{of->slot} : std::nullopt);
  if (const auto* fault = std::get_if<storage::failure>(&report))
    return refuse(fault->what);
  const auto& draws = std::get<audit::draw_report>(report);
  if (of && of->show && *of->show != draws.number)
    return refuse("that ticket is not of show " + given.show);
  audit::write_draws(std::cout, draws, given.json);
  return draws.exit_code();
}

int export_all(const storage::rocksdb_log& log, const options&) {
  std::optional<storage::failure> unreadable;
  auto broken = log.replay(1, [&](const storage::stored_record& next) {
    const auto line = audit::cloud_event(next);
    if (const auto* fault = std::get_if<storage::failure>(&line))
      unreadable = *fault;
    else
      std::cout << std::get<std::string>(line) << "\n";
    return !unreadable && std::cout.good();
  });
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

} // namespace

void add_audit_commands(CLI::App& root, int& exit_code) {
  auto* const top =
      root.add_subcommand("audit", "Read the log and judge it, also beside a running server. "
                                   "Exit codes: 0 clean, 1 violations found, 2 cannot read");
  top->require_subcommand(1);
  commands all{*top, exit_code};

  auto* command = all.with_json(
      all.add("verify", "Check chain and files, and derive every rule again from the events alone",
              verify));
  command->add_option("--limit", all.given().limit, "How many violations to list; all are counted")
      ->capture_default_str();

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
                                       [](const auto& log, const auto& given) {
                                         return by_reference<hold_id>("hold", log, given);
                                       })),
                 "ID", 1, "As the API writes it: hold-0-...");
  all.with_names(all.with_json(all.add("order", "The story of an order and its hold",
                                       [](const auto& log, const auto& given) {
                                         return by_reference<order_id>("order", log, given);
                                       })),
                 "ID", 1, "As the API writes it: order-0-...");

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
