// The rules of one seat block in every state that a small world can come to (seating_world.hpp):
// they agree with the model. The same checker must find the fault in deciders that are wrong on
// purpose.
#include "tests/rules/seating_world.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace {

namespace seating = usher::seating;
namespace command = usher::seating::command;
namespace event = usher::seating::event;
using decider = usher::test::seating_decider;
using events = std::vector<seating::any_event>;
using usher::time_ms;
using usher::test::explore;

/// The right answer to a question asked at another time.
decider shifted_by(time_ms shift) {
  return [shift](const seating::state& block, seating::any_command asked) {
    std::visit(
        [shift](auto& one) {
          if constexpr (requires { one.now; })
            one.now += shift;
        },
        asked);
    return seating::decide(block, asked);
  };
}

// --- deciders that are wrong on purpose ------------------------------------------------------

/// Gives back whatever the holder once held, without looking who holds it now.
seating::decision careless_release(const seating::state& block, const seating::any_command& asked) {
  const auto* release = std::get_if<command::release>(&asked);
  if (release == nullptr || release->parts.size() != 1)
    return seating::decide(block, asked);
  const auto& part = release->parts.front();
  event::seats_released all{part.hold, {}, part.generation};
  for (const auto& id : part.seats)
    if (std::holds_alternative<seating::held>(block.seats[*block.find(id)].is))
      all.seats.push_back(id);
  return events{all};
}

/// Holds what can be had instead of all or nothing.
seating::decision half_a_hold(const seating::state& block, const seating::any_command& asked) {
  auto answer = seating::decide(block, asked);
  const auto* hold = std::get_if<command::hold>(&asked);
  const auto* refused = std::get_if<seating::refusal>(&answer);
  if (hold == nullptr || refused == nullptr || refused->size() == hold->seats.size())
    return answer;
  auto rest = *hold;
  std::erase_if(rest.seats, [&](const auto& id) {
    return std::ranges::find(*refused, id, &seating::unavailable::seat) != refused->end();
  });
  return seating::decide(block, rest);
}

/// Sells to whoever pays, whoever holds.
seating::decision careless_sale(const seating::state& block, const seating::any_command& asked) {
  const auto* sell = std::get_if<command::sell>(&asked);
  if (sell == nullptr)
    return seating::decide(block, asked);
  return events{event::seats_sold{sell->hold, sell->order, sell->seats, sell->generation}};
}

/// Takes every command of this kind for one of the newest generation.
template <class Command>
decider without_generations() {
  return [](const seating::state& block, const seating::any_command& asked) {
    auto newest = asked;
    if (auto* one = std::get_if<Command>(&newest)) {
      if constexpr (requires { one->generation; })
        one->generation = 2;
      if constexpr (requires { one->parts; })
        for (auto& part : one->parts)
          part.generation = 2;
      if constexpr (requires { one->taken; })
        for (auto& part : one->taken)
          part.generation = 2;
    }
    auto answer = seating::decide(block, newest);
    if (auto* happened = std::get_if<events>(&answer))
      if (const auto* hold = std::get_if<command::hold>(&asked))
        for (auto& one : *happened)
          std::get<event::seats_held>(one).generation = hold->generation;
    return answer;
  };
}

/// Answers this kind of command as if the blocked seats were free.
template <class Command>
decider blind_to_blocked() {
  return [](const seating::state& block, const seating::any_command& asked) {
    auto seen = block;
    if (std::holds_alternative<Command>(asked))
      for (auto& seat : seen.seats)
        if (std::holds_alternative<seating::blocked>(seat.is))
          seat.is = seating::available{};
    return seating::decide(seen, asked);
  };
}

/// Blocks what is held as if it were free, whether it may be taken from the hold or not.
decider careless_block(bool taken) {
  return [taken](const seating::state& block, const seating::any_command& asked) {
    auto seen = block;
    const auto* one = std::get_if<command::block>(&asked);
    if (one != nullptr && one->taken.empty() != taken)
      for (auto& seat : seen.seats)
        if (std::holds_alternative<seating::held>(seat.is))
          seat.is = seating::available{};
    return seating::decide(seen, asked);
  };
}

/// Puts back on sale what is blocked or sold.
seating::decision careless_unblock(const seating::state& block, const seating::any_command& asked) {
  auto seen = block;
  if (std::holds_alternative<command::unblock>(asked))
    for (auto& seat : seen.seats)
      if (std::holds_alternative<seating::sold>(seat.is))
        seat.is = seating::blocked{};
  return seating::decide(seen, asked);
}

/// Takes back what was sold, to whomever.
seating::decision careless_return(const seating::state& block, const seating::any_command& asked) {
  const auto* returned = std::get_if<command::return_sold>(&asked);
  if (returned == nullptr)
    return seating::decide(block, asked);
  for (const auto& id : returned->seats)
    if (!std::holds_alternative<seating::sold>(block.seats[*block.find(id)].is))
      return seating::decide(block, asked);
  return events{event::seats_returned{returned->order, returned->seats}};
}

/// A release gives back what is blocked as well.
seating::decision release_of_blocked(const seating::state& block,
                                     const seating::any_command& asked) {
  const auto* release = std::get_if<command::release>(&asked);
  if (release == nullptr)
    return seating::decide(block, asked);
  auto happened = std::get<events>(seating::decide(block, asked));
  for (const auto& part : release->parts)
    for (const auto& id : part.seats)
      if (std::holds_alternative<seating::blocked>(block.seats[*block.find(id)].is))
        happened.emplace_back(event::seats_released{part.hold, {id}, part.generation});
  return happened;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_rules_agree_with_the_model_in_every_state_and_for_every_command) {
  const auto found = explore(seating::decide);
  BOOST_TEST(found.fault == "");
  // A seat is free, held by one of three in one of two generations with 2, 1 or 0 left, sold to one
  // of three, or blocked: 23 states, two seats.
  BOOST_TEST(found.states > 400U);
  BOOST_TEST(found.states <= 529U);
  BOOST_TEST_MESSAGE(found.states << " states, " << found.answers << " answers");
}

BOOST_AUTO_TEST_CASE(the_checker_finds_each_fault_that_is_made_on_purpose) {
  const std::string too_kind = "accepted what had to be refused";
  const std::string another_story = "the events tell another story than the command";
  const std::string contradiction = "the events contradict what the seats are";
  const std::vector<std::pair<decider, std::string>> wrong{
      {shifted_by(-1), "refused what is free"}, // now > until
      {shifted_by(+1), too_kind},
      {careless_release, another_story},
      {half_a_hold, too_kind},
      {careless_sale, too_kind},
      {without_generations<command::hold>(), too_kind},
      {without_generations<command::sell>(), too_kind},
      {without_generations<command::release>(), another_story},
      {without_generations<command::block>(), too_kind},
      {blind_to_blocked<command::hold>(), too_kind},
      {blind_to_blocked<command::sell>(), too_kind},
      {blind_to_blocked<command::unblock>(), another_story},
      {careless_block(false), too_kind},
      {careless_block(true), contradiction}, // HELD and BLOCKED at once
      {careless_unblock, too_kind},
      {careless_return, too_kind},
      {release_of_blocked, another_story},
  };
  for (std::size_t at = 0; at < wrong.size(); ++at)
    BOOST_TEST_CONTEXT("fault number " << at)
  BOOST_TEST(explore(wrong[at].first).fault == wrong[at].second);
}
