#include "config/admin/command.hpp"

#include "config/admin/erase.hpp"
#include "config/admin/import_plan.hpp"
#include "config/admin/outbox.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdlib>
#include <iostream>
#include <memory>

namespace usher::config {

namespace {

constexpr const char* examples = R"(Examples:
  a look at a CSV file, nothing is sent:
    usher admin import-plan hall.csv --price stalls=35000 --price balcony=18000 --dry-run
  a pretix plan as a new show (the key is that of an operator):
    USHER_OPERATOR_KEY=... usher admin import-plan saal.json --show hamlet --title Hamlet \
      --currency EUR --price Parkett=4500 --focal-point 225,0
  a seats.io chart into a file of our own format, to look at and to edit:
    usher admin import-plan chart.json --price "Goal Stands=9000" --output plan.json
  our own format; of a show that exists title and currency stay:
    usher admin import-plan plan.json --show hamlet --server http://127.0.0.1:8084

What is read of each format stands in docs/plans.md. Exit codes: 0 done, 1 the file has faults or
the server refused, 2 the file cannot be read, the server cannot be reached, or bad usage.)";

/// What the command line gave, as texts.
struct arguments {
  plan_import wanted;
  std::string format = "auto";
  std::vector<std::string> prices;
  std::string focal_point;
};

int refuse(const std::string& why) {
  std::cerr << "usher admin import-plan: " << why << "\n";
  return 2;
}

template <class Number>
bool read_whole(std::string_view text, Number& into) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  return error == std::errc{} && end == text.data() + text.size();
}

/// A category's name may have a '=' in it.
bool read_price(const std::string& text, plans::price_list& into) {
  const auto equals = text.rfind('=');
  std::int64_t amount = 0;
  if (equals == std::string::npos || equals == 0 ||
      !read_whole(std::string_view{text}.substr(equals + 1), amount) || amount < 0)
    return false;
  return into.try_emplace(text.substr(0, equals), amount).second;
}

std::optional<shows::point> read_point(std::string_view text) {
  const auto comma = text.find(',');
  shows::point made;
  if (comma == std::string_view::npos || !read_whole(text.substr(0, comma), made.x) ||
      !read_whole(text.substr(comma + 1), made.y))
    return std::nullopt;
  return made;
}

int run_import_plan(arguments& given) {
  auto& wanted = given.wanted;
  wanted.how.as = plans::format_named(given.format).value_or(plans::format::automatic);
  for (const auto& each : given.prices)
    if (!read_price(each, wanted.how.prices))
      return refuse("--price takes CATEGORY=AMOUNT, a whole number of minor units, once for each "
                    "category, not '" +
                    each + "'");
  if (!given.focal_point.empty()) {
    wanted.how.focal_point = read_point(given.focal_point);
    if (!wanted.how.focal_point)
      return refuse("--focal-point takes X,Y, two numbers, not '" + given.focal_point + "'");
  }
  const auto* key = std::getenv("USHER_OPERATOR_KEY");
  wanted.key = key == nullptr ? "" : key;
  return import_plan_file(wanted, std::cout, std::cerr);
}

void add_import_plan(CLI::App& admin, int& exit_code) {
  auto* const command = admin.add_subcommand(
      "import-plan", "Give a show the seating plan of a file: our own JSON, a pretix seating plan, "
                     "a seats.io chart, or CSV. Every fault of the file is listed.");
  command->footer(examples);
  const auto given = std::make_shared<arguments>();
  auto& wanted = given->wanted;
  command->add_option("FILE", wanted.file, "The plan")->required();
  command->add_option("--format", given->format, "auto, usher, pretix, seatsio or csv")
      ->check(CLI::IsMember({"auto", "usher", "pretix", "seatsio", "csv"}).description(""))
      ->type_name("FORMAT")
      ->capture_default_str();
  command->add_option("--show", wanted.show, "The show that gets the plan; made if it is new")
      ->type_name("ID");
  command->add_option("--title", wanted.title, "A new show needs one")->type_name("TEXT");
  command->add_option("--currency", wanted.currency, "A new show needs one")->type_name("ISO-4217");
  command
      ->add_option("--price", given->prices,
                   "Of a category, by name or id, in minor units; once for each. Over that of the "
                   "file, if it has one")
      ->type_name("CATEGORY=AMOUNT")
      ->allow_extra_args(false);
  command
      ->add_option("--focal-point", given->focal_point,
                   "Where the best seats look at, in the file's coordinates (--focal-point=-5,3 if "
                   "it begins with a minus)")
      ->type_name("X,Y");
  command->add_flag("--dry-run", wanted.dry_run, "Send nothing; print what would be made");
  command
      ->add_option("--output", wanted.output,
                   "Send nothing; write the plan in our own JSON to this file, or - for stdout")
      ->type_name("FILE");
  command->add_option("--server", wanted.server, "Where the server listens")
      ->type_name("URL")
      ->capture_default_str();
  command->callback([given, &exit_code] { exit_code = run_import_plan(*given); });
}

} // namespace

void add_admin_commands(CLI::App& root, int& exit_code) {
  auto* const top = root.add_subcommand(
      "admin", "Operate a running server. USHER_OPERATOR_KEY in the environment is the key");
  top->require_subcommand(1);
  add_import_plan(*top, exit_code);
  add_outbox(*top, exit_code);
  add_erase_customer(*top, exit_code);
}

} // namespace usher::config
