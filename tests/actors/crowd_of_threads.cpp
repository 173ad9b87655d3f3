#include "tests/actors/crowd_of_threads.hpp"

#include "actors/basics/overloaded.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

namespace usher::testing {

namespace {

constexpr std::size_t recent_max = 6; ///< so that many go on with the same hold

/// `ask` is given what to call with the answer.
template <class Answer, class Ask>
Answer wait_for(Ask ask) {
  const auto told = std::make_shared<std::promise<Answer>>();
  auto answer = told->get_future();
  ask([told](Answer what) { told->set_value(std::move(what)); });
  if (answer.wait_for(std::chrono::minutes{1}) != std::future_status::ready)
    throw std::runtime_error{"a call is not answered"};
  return answer.get();
}

/// A hold's number stands in its id and in those of its orders, so that every answer names it.
template <class Id>
Id id_of(std::uint32_t hold, std::uint32_t number = 0) {
  Id made;
  std::memcpy(made.bytes.data(), &hold, sizeof hold);
  std::memcpy(made.bytes.data() + sizeof hold, &number, sizeof number);
  made.bytes[15] = 9;
  return made;
}

std::uint32_t hold_in(const id128& id) {
  std::uint32_t hold = 0;
  std::memcpy(&hold, id.bytes.data(), sizeof hold);
  return hold;
}

shows::command::put the_show() {
  shows::command::put what;
  what.id = what.title.emplace("hamlet");
  what.currency = "BRL";
  what.plan.emplace().categories.push_back({"stalls", "Stalls", 1000});
  for (const std::string seat : busy_node::seats) {
    const auto block = seat.substr(0, 1);
    if (what.plan->blocks.empty() || what.plan->blocks.back().id != block)
      what.plan->blocks.push_back({block, "stalls", {{block, {}}}});
    what.plan->blocks.back().rows[0].seats.push_back({seat, std::nullopt, false});
  }
  return what;
}

} // namespace

busy_node::busy_node() {
  runtime::node::parts parts;
  parts.log = &log_;
  parts.clock = &clock_;
  parts.fail = [](const storage::failure&) { std::abort(); };
  parts.gateways = {{&gateway_}};
  node_.emplace(system_, runtime::recovered{}, std::move(parts));
  const auto put = wait_for<shows::put_answer>([this](auto done) {
    auto asked = std::make_shared<shows::put_call>();
    asked->what = the_show();
    asked->cause = {"", "operator:test"};
    asked->done = std::move(done);
    caf::anon_send(node_->directory(), std::move(asked));
  });
  if (!std::holds_alternative<shows::put_done>(put))
    throw std::runtime_error{"there is no show"};
  show_ = node_->shows().find("hamlet");
}

orders::answer busy_node::ask(orders::any_command what) const {
  return wait_for<orders::answer>([&](auto done) {
    auto asked = std::make_shared<orders::call>();
    asked->what = std::move(what);
    asked->cause = {"", "fan"};
    asked->done = std::move(done);
    caf::anon_send(show_->desk, std::move(asked));
  });
}

orders::answer busy_node::look_up(const hold_id& id) const {
  return wait_for<orders::answer>([&](auto done) {
    auto asked = std::make_shared<orders::lookup>();
    asked->what = id;
    asked->done = std::move(done);
    caf::anon_send(show_->desk, std::move(asked));
  });
}

seating::shown busy_node::look_at(std::size_t seat) const {
  const auto now = show_->now();
  const auto& place = now->seats.at(seats[seat]);
  return now->boards[place.block]->seats()->at(place.index);
}

/// One thread: what it does next, and what it was told so far.
struct crowd_of_threads::fan {
  crowd_of_threads& all;
  std::mt19937_64 engine;
  std::vector<std::vector<seat_call>> told_of{busy_node::seats.size()};
  moment asked{};
  moment answered{};

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine() % n); }

  orders::answer ask(orders::any_command what) {
    asked = std::chrono::steady_clock::now();
    auto answer = all.node_.ask(std::move(what));
    answered = std::chrono::steady_clock::now();
    return answer;
  }

  void note(std::size_t seat, told what, std::uint32_t hold) {
    told_of[seat].push_back({what, hold, asked, answered});
  }
  void note(const known_hold& of, told what) {
    for (const auto seat : of.seats)
      note(seat, what, of.number);
  }

  void act() {
    const auto deed = below(100);
    if (deed < 34)
      return hold_some();
    if (deed < 42)
      return look();
    if (const auto it = all.one_of(engine))
      go_on_with(*it, deed);
  }

  void go_on_with(const known_hold& it, std::size_t deed) {
    if (deed < 52)
      extend(it);
    else if (deed < 66)
      release(it);
    else if (deed < 70)
      look_up(it);
    else if (it.order.is_none())
      order(it);
    else if (deed < 77)
      cancel(it);
    else if (deed < 85)
      confirm(it);
    else if (deed < 88)
      pay(it);
    else
      give_back(it);
  }

  void hold_some() {
    known_hold made{++all.numbers_, {below(busy_node::seats.size())}, {}};
    if (const auto other = below(busy_node::seats.size()); below(2) == 0 && other != made.seats[0])
      made.seats.push_back(other);
    orders::command::place_hold what;
    what.hold = id_of<hold_id>(made.number);
    for (const auto seat : made.seats) {
      const seat_id id = busy_node::seats[seat];
      what.seats.push_back({id, id.substr(0, 1), "stalls", 1000});
    }
    what.currency = "BRL";
    what.ttl_ms = 3'600'000; // nothing lapses here: time is another test's matter
    const auto answer = ask(std::move(what));
    if (std::holds_alternative<orders::hold_view>(answer.result)) {
      note(made, told::holds);
      all.remember(std::move(made));
    } else {
      note_refused(made, std::get<seating::refusal>(answer.result));
    }
  }

  /// Each seat in the way is named, with who has it; so the others were free.
  void note_refused(const known_hold& wanted, const seating::refusal& seats) {
    for (const auto seat : wanted.seats) {
      const auto named =
          std::ranges::find(seats, busy_node::seats[seat], &seating::unavailable::seat);
      if (named == seats.end())
        note(seat, told::sees_free, 0);
      else if (named->reason == seating::unavailable_reason::held)
        note(seat, told::sees_held, hold_in(named->hold));
      else
        note(seat, told::sees_sold, hold_in(named->order));
    }
  }

  void look() {
    const auto seat = below(busy_node::seats.size());
    asked = std::chrono::steady_clock::now();
    const auto shows = all.node_.look_at(seat);
    answered = std::chrono::steady_clock::now();
    note(seat,
         shows == seating::shown::available ? told::sees_free
         : shows == seating::shown::held    ? told::sees_held
                                            : told::sees_sold,
         0);
  }

  void note_hold(const known_hold& it, const orders::answer& answer, told if_done) {
    std::visit(overloaded{
                   [&](const orders::hold_view& now) {
                     if (!answer.repeated && if_done != told::keeps)
                       note(it, if_done);
                     else if (now.hold.status == orders::hold_status::live)
                       note(it, told::keeps);
                     else if (now.hold.status == orders::hold_status::ordered)
                       note(it, told::is_ordered);
                     else
                       note(it, told::is_not_live);
                   },
                   [&](const orders::rejection& no) {
                     if (no == orders::rejection::hold_has_order)
                       note(it, told::is_ordered);
                     else if (no == orders::rejection::hold_ended)
                       note(it, told::is_not_live);
                   },
                   [](const auto&) {},
               },
               answer.result);
  }

  void extend(const known_hold& it) {
    orders::command::extend_hold what;
    what.hold = id_of<hold_id>(it.number);
    what.ttl_ms = 3'600'000;
    what.max_life_ms = 7'200'000;
    note_hold(it, ask(what), told::keeps);
  }

  void release(const known_hold& it) {
    note_hold(it, ask(orders::command::release_hold{id_of<hold_id>(it.number), std::nullopt, 0}),
              told::gives_back);
  }

  void look_up(const known_hold& it) {
    asked = std::chrono::steady_clock::now();
    const auto answer = all.node_.look_up(id_of<hold_id>(it.number));
    answered = std::chrono::steady_clock::now();
    note_hold(it, answer, told::keeps);
  }

  /// What an order that was not changed by the call says of its seats.
  void note_order(const known_hold& it, const orders::order_view& now) {
    switch (now.order.status) {
    case orders::order_status::pending:
    case orders::order_status::paying:
      return note(it, told::is_ordered);
    case orders::order_status::paid: // they may be returned since
      if (now.returned.empty())
        note(it, told::sees_sold);
      return;
    case orders::order_status::expired:
    case orders::order_status::cancelled:
      note(it, told::is_not_live);
      return;
    default: // its money is going back, or has
      return;
    }
  }

  void order(const known_hold& it) {
    orders::command::place_order what;
    what.order = id_of<order_id>(it.number, ++all.numbers_);
    what.hold = id_of<hold_id>(it.number);
    what.currency = "BRL";
    what.payment_window_ms = 3'600'000;
    const auto answer = ask(what);
    if (const auto* made = std::get_if<orders::order_view>(&answer.result)) {
      answer.repeated ? note_order(it, *made) : note(it, told::orders);
      all.set_order(it.number, made->id);
    } else {
      note_hold(it, answer, told::keeps);
    }
  }

  void cancel(const known_hold& it) {
    const auto answer = ask(orders::command::cancel{it.order, 0});
    if (const auto* now = std::get_if<orders::order_view>(&answer.result))
      answer.repeated ? note_order(it, *now) : note(it, told::cancels);
    else if (std::get<orders::rejection>(answer.result) == orders::rejection::payment_running)
      note(it, told::is_ordered);
  }

  void confirm(const known_hold& it) {
    const auto answer = ask(orders::command::confirm{it.order, "OUTSIDE", "outside", 0});
    const auto& now = std::get<orders::order_view>(answer.result);
    const auto* kept = now.order.kept();
    note_money(it, now, !answer.repeated && kept != nullptr && kept->id.is_none());
  }

  /// `its_own`: the order has this money and no other. What came for an order that was cancelled
  /// meanwhile goes back whether its seats are free or not: that says nothing.
  void note_money(const known_hold& it, const orders::order_view& now, bool its_own) {
    if (!its_own)
      note_order(it, now);
    else if (now.order.status == orders::order_status::paid)
      note(it, told::buys);
    else if (it.seats.size() == 1 && !was_cancelled(now.order)) // of several nobody says which
      note(it, told::comes_too_late);
  }
  static bool was_cancelled(const orders::order& it) {
    return std::ranges::any_of(it.history, [](const orders::step& one) {
      return one.what == orders::step_kind::cancelled;
    });
  }

  void pay(const known_hold& it) {
    orders::command::start_payment what;
    what.order = it.order;
    what.payment = id_of<payment_id>(it.number, ++all.numbers_);
    what.gateway = "SANDBOX";
    what.method = "card";
    const auto answer = ask(what);
    if (const auto* now = std::get_if<orders::order_view>(&answer.result)) {
      // Somebody may have reported the money meanwhile: then this attempt bought nothing.
      const auto* kept = now->order.kept();
      note_money(it, *now, !answer.repeated && kept != nullptr && kept->id == what.payment);
    } else if (std::get<orders::rejection>(answer.result) == orders::rejection::payment_running) {
      note(it, told::is_ordered);
    }
  }

  void give_back(const known_hold& it) {
    const auto answer = ask(orders::command::return_seats{it.order, {}, "refund", 0});
    if (std::holds_alternative<orders::order_view>(answer.result))
      note(it, told::returns);
  }
};

