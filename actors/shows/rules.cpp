#include "actors/shows/rules.hpp"

#include "actors/basics/overloaded.hpp"

#include <algorithm>
#include <cassert>

namespace usher::shows {

namespace {

const block* find_block(const std::optional<plan>& where, const block_id& id) {
  if (!where)
    return nullptr;
  const auto found = std::find_if(where->blocks.begin(), where->blocks.end(),
                                  [&](const block& candidate) { return candidate.id == id; });
  return found == where->blocks.end() ? nullptr : &*found;
}

/// Blocks whose seats differ between the two plans, sorted by id.
std::vector<block> changed_blocks(const std::optional<plan>& before,
                                  const std::optional<plan>& after) {
  std::vector<block> changed;
  if (after)
    for (const auto& now : after->blocks) {
      const auto* was = find_block(before, now.id);
      if (was == nullptr || seats_of(*was) != seats_of(now))
        changed.push_back(now);
    }
  if (before)
    for (const auto& was : before->blocks)
      if (find_block(after, was.id) == nullptr)
        changed.push_back(block{was.id, was.category, {}, 0});
  std::sort(changed.begin(), changed.end(),
            [](const block& a, const block& b) { return a.id < b.id; });
  return changed;
}

description merged(description what, const command::put& asked) {
  if (asked.title)
    what.title = *asked.title;
  if (asked.starts_at)
    what.starts_at = *asked.starts_at;
  if (asked.currency)
    what.currency = *asked.currency;
  if (asked.plan)
    what.plan = asked.plan;
  if (asked.holds)
    what.holds = *asked.holds;
  if (asked.admitted_url)
    what.admitted_url = *asked.admitted_url;
  if (what.plan)
    for (auto& category : what.plan->categories)
      if (const auto moved = asked.prices.find(category.id); moved != asked.prices.end())
        category.price_minor = moved->second;
  return what;
}

bool has_all_priced(const std::optional<plan>& where, const command::put& asked) {
  return std::ranges::all_of(asked.prices, [&](const auto& price) {
    return where && std::ranges::find(where->categories, price.first, &category::id) !=
                        where->categories.end();
  });
}

decision create(const state& directory, const command::put& asked) {
  if (!asked.title)
    return rejection::title_missing;
  if (!asked.currency)
    return rejection::currency_missing;
  if (directory.shows.size() >= shows_max)
    return rejection::too_many_shows;
  proposal result;
  result.number = static_cast<show_number>(directory.by_number.size());
  result.created = true;
  result.what = merged({}, asked);
  if (!has_all_priced(result.what.plan, asked))
    return rejection::unknown_category;
  result.changed_blocks = changed_blocks(std::nullopt, result.what.plan);
  result.event = event::show_created{result.number, asked.id, result.what};
  return result;
}

decision change(const show& current, const command::put& asked) {
  if (asked.currency && *asked.currency != current.what.currency)
    return rejection::currency_fixed;
  proposal result;
  result.number = current.number;
  result.what = merged(current.what, asked);
  if (!has_all_priced(result.what.plan, asked))
    return rejection::unknown_category;
  result.changed_blocks = changed_blocks(current.what.plan, result.what.plan);
  if (result.what != current.what)
    result.event = event::show_changed{current.number, result.what};
  return result;
}

} // namespace

std::string_view to_string(rejection reason) {
  switch (reason) {
  case rejection::title_missing:
    return "title-missing";
  case rejection::currency_missing:
    return "currency-missing";
  case rejection::currency_fixed:
    return "currency-fixed";
  case rejection::too_many_shows:
    return "too-many-shows";
  case rejection::unknown_category:
    return "unknown-category";
  }
  return "?";
}

std::vector<seat_id> seats_of(const block& which) {
  std::vector<seat_id> seats;
  for (const auto& line : which.rows)
    for (const auto& seat : line.seats)
      seats.push_back(seat.id);
  for (std::uint32_t place = 1; place <= which.capacity; ++place)
    seats.push_back(which.id + ":" + std::to_string(place));
  return seats;
}

decision decide(const state& directory, const command::put& asked) {
  const auto found = directory.shows.find(asked.id);
  return found == directory.shows.end() ? create(directory, asked) : change(found->second, asked);
}

void apply(state& directory, const any_event& happened) {
  std::visit(overloaded{
                 [&](const event::show_created& e) {
                   assert(e.number == directory.by_number.size());
                   directory.by_number.push_back(e.id);
                   directory.shows[e.id] = show{e.number, e.what};
                 },
                 [&](const event::show_changed& e) {
                   assert(e.number < directory.by_number.size());
                   directory.shows[directory.by_number[e.number]].what = e.what;
                 },
             },
             happened);
}

} // namespace usher::shows
