#include "tests/simulation/options.hpp"

#include <initializer_list>
#include <sstream>

namespace usher::simulation {

namespace {

template <class T>
T one_of(random_source& random, std::initializer_list<T> all) {
  return *(all.begin() + random.below(all.size()));
}

void draw_sale(options& o, random_source& random) {
  for (auto blocks = 1 + random.below(3); blocks > 0; --blocks)
    o.block_seats.push_back(1 + random.below(4));
  o.area = random.one_in(2) ? static_cast<std::uint32_t>(1 + random.below(4)) : 0;
  o.second_show = random.one_in(6);
  o.fans = 3 + random.below(10);
  o.many_payments = random.one_in(4);
  o.hold_ttl_ms = one_of<duration_ms>(random, {2'000, 5'000, 10'000, 30'000});
  o.hold_life_ms = o.hold_ttl_ms * static_cast<duration_ms>(1 + random.below(3));
  o.payment_window_ms = o.hold_ttl_ms / 2;
  o.payment_limit_ms = one_of<duration_ms>(random, {3'000, 10'000, 30'000});
  o.seats_max = static_cast<std::uint32_t>(1 + random.below(4));
}

void draw_room(options& o, random_source& random) {
  o.opens = one_of(random, {opening::at_once, opening::at_once, opening::at_once, opening::standby,
                            opening::scheduled, opening::scheduled, opening::off});
  if (!random.one_in(4))
    o.active_max = static_cast<std::uint32_t>(1 + random.below(4));
  if (random.one_in(4))
    o.per_tick_max = static_cast<std::uint32_t>(1 + random.below(2));
  o.rate_micro = one_of<std::uint64_t>(random, {500'000, 2'000'000, 1'000'000'000});
  o.tick_ms = one_of<duration_ms>(random, {500, 1'000});
  o.admission_ttl_ms = one_of<duration_ms>(random, {3'000, 10'000, 60'000});
  o.absent_after_ms = one_of<duration_ms>(random, {3'000, 8'000, 60'000, 180'000});
  o.claim_ttl_ms = one_of<duration_ms>(random, {5'000, 30'000});
  if (random.one_in(3))
    o.reentry_grace_ms = 20'000;
  if (random.one_in(5))
    o.idle_timeout_ms = 5'000;
  o.fixed_length = random.one_in(8);
  o.tiers = random.one_in(3);
}

void draw_faults(options& o, random_source& random) {
  o.crash = one_of<chance>(random, {0, 0, 5, 20, 60});
  o.actor_throws = one_of<chance>(random, {0, 0, 5, 20});
  o.append_fails = one_of<chance>(random, {0, 50, 200});
  o.power_in_append = one_of<chance>(random, {0, 50, 200});
  o.journal_slow = one_of<chance>(random, {0, 200, 1'000});
  o.reply_lost = one_of<chance>(random, {0, 500, 2'000});
  o.duplicate = one_of<chance>(random, {0, 500, 2'000});
  o.gateway_fault = one_of<chance>(random, {0, 1'000, 3'000, 7'000});
  o.gateway_declines = one_of<chance>(random, {0, 1'000, 3'000});
  o.gateway_slow = one_of<chance>(random, {0, 1'000, 4'000, 7'000});
  o.webhook = one_of<chance>(random, {0, 3'000, 10'000});
  o.wall_jump = one_of<chance>(random, {0, 3'000, 8'000});
  o.in_order = random.one_in(4);
  o.impatient = random.one_in(2);
  o.haste = one_of<std::size_t>(random, {2, 8, 20, 60});
}

template <class T>
std::string text(const std::optional<T>& what) {
  return what ? std::to_string(*what) : "none";
}

} // namespace

options draw_options(std::uint64_t seed, std::optional<std::size_t> steps, random_source& random) {
  options o;
  o.seed = seed;
  o.steps = steps.value_or(100 + random.below(150));
  draw_sale(o, random);
  draw_room(o, random);
  draw_faults(o, random);
  return o;
}

std::string describe(const options& o) {
  std::ostringstream out;
  out << "seed=" << o.seed << " steps=" << o.steps << " blocks=";
  for (const auto seats : o.block_seats)
    out << seats << ',';
  out << " area=" << o.area << " second_show=" << o.second_show << " fans=" << o.fans
      << " many_payments=" << o.many_payments << " hold_ttl=" << o.hold_ttl_ms
      << " hold_life=" << o.hold_life_ms << " payment_window=" << o.payment_window_ms
      << " payment_limit=" << o.payment_limit_ms << " seats_max=" << o.seats_max
      << "\n  opens=" << static_cast<int>(o.opens) << " active_max=" << text(o.active_max)
      << " per_tick_max=" << text(o.per_tick_max) << " rate_micro=" << o.rate_micro
      << " tick=" << o.tick_ms << " admission_ttl=" << o.admission_ttl_ms
      << " absent_after=" << o.absent_after_ms << " claim_ttl=" << o.claim_ttl_ms
      << " reentry_grace=" << text(o.reentry_grace_ms)
      << " idle_timeout=" << text(o.idle_timeout_ms) << " fixed_length=" << o.fixed_length
      << " tiers=" << o.tiers << "\n  of 10000: crash=" << o.crash
      << " actor_throws=" << o.actor_throws << " append_fails=" << o.append_fails
      << " power_in_append=" << o.power_in_append << " journal_slow=" << o.journal_slow
      << " reply_lost=" << o.reply_lost << " duplicate=" << o.duplicate
      << " gateway_fault=" << o.gateway_fault << " gateway_declines=" << o.gateway_declines
      << " gateway_slow=" << o.gateway_slow << " webhook=" << o.webhook
      << " wall_jump=" << o.wall_jump << "; in_order=" << o.in_order << " impatient=" << o.impatient
      << " haste=" << o.haste;
  return out.str();
}

} // namespace usher::simulation
