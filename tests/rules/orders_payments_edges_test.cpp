// Every command in every situation that an order can be in. The tables say what comes of each; the
// last test that the changes of state among them are exactly those of the machine. That the tables
// bite was tried: a cancelled order whose own late money sells, a declined attempt that goes on to
// another gateway, and a second payment that is kept, each fail here.
#include "tests/rules/orders_payments_support.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace usher::test;
namespace test = usher::test;
using enum payment_outcome;
using outcome = usher::payments::outcome;
using names = std::vector<std::string>;
using question = std::function<orders::decision(const desk&)>;

const names open{"pending", "paying"};
const names paid{"paid", "paid, attempt open"};
const names expired{"expired", "expired, attempt open", "expired, attempt voided"};
const names cancelled{"cancelled", "cancelled, attempt open", "cancelled, attempt voided"};
const names due{"due", "due, attempt open"};
const names refunding{"refunding", "refunding a"};
const names partly{"partly refunded"};
const names refunded{"refunded", "refunded, was due"};
const names without_money = [] {
  auto all = open;
  all.insert(all.end(), expired.begin(), expired.end());
  all.insert(all.end(), cancelled.begin(), cancelled.end());
  return all;
}();

/// Of situations, what is expected in them.
struct row {
  names in;
  std::string expected;
};

struct table {
  std::string what;
  question ask;
  std::vector<row> rows; ///< later ones overrule earlier ones
};

std::string expected_in(const table& of, const std::string& situation) {
  std::string found = "(the table says nothing)";
  for (const auto& [in, expected] : of.rows)
    if (std::ranges::find(in, situation) != in.end())
      found = expected;
  return found;
}

/// For commands that bear lost seats.
template <class Command>
question asks(Command what, bool seats_lost) {
  return [=](const desk& here) { return orders::decide(here.state, what, seats_lost); };
}
template <class Command>
question asks(Command what) {
  return [=](const desk& here) { return here.decide(what); };
}

std::vector<table> of_attempts() {
  const names no_attempt{"pending", "expired", "cancelled", "due", "refunded, was due"};
  const names settled{"paid", "refunding", "refunding a", "partly refunded", "refunded"};
  const names settled_without{"expired, attempt voided", "cancelled, attempt voided"};
  const std::vector<row> starts{{{"pending"}, "PAYING"},
                                {{"paying"}, "payment-running"},
                                {paid, "same"},
                                {refunding, "same"},
                                {partly, "same"},
                                {expired, "order-over"},
                                {cancelled, "order-over"},
                                {due, "order-over"},
                                {refunded, "order-over"}};
  auto nowhere = starts;
  nowhere.push_back({{"pending"}, "no-gateway"});
  std::vector<table> all{
      {"pay", asks(pay(2)), starts},
      {"pay, no gateway can be asked",
       [](const desk& here) {
         auto what = pay(2);
         what.gateway.clear();
         return here.decide(what);
       },
       nowhere},
  };
  // What an attempt's money does: it sells unless somebody cancelled; with seats lost it never
  // does.
  const std::vector<row> approval{{no_attempt, "unknown-order"},
                                  {settled, "same"},
                                  {{"paying"}, "PAID"},
                                  {{"paid, attempt open"}, "PAID, 2500 go back"},
                                  {expired, "PAID"},
                                  {{"expired"}, "unknown-order"},
                                  {cancelled, "REFUND_DUE, 2500 go back"},
                                  {{"cancelled"}, "unknown-order"},
                                  {{"due, attempt open"}, "REFUND_DUE, 2500 go back"}};
  all.push_back({"approved", asks(settle(1, approved), false), approval});
  auto lost = approval;
  lost.push_back(
      {{"paying", "expired, attempt open", "expired, attempt voided"}, "REFUND_DUE, 2500 go back"});
  all.push_back({"approved, seats lost", asks(settle(1, approved), true), lost});
  // And an attempt that took none: a late failure undoes nothing.
  const std::vector<row> refusal{{no_attempt, "unknown-order"},
                                 {settled, "same"},
                                 {settled_without, "same"},
                                 {{"paying"}, "PENDING"},
                                 {{"paid, attempt open"}, "PAID"},
                                 {{"expired, attempt open"}, "EXPIRED"},
                                 {{"cancelled, attempt open"}, "CANCELLED"},
                                 {{"due, attempt open"}, "REFUND_DUE"}};
  auto goes_on = refusal;
  goes_on.push_back({{"paying"}, "PAYING"});
  for (const auto how : {declined, failed, not_sent, voided}) {
    const std::string name{orders::to_string(how)};
    all.push_back({name, asks(settle(1, how, "", now), false), refusal});
    const bool elsewhere = how == failed || how == not_sent;
    all.push_back({name + ", another gateway is there",
                   asks(and_then(settle(1, how, "", now), 2), false),
                   elsewhere ? goes_on : refusal});
    all.push_back({name + ", when it is to be given up",
                   asks(and_then(settle(1, how, "", paying_until), 2), false), [&] {
                     auto over = refusal;
                     over.push_back({{"paying"}, "EXPIRED"});
                     return over;
                   }()});
  }
  return all;
}

