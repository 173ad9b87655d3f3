// Nobody is answered before what the answer tells of is durable, and what was answered survives a
// power cut at every point. The gate: the journal is frozen (what is decided stays undurable), or
// the power goes just before or just after a sync.
#include "tests/actors/log_check.hpp"
#include "tests/actors/world.hpp"

#include <boost/test/unit_test.hpp>

namespace {

using namespace usher::testing;
using usher::orders::order_status;
using usher::seating::shown;
using usher::seating::unavailable_reason;
using usher::waiting_room::ticket_status;

struct on_sale : world {
  on_sale() {
    put_show({{"A", 4}, {"B", 4}});
    open_room();
    settle();
  }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(durability, on_sale)

BOOST_AUTO_TEST_CASE(no_call_of_any_kind_is_answered_and_no_board_shows_it_before_it_is_durable) {
  const auto fans = admitted(2);
  const auto held = hold(fans[0], {"A-1", "B-1"});
  settle();
  const auto ordered = order(fans[0], held.id);
  settle();

  freeze_journal();
  const auto joined = ask_join(3);
  const auto new_hold = hold(fans[1], {"A-2"});
  const auto paid = confirm(ordered.id);
  const auto changed = put(described("other", {{"X", 1}}));
  settle();
  BOOST_TEST(!joined.came());
  BOOST_TEST(!new_hold.answer.came());
  BOOST_TEST(!paid.came());
  BOOST_TEST(!changed.came());
  BOOST_CHECK(seat("A-1") == shown::held && seat("A-2") == shown::available);
  BOOST_TEST(show().board->room().joined == 2u);
  BOOST_CHECK(node().shows().find("other") == nullptr);

  thaw();
  settle();
  BOOST_TEST(joined.get().size() == 3u);
  BOOST_CHECK(as_hold(new_hold.answer.get()) != nullptr);
  BOOST_CHECK(has_status(paid.get(), order_status::paid));
  BOOST_CHECK(std::holds_alternative<usher::shows::put_done>(changed.get()));
  BOOST_CHECK(seat("A-1") == shown::sold && seat("A-2") == shown::held);
}

BOOST_AUTO_TEST_CASE(an_answer_that_only_saw_something_undurable_waits_for_it) {
  const auto fans = admitted(2);
  const auto key = fresh_key();
  freeze_journal();
  const auto first = hold(fans[0], {"A-1"}, {key});
  settle();
  const auto refused = hold(fans[1], {"A-1"});
  const auto repeated = hold(fans[0], {"A-1"}, {key});
  const auto read = lookup(first.id);
  const auto too_many = hold(fans[0], {"A-2", "A-3", "A-4", "B-1"});
  settle();
  for (const auto& one : {refused.answer, repeated.answer, read, too_many.answer})
    BOOST_TEST(!one.came());
  thaw();
  settle();
  BOOST_CHECK(is_refused_with(refused.answer.get(), {{"A-1", unavailable_reason::held}}));
  BOOST_TEST(repeated.answer.get().repeated);
  BOOST_CHECK(as_hold(read.get()) != nullptr);
  BOOST_CHECK(is_rejected_with(too_many.answer.get(), usher::orders::rejection::too_many_seats));
}

BOOST_AUTO_TEST_CASE(
    the_gateway_is_not_called_before_the_attempt_is_durable_and_a_restart_resumes_it) {
  const auto fan = admitted(1)[0];
  const auto held = hold(fan, {"A-1"});
  settle();
  const auto ordered = order(fan, held.id);
  settle();
  const auto appends = sluice().appends();
  freeze_journal();
  const auto lost = pay(ordered.id);
  settle();
  BOOST_TEST(sluice().appends() == appends);
  crash_and_restart(); // the attempt was never durable: as if it had not been asked
  BOOST_TEST(!lost.answer.came());
  auto now = lookup(ordered.id);
  settle();
  BOOST_CHECK(has_status(now.get(), order_status::pending));

  sluice().cut_after_next_sync(); // the attempt is durable, and the power goes
  const auto open = pay(ordered.id);
  settle();
  crash_and_restart(); // asks the gateway again
  BOOST_TEST(!open.answer.came());
  now = lookup(ordered.id);
  settle();
  BOOST_REQUIRE(has_status(now.get(), order_status::paid));
  BOOST_TEST(as_order(now.get())->order.payments.size() == 1u);
  BOOST_CHECK(seat("A-1") == shown::sold);
}

BOOST_AUTO_TEST_CASE(a_crash_between_apply_and_sync_leaves_the_seats_free) {
  const auto places = join(2);
  pass(1000);
  freeze_journal();
  const auto lost = hold(places[0].slot, {"A-1", "B-1"});
  settle();
  crash_and_restart();
  BOOST_TEST(!lost.answer.came());
  BOOST_CHECK(seat("A-1") == shown::available && seat("B-1") == shown::available);
  BOOST_CHECK(look(places[0]).status == ticket_status::admitted);
  const auto other = hold(places[1].slot, {"A-1", "B-1"});
  const auto gone = lookup(lost.id);
  settle();
  BOOST_CHECK(as_hold(other.answer.get()) != nullptr);
  BOOST_CHECK(is_rejected_with(gone.get(), usher::orders::rejection::unknown_hold));
}

BOOST_AUTO_TEST_CASE(a_crash_between_sync_and_reply_is_found_by_asking_again_with_the_same_key) {
  const auto fan = admitted(1)[0];
  const auto key = fresh_key();
  sluice().cut_after_next_sync();
  const auto lost = hold(fan, {"A-1", "B-1"}, {key});
  settle();
  BOOST_TEST(failures().size() == 1u);
  crash_and_restart();
  BOOST_TEST(!lost.answer.came());
  BOOST_CHECK(seat("A-1") == shown::held && seat("B-1") == shown::held);
  const auto again = hold(fan, {"A-1", "B-1"}, {key});
  settle();
  BOOST_REQUIRE(as_hold(again.answer.get()) != nullptr);
  BOOST_TEST(again.answer.get().repeated);
  BOOST_CHECK(as_hold(again.answer.get())->id == lost.id);
}

// One sale from the first join on; the power goes at its nth sync, before or after, for every n.
BOOST_AUTO_TEST_CASE(a_sale_that_is_asked_again_after_a_crash_at_any_sync_ends_as_one_sale) {
  bool finished_once = false;
  for (const bool after : {false, true})
    for (std::uint64_t nth = 1; nth <= 12; ++nth) {
      world sale{seed_of_run() + nth};
      sale.put_show({{"A", 2}, {"B", 2}});
      const auto hold_key = sale.fresh_key();
      const auto order_key = sale.fresh_key();
      const auto pay_key = sale.fresh_key();
      std::uint64_t syncs = 0;
      const auto armed = [&] {
        sale.sluice().during([&] {
          if (++syncs == nth)
            after ? sale.sluice().cut_after_next_sync() : sale.sluice().cut();
        });
      };
      armed();
      // Asks until answered, as a client does; the power comes back in between.
      const auto insist = [&](auto ask) {
        for (;;) {
          const auto asked = ask();
          sale.settle();
          if (asked.answer.came())
            return asked.answer.get();
          BOOST_REQUIRE(sale.sluice().is_cut());
          sale.crash_and_restart();
          armed();
        }
      };
      const auto held = insist([&] { return sale.hold(std::nullopt, {"A-1", "B-1"}, {hold_key}); });
      BOOST_REQUIRE(as_hold(held) != nullptr);
      const auto its = as_hold(held)->id;
      const auto ordered = insist([&] { return sale.order(std::nullopt, its, order_key); });
      BOOST_REQUIRE(as_order(ordered) != nullptr);
      const auto order_made = as_order(ordered)->id;
      insist([&] { return sale.pay(order_made, pay_key); });
      sale.crash_and_restart();
      const auto now = sale.lookup(order_made);
      sale.settle();
      BOOST_CHECK(has_status(now.get(), order_status::paid));
      BOOST_CHECK(sale.seat("A-1") == shown::sold && sale.seat("B-1") == shown::sold);
      BOOST_TEST(faults_in(sale.log()) == std::vector<std::string>{},
                 boost::test_tools::per_element());
      finished_once |= syncs < nth; // the last n lie beyond the end: the whole of it was covered
    }
  BOOST_TEST(finished_once);
}

BOOST_AUTO_TEST_CASE(after_a_failed_append_nobody_is_answered_and_the_failure_is_reported_once) {
  const auto fans = admitted(2);
  log().fail_append(1);
  const auto one = hold(fans[0], {"A-1"});
  const auto two = hold(fans[1], {"A-1"});
  settle();
  const auto three = lookup(one.id);
  const auto four = ask_join(1);
  pass(3000);
  BOOST_TEST(!one.answer.came());
  BOOST_TEST(!two.answer.came());
  BOOST_TEST(!three.came());
  BOOST_TEST(!four.came());
  BOOST_TEST(failures().size() == 1u);
  crash_and_restart();
  BOOST_CHECK(seat("A-1") == shown::available);
}

BOOST_AUTO_TEST_SUITE_END()
