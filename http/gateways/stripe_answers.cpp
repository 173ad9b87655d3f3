#include "http/gateways/stripe_answers.hpp"

#include <utility>

namespace usher::gateways {

namespace {

std::string code_of(const json& error) {
  for (const auto* name : {"/decline_code", "/code", "/type"})
    if (auto code = text_at(error, name); !code.empty())
      return code;
  return {};
}

} // namespace

std::string stripe_answer::code() const {
  const auto* error = find_at(body, "/error");
  return error == nullptr ? std::string{} : code_of(*error);
}

bool stripe_answer::blames_the_card() const {
  if (answer->status == 402)
    return true;
  const bool refused = answer->status == 400 || answer->status == 404;
  return refused && text_at(body, "/error/param") == "payment_method";
}

std::optional<result> read_intent(const json& intent) {
  auto id = text_at(intent, "/id");
  const auto status = text_at(intent, "/status");
  if (status == "succeeded")
    return approved(std::move(id));
  if (status == "canceled")
    return failed(std::move(id), "canceled");
  if (status == "processing" || status == "requires_capture")
    return pending(std::move(id), status);
  if (status == "requires_action")
    return pending(std::move(id), status, text_at(intent, "/next_action/redirect_to_url/url"));
  if (status == "requires_payment_method") {
    const auto* error = find_at(intent, "/last_payment_error");
    auto code = error == nullptr ? std::string{} : code_of(*error);
    return declined(std::move(id), code.empty() ? status : std::move(code));
  }
  return std::nullopt;
}

std::optional<result> read_stripe_refund(const json& refund) {
  auto id = text_at(refund, "/id");
  const auto status = text_at(refund, "/status");
  if (status == "succeeded")
    return approved(std::move(id));
  if (status == "pending" || status == "requires_action")
    return pending(std::move(id), status);
  if (status == "failed" || status == "canceled") {
    auto why = text_at(refund, "/failure_reason");
    return declined(std::move(id), why.empty() ? status : std::move(why));
  }
  return std::nullopt;
}

} // namespace usher::gateways
