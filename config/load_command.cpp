#include "config/load_command.hpp"

#include "bench/load/scenario.hpp"
#include "config/admin/put_json.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace usher::config {

namespace {

constexpr int missed = 1;
constexpr int cannot = 2;

constexpr const char* load_help = R"(Examples:
    usher serve --demo                      (in another terminal)
    usher load journey
    usher load flash-crowd --fans 500000 --seats 20000
    usher load poll-storm --fans 1000000 --polls 20000 --seconds 60 --json >report.json

It makes a show of its own, opens it, lets the fans come, and closes it again. The key of an operator comes from
USHER_OPERATOR_KEY; a server with --demo needs none. Latencies count from when a request was meant to be sent, so a
server that stalls is not spared. Every answer is checked: places that grow, fans who are overtaken, a seat that two
were given, a wrong total. A server with its defaults turns away what is too much: raise connectionsMax and
inFlightMax where that is not what is to be seen. What is checked and what the numbers mean: docs/load.md.
Exit codes: 0 all checks held; 1 one did not; 2 it could not be run, or bad usage.)";

struct options {
  load::scenario which;
  load::scenario_settings with;
  std::string server = "http://127.0.0.1:8084";
  std::string show;
  bool json = false;
  bool quiet = false;
};

int refuse(const std::string& why) {
  std::cerr << "usher load: " << why << "\n";
  return cannot;
}

/// Another one each time, as a show that was is not opened for the first time again.
std::string fresh_name(std::string_view scenario) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return "load-" + std::string{scenario} + "-" +
         std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

load::staff_call staff_of(const std::string& server) {
  const auto* key = std::getenv("USHER_OPERATOR_KEY");
  return [server, key = std::string{key == nullptr ? "" : key}](
             const char* method, const std::string& path, const std::string& body) {
    const auto got = send_json(method, server + path, key, body);
    if (const auto* none = std::get_if<no_answer>(&got))
      throw std::runtime_error{printable("no answer from " + server + ": " + none->why)};
    if (const auto& answer = std::get<http_answer>(got); answer.status >= 300)
      throw std::runtime_error{std::string{method} + " " + path + ": " + refusal_text(answer)};
  };
}

/// A line a second.
load::team::watcher progress_to_stderr() {
  return [answered = std::uint64_t{0}](const load::team::progress& now) mutable {
    const auto more = now.counts.answered - std::exchange(answered, now.counts.answered);
    const auto rate = static_cast<std::uint64_t>(static_cast<double>(more) / now.interval);
    std::fprintf(stderr,
                 "%-8s %4.0f s  %7s answers/s  p99 %6s ms  %6s under way  %s shed  %s errors\n",
                 std::string{now.phase}.c_str(), now.seconds, load::grouped(rate).c_str(),
                 now.recent.count() == 0 ? "-" : load::milliseconds(now.recent.at_us(0.99)).c_str(),
                 load::grouped(now.counts.in_flight + now.counts.waiting).c_str(),
                 load::grouped(now.counts.shed).c_str(), load::grouped(now.counts.wrong).c_str());
  };
}

/// The first asks the run to end and tell why; the second ends the program.
void stop_at_ctrl_c() {
  struct sigaction on_signal {};
  on_signal.sa_handler = [](int) { load::stop_all_runs(); };
  on_signal.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &on_signal, nullptr);
}

int run(options given) {
  given.server = server_address(given.server);
  const auto found = load::find_target(given.server);
  if (const auto* why = std::get_if<std::string>(&found))
    return refuse(*why);
  if (const auto why = load::make_room_for(given.with.connections); !why.empty())
    return refuse(why);
  if (given.show.empty())
    given.show = fresh_name(given.which.name);
  stop_at_ctrl_c();
  try {
    const auto told =
        load::play(given.which, given.with, given.show, std::get<load::target>(found),
                   staff_of(given.server), given.quiet ? nullptr : progress_to_stderr());
    constexpr auto replace = nlohmann::json::error_handler_t::replace; // in what the server said
    std::cout << (given.json ? load::json_of(told).dump(1, ' ', false, replace) + "\n"
                             : load::text_of(told));
    return told.passed() ? 0 : missed;
  } catch (const std::runtime_error& trouble) {
    return refuse(trouble.what());
  }
}

