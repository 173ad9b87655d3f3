#pragma once

#include "actors/payments/provider.hpp"
#include "http/client/message.hpp"
#include "http/gateways/exact_json.hpp"

#include <optional>
#include <string>
#include <string_view>

// What answers mean where all providers agree.
namespace usher::gateways {

namespace client = http::client;
using payments::result;

[[nodiscard]] result approved(std::string reference);
[[nodiscard]] result declined(std::string reference, std::string reason);
[[nodiscard]] result failed(std::string reference, std::string reason);
[[nodiscard]] result unknown(std::string reference, std::string reason);
/// The provider works, and does not know yet; `url` is where the fan has to go, if anywhere.
[[nodiscard]] result pending(std::string reference, std::string_view what, std::string url = {});

/// Nothing came of this request. For an attempt that was asked before that leaves all open.
[[nodiscard]] result refused(bool again, std::string reference, std::string reason);

/// No answer came. An attempt that was asked before is never `not_sent`.
[[nodiscard]] result not_reached(const client::failure& why, bool again,
                                 std::string reference = {});

/// Of an answer that is no success, where the protocol has no row of its own: refused if the
/// provider says that the request was no good, unknown otherwise.
[[nodiscard]] result by_status(const client::answer& got, bool again, std::string reference,
                               std::string_view code);

/// The same for a refund. Money goes back at one place only, so all that another try with the same
/// key may cure (no right to ask, too many requests) is unknown.
[[nodiscard]] result refund_by_status(const client::answer& got, bool again, std::string reference,
                                      std::string_view code);

/// The same for a question, which says nothing of what was asked about.
[[nodiscard]] result not_told(const client::outcome& got, std::string reference,
                              std::string_view code = {});

/// "http-402 card_declined"
[[nodiscard]] std::string status_reason(const client::answer& got, std::string_view code);

[[nodiscard]] inline bool is_success(int status) {
  return status >= 200 && status < 300;
}

/// An answer that is one JSON object, or that there is none.
struct parsed_answer {
  explicit parsed_answer(const client::outcome& got);

  const client::failure* failure = nullptr;
  const client::answer* answer = nullptr; ///< the other one
  json body = json::object();             ///< empty if it is no JSON object
  [[nodiscard]] bool good() const;        ///< 2xx with an id
  [[nodiscard]] std::string id() const;
  [[nodiscard]] std::string status() const; ///< of what it tells of
};

/// Of several payments of one attempt: one that charged counts more than one that may, and that
/// more than one that did not.
void keep_better(std::optional<result>& best, result read);

} // namespace usher::gateways
