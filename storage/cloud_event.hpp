#pragma once

#include "storage/event_log.hpp"
#include "storage/personal_data.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// Events as others read them: CloudEvents 1.0 envelopes in JSON.
namespace usher::storage {

/// The partition of all that belongs to no show. No show has such an id.
inline constexpr std::string_view system_partition = "/system";

/// `queue/<show>`, `block/<show>/<block>`, `desk/<show>`: the show. Others: system_partition.
[[nodiscard]] std::string_view show_of(std::string_view subject);

struct cloud_event_options {
  enum class sealed : std::uint8_t {
    named,    ///< the word `sealed` stands in its place, or `erased`, if `open` says so
    left_out, ///< its member is not there
    opened,   ///< the customer of an order is, by `open`; null if it was erased. Nothing else
  };
  sealed personal = sealed::named;
  opener open{};
  /// Of the last event that goes out of a batch: where the batch ends, and the chain there.
  std::optional<log_head> anchor{};
};

/// The record as one line of JSON: `id` is shard/position, `type` is `usher.<name>`, `data` is the
/// payload with byte strings as hex digits. A failure if the payload is no CBOR.
[[nodiscard]] std::variant<std::string, failure> cloud_event(const stored_record& which,
                                                             const cloud_event_options& how = {});

} // namespace usher::storage
