#pragma once

#include "tests/rules/waiting_room_support.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

// A naive waiting room: a plain list of tickets, and for each tier a plain list of who ever stood
// in it. Written from what a fan may expect, not from the rules; slow, and with faults to order.
namespace usher::waiting_room::test::small {

inline constexpr int fan_count = 3;
inline constexpr std::uint64_t the_code = 50;

inline constexpr duration_ms second = 1'000;
inline constexpr duration_ms ttl = 2'000;
inline constexpr duration_ms absent_after = 3'000;
inline constexpr duration_ms claim_ttl = 4'000;
inline constexpr duration_ms grace = 3'000;
inline constexpr std::size_t max_queue = 2;

inline settings small_room() {
  settings set;
  set.admit_per_second_micro = 1'000'000;
  set.max_active = 1;
  set.max_queue = max_queue;
  set.admission_ttl_ms = ttl;
  set.absent_after_ms = absent_after;
  set.claim_ttl_ms = claim_ttl;
  set.reentry_grace_ms = grace;
  set.tiers = {"first"};
  set.opens_at = 1'000'000'000;
  set.prequeue_ms = 1;
  return set;
}

/// What may be wrong with a model, to see that it is noticed.
enum class fault {
  none,
  ignores_tiers,
  returns_to_the_back,
  promotes_to_the_front,
  reenters_twice,
  forgets_the_draw,
  waits_for_the_absent,
  code_of_a_ghost, ///< a code is good again when its fan has gone
  admits_while_paused,
};

struct ticket {
  int fan = 0;
  ticket_status status = ticket_status::waiting;
  int tier = 1;
  time_ms seen = 0;
  time_ms until = 0;        ///< admitted: the deadline; absent: the claim's
  time_ms chance_until = 0; ///< expired: may come back until then
  time_ms came_back = 0;    ///< absent: when it polled first since the last tick
  bool reentered = false;
};

inline void require(bool holds, const char* what) {
  if (!holds)
    throw std::logic_error{what};
}

struct model {
  fault wrong = fault::none;
  bool shared_code = false;
  bool open = false;
  bool paused = false;
  time_ms now = 0;
  time_ms opened_at = 0;
  std::uint64_t credit_micro = 0;
  int code_used_by = -1;
  std::vector<ticket> tickets;
  std::vector<int> lines[2]; ///< who ever stood in a tier, in order of their places
  std::vector<int> back;     ///< absent, and polled since the last tick

  [[nodiscard]] ticket& at(int number) { return tickets[static_cast<std::size_t>(number)]; }
  [[nodiscard]] const ticket& at(int number) const {
    return tickets[static_cast<std::size_t>(number)];
  }
  [[nodiscard]] int newest(int fan) const {
    for (auto number = static_cast<int>(tickets.size()) - 1; number >= 0; --number)
      if (at(number).fan == fan)
        return number;
    return -1;
  }
  [[nodiscard]] std::size_t count(ticket_status status) const {
    return static_cast<std::size_t>(std::count_if(
        tickets.begin(), tickets.end(), [&](const ticket& one) { return one.status == status; }));
  }
  /// Who waits, next first.
  [[nodiscard]] std::vector<int> order() const {
    std::vector<int> all;
    for (const auto& each : lines)
      for (const auto number : each)
        if (at(number).status == ticket_status::waiting)
          all.push_back(number);
    if (wrong == fault::ignores_tiers)
      std::sort(all.begin(), all.end());
    return all;
  }

