#include "actors/waiting_room/lane.hpp"

#include <bit>
#include <cassert>

namespace usher::waiting_room {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

/// There is one writer, so an addition needs no read-modify-write instruction.
template <class Number>
void add(std::atomic<Number>& to, slot_t change) {
  to.store(static_cast<Number>(to.load(std::memory_order_relaxed) + change), release);
}

} // namespace

lane::~lane() {
  for (auto& one : superblocks_)
    delete one.load(acquire);
}

void lane::append(slot_t count) {
  const auto before = superblocks();
  const auto grown = size() + count;
  assert(grown >= size() && grown <= places_max);
  const auto departed = departed_.load(std::memory_order_relaxed);
  for (auto at = before; slot_t{at} * superblock_slots < grown; ++at) {
    departed_before_[at].store(departed, release);
    superblocks_[at].store(new superblock{}, release);
  }
  size_.store(grown, release);
}

void lane::depart(slot_t place) {
  assert(place < size() && is_present(place));
  count(place, 1);
}

void lane::arrive(slot_t place) {
  assert(place < size() && !is_present(place));
  count(place, static_cast<slot_t>(-1));
}

void lane::count(slot_t place, slot_t change) {
  auto& home = *superblocks_[place / superblock_slots].load(acquire);
  const auto inside = place % superblock_slots;
  auto& word = home.departed[inside / word_slots];
  word.store(word.load(std::memory_order_relaxed) ^ 1ULL << inside % word_slots, release);
  for (auto block = inside / block_slots + 1; block < home.departed_before.size(); ++block)
    add(home.departed_before[block], change);
  for (auto at = place / superblock_slots + 1; at < superblocks(); ++at)
    add(departed_before_[at], change);
  add(departed_, change);
}

bool lane::is_present(slot_t place) const {
  const auto& home = *superblocks_[place / superblock_slots].load(acquire);
  const auto inside = place % superblock_slots;
  return (home.departed[inside / word_slots].load(acquire) >> inside % word_slots & 1) == 0;
}

slot_t lane::present_before(slot_t place) const {
  const auto& home = *superblocks_[place / superblock_slots].load(acquire);
  const auto inside = place % superblock_slots;
  const auto block = inside / block_slots;
  auto departed = departed_before_[place / superblock_slots].load(acquire) +
                  home.departed_before[block].load(acquire);
  const auto last = inside / word_slots;
  for (auto word = block * (block_slots / word_slots); word < last; ++word)
    departed += static_cast<slot_t>(std::popcount(home.departed[word].load(acquire)));
  const auto earlier = (1ULL << inside % word_slots) - 1;
  departed += static_cast<slot_t>(std::popcount(home.departed[last].load(acquire) & earlier));
  return place - departed;
}

slot_t lane::superblocks() const {
  return (size() + superblock_slots - 1) / superblock_slots;
}

std::size_t lane::bytes_used() const {
  return superblocks() * sizeof(superblock);
}

} // namespace usher::waiting_room
