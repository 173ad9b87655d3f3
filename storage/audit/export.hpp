#pragma once

#include "storage/event_log.hpp"

#include <string>

namespace usher::storage::audit {

/// The record as one line of JSON, a CloudEvents 1.0 envelope: `id` is shard/position, `type` is
/// `usher.<name>`, `data` is the payload with byte strings as hex digits and sealed personal data
/// as the word "sealed". A failure if the payload is no CBOR.
[[nodiscard]] std::variant<std::string, failure> cloud_event(const stored_record& which);

} // namespace usher::storage::audit
