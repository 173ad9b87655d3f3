#pragma once

#include "http/client/message.hpp"
#include "storage/outbox/sink.hpp"

#include <optional>
#include <string_view>

namespace usher::http {

/// 2xx is delivered, 410 is gone, all else is to be sent again, when Retry-After says or the
/// schedule.
[[nodiscard]] storage::outbox::outcome judge_webhook(const client::outcome& got, time_ms now);

/// Seconds, or a date in one of the three forms of RFC 9110. Nothing if it is neither.
[[nodiscard]] std::optional<time_ms> read_retry_after(std::string_view text, time_ms now);

} // namespace usher::http
