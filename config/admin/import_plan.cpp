#include "config/admin/import_plan.hpp"

#include "actors/shows/rules.hpp"
#include "config/admin/put_json.hpp"
#include "http/plans/naming.hpp"
#include "http/plans/plan_json.hpp"

#include <filesystem>
#include <fstream>
#include <ostream>
#include <variant>

namespace usher::config {

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr int refused = 1;
constexpr int cannot = 2;
constexpr std::size_t lines_max = shows::faults_listed_max;

int refuse(std::ostream& err, const std::string& why) {
  err << "usher admin import-plan: " << printable(why) << "\n";
  return cannot;
}

struct unreadable {
  std::string why;
};

std::variant<std::string, unreadable> read_text(const std::string& name) {
  std::error_code trouble;
  if (!std::filesystem::is_regular_file(name, trouble))
    return unreadable{name + " is not a file that can be read"};
  std::ifstream file{name, std::ios::binary};
  std::string text(plans::file_bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (!file && !file.eof()))
    return unreadable{name + " cannot be read"};
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > plans::file_bytes_max)
    return unreadable{name + " is over " + std::to_string(plans::file_bytes_max / 1024 / 1024) +
                      " MiB"};
  return text;
}

/// What is wrong with the arguments, a sentence; empty if nothing is.
std::string usage_fault(const plan_import& wanted) {
  if (!wanted.dry_run && wanted.output.empty() && wanted.show.empty())
    return "--show ID tells which show gets the plan (or --dry-run, or --output FILE)";
  if (wanted.title && !plans::is_utf8(*wanted.title))
    return "--title is not UTF-8";
  shows::command::put asked;
  asked.id = wanted.show.empty() ? "any" : wanted.show;
  asked.title = wanted.title;
  asked.currency = wanted.currency;
  const auto faults = shows::faults_of(asked);
  return faults.empty() ? "" : "--" + faults.front().field + ": " + faults.front().what;
}

void list_faults(const plan_import& wanted, const std::vector<shows::fault>& faults,
                 std::ostream& err) {
  std::size_t listed = 0;
  for (const auto& each : faults) {
    if (listed++ == lines_max)
      break;
    err << printable(wanted.file + ": " + (each.field.empty() ? "" : each.field + ": ") + each.what)
        << "\n";
  }
  if (faults.size() > lines_max)
    err << "and " << faults.size() - lines_max << " more faults\n";
}

int write_output(const plan_import& wanted, const shows::plan& plan, std::ostream& out,
                 std::ostream& err) {
  const auto text = plans::plan_json(plan).dump(1) + "\n";
  if (wanted.output == "-") {
    out << text;
    return 0;
  }
  std::ofstream file{wanted.output, std::ios::binary};
  file << text << std::flush;
  return file ? 0 : refuse(err, "cannot write " + wanted.output);
}

std::string body_for(const plan_import& wanted, const shows::plan& plan) {
  auto body = ordered_json::object();
  if (wanted.title)
    body["title"] = *wanted.title;
  if (wanted.currency)
    body["currency"] = *wanted.currency;
  body["plan"] = plans::plan_json(plan);
  return body.dump();
}

/// The members of the list's objects, one object a line.
void write_list(const json& problem, const char* list, const char* what, const char* why,
                std::ostream& err) {
  if (!problem.contains(list) || !problem[list].is_array())
    return;
  std::size_t listed = 0;
  for (const auto& each : problem[list])
    if (each.is_object() && ++listed <= lines_max)
      err << printable(each.value(what, "") + ": " + each.value(why, "")) << "\n";
  if (listed > lines_max)
    err << "and " << listed - lines_max << " more\n";
}

int report_refusal(const http_answer& got, std::ostream& err) {
  const auto problem = json::parse(got.body, nullptr, false);
  if (!problem.is_object()) {
    err << "the server refused: HTTP " << got.status << "\n";
    return refused;
  }
  try {
    err << printable("the server refused: HTTP " + std::to_string(got.status) + " " +
                     problem.value("code", "") + ": " + problem.value("detail", ""))
        << "\n";
    write_list(problem, "errors", "field", "expected", err);
    write_list(problem, "unavailable", "seat", "reason", err);
  } catch (const json::exception&) {
    err << "its problem document has an unusual form\n";
  }
  if (got.status == 401 || got.status == 403)
    err << "set USHER_OPERATOR_KEY in the environment to an operator's key\n";
  return refused;
}

int send(const plan_import& wanted, const plans::imported& made, std::ostream& out,
         std::ostream& err) {
  auto server = wanted.server;
  while (server.ends_with('/'))
    server.pop_back();
  const auto got =
      put_json(server + "/v1/shows/" + wanted.show, wanted.key, body_for(wanted, made.plan));
  if (const auto* none = std::get_if<no_answer>(&got))
    return refuse(err, "no answer from " + server + ": " + none->why);
  const auto& answer = std::get<http_answer>(got);
  if (answer.status != 200 && answer.status != 201)
    return report_refusal(answer, err);
  out << (answer.status == 201 ? "created" : "changed") << " show " << wanted.show << ": "
      << plans::counts_of(made.plan) << "\n";
  if (!made.mapped.empty())
    out << made.mapped.size() << " ids are not the label as it stands; --dry-run shows them\n";
  for (const auto& each : made.notes)
    out << printable("note: " + each) << "\n";
  return 0;
}

} // namespace

int import_plan_file(const plan_import& wanted, std::ostream& out, std::ostream& err) {
  if (const auto fault = usage_fault(wanted); !fault.empty())
    return refuse(err, fault);
  const auto text = read_text(wanted.file);
  if (const auto* none = std::get_if<unreadable>(&text))
    return refuse(err, none->why);
  const auto made = plans::import_plan(std::get<std::string>(text), wanted.how);
  if (!made.faults.empty()) {
    list_faults(wanted, made.faults, err);
    return refused;
  }
  if (wanted.dry_run)
    plans::write_summary(wanted.output == "-" ? err : out, made);
  if (!wanted.output.empty())
    return write_output(wanted, made.plan, out, err);
  return wanted.dry_run ? 0 : send(wanted, made, out, err);
}

} // namespace usher::config