std::vector<table> of_reports() {
  const auto wrong = [](std::int64_t minor) {
    auto what = report("more", 51);
    what.amount = usher::money{minor, "EUR"};
    return what;
  };
  const auto back = [](const std::string& minor) {
    return std::vector<row>{{without_money, "REFUND_DUE, " + minor + " go back"},
                            {paid, "PAID, " + minor + " go back"},
                            {refunding, "PAID, " + minor + " go back"},
                            {due, "REFUND_DUE, " + minor + " go back"},
                            {partly, "PARTLY_REFUNDED, " + minor + " go back"},
                            {refunded, "REFUNDED, " + minor + " go back"}};
  };
  auto sells = back("2500");
  sells.push_back({without_money, "PAID"});
  auto known = sells; // the report that made the situation
  known.push_back(
      {{"paid, attempt open", "due", "due, attempt open", "refunded, was due"}, "same"});
  auto mine = sells; // the attempt's own money, told by a service
  mine.push_back({{"paid", "refunding", "refunding a", "partly refunded", "refunded"}, "same"});
  auto nameless = sells; // says only that it is paid
  for (const auto& in : {paid, refunding, due, partly, refunded})
    nameless.push_back({in, "same"});
  command::keep_report webhook;
  webhook.order = order(1);
  webhook.gateway = "STRIPE";
  webhook.reference = "more";
  webhook.amount = {total_minor, "EUR"};
  webhook.now = now;
  webhook.refund = refund(51);
  return {{"confirm", asks(report("more", 51), false), sells},
          {"confirm, seats lost", asks(report("more", 51), true), back("2500")},
          {"confirm again", asks(report("outside", 51), false), known},
          {"confirm the attempt's", asks(report("mine", 51, "SANDBOX"), false), mine},
          {"confirm without a reference", asks(report("", 51), false), nameless},
          {"confirm too little", asks(wrong(2499), false), back("2499")},
          {"confirm too much", asks(wrong(2501), false), back("2501")},
          {"webhook", asks(webhook, false), sells},
          {"webhook, seats lost", asks(webhook, true), back("2500")}};
}

