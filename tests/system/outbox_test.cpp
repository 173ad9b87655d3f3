// The outbox of a real server that is killed with SIGKILL again and again while it delivers: to a
// file, and to a receiver that refuses now and then, also what it has taken. In the end each event
// of the log has come to both, every show's in order but for repetitions, and none was skipped.
// The kills come at random moments: USHER_SEED picks others. (That a cursor which is saved too
// early is found, by the same check, is shown in tests/outbox/crash_test.)

#include "tests/gateways/scripted_server.hpp"
#include "tests/outbox/order_check.hpp"
#include "tests/system/box_office.hpp"
#include "tests/system/killable_server.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

using namespace usher::test;

namespace {

constexpr int kills = 6;

/// `0/15` -> 15
std::uint64_t position_of(const json& event) {
  return std::stoull(event.at("id").get<std::string>().substr(2));
}

/// Takes two thirds of what comes; of the rest it notes one half before it refuses.
class receiver {
public:
  explicit receiver(std::uint64_t seed) : random_{seed} {}

  [[nodiscard]] std::string url() const { return server_.url() + "/hooks"; }

  /// What came so far.
  [[nodiscard]] order_check notes() const {
    const std::lock_guard lock{mutex_};
    return notes_;
  }
  /// From now on everything is taken.
  void be_good() {
    const std::lock_guard lock{mutex_};
    good_ = true;
  }

private:
  reaction take(const seen_request& request) {
    const std::lock_guard lock{mutex_};
    const auto choice = good_ ? 0U : random_() % 6;
    if (choice < 5)
      for (const auto& event : json::parse(request.body))
        notes_.came(event.at("partitionkey").get<std::string>(), position_of(event));
    if (choice < 4)
      return json_answer(204, "");
    return {reaction::kind::answer,
            "HTTP/1.1 503 X\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"};
  }

  mutable std::mutex mutex_;
  std::mt19937_64 random_;
  bool good_ = false;
  order_check notes_;
  scripted_server server_{[this](const seen_request& request) { return take(request); }};
};

/// The lines of an NDJSON of events.
template <class Visit>
void for_each_event(std::istream& lines, Visit visit) {
  for (std::string line; std::getline(lines, line);) {
    const auto event = json::parse(line);
    visit(event.at("partitionkey").get<std::string>(), position_of(event));
  }
}

positions_by_show what_the_log_has(const std::filesystem::path& data) {
  const auto got = run_usher({{"audit", "export", "--data", data.string()}});
  BOOST_REQUIRE_EQUAL(got.exit_code, 0);
  positions_by_show all;
  std::istringstream lines{got.out};
  for_each_event(lines, [&](const std::string& show, std::uint64_t position) {
    all[show].push_back(position);
  });
  return all;
}

/// Two shows, and buyers in both of them, until the time is over.
void sell_for(killable_server& with, std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end)
    for (const std::string show : {"hamlet", "macbeth"}) {
      const auto ticket = join(with.fan, show);
      with.fan.remove(ticket_path(show, ticket));
    }
}

[[nodiscard]] bool has_delivered_all(killable_server& with) {
  const auto page = with.fan.get("/metrics").text;
  return page.find("usher_outbox_lag_events{sink=\"file\"} 0\n") != std::string::npos &&
         page.find("usher_outbox_lag_events{sink=\"hook\"} 0\n") != std::string::npos;
}

void check(const order_check& came, const positions_by_show& log, const std::string& by) {
  for (const auto& fault : came.faults(log))
    BOOST_ERROR(by << ": " << fault);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_a_killed_server_delivers_comes_in_order_and_nothing_is_skipped) {
  std::mt19937_64 random{seed_of_run(20'261'130)};
  receiver hooks{random()};
  const scratch_directory place;
  const auto file = place.path() / "events.ndjson";
  const auto settings = place.path() / "usher.json";
  std::ofstream{settings} << json{{"sinks",
                                   {{{"name", "file"}, {"kind", "file"}, {"path", file.string()}},
                                    {{"name", "hook"},
                                     {"kind", "webhook"},
                                     {"url", hooks.url()},
                                     {"secrets", {"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}},
                                     {"allowPrivate", true},
                                     {"batchMax", 20}}}}};
  auto how = server_process::with_operator_key();
  how.arguments = {"--config", settings.string()};
  killable_server with{how};
  for (const std::string show : {"hamlet", "macbeth"})
    put_show(with.as_operator, show, {{"waitingRoom", still_room()}});

  for (int kill = 0; kill < kills; ++kill) {
    sell_for(with, std::chrono::milliseconds{300 + random() % 500});
    with.crash_and_start();
  }
  hooks.be_good();
  BOOST_TEST(eventually([&] { return has_delivered_all(with); }));
  BOOST_TEST(with.server->term() == 0);

  const auto log = what_the_log_has(with.place.data());
  BOOST_TEST(log.size() >= 3U); // the two shows, and what belongs to none
  check(hooks.notes(), log, "the receiver");
  order_check lines;
  std::ifstream written{file};
  for_each_event(written, [&](const std::string& show, std::uint64_t position) {
    lines.came(show, position);
  });
  check(lines, log, "the file");
  std::cout << log.size() << " partitions, " << lines.distinct() << " events; the receiver got "
            << hooks.notes().count() << ", the file " << lines.count() << "\n";
}
