#include "config/admin/command.hpp"
#include "config/audit_command.hpp"
#include "config/backup_command.hpp"
#include "config/customer_token_keys.hpp"
#include "config/load_command.hpp"
#include "config/sandbox_command.hpp"
#include "config/serve.hpp"
#include "config/settings.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace usher::config;

constexpr int bad_usage = 2;

struct serve_flags {
  std::string config;
  std::string data;
  std::string listen;
  bool demo = false;
};

int report(const faults& found) {
  for (const auto& each : found)
    std::fprintf(stderr, "usher: %s\n", each.c_str());
  return 1;
}

int run_serve(const serve_flags& flags) {
  settings with;
  if (!flags.config.empty()) {
    auto read = read_file(flags.config, with);
    if (const auto* found = std::get_if<faults>(&read))
      return report(*found);
    with = std::get<settings>(std::move(read));
  }
  auto read = read_environment(with, [](const char* name) { return std::getenv(name); });
  if (const auto* found = std::get_if<faults>(&read))
    return report(*found);
  with = std::get<settings>(std::move(read));
  if (!flags.data.empty())
    with.data = flags.data;
  if (!flags.listen.empty())
    with.listen = flags.listen;
  return serve(with, flags.demo);
}

int run_check(const std::string& file) {
  auto read = read_file(file, {});
  if (const auto* found = std::get_if<faults>(&read))
    return report(*found);
  read = read_environment(std::get<settings>(read),
                          [](const char* name) { return std::getenv(name); });
  if (const auto* found = std::get_if<faults>(&read))
    return report(*found);
  const auto tokens = read_customer_token_keys(std::get<settings>(read).customer_token_keys);
  if (const auto* found = std::get_if<faults>(&tokens))
    return report(*found);
  for (const auto& each : keys())
    std::printf("%s = %s\n", std::string{each.name}.c_str(),
                each.show(std::get<settings>(read)).c_str());
  for (const auto& each : std::get<settings>(read).sinks)
    std::printf("sinks: %s\n", describe(each).c_str());
  std::printf("%s is good.\n", file.c_str());
  return 0;
}

} // namespace

int main(int argc, char** argv) {
  CLI::App root{"Usher: a waiting room and seat-sale engine.\n\n"
                "Start with `usher serve --demo`, which tells what to try."};
  root.name("usher");
  root.require_subcommand(1);
  root.set_version_flag("--version", "usher " USHER_VERSION);
  int exit_code = 0;

  serve_flags flags;
  auto* serving = root.add_subcommand("serve", "Run the server until SIGTERM, which drains it.");
  serving->add_option("--config", flags.config, "Settings, a JSON file (see docs/configuration.md)")
      ->type_name("FILE");
  serving->add_option("--data", flags.data, "Where everything durable is kept [./usher-data]")
      ->type_name("DIR");
  serving->add_option("--listen", flags.listen, "Where to listen [127.0.0.1:8084]")
      ->type_name("HOST:PORT");
  serving->add_flag("--demo", flags.demo,
                    "Loopback only, no operator key, the show `hamlet` open, sandbox payments");
  serving->callback([&] { exit_code = run_serve(flags); });

  std::string file;
  auto* checking =
      root.add_subcommand("check-config", "Check a settings file and show the result.");
  checking->add_option("FILE", file, "The file")->required();
  checking->callback([&] { exit_code = run_check(file); });

  add_admin_commands(root, exit_code);
  add_audit_commands(root, exit_code);
  add_backup_commands(root, exit_code);
  add_sandbox_command(root, exit_code);
  add_load_command(root, exit_code);

  try {
    root.parse(argc, argv);
  } catch (const CLI::ParseError& trouble) {
    return root.exit(trouble) == 0 ? 0 : bad_usage;
  }
  return exit_code;
}