std::vector<table> of_the_rest() {
  const std::vector<row> not_paid{
      {without_money, "order-not-paid"}, {due, "refund-running"}, {refunded, "already-refunded"}};
  const auto refunds = [&](std::vector<row> others) {
    auto all = not_paid;
    all.insert(all.end(), others.begin(), others.end());
    return all;
  };
  auto outside = give_back(70);
  outside.done_outside = "cash";
  auto under_way = outside;
  under_way.settles = refund(61);
  const std::vector<row> void_unless{{without_money, "ticket-void"}, {due, "ticket-void"},
                                     {refunding, "ticket-void"},     {partly, "ticket-void"},
                                     {refunded, "ticket-void"},      {paid, "PAID"}};
  auto b_only = void_unless;
  b_only.push_back({{"refunding a"}, "PAID"});
  b_only.push_back({partly, "PARTLY_REFUNDED"});
  return {
      {"cancel",
       asks(cancel_it),
       {{open, "CANCELLED"},
        {paid, "order-paid"},
        {expired, "order-over"},
        {cancelled, "same"},
        {due, "order-paid"},
        {refunding, "order-paid"},
        {partly, "order-paid"},
        {refunded, "order-paid"}}},
      {"refund", asks(give_back(70)),
       refunds({{paid, "PAID, 2500 go back"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "PAID, 1500 go back"},
                {partly, "PARTLY_REFUNDED, 1500 go back"}})},
      {"refund of a", asks(give_back(70, {"a"})),
       refunds({{paid, "PAID, 1000 go back"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "seat-not-sold"},
                {partly, "seat-not-sold"}})},
      {"refund of a without the fee", asks(give_back(70, {"a"}, 900)),
       refunds({{paid, "PAID, 900 go back"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "seat-not-sold"},
                {partly, "seat-not-sold"}})},
      {"refund of what it never had", asks(give_back(70, {"x"})),
       refunds({{paid, "seat-not-sold"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "seat-not-sold"},
                {partly, "seat-not-sold"}})},
      {"refund of an amount", asks(give_back(70, {}, 700)),
       refunds({{paid, "PAID, 700 go back"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "PAID, 700 go back"},
                {partly, "PARTLY_REFUNDED, 700 go back"}})},
      {"refund of more than there is", asks(give_back(70, {}, 2501)),
       refunds({{paid, "refund-too-large"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "refund-too-large"},
                {partly, "refund-too-large"}})},
      {"refund done outside", asks(outside),
       refunds({{due, "REFUNDED"}, // what is on its way is done by that
                {paid, "REFUNDED, 2500 go back"},
                {{"refunding"}, "refund-running"},
                {{"refunding a"}, "PARTLY_REFUNDED, 1500 go back"},
                {partly, "REFUNDED, 1500 go back"}})},
      {"refund done outside, of one under way",
       asks(under_way),
       {{without_money, "unknown-refund"},
        {paid, "unknown-refund"},
        {due, "unknown-refund"},
        {{"refunding"}, "unknown-refund"},
        {{"refunding a"}, "PARTLY_REFUNDED"},
        {partly, "unknown-refund"},
        {refunded, "unknown-refund"}}},
      {"begin a refund that is due",
       asks(command::begin_due_refund{order(1), refund(70), now}),
       {{without_money, "same"},
        {paid, "same"},
        {due, "same"},
        {refunding, "same"},
        {partly, "same"},
        {refunded, "same"}}},
      {"ticket of a", asks(command::use_ticket{order(1), "a", "north", true, now}), void_unless},
      {"ticket of b", asks(command::use_ticket{order(1), "b", "north", true, now}), b_only},
  };
}

