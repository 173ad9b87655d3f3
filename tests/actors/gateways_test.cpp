// The actor of a gateway with a provider that answers when the test says so: what is let through,
// what becomes of the answers, and what stands in the log. Seen to fail: without the limit of
// trials in decide(ask) (fifty calls in HALF_OPEN), with leases that nobody ends (whoever asked is
// never told), and with answers that wait for the journal.
#include "actors/payments/actor.hpp"
#include "actors/runtime/recovered.hpp"
#include "storage/audit/auditor.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>
#include <caf/send.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace usher;
using namespace usher::testing;
using payments::breaker_status;
using payments::call_kind;
using payments::outcome;

class fake_provider final : public payments::provider {
public:
  struct got {
    call_kind kind;
    payments::on_result done;
  };
  std::vector<got> calls;
  std::optional<payments::result> at_once; ///< answered before the call returns

  [[nodiscard]] std::string_view name() const override { return "STRIPE"; }
  void charge(const payments::charge_request&, payments::on_result done) override {
    take(call_kind::charge, std::move(done));
  }
  void void_charge(const payments::charge_request&, payments::on_result done) override {
    take(call_kind::void_charge, std::move(done));
  }
  void refund(const payments::refund_request&, payments::on_result done) override {
    take(call_kind::refund, std::move(done));
  }
  void read_webhook(const payments::webhook&,
                    std::function<void(payments::webhook_reading)> done) override {
    done(payments::not_for_us{});
  }

private:
  void take(call_kind kind, payments::on_result done) {
    calls.push_back({kind, done});
    if (at_once)
      done(*at_once);
  }
};

const payments::result approved{outcome::approved, "pi_1"};
const payments::result failed{outcome::failed, "", "500"};

struct gateway_world : stage {
  explicit gateway_world(std::size_t in_flight_max = payments::in_flight_max_default,
                         std::size_t in_line_max = payments::in_line_max_default)
      : in_flight_max_{in_flight_max}, in_line_max_{in_line_max} {
    start({});
  }

