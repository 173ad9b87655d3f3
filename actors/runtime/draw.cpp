#include "actors/runtime/draw.hpp"

#include "actors/runtime/keyed_hash.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace usher::runtime {

namespace {

std::string_view text_of(const bytes32& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string big_endian(std::uint32_t value) {
  std::string bytes(sizeof value, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(value >> (8 * (bytes.size() - 1 - i)));
  return bytes;
}

std::string key_of(const bytes32& seed, std::string_view beacon) {
  return std::string{text_of(seed)}.append(beacon);
}

struct lot {
  bytes32 hash;
  slot_t slot = 0;
  auto operator<=>(const lot&) const = default;
};

} // namespace

bytes32 draw_seed(const bytes32& key, std::string_view subject, std::uint32_t number) {
  std::string text{"draw"};
  text.push_back('\0');
  text.append(subject).push_back('\0');
  return keyed_hash{text_of(key)}(text + big_endian(number));
}

bytes32 commitment_of(const bytes32& seed) {
  return keyed_hash::sha256(text_of(seed));
}

std::vector<slot_t> draw_order(const bytes32& seed, std::string_view beacon,
                               const std::vector<std::vector<slot_t>>& tiers) {
  const keyed_hash hash{key_of(seed, beacon)};
  std::vector<slot_t> order;
  std::vector<lot> lots;
  for (const auto& tier : tiers) {
    lots.clear();
    lots.reserve(tier.size());
    for (const auto slot : tier)
      lots.push_back({hash(big_endian(slot)), slot});
    std::sort(lots.begin(), lots.end());
    for (const auto& each : lots)
      order.push_back(each.slot);
  }
  return order;
}

/// Tickets in the order of their hashes: a bucket for each value of the first two bytes, sorted by
/// the next two. Where these are the same too, which in a draw of a million happens a hundred
/// times, the whole hashes are made again and compared.
struct draw_ahead::lots {
  struct short_lot {
    std::uint16_t next_bytes;
    slot_t slot;
  };

  lots(const bytes32& of_seed, std::string_view of_beacon, slot_t first)
      : seed{of_seed}, beacon{of_beacon}, ready_below{first}, hash{key_of(seed, beacon)} {}

  void add(slot_t slot) {
    const auto digest = hash(big_endian(slot));
    auto& in = buckets[number_at(digest, 0)];
    const short_lot added{number_at(digest, 2), slot};
    in.insert(std::upper_bound(in.begin(), in.end(), added,
                               [this](const short_lot& one, const short_lot& other) {
                                 return one.next_bytes != other.next_bytes
                                            ? one.next_bytes < other.next_bytes
                                            : whole(one) < whole(other);
                               }),
              added);
  }

  [[nodiscard]] lot whole(const short_lot& one) const {
    return {hash(big_endian(one.slot)), one.slot};
  }

  static std::uint16_t number_at(const bytes32& digest, std::size_t at) {
    return static_cast<std::uint16_t>(digest[at] << 8U | digest[at + 1]);
  }

  bytes32 seed;
  std::string beacon;
  slot_t ready_below;
  keyed_hash hash;
  std::vector<std::vector<short_lot>> buckets{std::size_t{1} << 16U};
};

draw_ahead::draw_ahead() = default;
draw_ahead::~draw_ahead() = default;
draw_ahead::draw_ahead(draw_ahead&&) noexcept = default;
draw_ahead& draw_ahead::operator=(draw_ahead&&) noexcept = default;

void draw_ahead::aim(const bytes32& seed, std::string_view beacon, slot_t first) {
  if (lots_ == nullptr || lots_->seed != seed || lots_->beacon != beacon)
    lots_ = std::make_unique<lots>(seed, beacon, first);
}

void draw_ahead::rest() {
  lots_.reset();
}

slot_t draw_ahead::ready_below() const {
  return lots_ != nullptr ? lots_->ready_below : 0;
}

void draw_ahead::go_on(slot_t end, std::size_t most) {
  for (; lots_ != nullptr && lots_->ready_below < end && most > 0; --most)
    lots_->add(lots_->ready_below++);
}

std::vector<slot_t> draw_ahead::order(const std::vector<std::vector<slot_t>>& tiers) const {
  constexpr std::uint8_t in_none = 0xff;
  std::vector<std::uint8_t> tier_of(ready_below(), in_none);
  std::size_t all = 0;
  std::vector<std::size_t> next; // where each tier goes on in the order
  for (std::size_t tier = 0; tier < tiers.size(); ++tier) {
    next.push_back(all);
    all += tiers[tier].size();
    for (const auto slot : tiers[tier])
      tier_of.at(slot) = static_cast<std::uint8_t>(tier);
  }
  std::vector<slot_t> order(all);
  if (lots_ != nullptr)
    for (const auto& bucket : lots_->buckets)
      for (const auto& each : bucket)
        if (const auto tier = tier_of[each.slot]; tier != in_none)
          order[next[tier]++] = each.slot;
  return order;
}

} // namespace usher::runtime
