#include "actors/shows/registry.hpp"

#include <cassert>

namespace usher::shows {

namespace {

std::uint32_t category_index(const plan& where, const std::string& id) {
  for (std::uint32_t i = 0; i < where.categories.size(); ++i)
    if (where.categories[i].id == id)
      return i;
  assert(false && "a plan without faults has every category");
  return 0;
}

} // namespace

std::shared_ptr<const published>
published::of(description what, const std::map<block_id, std::shared_ptr<seating::board>>& boards) {
  auto made = std::make_shared<published>();
  if (what.plan)
    for (std::uint32_t b = 0; b < what.plan->blocks.size(); ++b) {
      const auto& block = what.plan->blocks[b];
      const auto category = category_index(*what.plan, block.category);
      made->boards.push_back(boards.at(block.id));
      std::uint32_t index = 0;
      for (auto& seat : seats_of(block))
        made->seats.emplace(std::move(seat), seat_place{b, category, index++, block.capacity != 0});
    }
  made->what = std::move(what);
  return made;
}

show_entry* registry::find(std::string_view id) const {
  const std::shared_lock lock{mutex_};
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : found->second;
}

show_entry* registry::find(show_number number) const {
  const std::shared_lock lock{mutex_};
  return number < entries_.size() ? entries_[number].get() : nullptr;
}

std::vector<show_entry*> registry::all() const {
  const std::shared_lock lock{mutex_};
  std::vector<show_entry*> every;
  every.reserve(entries_.size());
  for (const auto& entry : entries_)
    every.push_back(entry.get());
  return every;
}

void registry::add(std::unique_ptr<show_entry> entry) {
  const std::unique_lock lock{mutex_};
  assert(entry->number == entries_.size());
  by_id_.emplace(entry->id, entry.get());
  entries_.push_back(std::move(entry));
}

} // namespace usher::shows
