#include "actors/waiting_room/identity_index.hpp"

#include <cstring>

namespace usher::waiting_room {
namespace {

constexpr slot_t nobody = 0xffff'ffff;

/// Identities are keyed hashes; the multiplication only spreads the small numbers of tests.
std::uint64_t spread(const identity& who) {
  std::uint64_t head = 0;
  std::memcpy(&head, who.bytes.data(), sizeof head);
  return head * 0x9e37'79b9'7f4a'7c15ULL;
}

std::size_t table_of(std::uint64_t hash) {
  return static_cast<std::size_t>(hash >> 56);
}

/// Where `who` is, or the free entry where it would go. There is always one: load <= 0.75.
std::size_t entry_of(const std::vector<slot_t>& entries, const identity& who, std::uint64_t hash,
                     const identity_index::identities& known) {
  const auto mask = entries.size() - 1;
  auto at = static_cast<std::size_t>(hash >> 24) & mask;
  while (entries[at] != nobody && known[entries[at]] != who)
    at = (at + 1) & mask;
  return at;
}

} // namespace

std::optional<slot_t> identity_index::find(const identity& who, const identities& known) const {
  const auto hash = spread(who);
  const auto& entries = tables_[table_of(hash)].entries;
  if (entries.empty())
    return std::nullopt;
  const auto slot = entries[entry_of(entries, who, hash, known)];
  return slot == nobody ? std::nullopt : std::optional{slot};
}

void identity_index::put(slot_t slot, const identities& known, const statuses& tickets) {
  const auto& who = known[slot];
  const auto hash = spread(who);
  auto& home = tables_[table_of(hash)];
  if ((home.used + 1) * std::size_t{4} > home.entries.size() * 3)
    grow(home, known, tickets);
  auto& entry = home.entries[entry_of(home.entries, who, hash, known)];
  if (entry == nobody)
    ++home.used;
  entry = slot;
}

void identity_index::grow(table& full, const identities& known, const statuses& tickets) {
  std::vector<slot_t> live;
  live.reserve(full.used);
  for (const auto slot : full.entries)
    if (slot != nobody && is_live(tickets[slot]))
      live.push_back(slot);
  auto size = full.entries.empty() ? std::size_t{8} : full.entries.size();
  if (live.size() * 2 >= size)
    size *= 2;
  full.entries.assign(size, nobody);
  full.entries.shrink_to_fit();
  full.used = static_cast<std::uint32_t>(live.size());
  for (const auto slot : live)
    full.entries[entry_of(full.entries, known[slot], spread(known[slot]), known)] = slot;
}

void identity_index::clear() {
  tables_ = {};
}

std::size_t identity_index::bytes_used() const {
  std::size_t bytes = 0;
  for (const auto& one : tables_)
    bytes += one.entries.capacity() * sizeof(slot_t);
  return bytes;
}

} // namespace usher::waiting_room
