#include "tests/system/crash_crowd.hpp"

#include "tests/system/box_office.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <thread>

namespace usher::test::crash {

namespace {

constexpr int sale_clients = 5;

json two_blocks() {
  auto blocks = json::array();
  for (const std::string side : {"L", "R"}) {
    auto list = json::array();
    for (int row = 0; row < rows; ++row)
      list.push_back({{"id", side + std::to_string(row)}, {"count", seats_per_row}});
    blocks.push_back({{"id", side}, {"category", "all"}, {"rows", list}});
  }
  return {{"categories", {{{"id", "all"}, {"price", 2500}}}}, {"blocks", blocks}};
}

} // namespace

int rounds_of_run(int usual) {
  const char* given = std::getenv("USHER_CRASH_ROUNDS");
  return given == nullptr ? usual : std::stoi(given);
}

launch crash_launch(std::optional<std::uint64_t> disk_floor) {
  auto with = server_process::with_operator_key();
  with.environment.emplace("USHER_SNAPSHOT_EVERY_EVENTS", "200");
  if (disk_floor)
    with.environment.emplace("USHER_DISK_FLOOR_BYTES", std::to_string(*disk_floor));
  return with;
}

bool has_snapshot(const std::filesystem::path& data) {
  return eventually([&] {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{data / "snapshots", none})
      if (entry.path().extension() == ".snapshot")
        return true;
    return false;
  });
}

bool began_with_snapshot(const server_process& server) {
  return server.err().find("(snapshot at ") != std::string::npos;
}

crowd::crowd(std::uint64_t seed) : dice_{seed} {
  for (int i = 0; i < sale_clients; ++i)
    clients_.push_back(std::make_unique<client>(i, sale, dice_()));
  clients_.push_back(std::make_unique<client>(sale_clients, line, dice_()));
}

void crowd::open_shows(std::uint16_t port) const {
  api_client as_operator{port, {{"Authorization", "Bearer " + operator_key}}};
  put_show(as_operator, sale,
           {{"plan", two_blocks()},
            {"waitingRoom", wide_open_room()},
            {"holds", {{"ttl", "2h"}, {"paymentWindow", "1h"}}}});
  put_show(as_operator, line, {{"waitingRoom", {{"admitPerSecond", 5}, {"admissionTtl", "2h"}}}});
}

void crowd::run(std::uint16_t port, int round, const std::function<void()>& meanwhile) {
  acknowledged_before_ = acknowledged();
  for (auto& each : clients_)
    each->begin();
  {
    std::vector<std::jthread> threads;
    for (auto& each : clients_)
      threads.emplace_back([&each, port, round] { each->run(port, round); });
    meanwhile();
  }
  for (const auto& each : clients_)
    for (const auto& complaint : each->complaints())
      BOOST_ERROR("round " << round << ": " << complaint);
}

void crowd::stop() {
  for (auto& each : clients_)
    each->stop();
}

bool crowd::is_busy(int steps) const {
  return acknowledged() > acknowledged_before_ + steps;
}

std::vector<std::string> crowd::compare(std::uint16_t port, int round, bool everything) const {
  journeys all;
  journeys looked_at;
  for (const auto& each : clients_)
    for (const auto& fan : each->fans()) {
      all.push_back(&fan);
      if (everything || !fan.is_over() || fan.round + 2 > round)
        looked_at.push_back(&fan);
    }
  api_client server{port};
  return crash::compare(server, sale, all, looked_at);
}

int crowd::acknowledged() const {
  int sum = 0;
  for (const auto& each : clients_)
    sum += each->acknowledged();
  return sum;
}

int crowd::turned_away() const {
  int sum = 0;
  for (const auto& each : clients_)
    sum += each->turned_away();
  return sum;
}

std::map<step, int> crowd::tally() const {
  std::map<step, int> counts;
  for (const auto& each : clients_)
    for (const auto& fan : each->fans())
      ++counts[fan.at];
  return counts;
}

std::string crowd::summary() const {
  auto ends = tally();
  return std::to_string(acknowledged()) + " steps acknowledged; " +
         std::to_string(ends[step::paid]) + " fans paid, " + std::to_string(ends[step::cancelled]) +
         " cancelled, " + std::to_string(ends[step::left]) + " left";
}

} // namespace usher::test::crash
