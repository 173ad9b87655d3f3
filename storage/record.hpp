#pragma once

#include "actors/basics/time.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// What the log stores. The format is described, with a worked example, in docs/log-format.md.
namespace usher::storage {

using digest = std::array<std::uint8_t, 32>; ///< SHA-256

/// Number of a record in its shard's log, from 1, without gaps.
using position_t = std::uint64_t;

/// Why a record is there: which request, and on whose behalf.
struct cause {
  std::string request; ///< request id, or empty
  std::string who;     ///< "fan", "operator:<key id>", "service:<key id>", "usher" (time, recovery)
  bool operator==(const cause&) const = default;
};

/// Among the places of a record: it concerns everybody in the room. Never a slot.
inline constexpr std::uint32_t whole_room = 0xffffffff;

/// One fact on its way into the log. The log adds the position and the subject's version.
struct record {
  time_ms at = 0;
  std::string subject; ///< `queue/<show>`, `block/<show>/<block>`, `desk/<show>`, `cashier`,
                       ///< `shows`, `keys`, `gateway/<NAME>`
  std::string type;    ///< permanent name, past tense: `fans_joined`
  std::uint32_t schema = 1;
  storage::cause cause;
  std::string data; ///< the payload, CBOR
  /// The slots to whose receipts this record belongs, or whole_room. The log keeps an index of
  /// them; they are no part of the stored batch and not compared. See storage/receipts.hpp.
  std::vector<std::uint32_t> places = {};
  /// The record gives out the slots from `places[0]` on: the beginning of their receipts.
  bool joins = false;

  bool operator==(const record& other) const {
    return at == other.at && subject == other.subject && type == other.type &&
           schema == other.schema && cause == other.cause && data == other.data;
  }
};

/// A record as it stands in the log.
struct stored_record : record {
  position_t position = 0;
  std::uint64_t version = 0; ///< of the subject, from 1, without gaps
  /// Where its batch begins. Set by event_log::replay, else 0; no part of what is stored or
  /// compared.
  position_t batch_first = 0;

  bool operator==(const stored_record& other) const {
    return static_cast<const record&>(*this) == other && position == other.position &&
           version == other.version;
  }
};

} // namespace usher::storage