std::vector<table> all_tables() {
  auto all = of_attempts();
  for (const auto& more : {of_reports(), of_the_rest()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

void ask_everywhere(const std::vector<table>& tables) {
  const auto situations = every_situation();
  for (const auto& each : tables)
    for (const auto& [name, here] : situations)
      BOOST_TEST_CONTEXT(each.what << " of an order that is " << name)
  BOOST_TEST(short_of(here, each.ask(here)) == expected_in(each, name));
}

} // namespace

BOOST_AUTO_TEST_CASE(every_situation_answers_what_is_told_of_an_attempt) {
  ask_everywhere(of_attempts());
}

BOOST_AUTO_TEST_CASE(every_situation_answers_what_is_told_of_money_from_outside) {
  ask_everywhere(of_reports());
}

BOOST_AUTO_TEST_CASE(every_situation_answers_cancelling_refunds_and_tickets) {
  ask_everywhere(of_the_rest());
}

BOOST_AUTO_TEST_CASE(every_outcome_of_a_refund_in_every_situation_that_has_one_open) {
  struct given {
    std::string in;
    std::uint8_t refund;
    std::string done;     ///< the state after it is done
    std::string declined; ///< and after the gateway refused it
  };
  // What somebody asked for may be refused for good; what is owed stays owed until it is done.
  const std::vector<given> open{{"due", 50, "REFUNDED", "open"},
                                {"due, attempt open", 50, "REFUNDED", "open"},
                                {"refunding", 60, "REFUNDED", "PAID"},
                                {"refunding a", 61, "PARTLY_REFUNDED", "PAID"}};
  for (const auto& [name, id, done, no] : open)
    BOOST_TEST_CONTEXT(name) {
      const auto before = in(name);
      auto after = before;
      after.does(gone_back(id, outcome::approved), false);
      BOOST_TEST(orders::to_string(status_of(after)) == done);
      BOOST_CHECK(the_order(after).refunds[0].outcome == orders::refund_outcome::done);
      for (const auto late : {outcome::approved, outcome::declined, outcome::unknown})
        BOOST_TEST(short_of(after, orders::decide(after.state, gone_back(id, late), false)) ==
                   "same");

      auto refused = before;
      refused.does(gone_back(id, outcome::declined, "", "too old"), false);
      if (no == "open") {
        BOOST_CHECK(!the_order(refused).refunds[0].outcome);
        BOOST_CHECK(status_of(refused) == status_of(before));
      } else {
        BOOST_TEST(orders::to_string(status_of(refused)) == no);
        BOOST_CHECK(the_order(refused).refunds[0].outcome == orders::refund_outcome::refused);
        BOOST_TEST(the_order(refused).refunds[0].reason == "too old");
      }
      for (const auto in_vain : {outcome::unknown, outcome::failed, outcome::not_sent}) {
        auto again = before;
        again.does(gone_back(id, in_vain, "", "timeout"), false);
        BOOST_CHECK(status_of(again) == status_of(before));
        BOOST_CHECK(!the_order(again).refunds[0].outcome);
        BOOST_TEST(the_order(again).refunds[0].tries == 1U);
        BOOST_TEST(again.state.unsettled.contains(order(1)));
      }
    }
  for (const auto& [name, here] : every_situation())
    BOOST_TEST(is_no(orders::decide(here.state, gone_back(99, outcome::approved), false),
                     why::unknown_order));
}

BOOST_AUTO_TEST_CASE(the_changes_of_state_are_those_of_the_machine_and_no_others) {
  using enum order_status;
  using edge = std::pair<order_status, order_status>;
  const std::set<edge> machine{{pending, paying},
                               {pending, order_status::paid},
                               {pending, order_status::expired},
                               {pending, order_status::cancelled},
                               {pending, refund_due},
                               {paying, pending},
                               {paying, order_status::paid},
                               {paying, order_status::expired},
                               {paying, order_status::cancelled},
                               {paying, refund_due},
                               {order_status::expired, order_status::paid},
                               {order_status::expired, refund_due},
                               {order_status::cancelled, order_status::paid},
                               {order_status::cancelled, refund_due},
                               {refund_due, order_status::refunded},
                               {order_status::paid, partly_refunded},
                               {order_status::paid, order_status::refunded},
                               {partly_refunded, order_status::refunded}};
  std::set<edge> seen;
  const auto look = [&](const desk& before, const desk& after) {
    if (status_of(before) != status_of(after))
      seen.emplace(status_of(before), status_of(after));
  };
  for (const auto& [name, here] : every_situation()) {
    for (const auto& each : all_tables())
      if (const auto answer = each.ask(here); proposed(answer)) {
        auto after = here;
        for (const auto& happened : proposed(answer)->events)
          after.after(happened);
        look(here, after);
      }
    for (const auto& refund : the_order(here).refunds)
      for (const auto how : {outcome::approved, outcome::declined, outcome::unknown,
                             outcome::failed, outcome::not_sent})
        if (const auto answer =
                orders::decide(here.state, gone_back(refund.id.bytes[0], how), false);
            proposed(answer)) {
          auto after = here;
          for (const auto& happened : proposed(answer)->events)
            after.after(happened);
          look(here, after);
        }
    for (const auto when : {now, order_until, paying_until}) {
      auto after = here;
      sweep(after, when);
      look(here, after);
    }
  }
  for (const auto& [from, to] : seen)
    BOOST_TEST(machine.contains(edge{from, to}), orders::to_string(from)
                                                     << " -> " << orders::to_string(to));
  for (const auto& [from, to] : machine)
    BOOST_TEST(seen.contains(edge{from, to}),
               "missing: " << orders::to_string(from) << " -> " << orders::to_string(to));
}

BOOST_AUTO_TEST_CASE(only_pending_and_paying_orders_end_by_time) {
  const std::map<std::string, std::vector<std::pair<time_ms, std::string>>> ends{
      {"pending", {{order_until - 1, "PENDING"}, {order_until, "EXPIRED"}}},
      {"paying",
       {{order_until, "PAYING"}, {paying_until - 1, "PAYING"}, {paying_until, "EXPIRED"}}}};
  for (const auto& [name, here] : every_situation())
    BOOST_TEST_CONTEXT(name) {
      if (const auto found = ends.find(name); found != ends.end()) {
        for (const auto& [when, expected] : found->second) {
          auto after = here;
          sweep(after, when);
          BOOST_TEST(orders::to_string(status_of(after)) == expected);
          BOOST_CHECK((the_hold(after).status == orders::hold_status::ended) ==
                      (expected == "EXPIRED"));
        }
        continue;
      }
      BOOST_TEST(orders::expire(here.state, 1'000'000, 100).empty());
      BOOST_TEST(here.state.order_deadlines.empty());
    }
}