  void pass(duration_ms ms) {
    now += ms;
    if (open)
      credit_micro =
          std::min<std::uint64_t>(credit_micro + static_cast<std::uint64_t>(ms) * 1'000, 1'999'999);
  }
  void expire(ticket& one) {
    one.status = ticket_status::expired;
    if (!one.reentered || wrong == fault::reenters_twice)
      one.chance_until = now + grace;
  }
  void hear(int number) {
    at(number).seen = now;
    const bool known = std::find(back.begin(), back.end(), number) != back.end();
    if (at(number).status != ticket_status::absent || known)
      return;
    back.push_back(number);
    at(number).came_back = now;
  }

  void draw() {
    for (auto& each : lines) {
      std::erase_if(each, [&](int one) { return at(one).status != ticket_status::waiting; });
      if (wrong == fault::forgets_the_draw)
        continue;
      std::sort(each.begin(), each.end());
      std::reverse(each.begin(), each.end());
    }
    open = true;
    opened_at = now;
    credit_micro = 0;
  }

  /// The number of the fan's ticket, or the refusal.
  std::variant<int, rejection> join(int fan, bool with_code) {
    const auto mine = newest(fan);
    if (mine >= 0 && at(mine).status == ticket_status::admitted && at(mine).until <= now)
      expire(at(mine));
    const bool live = mine >= 0 && is_live(at(mine).status);
    bool used = code_used_by >= 0 && !(live && code_used_by == mine);
    if (wrong == fault::code_of_a_ghost && code_used_by >= 0)
      used = used && is_live(at(code_used_by).status);
    if (live) {
      if (with_code && used)
        return rejection::code_used;
      hear(mine);
      if (with_code && at(mine).status != ticket_status::admitted && at(mine).tier == 1)
        promote(mine);
      return mine;
    }
    if (mine >= 0 && at(mine).status == ticket_status::expired && now < at(mine).chance_until) {
      if (with_code && used && code_used_by != mine)
        return rejection::code_used;
      at(mine).status = ticket_status::waiting;
      at(mine).reentered = true;
      at(mine).chance_until = 0;
      hear(mine);
      return mine;
    }
    if (with_code && used)
      return rejection::code_used;
    if (count(ticket_status::waiting) + count(ticket_status::absent) >= max_queue)
      return rejection::room_full;
    const auto number = static_cast<int>(tickets.size());
    tickets.push_back({fan, ticket_status::waiting, with_code ? 0 : 1, now, 0, 0, 0, false});
    lines[with_code ? 0 : 1].push_back(number);
    if (with_code)
      use_code(number);
    return number;
  }

  void use_code(int number) {
    if (!shared_code)
      code_used_by = number;
  }
  void promote(int number) {
    use_code(number);
    at(number).status = ticket_status::waiting;
    at(number).tier = 0;
    std::erase(lines[1], number);
    std::erase(back, number);
    if (wrong == fault::promotes_to_the_front)
      lines[0].insert(lines[0].begin(), number);
    else
      lines[0].push_back(number);
  }

  void tick() {
    if (!open)
      return;
    for (auto& one : tickets) {
      if (one.status == ticket_status::admitted && one.until <= now)
        expire(one);
    }
    for (const auto number : back)
      if (at(number).status == ticket_status::absent && at(number).came_back < at(number).until) {
        at(number).status = ticket_status::waiting;
        if (wrong == fault::returns_to_the_back) {
          auto& mine = lines[at(number).tier];
          std::erase(mine, number);
          mine.push_back(number);
        }
      }
    for (auto& one : tickets)
      if (one.status == ticket_status::absent && one.until <= now)
        one.status = ticket_status::no_show;
    if (paused && wrong != fault::admits_while_paused)
      return;
    for (const auto number : order()) {
      if (credit_micro < 1'000'000 || count(ticket_status::admitted) > 0)
        break;
      auto& next = at(number);
      const bool returned = std::find(back.begin(), back.end(), number) != back.end();
      if (!returned && now - std::max(next.seen, opened_at) >= absent_after) {
        if (wrong == fault::waits_for_the_absent)
          break;
        next.status = ticket_status::absent;
        next.until = now + claim_ttl;
        continue;
      }
      next.status = ticket_status::admitted;
      next.until = now + ttl;
      credit_micro -= 1'000'000;
    }
  }

  /// All that matters for what may come, with times relative to now.
  [[nodiscard]] std::string key() const {
    std::string text;
    const auto put = [&](time_ms number) {
      text += std::to_string(number);
      text += ' ';
    };
    put(open);
    put(paused);
    put(static_cast<time_ms>(credit_micro));
    put(std::min(now - opened_at, absent_after));
    put(code_used_by < 0 ? -1 : is_live(at(code_used_by).status) ? code_used_by : 99);
    for (int number = 0; number < static_cast<int>(tickets.size()); ++number) {
      const auto& one = at(number);
      const bool chance = one.chance_until > now;
      if (!is_live(one.status) && !chance && newest(one.fan) != number)
        continue;
      put(number);
      put(one.fan);
      put(static_cast<int>(one.status));
      put(one.tier);
      put(one.reentered);
      put(std::min(now - one.seen, absent_after));
      put(is_live(one.status) && one.until > 0 ? std::max<time_ms>(one.until - now, 0) : -1);
      put(chance ? one.chance_until - now : 0);
      put(std::find(lines[one.tier].begin(), lines[one.tier].end(), number) -
          lines[one.tier].begin());
      const bool is_back = std::find(back.begin(), back.end(), number) != back.end();
      put(is_back ? now - at(number).came_back : -1);
    }
    return text;
  }
};

} // namespace usher::waiting_room::test::small
