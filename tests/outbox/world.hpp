#pragma once

#include "storage/memory_log.hpp"
#include "storage/outbox/courier.hpp"
#include "tests/outbox/order_check.hpp"
#include "tests/storage/support.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// A log of a few shows, a sink that does as it is told, and a clock that is moved by hand.
namespace usher::storage::outbox::test {

using namespace usher::storage::test;
using usher::test::order_check;
using usher::test::positions_by_show;

inline record happening(const std::string& show, const std::string& type = "room_opened",
                        time_ms at = 1'000) {
  return {.at = at,
          .subject = show == system_partition ? "shows" : "queue/" + show,
          .type = type,
          .schema = 1,
          .cause = {.request = "", .who = "usher"},
          .data = "\xa0"};
}

/// One batch.
inline void happen(event_log& log, const std::vector<std::string>& shows) {
  std::vector<record> records;
  for (const auto& show : shows)
    records.push_back(happening(show));
  must_append(log, records);
}

inline positions_by_show positions_in(const event_log& log) {
  positions_by_show made;
  for (const auto& each : all_of(log))
    made[std::string{show_of(each.subject)}].push_back(each.position);
  return made;
}

/// Notes what it takes. `answer` says what becomes of a delivery; what is not delivered is not
/// noted.
class scripted_sink final : public sink {
public:
  explicit scripted_sink(std::size_t events = 3, std::size_t at_once = 4)
      : events_max_{events}, at_once_max_{at_once} {}

  [[nodiscard]] std::size_t events_max() const override { return events_max_; }
  [[nodiscard]] std::size_t at_once_max() const override { return at_once_max_; }
  void deliver(const delivery& what, on_outcome done) override {
    ++asked;
    auto result = answer(what);
    if (std::holds_alternative<delivered>(result))
      for (const auto& each : what.events) {
        took.came(what.show, each.position);
        lines.push_back(each.json);
      }
    done(std::move(result));
  }
  std::optional<failure> settle() override { return settling(); }

  std::function<outcome(const delivery&)> answer = [](const delivery&) { return delivered{}; };
  std::function<std::optional<failure>()> settling = [] { return std::optional<failure>{}; };
  order_check took;
  std::vector<std::string> lines;
  std::size_t asked = 0;

private:
  std::size_t events_max_;
  std::size_t at_once_max_;
};

/// A courier over all that; `come_back` is a crash and a new start.
struct courier_world {
  courier_world() { come_back(); }

  void come_back() {
    std::filesystem::create_directories(place.data());
    its.reset();
    its = std::make_unique<courier>(
        courier::parts{.log = &log,
                       .to = &to,
                       .file = cursor_file{place.data(), "s"},
                       .wanted = wanted,
                       .from_now = from_now,
                       .now = [this] { return now; },
                       .random = [] { return std::uint64_t{0}; },
                       .ask = [this](const std::vector<delivery>& all) { return ask(all); }});
  }

  std::vector<std::optional<outcome>> ask(const std::vector<delivery>& all) {
    std::vector<std::optional<outcome>> made(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      to.deliver(all[i], [&](outcome what) { made[i] = std::move(what); });
    return made;
  }

  /// Steps until nothing is to be done before some time passes.
  void run() {
    while (its->step() <= now) {
    }
  }
  /// Lets time pass, and runs.
  void run_for(duration_ms length) {
    now += length;
    run();
  }

  [[nodiscard]] std::string faults() const {
    std::string text;
    for (const auto& each : to.took.faults(positions_in(log)))
      text += each + "; ";
    return text;
  }

  scratch place;
  memory_log log;
  scripted_sink to;
  time_ms now = 1'000'000;
  selection wanted;
  bool from_now = false;
  std::unique_ptr<courier> its;
};

} // namespace usher::storage::outbox::test