void add_wish(CLI::App& to, load::wish& into) {
  to.add_option("--wish", into,
                "Which seat: own, that nobody else wants; random, any; popular, all the same")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, load::wish>{{"own", load::wish::own},
                                                        {"random", load::wish::random},
                                                        {"popular", load::wish::popular}})
                      .description("{own,random,popular}"))
      ->default_str("random");
}

void add_rate(CLI::App& to, const char* name, double& into, const char* what) {
  to.add_option(name, into, what)->check(CLI::Range(0.0, 1'000'000.0))->capture_default_str();
}

void add_knob(CLI::App& to, load::knob which, load::scenario_settings& with) {
  switch (which) {
  case load::knob::fans:
    to.add_option("--fans", with.fans, "How many come")
        ->check(CLI::Range(1U, 5'000'000U))
        ->capture_default_str();
    return;
  case load::knob::arrivals:
    return add_rate(to, "--arrivals", with.arrivals_per_second,
                    "New fans a second, at random; 0: as fast as they are answered (overload: "
                    "twice the most)");
  case load::knob::admits:
    return add_rate(to, "--admit", with.admits_per_second, "Fans that the room lets in a second");
  case load::knob::seats:
    to.add_option("--seats", with.seats, "Seats of the show")
        ->check(CLI::Range(1U, load::seats_max))
        ->capture_default_str();
    return;
  case load::knob::seconds:
    to.add_option("--seconds", with.seconds,
                  "How long the phase that is measured lasts; at most, where it ends by itself")
        ->check(CLI::Range(0.1, 86'400.0))
        ->capture_default_str();
    return;
  case load::knob::polls:
    return add_rate(to, "--polls", with.polls_per_second,
                    "Polls a second, at random; 0: as fast as they are answered (overload: none)");
  case load::knob::watching:
    to.add_option("--watching", with.watching,
                  "Share of the waiting fans who ask at the advised pace; the others come back "
                  "when their turn was said to come")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    return;
  case load::knob::wish:
    return add_wish(to, with.wish);
  }
}

void add_ways(CLI::App& to, options& given) {
  to.add_option("--server", given.server, "Where it listens")
      ->type_name("URL")
      ->capture_default_str();
  to.add_option("--show", given.show, "Id of the show that is made [load-SCENARIO-TIME]");
  to.add_option("--connections", given.with.connections,
                "Most connections; fans share them, as behind a proxy")
      ->check(CLI::Range(std::size_t{1}, std::size_t{60'000}))
      ->capture_default_str();
  to.add_option("--threads", given.with.threads, "Threads that make requests")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  to.add_option("--seed", given.with.seed, "Of everything that is random")->capture_default_str();
  to.add_flag("--json", given.json, "For machines: one JSON object");
  to.add_flag("--quiet", given.quiet, "No progress on the standard error");
}

} // namespace

void add_load_command(CLI::App& root, int& exit_code) {
  auto* const command = root.add_subcommand(
      "load", "Play fans by the thousand against a running server, and check every answer");
  command->footer(load_help);
  command->require_subcommand(1);
  for (const auto& each : load::scenarios()) {
    const auto given = std::make_shared<options>();
    given->which = each;
    given->with = each.defaults;
    given->with.threads = std::max(1U, std::thread::hardware_concurrency() / 2);
    given->with.connections = std::min(each.defaults.connections, load::connections_possible());
    auto* const one = command->add_subcommand(std::string{each.name}, std::string{each.what});
    for (const auto knob : each.knobs)
      add_knob(*one, knob, given->with);
    add_ways(*one, *given);
    one->callback([given, &exit_code] { exit_code = run(*given); });
  }
}

} // namespace usher::config