  /// Ends the actor and begins another with what the log tells.
  void restart() {
    caf::anon_send_exit(it, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(journal, caf::exit_reason::user_shutdown);
    settle();
    provider.calls.clear();
    const auto found = runtime::recover(memory, {});
    start(std::get<runtime::recovered>(found).breakers.at("STRIPE"));
  }

  reply<payments::result> call(call_kind kind = call_kind::charge) {
    reply<payments::result> got;
    auto asked = std::make_shared<payments::call>();
    asked->kind = kind;
    asked->done = got.taker();
    caf::anon_send(it, payments::call_ptr{std::move(asked)});
    return got;
  }
  std::vector<reply<payments::result>> calls(std::size_t many, call_kind kind = call_kind::charge) {
    std::vector<reply<payments::result>> all;
    for (std::size_t i = 0; i < many; ++i)
      all.push_back(call(kind));
    settle();
    return all;
  }
  /// So many calls, one after the other, with the same answer.
  void all_answered(std::size_t many, const payments::result& with,
                    call_kind kind = call_kind::charge) {
    provider.at_once = with;
    for (std::size_t i = 0; i < many; ++i) {
      const auto got = call(kind);
      settle();
      BOOST_TEST(got.times() == 1U);
    }
    provider.at_once.reset();
  }
  void answer(std::size_t which, const payments::result& with) {
    provider.calls.at(which).done(with);
    settle();
  }
  void open() { all_answered(10, failed); }
  void open_and_wait() {
    open();
    pass(20'000, 20'000);
    provider.calls.clear();
  }

  [[nodiscard]] payments::gateway_view seen() const { return board->snapshot(); }
  [[nodiscard]] breaker_status is() const { return seen().breaker.is; }

  /// `closed>open open>half_open`, as the log has it; and the audit finds
  /// nothing wrong with it.
  [[nodiscard]] std::string logged() const {
    std::string changes;
    storage::audit::auditor auditor;
    BOOST_REQUIRE(!memory.replay(1, [&](const storage::stored_record& r) {
      auditor.take(r);
      BOOST_TEST(r.subject == "gateway/STRIPE");
      BOOST_TEST(r.cause.who == "usher");
      const auto read = storage::decode_payments(r.type, r.schema, r.data);
      const auto& e =
          std::get<payments::event::breaker_changed>(std::get<payments::any_event>(read));
      changes += (changes.empty() ? "" : " ") + std::string{to_string(e.from)} + ">" +
                 std::string{to_string(e.to)};
      return true;
    }));
    auditor.finish();
    for (const auto& each : auditor.found().listed())
      BOOST_ERROR(each.sentence);
    return changes;
  }

  storage::memory_log memory;
  sluice_log log{memory};
  fake_provider provider;
  usher::journal::actor journal;
  std::shared_ptr<payments::gateway_board> board;
  payments::actor it;

private:
  void start(const payments::breaker_state& recorded) {
    journal = spawn(usher::journal::journal_actor, &log, usher::journal::on_failure{});
    board = std::make_shared<payments::gateway_board>("STRIPE", recorded);
    auto seed = std::make_shared<payments::gateway_seed>();
    seed->provider = &provider;
    seed->recorded = recorded;
    seed->clock = &clock();
    seed->journal = journal;
    seed->board = board;
    seed->subject = "gateway/STRIPE";
    seed->in_flight_max = in_flight_max_;
    seed->in_line_max = in_line_max_;
    it = spawn(payments::gateway_actor, std::move(seed));
    settle();
  }

  std::size_t in_flight_max_;
  std::size_t in_line_max_;
};

bool is_refused(const reply<payments::result>& got, std::string_view why) {
  return got.get().what == outcome::not_sent && got.get().reason == why;
}

std::size_t refused_among(const std::vector<reply<payments::result>>& all,
                          std::string_view why = payments::breaker_open_reason) {
  std::size_t count = 0;
  for (const auto& one : all)
    count += one.came() && is_refused(one, why) ? 1 : 0;
  return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(gateways)

BOOST_AUTO_TEST_CASE(every_kind_of_call_is_made_and_answered_once_also_before_it_returns) {
  gateway_world world;
  for (const auto kind : {call_kind::charge, call_kind::void_charge, call_kind::refund}) {
    const auto late = world.call(kind);
    world.settle();
    BOOST_CHECK(world.provider.calls.back().kind == kind);
    BOOST_TEST(!late.came());
    BOOST_TEST(world.seen().now.in_flight == 1U);
    world.answer(world.provider.calls.size() - 1, approved);
    world.answer(world.provider.calls.size() - 1,
                 failed); // a provider that answers twice
    BOOST_TEST(late.get().reference == "pi_1");

    world.provider.at_once = approved;
    const auto at_once = world.call(kind);
    world.settle();
    BOOST_TEST(at_once.get().reference == "pi_1");
    world.provider.at_once.reset();
  }
  BOOST_TEST(world.seen().now.counts.calls == 6U);
  BOOST_TEST(world.seen().now.counts.approved == 6U);
  BOOST_TEST(world.seen().now.counts.failures == 0U);
  BOOST_TEST(world.seen().now.in_flight == 0U);
  BOOST_TEST(world.logged() == "");
}

BOOST_AUTO_TEST_CASE(half_of_ten_failing_opens_it_and_no_call_is_made_until_it_is_over) {
  gateway_world world;
  world.all_answered(5, approved);
  world.all_answered(5, failed);
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.seen().breaker.until == world.clock().now() + 20'000);
  BOOST_TEST(world.seen().now.last_error == "failed: 500");
  BOOST_TEST(world.seen().now.last_error_at == world.clock().now());
  BOOST_TEST(!world.board->may_call(world.clock().now()));

  world.pass(19'999, 19'999);
  BOOST_TEST(refused_among(world.calls(7)) == 7U);
  BOOST_TEST(world.provider.calls.size() == 10U);
  BOOST_TEST(world.seen().now.counts.refused_by_breaker == 7U);

  world.pass(1, 1);
  BOOST_TEST(world.board->may_call(world.clock().now()));
  BOOST_TEST(!world.calls(1)[0].came());
  BOOST_TEST(world.provider.calls.size() == 11U);
  BOOST_CHECK(world.is() == breaker_status::half_open);
  BOOST_TEST(world.logged() == "closed>open open>half_open");
}

BOOST_AUTO_TEST_CASE(an_answer_does_not_wait_for_the_log_and_the_board_does) {
  gateway_world world;
  world.freeze(caf::actor_cast<caf::abstract_actor*>(world.journal));
  world.open(); // all are answered
  BOOST_CHECK(world.is() == breaker_status::closed);
  BOOST_TEST(world.seen().now.counts.failures == 10U);
  BOOST_TEST(refused_among(world.calls(1)) == 1U);
  world.thaw();
  world.settle();
  BOOST_CHECK(world.is() == breaker_status::open);
}

BOOST_AUTO_TEST_CASE(of_fifty_that_ask_at_once_three_are_let_through_and_three_good_ones_close_it) {
  for (std::uint64_t round = 0; round < 20; ++round) {
    gateway_world world;
    world.open_and_wait();
    const auto all = world.calls(50);
    BOOST_TEST(world.provider.calls.size() == 3U);
    BOOST_TEST(refused_among(all) == 47U);
    BOOST_TEST(!world.board->may_call(world.clock().now()));
    world.answer(0, approved);
    world.answer(1, {outcome::declined, "", "no funds"});
    BOOST_TEST(refused_among(world.calls(1)) == 1U); // a good one gives no permit back
    world.answer(2, approved);
    BOOST_CHECK(world.is() == breaker_status::closed);
    world.calls(50);
    BOOST_TEST(world.provider.calls.size() == 53U);
    BOOST_TEST(world.logged() == "closed>open open>half_open half_open>closed");
  }
}

BOOST_AUTO_TEST_CASE(one_bad_trial_opens_it_again_and_the_others_come_too_late_to_count) {
  gateway_world world;
  world.open_and_wait();
  const auto trials = world.calls(3);
  world.answer(1, failed);
  const auto until = world.seen().breaker.until;
  BOOST_TEST(until == world.clock().now() + 20'000);
  world.pass(5'000, 5'000);
  world.answer(0, failed);
  world.answer(2, approved);
  BOOST_TEST(trials[0].get().reason == "500"); // whoever asked is told all the same
  BOOST_TEST(trials[2].get().reference == "pi_1");
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.seen().breaker.until == until);
  BOOST_TEST(world.logged() == "closed>open open>half_open half_open>open");
}

BOOST_AUTO_TEST_CASE(trials_that_never_report_give_their_permits_back_and_are_unknown_once) {
  gateway_world world;
  world.open_and_wait();
  const auto silent = world.calls(3);
  world.pass(59'999, 59'999);
  BOOST_TEST(refused_among(world.calls(3)) == 3U);
  for (const auto& one : silent)
    BOOST_TEST(!one.came());
  world.pass(1, 1);
  for (const auto& one : silent)
    BOOST_CHECK(one.get().what == outcome::unknown);
  BOOST_TEST(world.seen().now.in_flight == 0U);
  BOOST_TEST(world.board->may_call(world.clock().now()));

  const auto next = world.calls(5);
  BOOST_TEST(refused_among(next) == 2U);
  world.answer(0, failed); // far too late
  BOOST_TEST(silent[0].times() == 1U);
  BOOST_CHECK(world.is() == breaker_status::half_open);
  for (std::size_t i = 3; i < 6; ++i)
    world.answer(i, approved);
  BOOST_CHECK(world.is() == breaker_status::closed);
}

BOOST_AUTO_TEST_CASE(leases_end_one_by_one_also_of_calls_that_began_later) {
  gateway_world world;
  const auto first = world.call();
  world.settle();
  world.pass(30'000, 1'000);
  const auto second = world.call();
  world.settle();
  world.pass(30'000, 1'000);
  BOOST_TEST(first.came());
  BOOST_TEST(!second.came());
  world.pass(30'000, 1'000);
  BOOST_TEST(second.came());
  BOOST_TEST(world.seen().now.window_failures == 2U); // a gateway that does not answer has failed
}

BOOST_AUTO_TEST_CASE(a_restart_goes_on_in_the_recorded_state) {
  gateway_world world;
  world.open();
  const auto until = world.seen().breaker.until;
  world.pass(15'000, 15'000);
  world.restart();
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.seen().breaker.until == until);
  BOOST_TEST(refused_among(world.calls(1)) == 1U);
  world.pass(5'000, 5'000);
  world.calls(2); // trials that the restart forgets
  BOOST_TEST(world.provider.calls.size() == 2U);

  world.restart();
  BOOST_CHECK(world.is() == breaker_status::half_open);
  BOOST_TEST(refused_among(world.calls(9)) == 6U);
  for (std::size_t i = 0; i < 3; ++i)
    world.answer(i, approved);
  world.all_answered(9, failed);

  world.restart();
  BOOST_CHECK(world.is() == breaker_status::closed);
  world.all_answered(9, failed); // the window is empty
  BOOST_CHECK(world.is() == breaker_status::closed);
  world.all_answered(1, failed);
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.logged() == "closed>open open>half_open half_open>closed closed>open");
}

