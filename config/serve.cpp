#include "config/serve.hpp"

#include "actors/runtime/fail_stop.hpp"
#include "actors/runtime/node.hpp"
#include "config/customer_token_keys.hpp"
#include "config/demo.hpp"
#include "config/gateways.hpp"
#include "config/personal_data.hpp"
#include "config/sinks.hpp"
#include "config/snapshots.hpp"
#include "http/api/app.hpp"
#include "http/api/router.hpp"
#include "http/server/server.hpp"
#include "storage/backup/job.hpp"
#include "storage/codec.hpp"
#include "storage/eraser.hpp"
#include "storage/head_file.hpp"
#include "storage/personal_data.hpp"
#include "storage/rocksdb_log.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sys/resource.h>
#include <thread>
#include <utility>

namespace usher::config {

namespace {

constexpr int could_not_start = 1;

int refuse(const std::string& why) {
  std::fprintf(stderr, "usher: %s\n", why.c_str());
  return could_not_start;
}

void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

/// Says how far a replay is, once it takes longer than anybody likes to wait without a word.
class replay_progress {
public:
  void operator()(storage::position_t done, storage::position_t total) {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < 2s)
      return;
    said_ = now;
    spdlog::info("replaying the log: {} of {} events ({} %)", done, total, done * 100 / total);
  }

private:
  std::chrono::steady_clock::time_point said_ = std::chrono::steady_clock::now();
};

class actor_config : public caf::actor_system_config {
public:
  explicit actor_config(unsigned threads) {
    const auto most = threads != 0 ? threads : std::max(4U, std::thread::hardware_concurrency());
    set("scheduler.max-threads", static_cast<std::size_t>(most));
    // One queue that idle workers sleep at. Stealing workers look around for work every 50 us, and
    // where there are more of them than cores that is a quarter of the time of a join.
    set("scheduler.policy", caf::atom("sharing"));
    set("logger.file-verbosity", caf::atom("quiet"));
    set("logger.console-verbosity", caf::atom("quiet"));
  }
};

/// Makes the first admin key, shows it once, and keeps its hash in the log.
std::string make_first_key(storage::event_log& log, http::access_list& access, time_ms now) {
  const auto key = "usher-admin-" + http::to_hex(http::random_id().bytes) +
                   http::to_hex(http::random_id().bytes);
  access::event::key_created made{"first", access::role::admin, http::sha256(key)};
  auto encoded = storage::encode(access::any_event{made});
  storage::record record{now,
                         "keys",
                         std::string{encoded.type},
                         encoded.schema,
                         {"", "usher"},
                         std::move(encoded.data)};
  // Shown before it counts: a crash in between leaves a text that opens nothing, not a lost key.
  std::printf("The admin key of this server, shown this once:\n\n  %s\n\n"
              "Send it as Authorization: Bearer KEY with operator calls.\n",
              key.c_str());
  std::fflush(stdout);
  if (const auto failed = log.append({record}))
    return failed->what;
  access.add(made.id, made.role, made.digest);
  return {};
}

std::string load_keys(const std::vector<access::event::key_created>& keys, storage::event_log& log,
                      http::access_list& access, bool demo, time_ms now) {
  for (const auto& key : keys)
    access.add(key.id, key.role, key.digest);
  if (const auto* given = std::getenv("USHER_OPERATOR_KEY"); given != nullptr && *given != '\0') {
    access.add("env", access::role::admin, http::sha256(given));
    return {};
  }
  return keys.empty() && !demo ? make_first_key(log, access, now) : std::string{};
}

bool is_loopback(const std::string& host) {
  return host.starts_with("127.") || host == "::1";
}

http::server_options options_of(const settings& with, const endpoint& at) {
  http::server_options options;
  options.host = at.host;
  options.port = at.port;
  options.io_threads = with.io_threads;
  options.connections_max = with.connections_max;
  options.in_flight_max = with.in_flight_max;
  options.streams_max = with.streams_max;
  options.answer_deadline = std::chrono::milliseconds{with.answer_deadline_ms};
  return options;
}

storage::disk_guard_options guard_of(const std::filesystem::path& data, const settings& with) {
  storage::disk_guard_options options{.directory = data};
  const auto space = storage::space_of(data);
  options.floor_bytes = with.disk_floor_bytes.value_or(
      space ? storage::automatic_floor_bytes(space->total_bytes) : 0);
  options.on_change = [floor = options.floor_bytes](bool accepts, const storage::disk_space& now) {
    if (accepts)
      spdlog::warn("there is space on the disk again ({} bytes): writes are accepted",
                   now.free_bytes);
    else
      spdlog::error("the disk is nearly full: {} bytes are free, and {} have to be. Writes are "
                    "refused with 503, polls go on. Free space; nothing has to be restarted",
                    now.free_bytes, floor);
  };
  return options;
}

/// The durable half of a server: what is opened before anything runs.
struct durable_parts {
  storage::data_directory directory;
  std::unique_ptr<storage::disk_guard> disk;
  storage::secret_key ticket_mac;
  storage::secret_key identity;
  std::unique_ptr<storage::personal_data> personal_data;
  storage::secret_key draw;
  http::entry_ticket_codec entry_tickets;
  std::unique_ptr<storage::rocksdb_log> log;
};

template <class Value>
Value value_or_throw(std::variant<Value, storage::failure> from) {
  if (auto* failed = std::get_if<storage::failure>(&from))
    throw std::runtime_error{failed->what};
  return std::get<Value>(std::move(from));
}

/// Throws a sentence for the operator; only used before anything runs.
durable_parts open_parts(const settings& with) {
  auto directory = value_or_throw(storage::data_directory::open(with.data));
  auto disk = std::make_unique<storage::disk_guard>(guard_of(directory.root(), with));
  const auto secrets = value_or_throw(storage::secret_store::open(directory));
  auto personal_data = value_or_throw(open_personal_data(with, directory));
  durable_parts parts{
      std::move(directory),
      std::move(disk),
      value_or_throw(secrets.key(storage::ticket_mac_key)),
      value_or_throw(secrets.key(storage::identity_key)),
      std::move(personal_data),
      value_or_throw(secrets.key(storage::draw_key)),
      http::entry_ticket_codec{value_or_throw(secrets.key(storage::entry_ticket_key)),
                               value_or_throw(secrets.find(storage::previous_entry_ticket_key))},
      nullptr};
  storage::rocksdb_options options;
  options.sync = with.log_sync;
  const auto path = parts.directory.head_file();
  const auto head = storage::look_at_head_file(path); // opening the log writes it anew
  parts.log = value_or_throw(storage::rocksdb_log::open(parts.directory, options));
  const auto trouble = storage::head_file_trouble(head, path, parts.log->head().position);
  if (!trouble.empty())
    spdlog::warn("{}. It was written anew, for a log that ends at position {}", trouble,
                 parts.log->head().position);
  return parts;
}

/// The same for the keys of customer tokens, with all that is wrong with them.
customer_tokens open_customer_tokens(const settings& with) {
  auto read = read_customer_token_keys(with.customer_token_keys);
  if (const auto* found = std::get_if<faults>(&read)) {
    std::string all;
    for (const auto& each : *found)
      all += (all.empty() ? "" : "\nusher: ") + each;
    throw std::runtime_error{all};
  }
  return std::get<customer_tokens>(std::move(read));
}

[[noreturn]] void stop_on_log_failure(const storage::failure& failed) {
  // What was applied in memory is not in the log: nobody may be answered from it any more.
  spdlog::critical(
      "the log cannot be written: {}. Stopping; nothing that was acknowledged is lost.",
      failed.what);
  std::_Exit(runtime::stopped_itself);
}

int run(const settings& with, const endpoint& at, bool demo, const sigset_t& signals) {
  auto tokens = open_customer_tokens(with);
  auto parts = open_parts(with);
  const auto snapshots = snapshots_of(parts.directory);
  auto begin = newest_of(snapshots, *parts.log);
  const auto newest_snapshot = begin.at;
  auto world = value_or_throw(runtime::recover(*parts.log, replay_progress{}, std::move(begin)));
  say_recovered(parts.log->head().position, newest_snapshot);
  process_clock clock;
  clock.not_before(world.last_at);

  auto options = options_of(with, at);
  const auto io_threads = options.io_threads != 0
                              ? options.io_threads
                              : std::max(1U, std::thread::hardware_concurrency());
  // Whoever could not ask for the ticket is not absent.
  std::atomic<time_ms> turned_away_at{0};
  options.on_turned_away = [&] { turned_away_at = clock.now(); };
  // Declared before everything that keeps a handle of an actor, so that it ends last.
  actor_config actors{with.actor_threads};
  caf::actor_system system{actors};
  // Outlives the actors that call it, and what is still under way is answered to a living system.
  const auto gateways = make_providers(with, parts.personal_data->opener());
  if (gateways.only_pretends && !demo)
    spdlog::warn(
        "no payment gateway is configured: SANDBOX approves everything and moves no money");
  http::app app{.options = {with.default_currency, with.trust_user_ids, demo},
                .shows = nullptr,
                .directory = {},
                .clock = &clock,
                .tickets = http::ticket_codec{http::hmac_key{parts.ticket_mac}},
                .entry_tickets = parts.entry_tickets,
                .identities = http::hmac_key{parts.identity},
                .personal_data = parts.personal_data.get(),
                .access = {},
                .joins = http::join_desks{io_threads},
                .maps = {},
                .providers = gateways.by_name(),
                .customer_tokens = std::move(tokens),
                .proofs = std::make_unique<http::proof_of_work>(http::proof_of_work_options{
                    with.proof_of_work_bits, with.proof_of_work_lifetime_ms})};
  // The only append that does not go through the journal: it has not started yet.
  if (const auto trouble = load_keys(world.keys, *parts.log, app.access, demo, clock.now());
      !trouble.empty())
    return refuse(trouble);

  runtime::node node{system,
                     std::move(world),
                     {parts.log.get(), &clock, stop_on_log_failure, gateways.setups, true,
                      parts.draw, &turned_away_at, with.payment_limit_ms, &parts.disk->flag()}};
  app.shows = &node.shows();
  app.directory = node.directory();
  app.archive = node.archive();
  app.gateways = node.gateways();
  app.cashier = node.cashier();
  app.cashier_board = &node.cashier_board();
  app.disk = parts.disk.get();
  storage::eraser eraser{*parts.log, *parts.personal_data};
  app.eraser = &eraser;
  storage::backup_job backups{*parts.log, parts.directory, [&clock] { return clock.now(); }};
  app.backups = &backups;
  const auto snapshotter =
      start_snapshots(with, snapshots, *parts.log, newest_snapshot, parts.disk->floor_bytes());
  app.snapshots = snapshotter.get();
  const auto outbox =
      start_sinks(with, parts.directory, *parts.log, clock, parts.personal_data->opener());
  app.outbox = outbox.workers.get();
  if (demo)
    if (const auto trouble = prepare_demo(app); !trouble.empty())
      return refuse(trouble);
  http::api api{app};
  http::server server{options, api};
  app.server_counts = [&server] {
    return http::server_counts{server.connections(), server.in_flight(), server.streams()};
  };
  if (const auto failed = server.start())
    return refuse(failed->what);

  const auto address = at.host + ":" + std::to_string(server.port());
  std::printf("usher listens on http://%s, data in %s\n", address.c_str(), with.data.c_str());
  if (demo)
    std::printf("%s", demo_greeting(address).c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  spdlog::info("stopping: no new requests, those under way are answered");
  app.ready = false;
  server.drain(std::chrono::milliseconds{with.drain_deadline_ms});
  if (outbox.workers)
    outbox.workers->stop();
  node.stop();
  return 0;
}

} // namespace

sigset_t block_stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  return signals;
}

int serve(settings with, bool demo) {
  const auto at = read_endpoint(with.listen);
  if (const auto* why = std::get_if<std::string>(&at))
    return refuse("listen: " + *why);
  const auto& where = std::get<endpoint>(at);
  if (demo) {
    if (!is_loopback(where.host))
      return refuse("--demo listens on loopback only: it asks for no key");
    with.trust_user_ids = true;
  }
  spdlog::set_default_logger(spdlog::stderr_logger_mt("usher"));
  const auto signals = block_stop_signals();
  raise_file_limit();
  try {
    return run(with, where, demo, signals);
  } catch (const std::exception& trouble) {
    return refuse(trouble.what());
  }
}

} // namespace usher::config
