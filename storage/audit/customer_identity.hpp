#pragma once

#include "actors/basics/ids.hpp"
#include "storage/secrets.hpp"

#include <string_view>

namespace usher::storage::audit {

/// Who a customer of the seller's is in the events of a show: the first 16 bytes of
/// HMAC-SHA256(key, show ‖ "customer" ‖ customer), where each part has its length before it, 4
/// bytes, big-endian. `key`: `identity` of the secrets.
[[nodiscard]] identity customer_identity(const secret_key& key, const show_id& show,
                                         std::string_view customer);

} // namespace usher::storage::audit
