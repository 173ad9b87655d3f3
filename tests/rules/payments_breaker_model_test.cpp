// A random walk of 100,000 steps with the breaker and a second one that is written from the rules
// again, without periods and rings: it keeps all calls there were and looks through them each time.
// After every step both are in the same state and have said the same. Seen to fail, among others,
// with `>` for `>=`, without the check of the period, and with permits that are never given back.
#include "tests/rules/payments_breaker_support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace usher;
using namespace usher::payments;
using namespace usher::payments::test;

namespace {

class naive_breaker {
public:
  std::string mode = "closed";
  time_ms until = 0;

  /// Numbers the calls from 0.
  bool ask(time_ms now) {
    if (mode == "open" && now < until)
      return false;
    if (mode == "open")
      turn("half_open", 0);
    if (mode == "half_open" && taken(now) == 3)
      return false;
    calls_.push_back({.began = now, .after_turns = turns_});
    return true;
  }

  void report(std::size_t which, bool failed, time_ms now) {
    if (now - calls_[which].began < 60'000)
      conclude(which, failed, now);
  }

  void give_back(std::size_t which) {
    if (calls_[which].fate == runs)
      calls_[which].fate = gone;
  }

  void expire(std::size_t which, time_ms now) {
    if (now - calls_[which].began < 60'000)
      return;
    if (mode == "closed")
      conclude(which, true, now);
    else
      give_back(which);
  }

  [[nodiscard]] std::size_t counted() const { return std::min<std::size_t>(history_.size(), 10); }
  [[nodiscard]] std::size_t failed() const {
    return static_cast<std::size_t>(
        std::count(history_.end() - static_cast<std::ptrdiff_t>(counted()), history_.end(), true));
  }
  /// Of HALF_OPEN: those that were good, and those that may yet be.
  [[nodiscard]] std::size_t taken(time_ms now) const {
    return static_cast<std::size_t>(std::ranges::count_if(calls_, [&](const call& one) {
      return one.after_turns == turns_ &&
             (one.fate == good || (one.fate == runs && now - one.began < 60'000));
    }));
  }
  [[nodiscard]] std::size_t turns() const { return turns_; }

private:
  enum how { runs, good, bad, gone };
  struct call {
    time_ms began = 0;
    std::size_t after_turns = 0;
    how fate = runs;
  };

  void conclude(std::size_t which, bool failed, time_ms now) {
    auto& one = calls_[which];
    if (one.after_turns != turns_ || one.fate != runs || mode == "open")
      return;
    one.fate = failed ? bad : good;
    if (mode == "closed") {
      history_.push_back(failed);
      if (history_.size() >= 10 && this->failed() >= 5)
        turn("open", now + 20'000);
    } else if (failed) {
      turn("open", now + 20'000);
    } else if (std::ranges::count_if(calls_, [&](const call& each) {
                 return each.after_turns == turns_ && each.fate == good;
               }) == 3) {
      turn("closed", 0);
    }
  }

  void turn(const char* to, time_ms over) {
    mode = to;
    until = over;
    ++turns_;
    history_.clear();
  }

  std::vector<call> calls_;
  std::vector<bool> history_; ///< since it closed
  std::size_t turns_ = 0;
};

struct two_breakers {
  breaker_world real;
  naive_breaker naive;
  std::vector<permit> permits;      ///< by the call's number
  std::vector<std::size_t> running; ///< calls that have not ended
  std::vector<std::size_t> silent;  ///< calls whose lease is over: they may yet report
  bool troubled = false;            ///< the gateway fails more often than not

  void step(std::mt19937_64& dice) {
    const auto kind = dice() % 100;
    if (kind < 2)
      troubled = !troubled;
    if (kind < 40 && running.size() < 24)
      ask();
    else if (kind < 80 && !running.empty())
      report(take_one(running, dice), dice() % 10 < (troubled ? 7 : 2));
    else if (kind < 82 && !silent.empty())
      report(take_one(silent, dice), dice() % 2 == 0);
    else if (kind < 84 && !running.empty())
      give_back(take_one(running, dice));
    else if (kind < 90 && !running.empty())
      expire(running[dice() % running.size()]);
    else
      pass(dice);
  }

  static std::size_t take_one(std::vector<std::size_t>& from, std::mt19937_64& dice) {
    const auto at = from.begin() + static_cast<std::ptrdiff_t>(dice() % from.size());
    const auto which = *at;
    from.erase(at);
    return which;
  }
  void ask() {
    const bool may = real.ask() != "refused";
    BOOST_REQUIRE(naive.ask(real.now) == may);
    if (!may)
      return;
    running.push_back(permits.size());
    permits.push_back(real.last);
  }
  void report(std::size_t which, bool failed) {
    real.report(permits[which], failed);
    naive.report(which, failed, real.now);
  }
  void give_back(std::size_t which) {
    real.give_back(permits[which]);
    naive.give_back(which);
  }
  void expire(std::size_t which) {
    real.expire(permits[which]);
    naive.expire(which, real.now);
    if (real.now < permits[which].until)
      return;
    std::erase(running, which);
    silent.push_back(which);
  }
  void pass(std::mt19937_64& dice) {
    constexpr duration_ms lengths[] = {1, 700, 700, 3'000, 3'000, 20'000, 60'000};
    real.now += lengths[dice() % std::size(lengths)];
  }

  void compare() const {
    BOOST_REQUIRE(to_string(real.it.recorded.is) == naive.mode);
    BOOST_REQUIRE(real.it.recorded.until == naive.until);
    BOOST_REQUIRE(real.it.window.calls() == naive.counted());
    BOOST_REQUIRE(real.it.window.failures() == naive.failed());
    if (naive.mode == "half_open")
      BOOST_REQUIRE(trials_left(real.it.trials, real.it.good_trials, real.now) ==
                    3 - naive.taken(real.now));
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_random_walk_finds_no_difference_to_a_breaker_written_otherwise) {
  std::size_t turns = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      std::mt19937_64 dice{seed};
      two_breakers both;
      for (int i = 0; i < 2'000; ++i) {
        both.step(dice);
        both.compare();
      }
      turns += both.naive.turns();
    }
  }
  BOOST_TEST(turns > 1'000U); // it went round and round
}
