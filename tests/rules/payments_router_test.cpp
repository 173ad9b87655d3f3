// Which gateway is asked: what each rule takes, the order, what is passed over, and the shares.
// Seen to fail: with `<` for `<=` at the largest amount, and with weights that are not looked at.
#include "actors/payments/router.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

using namespace usher;
using namespace usher::payments;

namespace {

gateway_rule rule(std::string name, std::uint32_t priority = 100, std::uint32_t weight = 1) {
  gateway_rule made;
  made.gateway = std::move(name);
  made.priority = priority;
  made.weight = weight;
  return made;
}

route_question asked() {
  route_question question;
  question.amount = {1000, "EUR"};
  question.method = "card";
  question.country = "AT";
  return question;
}

/// `A`, `A after B C` (which were passed over), `- after B`: none can be asked, or `-`.
std::string chosen(const std::vector<gateway_rule>& rules, const route_question& question,
                   const std::set<std::string>& open = {}) {
  const auto found =
      choose(rules, question, [&](const std::string& name) { return !open.contains(name); });
  auto text = found.gateway.value_or("-");
  for (const auto& one : found.skipped) {
    BOOST_TEST(one.why == "breaker-open");
    text += (&one == &found.skipped.front() ? " after " : " ") + one.gateway;
  }
  return text;
}

template <class Change>
gateway_rule with(Change change) {
  auto made = rule("A");
  change(made);
  return made;
}
template <class Change>
route_question asking(Change change) {
  auto question = asked();
  change(question);
  return question;
}

struct fit_case {
  const char* name;
  gateway_rule what;
  route_question question;
  bool fits;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_rule_takes_what_it_says_and_an_empty_list_takes_all) {
  const auto no_country = asking([](auto& q) { q.country.clear(); });
  const std::vector<fit_case> table{
      {"everything", rule("A"), asked(), true},
      {"currency", with([](auto& r) {
         r.currencies = {"BRL", "EUR"};
       }),
       asked(), true},
      {"other currency", with([](auto& r) { r.currencies = {"BRL"}; }), asked(), false},
      {"method", with([](auto& r) {
         r.methods = {"pix", "card"};
       }),
       asked(), true},
      {"other method", with([](auto& r) { r.methods = {"pix"}; }), asked(), false},
      {"country", with([](auto& r) {
         r.countries = {"DE", "AT"};
       }),
       asked(), true},
      {"other country", with([](auto& r) { r.countries = {"DE"}; }), asked(), false},
      {"no country", with([](auto& r) { r.countries = {"DE"}; }), no_country, true},
      {"smallest", with([](auto& r) { r.amount_min_minor = 1000; }), asked(), true},
      {"too small", with([](auto& r) { r.amount_min_minor = 1001; }), asked(), false},
      {"largest", with([](auto& r) { r.amount_max_minor = 1000; }), asked(), true},
      {"too large", with([](auto& r) { r.amount_max_minor = 999; }), asked(), false},
      {"chosen", rule("A"), asking([](auto& q) { q.only = "A"; }), true},
      {"another chosen", rule("A"), asking([](auto& q) { q.only = "B"; }), false},
      {"chosen, and does not take it", with([](auto& r) { r.methods = {"pix"}; }),
       asking([](auto& q) { q.only = "A"; }), false},
      {"tried", rule("A"), asking([](auto& q) {
         q.tried = {"B", "A"};
       }),
       false},
      {"another tried", rule("A"), asking([](auto& q) { q.tried = {"B"}; }), true},
  };
  for (const auto& one : table)
    BOOST_TEST(chosen({one.what}, one.question) == (one.fits ? "A" : "-"), one.name);
}

BOOST_AUTO_TEST_CASE(the_smallest_priority_goes_first_and_who_cannot_be_asked_is_named) {
  const std::vector<gateway_rule> rules{rule("C", 30), rule("A", 10), rule("B", 20)};
  BOOST_TEST(chosen(rules, asked()) == "A");
  BOOST_TEST(chosen(rules, asked(), {"A"}) == "B after A");
  BOOST_TEST(chosen(rules, asked(), {"B"}) == "A");
  BOOST_TEST(chosen(rules, asked(), {"A", "B"}) == "C after A B");
  BOOST_TEST(chosen(rules, asked(), {"A", "B", "C"}) == "- after A B C");
  BOOST_TEST(chosen(rules, asking([](auto& q) { q.tried = {"A"}; }), {"A"}) == "B");
  BOOST_TEST(chosen(rules, asking([](auto& q) { q.tried = {"A", "B", "C"}; })) == "-");
  BOOST_TEST(chosen(rules, asking([](auto& q) { q.only = "C"; }), {"C"}) == "- after C");
  BOOST_TEST(chosen({}, asked()) == "-");
}

BOOST_AUTO_TEST_CASE(several_rules_of_one_gateway_are_one_gateway) {
  auto large = rule("A", 10);
  large.amount_min_minor = 5000;
  const std::vector<gateway_rule> rules{large, rule("A", 30), rule("B", 20)};
  BOOST_TEST(chosen(rules, asked()) == "B");
  BOOST_TEST(chosen(rules, asking([](auto& q) { q.amount.amount_minor = 5000; })) == "A");
  BOOST_TEST(chosen({rule("A", 10), rule("A", 20)}, asked(), {"A"}) == "- after A"); // once
}

namespace {

std::map<std::string, int> shares(const std::vector<gateway_rule>& rules,
                                  const std::set<std::string>& open = {}) {
  std::map<std::string, int> times;
  for (std::uint64_t draw = 0; draw < 10'000; ++draw) {
    auto question = asked();
    question.draw = draw;
    const auto first = chosen(rules, question, open);
    BOOST_REQUIRE(first == chosen(rules, question, open)); // the same draw, the same choice
    ++times[first.substr(0, 1)];
  }
  return times;
}

/// Within three standard deviations and a bit of what the weight says (at most 150 of 10,000).
bool about(int times, int wanted) {
  return std::abs(times - wanted) < 160;
}

} // namespace

BOOST_AUTO_TEST_CASE(those_of_one_priority_share_by_weight) {
  const std::vector<gateway_rule> rules{rule("A", 10, 1), rule("B", 10, 3), rule("C", 10, 6),
                                        rule("D", 20, 100)};
  auto all = shares(rules);
  BOOST_TEST(about(all["A"], 1000), all["A"]);
  BOOST_TEST(about(all["B"], 3000), all["B"]);
  BOOST_TEST(about(all["C"], 6000), all["C"]);
  BOOST_TEST(all["D"] == 0);

  auto without_c = shares(rules, {"C"}); // the others share what it would have got
  BOOST_TEST(about(without_c["A"], 2500), without_c["A"]);
  BOOST_TEST(about(without_c["B"], 7500), without_c["B"]);
  BOOST_TEST(without_c["D"] == 0);
}

BOOST_AUTO_TEST_CASE(weight_zero_is_asked_only_if_no_other_of_its_priority_is_left) {
  const std::vector<gateway_rule> rules{rule("Z", 10, 0), rule("Y", 10, 0), rule("A", 10, 1),
                                        rule("B", 20, 1)};
  BOOST_TEST(shares(rules)["A"] == 10'000);
  BOOST_TEST(chosen(rules, asked(), {"A"}) == "Z after A");
  BOOST_TEST(chosen(rules, asked(), {"A", "Z"}) == "Y after A Z");
  BOOST_TEST(chosen(rules, asked(), {"A", "Z", "Y"}) == "B after A Z Y");
}

BOOST_AUTO_TEST_CASE(weights_as_large_as_they_may_be_do_not_overflow) {
  constexpr auto most = std::numeric_limits<std::uint32_t>::max();
  auto all = shares({rule("A", 10, most), rule("B", 10, most), rule("C", 10, most)});
  for (const auto* name : {"A", "B", "C"})
    BOOST_TEST(about(all[name], 3333), name << all[name]);
}