void crowd_of_threads::remember(known_hold made) {
  const std::lock_guard lock{guard_};
  if (recent_.size() == recent_max)
    recent_.erase(recent_.begin());
  recent_.push_back(std::move(made));
}

void crowd_of_threads::set_order(std::uint32_t hold, const order_id& order) {
  const std::lock_guard lock{guard_};
  const auto found = std::ranges::find(recent_, hold, &known_hold::number);
  if (found != recent_.end())
    found->order = order;
}

std::optional<crowd_of_threads::known_hold> crowd_of_threads::one_of(std::mt19937_64& engine) {
  const std::lock_guard lock{guard_};
  if (recent_.empty())
    return std::nullopt;
  return recent_[static_cast<std::size_t>(engine() % recent_.size())];
}

void crowd_of_threads::run(std::size_t threads, std::size_t calls_each) {
  std::vector<fan> fans;
  for (std::size_t i = 0; i < threads; ++i)
    fans.push_back({*this, std::mt19937_64{seed_ + i}});
  std::vector<std::jthread> running;
  for (auto& one : fans)
    running.emplace_back([&one, calls_each] {
      for (std::size_t i = 0; i < calls_each; ++i)
        one.act();
    });
  running.clear(); // joins
  for (const auto& one : fans)
    for (std::size_t seat = 0; seat < histories_.size(); ++seat)
      histories_[seat].insert(histories_[seat].end(), one.told_of[seat].begin(),
                              one.told_of[seat].end());
}

} // namespace usher::testing
