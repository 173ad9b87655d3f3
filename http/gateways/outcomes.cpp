#include "http/gateways/outcomes.hpp"

#include <utility>

namespace usher::gateways {

using payments::outcome;

result approved(std::string reference) {
  // Without a name nobody could ever give the money back or ask for it.
  if (reference.empty())
    return unknown({}, "unreadable answer");
  return {.what = outcome::approved, .reference = std::move(reference)};
}

result declined(std::string reference, std::string reason) {
  return {.what = outcome::declined,
          .reference = std::move(reference),
          .reason = reason.empty() ? "declined" : std::move(reason)};
}

result failed(std::string reference, std::string reason) {
  return {.what = outcome::failed,
          .reference = std::move(reference),
          .reason = reason.empty() ? "failed" : std::move(reason)};
}

result unknown(std::string reference, std::string reason) {
  return {.what = outcome::unknown, .reference = std::move(reference), .reason = std::move(reason)};
}

result pending(std::string reference, std::string_view what, std::string url) {
  auto reason = std::string{payments::pending_reason};
  if (!what.empty())
    reason.append(": ").append(what);
  return {.what = outcome::unknown,
          .reference = std::move(reference),
          .reason = std::move(reason),
          .action_url = std::move(url)};
}

result refused(bool again, std::string reference, std::string reason) {
  return again ? unknown(std::move(reference), std::move(reason))
               : failed(std::move(reference), std::move(reason));
}

result not_reached(const client::failure& why, bool again, std::string reference) {
  const bool not_sent = why.kind == client::fault::not_sent;
  return {.what = not_sent && !again ? outcome::not_sent : outcome::unknown,
          .reference = std::move(reference),
          .reason = why.why};
}

result by_status(const client::answer& got, bool again, std::string reference,
                 std::string_view code) {
  const bool no_good = got.status >= 400 && got.status < 500 && got.status != 408 &&
                       got.status != 409 && got.status != 425;
  auto reason = status_reason(got, code);
  return no_good ? refused(again, std::move(reference), std::move(reason))
                 : unknown(std::move(reference), std::move(reason));
}

result refund_by_status(const client::answer& got, bool again, std::string reference,
                        std::string_view code) {
  const bool curable = got.status == 401 || got.status == 403 || got.status == 429;
  return by_status(got, again || curable, std::move(reference), code);
}

result not_told(const client::outcome& got, std::string reference, std::string_view code) {
  if (const auto* why = std::get_if<client::failure>(&got))
    return not_reached(*why, true, std::move(reference));
  return unknown(std::move(reference), status_reason(std::get<client::answer>(got), code));
}

std::string status_reason(const client::answer& got, std::string_view code) {
  if (is_success(got.status) && code.empty())
    return "unreadable answer";
  auto reason = "http-" + std::to_string(got.status);
  if (!code.empty())
    reason.append(" ").append(code);
  return reason;
}

parsed_answer::parsed_answer(const client::outcome& got)
    : failure{std::get_if<client::failure>(&got)}, answer{std::get_if<client::answer>(&got)} {
  if (answer != nullptr)
    if (auto read = read_object(answer->body))
      body = std::move(*read);
}

bool parsed_answer::good() const {
  return answer != nullptr && is_success(answer->status) && !id().empty();
}

std::string parsed_answer::id() const {
  return text_at(body, "/id");
}

std::string parsed_answer::status() const {
  return text_at(body, "/status");
}

void keep_better(std::optional<result>& best, result read) {
  const auto rank = [](const result& of) {
    if (of.what == payments::outcome::approved)
      return 2;
    return of.what == payments::outcome::unknown ? 1 : 0;
  };
  if (!best || rank(read) > rank(*best))
    best = std::move(read);
}

} // namespace usher::gateways
