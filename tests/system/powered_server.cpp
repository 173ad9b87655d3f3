#include "tests/system/powered_server.hpp"

#include "tests/system/server_process.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace usher::test {

namespace {

constexpr unsigned io_threads = 2;
constexpr std::uint64_t snapshot_every = 300; ///< events: several in each life

http::server_options server_options() {
  http::server_options options;
  options.io_threads = io_threads;
  return options;
}

template <class Value>
Value value_or_throw(std::variant<Value, storage::failure> from) {
  if (auto* failed = std::get_if<storage::failure>(&from))
    throw std::runtime_error{failed->what};
  return std::get<Value>(std::move(from));
}

} // namespace

std::string head_history::read() const {
  std::ifstream file{path_, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

void head_history::begin() {
  const std::lock_guard lock{guard_};
  lines_ = {read()};
}

void head_history::remember() {
  const std::lock_guard lock{guard_};
  lines_.push_back(read());
}

void head_history::restore(std::mt19937_64& dice) {
  const std::lock_guard lock{guard_};
  if (lines_.empty())
    return;
  // Mostly one of the last: the kernel writes it back every few seconds.
  const auto back = dice() % (dice() % 2 == 0 ? 3 : lines_.size());
  const auto& line = lines_[lines_.size() - 1 - std::min(back, lines_.size() - 1)];
  if (line.empty())
    std::filesystem::remove(path_);
  else
    std::ofstream{path_, std::ios::binary | std::ios::trunc} << line;
}

std::optional<storage::failure> powered_log::append(const std::vector<storage::record>& records) {
  const storage::failure gone{"the power is gone"};
  if (!files_.has_power())
    return gone;
  if (auto failed = under_.append(records))
    return failed;
  if (!files_.has_power())
    return gone;
  heads_.remember();
  return std::nullopt;
}

powered_server::opened powered_server::open(const std::filesystem::path& data, rocksdb::Env* env,
                                            bool sync) {
  auto directory = value_or_throw(storage::data_directory::open(data));
  const auto secrets = value_or_throw(storage::secret_store::open(directory));
  auto customer_keys = value_or_throw(
      storage::customer_keys::open(directory, value_or_throw(secrets.key(storage::master_key))));
  opened parts{std::move(directory),
               nullptr,
               std::move(customer_keys),
               value_or_throw(secrets.key(storage::ticket_mac_key)),
               value_or_throw(secrets.key(storage::identity_key)),
               value_or_throw(secrets.key(storage::draw_key)),
               value_or_throw(secrets.key(storage::entry_ticket_key))};
  parts.log = value_or_throw(storage::rocksdb_log::open(parts.directory, {sync, env}));
  return parts;
}

runtime::recovered powered_server::recover() {
  auto begin = runtime::newest_snapshot(snapshots_, log_, [](const std::string&) {});
  newest_snapshot_ = begin.at;
  return value_or_throw(runtime::recover(log_, {}, std::move(begin)));
}

powered_server::powered_server(const std::filesystem::path& data,
                               storage::test::power_cut_world& disk, head_history& heads, bool sync)
    : parts_{open(data, disk.env.get(), sync)},
      personal_data_{std::nullopt, std::move(parts_.customer_keys)},
      log_{*parts_.log, *disk.files, heads},
      snapshots_{parts_.directory.snapshots(), storage::digest{}},
      world_{recover()},
      node_{system_,
            std::move(world_),
            {&log_, &clock_, [](const storage::failure&) {}, {{&gateway_}}, true, parts_.draw}},
      snapshotter_{log_,
                   snapshots_,
                   {.every_events = snapshot_every},
                   [](const std::string&) {},
                   newest_snapshot_},
      app_{.options = {},
           .shows = &node_.shows(),
           .directory = node_.directory(),
           .archive = node_.archive(),
           .clock = &clock_,
           .tickets = http::ticket_codec{http::hmac_key{parts_.ticket_mac}},
           .entry_tickets = http::entry_ticket_codec{parts_.entry_ticket, std::nullopt},
           .identities = http::hmac_key{parts_.identity},
           .personal_data = &personal_data_,
           .access = {},
           .joins = http::join_desks{io_threads},
           .maps = {},
           .gateways = node_.gateways(),
           .providers = {{std::string{gateway_.name()}, &gateway_}},
           .cashier = node_.cashier(),
           .cashier_board = &node_.cashier_board()},
      server_{server_options(), api_} {
  app_.access.add("env", access::role::admin, http::sha256(operator_key));
  heads.begin(); // opening has synced it
  if (const auto failed = server_.start())
    throw std::runtime_error{failed->what};
}

} // namespace usher::test
