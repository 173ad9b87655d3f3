// Two hundred thousand fans join over HTTP, hundreds at a time, while nobody is let in. The order
// is the server's numbering of arrivals: every number is given once and the position is its rank.
// Then some leave, in random order, and a model says everybody's position; SIGKILL and a new start
// change none of it.

#include "tests/system/box_office.hpp"
#include "tests/system/server_process.hpp"
#include "tests/system/swarm.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <numeric>
#include <optional>
#include <random>
#include <set>

using namespace usher::test;

namespace {

constexpr std::size_t joins = 200'000;
constexpr std::size_t leaves = 3'000;
constexpr std::size_t looks = 3'000;
constexpr std::size_t threads = 2;
constexpr std::size_t connections_per_thread = 200;
const std::string show = "still";

std::string key_of(std::size_t index) {
  return index % 20 == 0 ? "key-" + std::to_string(index) : "";
}

std::string join_bytes(std::size_t index) {
  header_map headers;
  if (const auto key = key_of(index); !key.empty())
    headers.emplace("Idempotency-Key", key);
  return request_bytes("POST", "/v1/shows/" + show + "/waiting-room/join", {}, headers);
}

/// Failures of many threads; Boost.Test's checks are for one.
class fault_count {
public:
  void check(bool good) { faults_ += good ? 0 : 1; }
  [[nodiscard]] int count() const { return faults_; }

private:
  std::atomic<int> faults_{0};
};

struct queue_model {
  std::vector<std::string> ticket_at = std::vector<std::string>(joins); ///< by arrival
  std::vector<std::size_t> slot_of_join = std::vector<std::size_t>(joins);
  std::vector<std::uint32_t> left{}; ///< arrivals, sorted

  [[nodiscard]] bool has_left(std::uint32_t slot) const {
    return std::binary_search(left.begin(), left.end(), slot);
  }
  [[nodiscard]] std::uint64_t position(std::uint32_t slot) const {
    const auto gone = std::lower_bound(left.begin(), left.end(), slot) - left.begin();
    return slot + std::uint64_t{1} - static_cast<std::uint64_t>(gone);
  }
  [[nodiscard]] std::uint64_t waiting() const { return joins - left.size(); }
};

void everybody_joins(std::uint16_t port, queue_model& model) {
  fault_count answers;
  fault_count positions;
  fault_count places;
  std::vector<std::atomic<bool>> given(joins);
  swarm fans{port, threads, connections_per_thread};
  fans.exchange(joins, join_bytes, [&](std::size_t index, const answer& got) {
    answers.check(got.status == 202);
    const auto body = json::parse(got.body);
    const auto ticket = body.at("ticketId").get<std::string>();
    const auto slot = slot_of(ticket);
    positions.check(body.at("position") == slot + std::uint64_t{1});
    const bool fresh = slot < joins && !given[slot].exchange(true);
    places.check(fresh);
    if (!fresh)
      return;
    model.ticket_at[slot] = ticket;
    model.slot_of_join[index] = slot;
  });
  BOOST_TEST(answers.count() == 0);
  BOOST_TEST(positions.count() == 0);
  BOOST_REQUIRE(places.count() == 0); // each of 0 … joins-1 was given exactly once
}

void some_leave(std::uint16_t port, queue_model& model, std::mt19937_64& engine) {
  std::set<std::uint32_t> chosen;
  while (chosen.size() < leaves)
    chosen.insert(static_cast<std::uint32_t>(engine() % joins));
  std::vector<std::uint32_t> order{chosen.begin(), chosen.end()};
  std::shuffle(order.begin(), order.end(), engine);
  fault_count answers;
  swarm fans{port, threads, connections_per_thread};
  fans.exchange(
      order.size(),
      [&](std::size_t i) {
        return request_bytes("DELETE", ticket_path(show, model.ticket_at[order[i]]), {}, {});
      },
      [&](std::size_t, const answer& got) { answers.check(got.status == 204); });
  BOOST_TEST(answers.count() == 0);
  model.left.assign(chosen.begin(), chosen.end());
}

/// A random sample, with some who left in it, and the two ends of the queue.
void positions_agree(std::uint16_t port, const queue_model& model, std::mt19937_64& engine) {
  std::vector<std::uint32_t> sample{0, joins - 1};
  while (sample.size() < looks)
    sample.push_back(static_cast<std::uint32_t>(engine() % joins));
  for (std::size_t i = 0; i < model.left.size(); i += 10)
    sample.push_back(model.left[i]);
  fault_count wrong;
  swarm fans{port, threads, connections_per_thread};
  fans.exchange(
      sample.size(),
      [&](std::size_t i) {
        return request_bytes("GET", ticket_path(show, model.ticket_at[sample[i]]), {}, {});
      },
      [&](std::size_t i, const answer& got) {
        const auto body = json::parse(got.body);
        if (model.has_left(sample[i]))
          return wrong.check(got.status == 410 && body.at("status") == "LEFT");
        const auto position = model.position(sample[i]);
        wrong.check(got.status == 200 && body.at("position") == position &&
                    body.at("ahead") == position - 1 &&
                    body.at("behind") == model.waiting() - position);
      });
  BOOST_TEST(wrong.count() == 0);
}

/// The same key is the same place, however many came since.
void keys_are_remembered(std::uint16_t port, const queue_model& model) {
  api_client fan{port};
  for (std::size_t index = 0; index < joins; index += 2'000) {
    const auto slot = model.slot_of_join[index];
    if (model.has_left(static_cast<std::uint32_t>(slot)))
      continue;
    const auto got = fan.post("/v1/shows/" + show + "/waiting-room/join", nullptr,
                              {{"Idempotency-Key", key_of(index)}});
    BOOST_TEST(got.status == 200, got);
    BOOST_TEST(got.body.at("ticketId") == model.ticket_at[slot]);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(positions_are_exact_for_200000_fans_before_and_after_a_crash) {
  std::mt19937_64 engine{seed_of_run(20'261'133)};
  const scratch_directory place;
  queue_model model;
  {
    server_process server{place.data()};
    api_client as_operator{server.port(), {{"Authorization", "Bearer " + operator_key}}};
    put_show(as_operator, show, {{"waitingRoom", still_room()}});
    const auto begun = std::chrono::steady_clock::now();
    everybody_joins(server.port(), model);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    std::cerr << joins << " joins took " << took.count() << " s\n";
    positions_agree(server.port(), model, engine);
    some_leave(server.port(), model, engine);
    positions_agree(server.port(), model, engine);
    keys_are_remembered(server.port(), model);
    server.kill9();
  }
  const server_process server{place.data()};
  positions_agree(server.port(), model, engine);
  keys_are_remembered(server.port(), model);
  api_client fan{server.port()};
  BOOST_TEST(slot_of(join(fan, show)) == joins);
}
