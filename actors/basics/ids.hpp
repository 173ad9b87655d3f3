#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>

// Identities. Each kind is a type of its own, so that a hold's id never stands where an order's
// should. The bits are made at the edge (random or keyed); the rules only compare them.
namespace usher {

/// 128 opaque bits. All zero means "none".
struct id128 {
  std::array<std::uint8_t, 16> bytes{};

  auto operator<=>(const id128&) const = default;
  [[nodiscard]] bool is_none() const { return *this == id128{}; }
};

template <class Tag>
struct strong_id : id128 {
  auto operator<=>(const strong_id&) const = default;
};

using hold_id = strong_id<struct hold_tag>;
using order_id = strong_id<struct order_tag>;
using payment_id = strong_id<struct payment_tag>;
using refund_id = strong_id<struct refund_tag>;

/// Who claims a place: a keyed hash (HMAC-SHA256, truncated to 16 bytes) of a customer id or of an
/// anonymous idempotency key. Keyed per show, so the log carries no personal data.
using identity = strong_id<struct identity_tag>;

/// An idempotency key with its scope (caller, method, path), hashed at the edge to 16 bytes.
using request_key = strong_id<struct request_key_tag>;

/// A fan's arrival number in one show, from 0, for ever. Whatever moves moves the order, never
/// this.
using slot_t = std::uint32_t;

/// The number a show got when it was made; it stands in tickets and ids, where names are too long.
using show_number = std::uint32_t;

/// Stands for a show's number in the ids of payments without a show (`actors/orders`, the cashier).
inline constexpr show_number cashier_number = 0xFFFF'FFFF;

/// Show ids, block ids and seat ids are the operator's own names.
using show_id = std::string;
using block_id = std::string;
using seat_id = std::string;

/// For unordered containers: ids are random or keyed hashes already, so eight bytes of them will
/// do.
struct id_hash {
  std::size_t operator()(const id128& id) const {
    std::uint64_t head = 0;
    std::memcpy(&head, id.bytes.data(), sizeof head);
    return static_cast<std::size_t>(head);
  }
};

} // namespace usher