BOOST_AUTO_TEST_CASE(too_many_at_once_stand_in_line_and_say_nothing_of_the_gateway) {
  gateway_world world{4, 6};
  const auto all = world.calls(20);
  BOOST_TEST(world.provider.calls.size() == 4U);
  BOOST_TEST(refused_among(all, payments::too_many_calls_reason) == 10U);
  BOOST_TEST(world.seen().now.counts.refused_as_too_many == 10U);
  BOOST_TEST(world.seen().now.in_line == 6U);
  BOOST_TEST(world.seen().now.window_calls == 0U);
  BOOST_TEST(world.seen().now.counts.failures == 0U);

  world.answer(0, approved);
  BOOST_TEST(all[0].came());
  BOOST_TEST(!all[4].came());
  BOOST_TEST(world.provider.calls.size() == 5U);
  BOOST_TEST(world.seen().now.in_line == 5U);
  for (std::size_t i = 1; i < 10; ++i)
    world.answer(i, approved);
  for (std::size_t i = 0; i < 10; ++i)
    BOOST_TEST((all[i].get().what == outcome::approved), i);
  BOOST_TEST(world.seen().now.in_line == 0U);
  BOOST_TEST(world.seen().now.in_flight == 0U);
}

BOOST_AUTO_TEST_CASE(a_call_that_stood_in_line_too_long_is_not_sent) {
  gateway_world world{1};
  const auto all = world.calls(3);
  world.pass(19'999, 19'999);
  world.answer(0, approved);
  BOOST_TEST(world.provider.calls.size() == 2U);
  world.pass(1, 1);
  world.answer(1, approved);
  BOOST_TEST(world.provider.calls.size() == 2U);
  BOOST_TEST(is_refused(all[2], payments::too_many_calls_reason));
}

BOOST_AUTO_TEST_CASE(a_breaker_that_opens_refuses_whoever_stands_in_line) {
  gateway_world world{10};
  const auto all = world.calls(30);
  BOOST_TEST(world.seen().now.in_line == 20U);
  for (std::size_t i = 0; i < 10; ++i)
    world.answer(i, failed);
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.seen().now.in_line == 0U);
  BOOST_TEST(world.provider.calls.size() == 19U); // one more for each answer but the last
  BOOST_TEST(refused_among(all) == 11U);
  BOOST_TEST(refused_among(world.calls(5)) == 5U); // nobody waits while it is open
}

BOOST_AUTO_TEST_CASE(slow_answers_open_it_whatever_they_say) {
  gateway_world world;
  const auto calls = world.calls(10);
  world.pass(8'000, 8'000);
  for (std::size_t i = 0; i < 5; ++i)
    world.answer(i, approved);
  world.pass(1, 1);
  for (std::size_t i = 5; i < 10; ++i)
    world.answer(i, approved);
  BOOST_CHECK(world.is() == breaker_status::open);
  BOOST_TEST(world.seen().now.counts.slow == 5U);
  BOOST_TEST(world.seen().now.counts.approved == 10U);
  BOOST_TEST(world.seen().now.last_error == "slow: approved after 8001 ms");
}

BOOST_AUTO_TEST_CASE(a_void_that_failed_the_payment_went_well_and_a_charge_that_failed_did_not) {
  gateway_world world;
  world.all_answered(20, failed, call_kind::void_charge);
  BOOST_CHECK(world.is() == breaker_status::closed);
  BOOST_TEST(world.seen().now.counts.failures == 0U);
  world.all_answered(5, {outcome::unknown, "", "timeout"}, call_kind::void_charge);
  BOOST_CHECK(world.is() == breaker_status::open);
}

BOOST_AUTO_TEST_SUITE_END()
